"""Accepted discrepancies: with a reason, shown wherever the result is, and revoked; the result itself never changes."""

import asyncio
from uuid import UUID

import pytest

from bonafide.errors import Conflict, NotFound, ValidationFailed
from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import Principal
from bonafide.model.cases.policy import CaseItemKind
from bonafide.model.events.event import EventType
from bonafide.model.records.business_record import VerificationStatus
from bonafide.model.verification.acceptance import AcceptanceRequest, AcceptanceRevocation, VerificationDiscrepancyList
from bonafide.model.verification.results import ResultStatus
from bonafide.runtime import Runtime
from bonafide.services.records.audit_check import verify_audit_log
from bonafide.services.records.business_records import find_record
from bonafide.services.verification.acceptances import accept_discrepancy, read_discrepancies, revoke_acceptance
from bonafide.services.verification.lifecycle import list_past_verifications, write_verification
from tests.support.services.cases import count_open, list_all
from tests.support.services.events import list_events
from tests.support.services.manual_checks import ANN, BOB, add_record, create, record_seen, verify
from tests.support.services.verifications import document

pytestmark = pytest.mark.anyio
REASON = AcceptanceRequest(reason_code="discrepancy_explained", note="Changed last week.")


@pytest.fixture
def runtime(empty_runtime: Runtime) -> Runtime:
    return empty_runtime


@pytest.fixture
async def verification(runtime: Runtime, north: Principal) -> UUID:
    """A verification of a record with two discrepancies: the name and the only person."""
    record = await add_record(runtime, north.organization_id)
    check = await create(runtime, north, businessId=str(record.id))
    await record_seen(runtime, north.organization_id, check.id, name="Wholly Different Fisheries Inc.")
    return await verify(runtime, north, businessId=str(record.id), people=[{"name": "Bea Nobody"}])


async def accept(runtime: Runtime, north: Principal, verification: UUID, field: str) -> VerificationDiscrepancyList:
    return await accept_discrepancy(runtime, north.organization_id, verification, field, REASON, ANN)


async def count_open_discrepancies(runtime: Runtime, north: Principal) -> list[int]:
    kind = CaseItemKind.VERIFICATION_DISCREPANCY
    return [count_open(case).get(kind, 0) for case in await list_all(runtime, north.organization_id)]


async def test_an_accepted_discrepancy_is_shown_and_the_result_stays(
    runtime: Runtime, north: Principal, verification: UUID
) -> None:
    before = await document(runtime, north, verification)
    assert before.results.status is ResultStatus.DISCREPANCIES
    listed = await accept(runtime, north, verification, "legalName")
    assert listed == await read_discrepancies(runtime, north.organization_id, verification)
    assert [(one.field, one.accepted is not None) for one in listed.discrepancies] == [("legalName", True), ("people.0", False)]
    after = await document(runtime, north, verification)
    assert after.results == before.results
    (accepted,) = after.accepted_discrepancies
    assert (accepted.field, accepted.reason_code, accepted.note) == ("legalName", REASON.reason_code, REASON.note)
    assert (accepted.accepted_by, accepted.reason_title) == (ANN.actor, "Discrepancy explained by evidence")
    written = await write_verification(runtime, north.organization_id, verification, Language.FRENCH)
    assert '"acceptedDiscrepancies":[{' in written.body
    assert '"reasonTitle":"Discrepancy explained by evidence"' not in written.body
    (item,) = (await list_past_verifications(runtime, north.organization_id, 5)).verifications
    assert (item.accepted, item.outcome) == (1, ResultStatus.DISCREPANCIES)


async def test_the_record_and_the_case_need_nobody_while_all_are_accepted(
    runtime: Runtime, north: Principal, verification: UUID
) -> None:
    organization = north.organization_id
    business_id = (await document(runtime, north, verification)).meta.business_id
    assert await count_open_discrepancies(runtime, north) == [1]
    await accept(runtime, north, verification, "legalName")
    assert await count_open_discrepancies(runtime, north) == [1]
    await accept(runtime, north, verification, "people.0")
    record = await find_record(runtime, organization, business_id=business_id)
    assert (record.has_unresolved_discrepancies, record.verification_status) == (False, VerificationStatus.DISCREPANCIES)
    assert await count_open_discrepancies(runtime, north) == [0]
    revoked = await revoke_acceptance(
        runtime, organization, verification, "people.0", AcceptanceRevocation(note="Another Bea."), BOB
    )
    (earlier,) = revoked.discrepancies[1].history
    assert (revoked.open_count, earlier.revoked_by, earlier.revocation_note) == (1, BOB.actor, "Another Bea.")
    assert (await find_record(runtime, organization, business_id=business_id)).has_unresolved_discrepancies
    assert sum(await count_open_discrepancies(runtime, north)) == 1
    types = [event.type for event in await list_events(runtime, organization) if event.type.startswith("acceptance.")]
    assert types == [EventType.ACCEPTANCE_CREATED, EventType.ACCEPTANCE_CREATED, EventType.ACCEPTANCE_REVOKED]
    assert (await verify_audit_log(runtime, organization)).problems == []


async def test_what_cannot_be_accepted_is_refused(runtime: Runtime, north: Principal, south: Principal, verification: UUID) -> None:
    organization = north.organization_id
    with pytest.raises(NotFound, match=r"legalName, people\.0"):
        await accept(runtime, north, verification, "registrationNumber")
    with pytest.raises(ValidationFailed, match="reasonCode"):
        await accept_discrepancy(runtime, organization, verification, "legalName", AcceptanceRequest(reason_code="true_match"), ANN)
    with pytest.raises(NotFound):
        await accept(runtime, south, verification, "legalName")
    with pytest.raises(Conflict, match="is not accepted"):
        await revoke_acceptance(runtime, organization, verification, "legalName", AcceptanceRevocation(), ANN)
    failed = await verify(runtime, north, registrationNumber="99999")
    with pytest.raises(Conflict, match="no result"):
        await accept(runtime, north, failed, "legalName")


async def test_of_two_who_accept_at_once_one_is_told_who_has(runtime: Runtime, north: Principal, verification: UUID) -> None:
    both = await asyncio.gather(
        *(accept_discrepancy(runtime, north.organization_id, verification, "legalName", REASON, who) for who in (ANN, BOB)),
        return_exceptions=True,
    )
    (done,) = [one for one in both if isinstance(one, VerificationDiscrepancyList)]
    (refused,) = [one for one in both if isinstance(one, Conflict)]
    assert done.discrepancies[0].accepted is not None
    assert refused.message.startswith(f"{done.discrepancies[0].accepted.accepted_by} accepted this discrepancy on ")
