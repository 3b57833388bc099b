"""Decisions about cases: one wins, a second person confirms or returns, and everything is in the audit log."""

import asyncio
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from bonafide.errors import Conflict, NotFound, StaleWrite, ValidationFailed
from bonafide.model.accounts.account_settings import AccountSettings
from bonafide.model.accounts.organizations import Principal
from bonafide.model.accounts.users import Role
from bonafide.model.cases.case import Case, CaseItemStatus, CaseOutcome, CaseStatus
from bonafide.model.cases.policy import CasePriority
from bonafide.model.cases.requests import CaseChange, CaseNoteRequest
from bonafide.model.events.event import EventType
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import change_settings
from bonafide.services.cases.attachments import add_attachment, read_attachment
from bonafide.services.cases.handling import add_note, change_case
from bonafide.services.cases.reading import read_case, read_case_audit_log
from bonafide.services.cases.reminders import record_due_cases
from bonafide.services.overview.open_work import count_open_work
from bonafide.services.records.audit_check import verify_audit_log
from bonafide.services.records.uploads import UploadedDocument
from bonafide.services.screening.dismissals import dismiss
from tests.support.services.business_records import sent
from tests.support.services.cases import ANN, BOB, add_member, count_open, decide, list_all, open_discrepancy, read_only_case
from tests.support.services.events import list_events
from tests.support.services.runtimes import ManualClock
from tests.support.services.sanctions_lists import NAME, load_two_lists, request_for, screened

pytestmark = pytest.mark.anyio
PDF = b"%PDF-1.7 a scanned extract"


@pytest.fixture
def runtime(empty_runtime: Runtime) -> Runtime:
    return empty_runtime


@pytest.fixture
def organization(north: Principal) -> UUID:
    return north.organization_id


@pytest.fixture
async def case(runtime: Runtime, organization: UUID) -> Case:
    """A case with one discrepancy."""
    await open_discrepancy(runtime, organization)
    return await read_only_case(runtime, organization)


async def require_second_review(runtime: Runtime, organization: UUID) -> None:
    settings = AccountSettings.model_validate({"cases": {"secondReview": ["approve", "reject"]}})
    await change_settings(runtime, organization, settings, ANN)


async def list_case_events(runtime: Runtime, organization: UUID) -> list[EventType]:
    return [event.type for event in await list_events(runtime, organization) if event.type.startswith("case.")]


async def test_an_approval_ends_the_case_and_covers_its_items(runtime: Runtime, organization: UUID, case: Case) -> None:
    done = await decide(runtime, organization, case.id, "approve", note="Explained by the client.")
    assert (done.status, done.outcome, count_open(done)) == (CaseStatus.DECIDED, CaseOutcome.APPROVED, {})
    assert [(item.status, item.settled_by) for item in done.items] == [(CaseItemStatus.DECIDED, ANN.actor)]
    (decision,) = done.decisions
    assert (decision.decided_by, decision.reason_code, decision.note) == (ANN.actor, "other", "Explained by the client.")
    assert decision.decided_at == done.decided_at == done.updated_at
    assert await read_case(runtime, organization, case.id) == done
    assert await list_case_events(runtime, organization) == [EventType.CASE_OPENED, EventType.CASE_DECIDED]
    page = await read_case_audit_log(runtime, organization, case.id, 10, 0)
    assert [entry.field for entry in page.entries] == ["case.opened", "case.item_opened", "case.decided", "case.item_settled"]
    assert (await verify_audit_log(runtime, organization)).problems == []


async def test_of_two_who_decide_at_once_one_wins_and_the_other_reads_who_decided_what(
    runtime: Runtime, organization: UUID, case: Case
) -> None:
    both = await asyncio.gather(
        decide(runtime, organization, case.id, "approve", ANN),
        decide(runtime, organization, case.id, "reject", BOB),
        return_exceptions=True,
    )
    (done,) = [one for one in both if isinstance(one, Case)]
    (refused,) = [one for one in both if isinstance(one, Conflict)]
    winner = done.decisions[0].decided_by
    word = "approved" if winner == ANN.actor else "rejected"
    assert refused.message.startswith(f"{winner} {word} this case on ")
    assert len((await read_case(runtime, organization, case.id)).decisions) == 1


