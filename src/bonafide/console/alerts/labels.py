"""Why each type of alert matters, and the labels of the states of alerts."""

from types import MappingProxyType

from bonafide.i18n.message import Message, context_message
from bonafide.model.events.event import AlertStatus, EventType

REASON = MappingProxyType({
    EventType.SCREENING_HIT_FOUND: Message(
        "Dealing with a listed party may be prohibited. Compare the listing with your customer before you go on."
    ),
    EventType.SCREENING_HIT_CHANGED: Message("The listing may now agree more or less with your customer than it did before."),
    EventType.SCREENING_HIT_CLEARED: Message("What you decided because of this hit may no longer be necessary."),
    EventType.REGISTRY_STATUS_CHANGED: Message("A business that is no longer active may not be able to enter into contracts."),
    EventType.REGISTRY_NAME_CHANGED: Message("Your record, screenings and contracts may have the former name."),
    EventType.REGISTRY_ADDRESS_CHANGED: Message("Your record may have a former address, and notices may not arrive."),
    EventType.REGISTRY_PEOPLE_CHANGED: Message("New directors and owners have to be identified and screened."),
    EventType.REGISTRY_ENTRY_GONE: Message("The business may be dissolved or continued elsewhere. Check the register by hand."),
    EventType.LICENCE_CHANGED: Message("The business may do what it is licensed for under other terms, or no longer."),
    EventType.LICENCE_LAPSED: Message("The business may no longer do what it was licensed for."),
    EventType.WEBSITE_CHANGED: Message(
        "The business may have closed or moved, or somebody else may use its address. Read the website."
    ),
    EventType.RISK_BAND_CHANGED: Message("The measures that apply to the business may have to change. Read why the rating moved."),
    EventType.MONITORING_EVALUATION_OVERDUE: Message(
        "What you know of this business may no longer be true, and a change of it may have gone unnoticed."
    ),
    EventType.DISMISSAL_EXPIRED: Message("The hit is open again. Decide whether it still is not your customer."),
    EventType.DISCREPANCY_DUE: Message("A material discrepancy that is not resolved must be reported within 30 days."),
    EventType.CASE_DUE: Message("What the case gathers waits for a decision that should have been made."),
    EventType.SOURCE_FAILED: Message("Until the source is loaded again, changes in it are not known."),
    EventType.SOURCE_STALE: Message("Results that depend on this source may no longer be true."),
    EventType.SOURCE_DRIFTED: Message("The file of the source has changed its form or its size. An operator must look at it."),
    EventType.WEBHOOK_FAILING: Message("Your system does not receive events. Repair the receiver, or pause the endpoint."),
    EventType.WEBHOOK_DISABLED: Message("Your system receives no events until you enable the endpoint again."),
})  # fmt: skip
STATUS = MappingProxyType({
    AlertStatus.OPEN: context_message("alerts", "Open"),
    AlertStatus.ACKNOWLEDGED: context_message("alerts", "Acknowledged"),
})  # fmt: skip
