"""The changes that monitoring has reported, as items of an examiner's pack. Pure."""

from bonafide.i18n.message import Message
from bonafide.model.events.event import Event, EventType
from bonafide.pdf.print_packs import PrintedPackItem
from bonafide.services.packs.entries import ItemContext, describe_text, list_details, to_text

MONITORING_EVENTS = frozenset(
    {
        EventType.SCREENING_HIT_FOUND,
        EventType.SCREENING_HIT_CHANGED,
        EventType.SCREENING_HIT_CLEARED,
        EventType.DISMISSAL_EXPIRED,
        EventType.REGISTRY_STATUS_CHANGED,
        EventType.REGISTRY_NAME_CHANGED,
        EventType.REGISTRY_ADDRESS_CHANGED,
        EventType.REGISTRY_PEOPLE_CHANGED,
        EventType.REGISTRY_ENTRY_GONE,
        EventType.LICENCE_GRANTED,
        EventType.LICENCE_CHANGED,
        EventType.LICENCE_LAPSED,
        EventType.WEBSITE_CHANGED,
        EventType.MONITORING_EVALUATION_OVERDUE,
        EventType.RISK_BAND_CHANGED,
    }
)
"""The events that a pack lists. `events.jsonl` has all events."""


def build_event_item(event: Event, context: ItemContext) -> PrintedPackItem:
    """The item of an event."""
    about = event.subject.name if event.subject.name is not None else event.business.name if event.business is not None else None
    alert = event.alert
    return PrintedPackItem(
        at=event.occurred_at,
        by=None,
        title=to_text(about if about is not None else event.type.value),
        outcome=f"monitoringEvent.{event.type}",
        details=list_details(
            describe_text("source", context.get_source_name(event.source.key) if event.source is not None else None),
            *(
                describe_text(
                    "change", Message("{field}: {old} → {new}", field=one.field, old=_to_plain(one.from_), new=_to_plain(one.to))
                )
                for one in event.changes
            ),
            describe_text("decidedBy", alert.acknowledged_by if alert is not None else None),
            describe_text("note", alert.note if alert is not None else None),
            describe_text("id", str(event.id)),
        ),
    )


def _to_plain(value: object) -> str:
    return "–" if value is None else str(value)