async def test_a_second_person_confirms(runtime: Runtime, organization: UUID, case: Case) -> None:
    await require_second_review(runtime, organization)
    first = await decide(runtime, organization, case.id, "approve", ANN)
    assert (first.status, first.outcome, len(first.open_items)) == (CaseStatus.IN_SECOND_REVIEW, None, 1)
    pending = first.pending_decision_id
    with pytest.raises(Conflict, match=r"^You made the first decision"):
        await decide(runtime, organization, case.id, "approve", ANN, reviews=str(pending))
    with pytest.raises(Conflict, match=rf"^{ANN.actor} decided on .* to approve this case"):
        await decide(runtime, organization, case.id, "approve", BOB)
    done = await decide(runtime, organization, case.id, "approve", BOB, reviews=str(pending))
    assert (done.status, done.outcome) == (CaseStatus.DECIDED, CaseOutcome.APPROVED)
    assert [(one.decided_by, one.reviews) for one in done.decisions] == [(ANN.actor, None), (BOB.actor, pending)]
    (event,) = [event for event in await list_events(runtime, organization) if event.type is EventType.CASE_DECIDED]
    assert event.data["decidedBy"] == [ANN.actor, BOB.actor]


async def test_of_two_first_decisions_with_second_review_none_confirms_the_other(
    runtime: Runtime, organization: UUID, case: Case
) -> None:
    await require_second_review(runtime, organization)
    both = await asyncio.gather(
        *(decide(runtime, organization, case.id, "approve", who) for who in (ANN, BOB)), return_exceptions=True
    )
    assert sorted(type(one).__name__ for one in both) == ["Case", "Conflict"]
    assert (await read_case(runtime, organization, case.id)).status is CaseStatus.IN_SECOND_REVIEW


async def test_a_second_person_returns_the_case_with_another_decision(runtime: Runtime, organization: UUID, case: Case) -> None:
    await require_second_review(runtime, organization)
    first = await decide(runtime, organization, case.id, "approve", ANN)
    returned = await decide(runtime, organization, case.id, "reject", BOB, reviews=str(first.pending_decision_id))
    assert (returned.status, returned.outcome, returned.pending_decision_id) == (CaseStatus.OPEN, None, None)
    with pytest.raises(Conflict):
        await decide(runtime, organization, case.id, "approve", BOB, reviews=str(first.pending_decision_id))
    again = await decide(runtime, organization, case.id, "reject", ANN)
    done = await decide(runtime, organization, case.id, "reject", BOB, reviews=str(again.pending_decision_id))
    assert done.outcome is CaseOutcome.REJECTED
    assert len(done.decisions) == 4


async def test_a_new_item_returns_a_decision_that_nobody_has_confirmed(runtime: Runtime, organization: UUID, case: Case) -> None:
    await require_second_review(runtime, organization)
    first = await decide(runtime, organization, case.id, "approve", ANN)
    await open_discrepancy(runtime, organization, "John Roe")
    now = await read_only_case(runtime, organization)
    assert (now.status, now.pending_decision_id, len(now.items)) == (CaseStatus.OPEN, None, 2)
    with pytest.raises(Conflict, match="has changed since"):
        await decide(runtime, organization, case.id, "approve", BOB, reviews=str(first.pending_decision_id))


async def test_information_is_requested_and_a_case_is_escalated(runtime: Runtime, organization: UUID, case: Case) -> None:
    await add_member(runtime, organization, ANN.actor)
    await change_case(runtime, organization, case.id, CaseChange(assignee=ANN.actor), ANN)
    waiting = await decide(runtime, organization, case.id, "request_information")
    assert (waiting.status, waiting.assignee) == (CaseStatus.WAITING, ANN.actor)
    reopened = await change_case(runtime, organization, case.id, CaseChange(status=CaseStatus.OPEN), ANN)
    assert reopened.status is CaseStatus.OPEN
    escalated = await decide(runtime, organization, case.id, "escalate")
    assert (escalated.status, escalated.assignee, escalated.priority) == (CaseStatus.OPEN, None, CasePriority.URGENT)
    assert await list_case_events(runtime, organization) == [EventType.CASE_OPENED, *[EventType.CASE_ASSIGNED] * 2]


async def test_a_case_with_an_open_hit_is_not_approved(runtime: Runtime, north: Principal, organization: UUID) -> None:
    load_two_lists(runtime)
    record = await sent(runtime, organization, name=NAME)
    (match,) = (await screened(runtime, north, NAME, businessId=str(record.id))).screening.matches
    case = await read_only_case(runtime, organization)
    with pytest.raises(Conflict, match="open hits"):
        await decide(runtime, organization, case.id, "approve")
    assert (await count_open_work(runtime, organization, "")).alerts == 1
    done = await decide(runtime, organization, case.id, "reject", note="The same company.")
    assert done.outcome is CaseOutcome.REJECTED
    assert (await count_open_work(runtime, organization, "")).alerts == 0
    await dismiss(runtime, north, request_for(match, NAME), ANN)
    assert (await read_only_case(runtime, organization)).items == done.items


