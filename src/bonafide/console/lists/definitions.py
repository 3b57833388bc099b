"""The lists of the console and what each is filtered by, and their filters as the services know them."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from bonafide.console.alerts import labels as alert_labels
from bonafide.console.events import labels as event_labels
from bonafide.console.frame.code_labels import JURISDICTION, OUTCOME, SCREENING_OUTCOME, SEARCH_STATUS, SELECTION, STANDING
from bonafide.console.frame.navigation_counts import ALERTS
from bonafide.console.lists.list_filter import ListChoice, ListDefinition, ListQuery, Options
from bonafide.i18n.message import Message, context_message
from bonafide.model.events.alerts import ALERT_TYPES
from bonafide.model.events.event import AlertStatus, EventSeverity, EventType
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.lists.saved_views import ListName
from bonafide.model.records.business_record import VerificationStatus
from bonafide.model.screening.history import ScreeningOutcome
from bonafide.model.search.result import SearchStatus, SelectionStatus
from bonafide.model.verification.results import ResultStatus, VerificationState
from bonafide.store.records.businesses import RecordFilter
from bonafide.store.records.dismissals import DismissalFilter
from bonafide.store.records.events import EventFilter
from bonafide.store.records.screenings import ScreeningFilter
from bonafide.store.records.searches import HistoryFilter
from bonafide.store.records.verifications import VerificationFilter

VERIFICATION_WORDS = MappingProxyType({
    VerificationStatus.VERIFIED: Message("Verified"),
    VerificationStatus.DISCREPANCIES: Message("Discrepancies"),
    VerificationStatus.FAILED: Message("Verification failed"),
    VerificationStatus.UNVERIFIED: Message("Not verified"),
})  # fmt: skip
HAS_OPEN_HITS = "open"
"""The value of `hits` for searches with open sanctions hits."""


def _to_options(labels: Mapping[Any, Message]) -> Options:
    return tuple((str(value), label) for value, label in labels.items())


_JURISDICTION = ListChoice("jurisdiction", Message("Registered in"), _to_options(JURISDICTION))
_ARCHIVED = ListChoice(
    "archived",
    context_message("filter", "Archive"),
    (("yes", context_message("filter", "Archived")), ("all", Message("All"))),
    Message("Not archived"),
)
SEARCHES = ListDefinition(
    ListName.SEARCHES,
    "/console/searches",
    Message("Search history"),
    Message("Search by name"),
    (
        ListChoice("selection", Message("Match"), _to_options(SELECTION)),
        ListChoice("hits", Message("Sanctions"), ((HAS_OPEN_HITS, Message("Open hits")),)),
        _JURISDICTION,
        ListChoice("status", Message("Status"), _to_options(SEARCH_STATUS)),
        _ARCHIVED,
    ),
    has_person=True,
    page_parameters=("older", "newer"),
)
VERIFICATIONS = ListDefinition(
    ListName.VERIFICATIONS,
    "/console/verifications",
    Message("Verifications"),
    Message("Search by name or number"),
    (
        ListChoice("outcome", Message("Outcome"), _to_options(OUTCOME)),
        ListChoice("state", Message("Status"), _to_options(STANDING)),
        _JURISDICTION,
    ),
    has_person=True,
)
SCREENINGS = ListDefinition(
    ListName.SCREENINGS,
    "/console/sanctions/screenings",
    Message("Past screenings"),
    Message("Search by name"),
    (ListChoice("outcome", Message("Outcome"), _to_options(SCREENING_OUTCOME)),),
    has_person=True,
    references=("business",),
)
DISMISSALS = ListDefinition(
    ListName.DISMISSALS,
    "/console/sanctions/dismissals",
    Message("Dismissed hits"),
    Message("Search by name"),
    (
        ListChoice(
            "active", Message("Status"), (("yes", Message("In effect")), ("no", Message("Revoked or expired"))), Message("All")
        ),
    ),
    has_person=True,
    tokens=("list",),
)
BUSINESSES = ListDefinition(
    ListName.BUSINESSES,
    "/console/businesses",
    Message("Business records"),
    Message("Search by name, ID or number"),
    (
        ListChoice("verification", Message("Verification"), _to_options(VERIFICATION_WORDS)),
        ListChoice(
            "monitored",
            Message("Monitoring"),
            (("yes", context_message("filter", "Monitored")), ("no", Message("Not monitored"))),
            Message("All"),
        ),
        ListChoice(
            "discrepancies",
            Message("Discrepancies"),
            (("yes", context_message("discrepancies", "Open")), ("no", context_message("discrepancies", "None open"))),
            Message("All"),
        ),
        _JURISDICTION,
        _ARCHIVED,
    ),
)
ALERT_LIST = ListDefinition(
    ListName.ALERTS,
    ALERTS,
    Message("Alerts"),
    None,
    (
        ListChoice(
            "status",
            Message("Status"),
            tuple((value, label) for value, label in alert_labels.STATUS.items() if value != AlertStatus.OPEN),
            alert_labels.STATUS[AlertStatus.OPEN],
        ),
        ListChoice(
            "type",
            Message("Type"),
            (),
            Message("All types"),
            tuple(
                (label, tuple((one.value, event_labels.TITLE[one]) for one in types if one in ALERT_TYPES))
                for label, types in event_labels.TYPE_GROUPS
                if not ALERT_TYPES.isdisjoint(types)
            ),
        ),
        ListChoice("severity", Message("Severity"), _to_options(event_labels.MIN_SEVERITY), Message("All severities")),
    ),
    has_days=False,
)
DEFINITIONS: Mapping[ListName, ListDefinition] = MappingProxyType({
    one.name: one for one in (SEARCHES, VERIFICATIONS, SCREENINGS, DISMISSALS, BUSINESSES, ALERT_LIST)
})  # fmt: skip
_ARCHIVED_FILTER = {"": False, "yes": True, "all": None}


def build_history_filter(chosen: ListQuery) -> HistoryFilter:
    """The filter of searches."""
    return HistoryFilter(
        query=chosen.text,
        archived=_ARCHIVED_FILTER[chosen.get("archived")],
        status=chosen.get_choice("status", SearchStatus),
        selection=chosen.get_choice("selection", SelectionStatus),
        jurisdiction=chosen.get_choice("jurisdiction", Jurisdiction),
        since=chosen.since,
        until=chosen.until,
        searched_by=chosen.person,
        has_open_hits=chosen.get("hits") == HAS_OPEN_HITS,
    )


def build_verification_filter(chosen: ListQuery) -> VerificationFilter:
    """The filter of verifications."""
    return VerificationFilter(
        text=chosen.text,
        state=chosen.get_choice("state", VerificationState),
        outcome=chosen.get_choice("outcome", ResultStatus),
        jurisdiction=chosen.get_choice("jurisdiction", Jurisdiction),
        requested_by=chosen.person,
        since=chosen.since,
        until=chosen.until,
    )


def build_screening_filter(chosen: ListQuery) -> ScreeningFilter:
    """The filter of standalone screenings."""
    return ScreeningFilter(
        query=chosen.text,
        outcome=chosen.get_choice("outcome", ScreeningOutcome),
        business_id=chosen.get_reference("business"),
        since=chosen.since,
        until=chosen.until,
        screened_by=chosen.person,
    )


def build_dismissal_filter(chosen: ListQuery, now: datetime) -> DismissalFilter:
    """The filter of dismissals."""
    return DismissalFilter(
        active=chosen.get_flag("active"),
        source=chosen.values.get("list"),
        now=now,
        text=chosen.text,
        dismissed_by=chosen.person,
        since=chosen.since,
        until=chosen.until,
    )


def build_record_filter(chosen: ListQuery) -> RecordFilter:
    """The filter of business records."""
    return RecordFilter(
        text=chosen.text,
        archived=_ARCHIVED_FILTER[chosen.get("archived")],
        monitored=chosen.get_flag("monitored"),
        discrepancies=chosen.get_flag("discrepancies"),
        jurisdiction=chosen.get_choice("jurisdiction", Jurisdiction),
        verification=chosen.get_choice("verification", VerificationStatus),
        since=chosen.since,
        until=chosen.until,
    )


def build_alert_filter(chosen: ListQuery) -> EventFilter:
    """The filter of alerts: the open ones unless another status is chosen."""
    event_type = chosen.get_choice("type", EventType)
    types = frozenset({event_type}) if event_type is not None else None
    status = chosen.get_choice("status", AlertStatus) or AlertStatus.OPEN
    return EventFilter(types, min_severity=chosen.get_choice("severity", EventSeverity), alerts=status)
