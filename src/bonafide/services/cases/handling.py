"""Work on a case: give it to a member, change its priority, due date and status, and write notes.

A change is one short transaction with its audit entries and events, which locks the organization's audit head first.
"""

from dataclasses import replace
from datetime import datetime
from uuid import UUID, uuid4

from bonafide.errors import Conflict, StaleWrite, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import Role
from bonafide.model.base import StoredDocument, format_instant
from bonafide.model.cases.case import Case, CaseDecision, CaseNote, CaseOutcome, CaseStatus
from bonafide.model.cases.requests import CaseChange, CaseNoteRequest
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.cases.case_changes import CHANGED, NOTED, CaseTransaction, describe_case
from bonafide.services.cases.case_events import build_assigned_event
from bonafide.services.cases.case_rows import set_due_date, to_record
from bonafide.services.cases.reading import load_case, load_row
from bonafide.services.events.recording import record_events
from bonafide.store.cases import case_parts
from bonafide.store.cases.case_parts import CasePart, StoredCasePart
from bonafide.store.cases.cases import StoredCase
from bonafide.store.database.engine import Connection
from bonafide.store.people import users
from bonafide.store.tenants import audit_log
from bonafide.store.work.pending_key import complete_key

MAX_NOTES = 1000
"""Of one case."""
_ENDED = {
    CaseOutcome.APPROVED: Message("{who} approved this case on {when}."),
    CaseOutcome.REJECTED: Message("{who} rejected this case on {when}."),
    CaseOutcome.SETTLED: Message("Every item of this case was settled, so that it ended on {when}."),
}


async def change_case(runtime: Runtime, organization_id: UUID, case_id: UUID, change: CaseChange, author: Author) -> Case:
    """Set the fields that were sent.

    Raises `NotFound`, `StaleWrite` if it isn't the version that the caller expects, `Conflict` if the case has ended, or if its
    status is set while a decision is to be confirmed, and `ValidationFailed` for an assignee who can't work on cases.
    """
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        old = await load_row(connection, organization_id, case_id)
        check_version(old, change.expected_updated_at)
        await check_undecided(connection, organization_id, old)
        new = await _apply_change(connection, organization_id, old, change)
        if new != old:
            changes = CaseTransaction(connection, organization_id, ledger, runtime.clock(), author)
            changes.change(old, new, [FieldChange(CHANGED, describe_case(old), describe_case(new))])
            await changes.finish()
            if new.assignee != old.assignee:
                changes.events.append(build_assigned_event(to_record(old), to_record(new), author))
            await record_events(connection, organization_id, changes.events, changes.at)
        return await load_case(runtime, connection, organization_id, await load_row(connection, organization_id, case_id))


async def _apply_change(connection: Connection, organization_id: UUID, old: StoredCase, change: CaseChange) -> StoredCase:
    sent, new = change.model_fields_set, old
    if "assignee" in sent:
        assignee = change.assignee.casefold() if change.assignee is not None else None
        if assignee is not None and assignee != old.assignee:
            await _check_assignee(connection, organization_id, assignee)
        new = replace(new, assignee=assignee)
    if "priority" in sent:
        new = replace(new, priority=change.priority)
    if "due_at" in sent:
        new = set_due_date(new, change.due_at)
    if "status" in sent and change.status is not old.status:
        if old.status is CaseStatus.IN_SECOND_REVIEW:
            raise Conflict(Message("Another person has to confirm or return the decision about this case first."))
        new = replace(new, status=change.status)
    return new


async def _check_assignee(connection: Connection, organization_id: UUID, email: str) -> None:
    """Raise `ValidationFailed` unless an enabled member with this e-mail may decide."""
    known = await users.get_by_email(connection, email)
    role = await users.get_role(connection, organization_id, known.user.id) if known is not None else None
    if known is None or known.disabled_at is not None or role is None:
        raise ValidationFailed.of_field("assignee", Message("is not the e-mail of a member of your organization"))
    if role is Role.VIEWER:
        raise ValidationFailed.of_field("assignee", Message("is a viewer, who can’t work on cases"))


async def add_note(runtime: Runtime, organization_id: UUID, case_id: UUID, request: CaseNoteRequest, author: Author) -> CaseNote:
    """Add a note, also to a case that has ended. Raises `NotFound`, and `Conflict` beyond the limit of a case."""
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        row = await load_row(connection, organization_id, case_id)
        if await case_parts.count_parts(connection, organization_id, CasePart.NOTE, case_id) >= MAX_NOTES:
            raise Conflict(Message("The case has {limit} notes, which is the limit.", limit=MAX_NOTES))
        changes = CaseTransaction(connection, organization_id, ledger, runtime.clock(), author)
        note = CaseNote(id=uuid4(), text=request.text, created_at=changes.at, created_by=author.actor)
        part = StoredCasePart(note.id, case_id, changes.at, note.to_json())
        await case_parts.add_part(connection, organization_id, CasePart.NOTE, part)
        changes.change(row, row, [FieldChange(NOTED, None, {"id": str(note.id), "text": note.text})])
        await changes.finish()
        await complete_key(connection, note)
    return note


def check_version(row: StoredCase, expected: datetime | None) -> None:
    """Raise `StaleWrite` unless the case is the version that the caller has read."""
    if expected is not None and expected != row.updated_at:
        raise StaleWrite(Message("The case has changed since you read it."))


async def check_undecided(connection: Connection, organization_id: UUID, row: StoredCase) -> None:
    """Raise `Conflict`, which says who has decided what, if the case has ended."""
    if row.outcome is None or row.decided_at is None:
        return
    when = format_instant(row.decided_at)
    if row.outcome is CaseOutcome.SETTLED:
        raise Conflict(_ENDED[row.outcome].fill(when=when))
    decisions = await load_decisions(connection, organization_id, row.id)
    raise Conflict(_ENDED[row.outcome].fill(who=decisions[-1].decided_by, when=when))


async def load_decisions(connection: Connection, organization_id: UUID, case_id: UUID) -> list[CaseDecision]:
    """The decisions about a case, oldest first."""
    listed = await case_parts.list_parts(connection, organization_id, CasePart.DECISION, case_id)
    return [StoredDocument.from_text(document).parse(CaseDecision) for document in listed]
