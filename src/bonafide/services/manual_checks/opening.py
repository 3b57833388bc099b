"""Open and cancel manual checks in the transaction of the change that needs them, or no longer needs them.

A search or a verification opens a check only for a business record: a queue with the registers of every casual search would hide
the checks that are needed. For others, a person creates the check (`requests`).
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.entry import SourceKind
from bonafide.model.events.event import EventBusiness, NewEvent
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.manual_checks.manual_check import ManualCheckContent, ManualCheckOrigin, ManualCheckStatus
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.manual_checks.check_rows import (
    CANCELLED,
    OPENED,
    build_cancelled_event,
    build_opened_event,
    describe_check,
    parse_content,
)
from bonafide.sources.framework.discovery import Source
from bonafide.store.cases import manual_checks
from bonafide.store.cases.manual_checks import StoredManualCheck
from bonafide.store.database.engine import Connection
from bonafide.store.tenants import audit_log

BY_MANUAL_CHECKS = Author("system:manual_checks")
"""The author of what the service itself changes."""


@dataclass(frozen=True, slots=True)
class NeededCheck:
    """A register that a person has to look at: for what, and what to look for."""

    source: Source
    jurisdiction: Jurisdiction
    origin: ManualCheckOrigin
    opened_by: str
    business: EventBusiness | None
    name: str | None
    registration_number: str | None
    search_id: UUID | None = None
    verification_id: UUID | None = None

    @property
    def subject(self) -> str:
        """What the check is about; there is at most one open check of a subject and a source."""
        business_id = self.business.id if self.business is not None else None
        return list_subjects(business_id, self.search_id, self.verification_id)[0]


@dataclass(frozen=True, slots=True)
class OpenedCheck:
    """An open check, and the event of its opening; None if it was open already."""

    row: StoredManualCheck
    event: NewEvent | None


def list_subjects(business_id: UUID | None, search_id: UUID | None = None, verification_id: UUID | None = None) -> list[str]:
    """The subjects of checks of a record and of a verification or a search, the one of a new check first."""
    subjects = [str(business_id)] if business_id is not None else []
    if verification_id is not None:
        subjects.append(f"/v1/verify/{verification_id}")
    if search_id is not None:
        subjects.append(f"/v1/search/{search_id}")
    return subjects


def find_register(runtime: Runtime, jurisdiction: Jurisdiction) -> Source | None:
    """The source of the register of a jurisdiction; None if there is none."""
    return next((source for source in runtime.sources.values() if is_register_for(source, jurisdiction)), None)


def is_register_for(source: Source, jurisdiction: Jurisdiction) -> bool:
    """Whether it is the register of the jurisdiction."""
    return source.metadata.kind is SourceKind.REGISTRY and source.metadata.jurisdiction is jurisdiction


async def read_due_period(runtime: Runtime, organization_id: UUID) -> tuple[bool, timedelta | None]:
    """Whether checks are opened without a person (`cases.items.manualCheck.enabled`), and the time until one is due."""
    settings = (await read_settings(runtime, organization_id)).cases
    policy = settings.items.manual_check
    return settings.enabled and policy.enabled, policy.due_after


async def open_check(
    connection: Connection, organization_id: UUID, needed: NeededCheck, due_after: timedelta | None, now: datetime, author: Author
) -> OpenedCheck:
    """Open a check unless its subject has an open one of this source, in the caller's transaction.

    Lock other rows of the change before this. The caller records the event.
    """
    ledger = await audit_log.lock_head(connection, organization_id)
    known = await manual_checks.list_open(connection, organization_id, [needed.subject])
    for row in known:
        if row.source == needed.source.key:
            return OpenedCheck(row, None)
    at = ledger.next_instant(now)
    content = ManualCheckContent(
        business=needed.business,
        search_id=needed.search_id,
        verification_id=needed.verification_id,
        url=needed.source.metadata.page,
        name=needed.name,
        registration_number=needed.registration_number,
        origin=needed.origin,
        opened_by=needed.opened_by,
    )
    row = StoredManualCheck(
        id=uuid4(),
        subject=needed.subject,
        business_id=needed.business.id if needed.business is not None else None,
        source=needed.source.key,
        jurisdiction=needed.jurisdiction,
        number=get_number_key(needed.registration_number),
        seen_number=None,
        status=ManualCheckStatus.OPEN,
        opened_at=at,
        due_at=at + due_after if due_after is not None else None,
        closed_at=None,
        seen_at=None,
        expires_at=None,
        renew_at=None,
        updated_at=at,
        document=content.to_json(),
    )
    await manual_checks.add(connection, organization_id, row)
    change = audit_log.AuditChange(row.id, at, author, [FieldChange(OPENED, None, describe_check(row))])
    await audit_log.record_change(connection, organization_id, ledger, change)
    return OpenedCheck(row, build_opened_event(row))


async def cancel_answered_checks(
    connection: Connection, organization_id: UUID, business_id: UUID, jurisdiction: Jurisdiction, now: datetime
) -> list[NewEvent]:
    """Cancel the open checks of a record whose register a program could query after all, in the caller's transaction."""
    events: list[NewEvent] = []
    for row in await manual_checks.list_open(connection, organization_id, [str(business_id)]):
        if row.jurisdiction is jurisdiction:
            _, event = await cancel_check(connection, organization_id, row, None, now, BY_MANUAL_CHECKS)
            events.append(event)
    return events


async def cancel_check(
    connection: Connection, organization_id: UUID, row: StoredManualCheck, note: str | None, now: datetime, author: Author
) -> tuple[StoredManualCheck, NewEvent]:
    """Cancel an open check, in the caller's transaction; the caller records the event."""
    ledger = await audit_log.lock_head(connection, organization_id)
    at = ledger.next_instant(now)
    content = parse_content(row).model_copy(update={"cancelled_by": author.actor, "cancel_note": note})
    cancelled = replace(row, status=ManualCheckStatus.CANCELLED, closed_at=at, updated_at=at, document=content.to_json())
    await manual_checks.replace(connection, organization_id, cancelled)
    field = FieldChange(CANCELLED, {"status": row.status.value}, {"status": cancelled.status.value, "note": note})
    change = audit_log.AuditChange(row.id, at, author, [field])
    await audit_log.record_change(connection, organization_id, ledger, change)
    return cancelled, build_cancelled_event(cancelled)


def get_number_key(number: str | None) -> str | None:
    """A key that is equal for all spellings of a registration number; None for a text without a number."""
    keys = build_number_keys(number) if number is not None else frozenset()
    return min(keys) if keys else None
