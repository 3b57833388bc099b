"""Decide about a case: approve, reject, request information or escalate, with a second person where the organization wants one.

Every decision holds the organization's audit head, so of two people who decide at once, the second one gets an error that says what
the first one has decided. A second review names the decision that it reviews, so that nobody confirms one unknowingly.
"""

from dataclasses import replace
from datetime import datetime
from uuid import UUID, uuid4

from bonafide.errors import Conflict
from bonafide.i18n.message import Message
from bonafide.model.base import format_instant
from bonafide.model.cases.case import Case, CaseDecision, CaseItemStatus, CaseOutcome, CaseStatus
from bonafide.model.cases.policy import CaseDecisionKind, CaseItemKind, CaseSettings, ReasonCode
from bonafide.model.cases.requests import CaseDecisionRequest
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.cases.case_changes import DECIDED, CaseTransaction, describe_case, end_case
from bonafide.services.cases.case_events import build_assigned_event, build_decided_event
from bonafide.services.cases.case_rows import to_record
from bonafide.services.cases.handling import check_undecided, check_version, load_decisions
from bonafide.services.cases.hit_checks import find_settled_hits
from bonafide.services.cases.reading import load_case, load_row
from bonafide.services.events.alerts import AlertDecision, acknowledge_events
from bonafide.services.events.feed import to_event
from bonafide.services.events.recording import record_events
from bonafide.store.cases import case_parts
from bonafide.store.cases.case_parts import CasePart, StoredCaseItem, StoredCasePart
from bonafide.store.cases.cases import StoredCase
from bonafide.store.database.engine import Connection
from bonafide.store.records import events
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import AuditLogState
from bonafide.store.work.pending_key import complete_key

_OUTCOMES = {CaseDecisionKind.APPROVE: CaseOutcome.APPROVED, CaseDecisionKind.REJECT: CaseOutcome.REJECTED}
_PENDING = {
    CaseDecisionKind.APPROVE: Message(
        "{who} decided on {when} to approve this case. To confirm or return that, send its ID as `reviews`."
    ),
    CaseDecisionKind.REJECT: Message(
        "{who} decided on {when} to reject this case. To confirm or return that, send its ID as `reviews`."
    ),
}


async def decide_case(runtime: Runtime, organization_id: UUID, case_id: UUID, request: CaseDecisionRequest, author: Author) -> Case:
    """Record a decision, and what follows from it.

    Raises `NotFound`, `StaleWrite` if it isn't the version that the caller expects, `Conflict` if somebody has decided already, if
    the same person would confirm their own decision, or if a case with an open hit would be approved, and `ValidationFailed` for a
    reason that the decision can't have.
    """
    settings = (await read_settings(runtime, organization_id)).cases
    reason = settings.get_reason(request.reason_code, request.decision)
    is_approval = request.decision is CaseDecisionKind.APPROVE
    # Before the transaction, which must be short.
    settled_hits = await find_settled_hits(runtime, organization_id, case_id) if is_approval else frozenset()
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        old = await load_row(connection, organization_id, case_id)
        await check_undecided(connection, organization_id, old)
        decisions = await load_decisions(connection, organization_id, case_id)
        reviewed = _find_reviewed(old, decisions, request, author)
        check_version(old, request.expected_updated_at)
        items = await case_parts.list_open_of_case(connection, organization_id, case_id)
        if is_approval:
            _check_hits([item for item in items if item.id not in settled_hits])
        now = runtime.clock()
        is_ending = request.decision.is_final and _is_confirmed(settings, request.decision, reviewed)
        if is_ending:
            ledger = await _acknowledge_alerts(connection, organization_id, ledger, items, AlertDecision(author, now, request.note))
        changes = CaseTransaction(connection, organization_id, ledger, now, author)
        decision = _build_decision(request, reason, author, changes.at)
        part = StoredCasePart(decision.id, case_id, changes.at, decision.to_stored().to_text())
        await case_parts.add_part(connection, organization_id, CasePart.DECISION, part)
        new = _apply_decision(old, decision, is_ending=is_ending)
        described = decision.model_dump(mode="json", by_alias=True)
        changes.change(old, new, [FieldChange(DECIDED, describe_case(old), describe_case(new) | {"decision": described})])
        if is_ending:
            await changes.settle(items, CaseItemStatus.DECIDED, author.actor)
        await changes.finish()
        if new.outcome is not None:
            deciding = [decision] if reviewed is None else [reviewed, decision]
            changes.events.append(build_decided_event(to_record(old), to_record(new), new.outcome, deciding))
        if new.assignee != old.assignee:
            changes.events.append(build_assigned_event(to_record(old), to_record(new), author))
        done = await load_case(runtime, connection, organization_id, await load_row(connection, organization_id, case_id))
        await complete_key(connection, done)
        await record_events(connection, organization_id, changes.events, changes.at)
    return done