async def test_a_hit_that_was_dismissed_a_moment_ago_does_not_prevent_approval(
    runtime: Runtime, north: Principal, organization: UUID
) -> None:
    load_two_lists(runtime)
    await add_member(runtime, organization, ANN.actor)
    record = await sent(runtime, organization, name=NAME)
    (match,) = (await screened(runtime, north, NAME, businessId=str(record.id))).screening.matches
    case = await read_only_case(runtime, organization)
    await change_case(runtime, organization, case.id, CaseChange(assignee=ANN.actor), ANN)
    await dismiss(runtime, north, request_for(match, NAME), ANN)
    # No worker has followed the dismissal yet.
    assert (await decide(runtime, organization, case.id, "approve")).outcome is CaseOutcome.APPROVED


async def test_a_reason_belongs_to_a_decision(runtime: Runtime, organization: UUID, case: Case) -> None:
    for code in ("true_match", "unknown"):
        with pytest.raises(ValidationFailed) as refused:
            await decide(runtime, organization, case.id, "approve", reasonCode=code)
        assert refused.value.details[0].path == "reasonCode"
    assert (await read_case(runtime, organization, case.id)) == case


async def test_a_version_that_has_changed_is_not_decided_or_changed(runtime: Runtime, organization: UUID, case: Case) -> None:
    note = await add_note(runtime, organization, case.id, CaseNoteRequest(text="Asked the client."), BOB)
    with pytest.raises(StaleWrite):
        await decide(runtime, organization, case.id, "approve", expectedUpdatedAt=case.updated_at.isoformat())
    with pytest.raises(StaleWrite):
        await change_case(
            runtime, organization, case.id, CaseChange(priority=CasePriority.LOW, expected_updated_at=case.updated_at), ANN
        )
    now = await read_case(runtime, organization, case.id)
    assert now.notes == (note,)
    assert now.updated_at > case.updated_at


async def test_only_members_who_may_decide_are_assigned(runtime: Runtime, organization: UUID, case: Case, south: Principal) -> None:
    await add_member(runtime, south.organization_id, "sue@south.example")
    await add_member(runtime, organization, "vic@north.example", Role.VIEWER)
    await add_member(runtime, organization, ANN.actor)
    for email in ("sue@south.example", "vic@north.example", "nobody@north.example"):
        with pytest.raises(ValidationFailed):
            await change_case(runtime, organization, case.id, CaseChange(assignee=email), ANN)
    await change_case(runtime, organization, case.id, CaseChange(assignee="ANN@north.example"), BOB)
    assert [one.id for one in await list_all(runtime, organization, assignee=ANN.actor)] == [case.id]
    assert await list_all(runtime, organization, is_unassigned=True) == []


async def test_a_case_is_due_once_unless_its_date_changes(
    runtime: Runtime, organization: UUID, case: Case, clock: ManualClock
) -> None:
    clock.advance(days=31)
    assert sum(await asyncio.gather(*(record_due_cases(runtime) for _ in range(3)))) == 1
    (listed,) = await list_all(runtime, organization, due_before=clock.now)
    assert listed.overdue
    await change_case(runtime, organization, case.id, CaseChange(due_at=clock.now + (clock.now - case.opened_at)), ANN)
    assert await record_due_cases(runtime) == 0
    clock.advance(days=32)
    assert await record_due_cases(runtime) == 1
    (first, second) = [event for event in await list_events(runtime, organization) if event.type is EventType.CASE_DUE]
    assert first.alert is not None
    assert second.data["caseId"] == str(case.id)


async def test_an_attachment_is_kept_with_its_digest(runtime: Runtime, organization: UUID, case: Case, south: Principal) -> None:
    upload = UploadedDocument("extract.pdf", PDF, "file")
    made = await add_attachment(runtime, organization, case.id, upload, ANN)
    assert (await read_case(runtime, organization, case.id)).attachments == (made,)
    assert await read_attachment(runtime, organization, case.id, made.id) == (made, PDF)
    with pytest.raises(ValidationFailed):
        await add_attachment(runtime, organization, case.id, replace(upload, content=b"MZ\x90 a program"), ANN)
    for stranger, case_id in ((south.organization_id, case.id), (organization, uuid4())):
        with pytest.raises(NotFound):
            await read_attachment(runtime, stranger, case_id, made.id)


async def test_another_organization_can_do_nothing(runtime: Runtime, case: Case, south: Principal) -> None:
    stranger, eve = south.organization_id, Author("eve@south.example")
    with pytest.raises(NotFound):
        await read_case(runtime, stranger, case.id)
    with pytest.raises(NotFound):
        await decide(runtime, stranger, case.id, "approve", eve)
    with pytest.raises(NotFound):
        await change_case(runtime, stranger, case.id, CaseChange(priority=CasePriority.LOW), eve)
    with pytest.raises(NotFound):
        await add_note(runtime, stranger, case.id, CaseNoteRequest(text="Hello."), eve)
    with pytest.raises(NotFound):
        await add_attachment(runtime, stranger, case.id, UploadedDocument("extract.pdf", PDF), eve)
    with pytest.raises(NotFound):
        await read_case_audit_log(runtime, stranger, case.id, 10, 0)
