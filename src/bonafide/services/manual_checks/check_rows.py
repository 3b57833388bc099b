"""Conversion between the rows of manual checks and their documents, and their events. Pure."""

from datetime import datetime

from pydantic import JsonValue

from bonafide.model.events.event import EventSource, EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.events.event_data import ManualCheckCancelledData, ManualCheckCompletedData, ManualCheckOpenedData
from bonafide.model.manual_checks.manual_check import (
    ManualCheckContent,
    ManualCheckEvidence,
    ManualCheckListItem,
    ManualCheckStatus,
)
from bonafide.store.cases.manual_checks import StoredManualCheck

CHECKS_PATH = "/v1/manual-checks"
OPENED, ATTACHED, COMPLETED, CANCELLED, EXPIRED = (
    f"manual_check.{what}" for what in ("opened", "attached", "completed", "cancelled", "expired")
)
"""The fields of audit entries."""


def parse_content(row: StoredManualCheck) -> ManualCheckContent:
    """The part of a check that is stored as text."""
    return ManualCheckContent.model_validate_json(row.document)


def to_list_item(row: StoredManualCheck, now: datetime) -> ManualCheckListItem:
    """The check of a row."""
    own = {name: getattr(row, name) for name in StoredManualCheck.__slots__ if name in ManualCheckListItem.model_fields}
    overdue = row.status is ManualCheckStatus.OPEN and row.due_at is not None and row.due_at <= now
    return ManualCheckListItem(**dict(parse_content(row)), **own, overdue=overdue)


def to_evidence(row: StoredManualCheck) -> ManualCheckEvidence:
    """What a verification states of a check with a result."""
    content = parse_content(row)
    assert content.result is not None  # noqa: S101 - the caller has a check with a result
    return ManualCheckEvidence(id=row.id, source=row.source, url=content.url, result=content.result)


def describe_check(row: StoredManualCheck) -> dict[str, JsonValue]:
    """A check in the audit log."""
    item = to_list_item(row, row.updated_at)
    described: dict[str, JsonValue] = item.model_dump(mode="json", by_alias=True, exclude={"overdue", "updated_at"})
    return described


def build_opened_event(row: StoredManualCheck) -> NewEvent:
    """The event of a new check."""
    content = parse_content(row)
    data = ManualCheckOpenedData(
        manual_check_id=row.id,
        search_id=content.search_id,
        verification_id=content.verification_id,
        origin=content.origin,
        due_at=row.due_at,
        changed_by=content.opened_by,
    )
    return _build_event(EventType.MANUAL_CHECK_OPENED, row, content, data)


def build_completed_event(row: StoredManualCheck) -> NewEvent:
    """The event of a check with a result."""
    content = parse_content(row)
    result = content.result
    assert result is not None  # noqa: S101 - the caller has a check with a result
    data = ManualCheckCompletedData(
        manual_check_id=row.id,
        search_id=content.search_id,
        verification_id=content.verification_id,
        found=result.found,
        status_code=result.status_code,
        report_id=result.report_id,
        retrieved_at=result.retrieved_at,
        expires_at=result.expires_at,
        changed_by=result.seen_by,
    )
    source = EventSource(key=row.source, as_of=result.retrieved_at.date(), retrieved_at=result.retrieved_at)
    return _build_event(EventType.MANUAL_CHECK_COMPLETED, row, content, data, source)


def build_cancelled_event(row: StoredManualCheck) -> NewEvent:
    """The event of a cancelled check."""
    content = parse_content(row)
    assert content.cancelled_by is not None  # noqa: S101 - the caller has a cancelled check
    data = ManualCheckCancelledData(
        manual_check_id=row.id,
        search_id=content.search_id,
        verification_id=content.verification_id,
        changed_by=content.cancelled_by,
    )
    return _build_event(EventType.MANUAL_CHECK_CANCELLED, row, content, data)


def _build_event(
    event_type: EventType,
    row: StoredManualCheck,
    content: ManualCheckContent,
    data: ManualCheckOpenedData | ManualCheckCompletedData | ManualCheckCancelledData,
    source: EventSource | None = None,
) -> NewEvent:
    return NewEvent(
        event_type,
        EventSubject(
            kind=EventSubjectKind.MANUAL_CHECK,
            id=row.id,
            name=content.name,
            jurisdiction=row.jurisdiction,
            registration_number=content.registration_number,
            source=row.source,
        ),
        data,
        business=content.business,
        source=source,
        resource=f"{CHECKS_PATH}/{row.id}",
    )