def _find_reviewed(
    case: StoredCase, decisions: list[CaseDecision], request: CaseDecisionRequest, author: Author
) -> CaseDecision | None:
    """The decision of another person that is reviewed; None for a first decision. Raises `Conflict`."""
    pending = next((one for one in decisions if one.id == case.pending_decision_id), None)
    if pending is None:
        if request.reviews is not None:
            raise Conflict(Message("The decision is no longer to be confirmed: the case has changed since."))
        return None
    if request.reviews != pending.id:
        raise Conflict(_PENDING[pending.decision].fill(who=pending.decided_by, when=format_instant(pending.decided_at)))
    if pending.decided_by == author.actor:
        raise Conflict(Message("You made the first decision about this case. Another person has to confirm or return it."))
    return pending


def _check_hits(items: list[StoredCaseItem]) -> None:
    open_hits = sum(item.kind is CaseItemKind.SANCTIONS_HIT for item in items)
    if open_hits:
        message = Message(
            "The case has open hits on sanctions lists ({count}). Dismiss them before you approve it.", count=open_hits
        )
        raise Conflict(message)


def _is_confirmed(settings: CaseSettings, decision: CaseDecisionKind, reviewed: CaseDecision | None) -> bool:
    """Whether nobody else has to decide: the organization wants no second person, or this one agrees with the first."""
    if reviewed is not None:
        return reviewed.decision is decision
    return decision not in settings.second_review


def _build_decision(request: CaseDecisionRequest, reason: ReasonCode, author: Author, at: datetime) -> CaseDecision:
    return CaseDecision(
        id=uuid4(),
        decision=request.decision,
        reason_code=reason.code,
        reason_title=reason.title,
        note=request.note,
        decided_at=at,
        decided_by=author.actor,
        reviews=request.reviews,
    )


def _apply_decision(case: StoredCase, decision: CaseDecision, *, is_ending: bool) -> StoredCase:
    """The case after the decision. One that returns the decision of another person is open again."""
    if is_ending:
        return end_case(case, _OUTCOMES[decision.decision], decision.decided_at)
    if decision.decision is CaseDecisionKind.REQUEST_INFORMATION:
        return replace(case, status=CaseStatus.WAITING, pending_decision_id=None)
    if decision.decision is CaseDecisionKind.ESCALATE:
        return replace(case, status=CaseStatus.OPEN, pending_decision_id=None, assignee=None, priority=case.priority.raise_by_one())
    if decision.reviews is not None:
        return replace(case, status=CaseStatus.OPEN, pending_decision_id=None)
    return replace(case, status=CaseStatus.IN_SECOND_REVIEW, pending_decision_id=decision.id)


async def _acknowledge_alerts(
    connection: Connection,
    organization_id: UUID,
    ledger: AuditLogState,
    items: list[StoredCaseItem],
    decision: AlertDecision,
) -> AuditLogState:
    """Acknowledge the alerts that opened the items; returns the new audit head."""
    rows = await events.list_numbered(connection, organization_id, [item.sequence for item in items])
    open_ones = [to_event(row) for row in rows if row.is_alert and row.acknowledged_at is None]
    at = ledger.next_instant(decision.at)
    return await acknowledge_events(connection, organization_id, ledger, open_ones, replace(decision, at=at))
