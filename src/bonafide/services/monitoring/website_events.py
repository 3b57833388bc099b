"""Events of changed websites. Pure."""

from collections.abc import Sequence
from datetime import datetime

from bonafide.model.events.event import (
    EventBusiness,
    EventSeverity,
    EventSource,
    EventSubject,
    EventSubjectKind,
    EventType,
    NewEvent,
)
from bonafide.model.events.event_data import WebsiteChangedData
from bonafide.model.monitoring.website_snapshots import WebsiteChangeKind
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.search.website import WebsiteAnalysis
from bonafide.services.monitoring.linked_entries import list_names
from bonafide.services.monitoring.query_planning import WEBSITE_SOURCE
from bonafide.services.monitoring.website_comparison import ComparedWebsite, is_same_name

_SEVERITIES = {
    WebsiteChangeKind.GONE: EventSeverity.HIGH,
    WebsiteChangeKind.BACK: EventSeverity.LOW,
    WebsiteChangeKind.MOVED: EventSeverity.MEDIUM,
    WebsiteChangeKind.OWNER_CHANGED: EventSeverity.HIGH,
    WebsiteChangeKind.NAME_CHANGED: EventSeverity.MEDIUM,
    WebsiteChangeKind.NUMBERS_CHANGED: EventSeverity.MEDIUM,
    WebsiteChangeKind.CONTACTS_CHANGED: EventSeverity.LOW,
}


def build_website_event(
    compared: ComparedWebsite, analysis: WebsiteAnalysis, address: str, domain: str, record: BusinessRecord
) -> NewEvent | None:
    """The event of a reading; None if nothing has changed. `domain` is the registrable domain of the record's address."""
    if not compared.changes:
        return None
    name, snapshot = analysis.extracted.legal_name, compared.snapshot
    is_name_of_record = is_same_name(name, list_names(record)) if name is not None else None
    kinds = tuple(change.kind for change in compared.changes)
    return NewEvent(
        EventType.WEBSITE_CHANGED,
        EventSubject(kind=EventSubjectKind.WEBSITE, name=domain),
        WebsiteChangedData(
            url=address,
            kinds=kinds,
            status=analysis.status,
            failing_since=snapshot.failing_since,
            is_name_of_record=is_name_of_record,
        ),
        business=EventBusiness.from_record(record),
        changes=tuple(change.change for change in compared.changes),
        source=_build_source(analysis.retrieved_at),
        resource=f"/v1/businesses/{record.id}/monitoring",
        severity=_rate(kinds, is_name_of_record=is_name_of_record is True),
    )


def _build_source(read_at: datetime) -> EventSource:
    return EventSource(key=WEBSITE_SOURCE, as_of=None, retrieved_at=read_at)


def _rate(kinds: Sequence[WebsiteChangeKind], *, is_name_of_record: bool) -> EventSeverity:
    """The highest severity of the changes. Another name that is one of the record's is expected."""
    rated = dict(_SEVERITIES)
    if is_name_of_record:
        rated[WebsiteChangeKind.NAME_CHANGED] = EventSeverity.LOW
    return max((rated[kind] for kind in kinds), key=list(EventSeverity).index)
