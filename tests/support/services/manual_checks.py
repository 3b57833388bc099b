"""Manual checks as tests make and read them."""

from typing import Any
from uuid import UUID

from bonafide.model.accounts.organizations import Principal
from bonafide.model.manual_checks.manual_check import ManualCheck, ManualCheckListItem
from bonafide.model.manual_checks.requests import ManualCheckRequest, ManualCheckResultRequest
from bonafide.model.records.business_record import Author, BusinessRecord
from bonafide.model.verification.results import VerifyResponse
from bonafide.runtime import Runtime
from bonafide.services.manual_checks.reading import list_manual_checks
from bonafide.services.manual_checks.recording import record_result
from bonafide.services.manual_checks.requests import create_manual_check
from bonafide.services.records.change_feed import START
from bonafide.store.cases.manual_checks import ManualCheckFilter
from tests.support.services.business_records import send
from tests.support.services.verifications import document, ordered, worked

ANN, BOB = Author("ann@north.example", "request-1"), Author("bob@north.example", "request-2")
CLAIM = {"legalName": "Cod & Capelin Ltd.", "jurisdiction": "NL", "registrationNumber": "77001"}
SEEN = {
    "found": True,
    "name": "COD & CAPELIN LTD.",
    "registrationNumber": "77001",
    "status": "Active",
    "people": [{"name": "Ada Sample", "roles": ["Director"]}],
    "address": {"street": "12 Water Street", "city": "St. John's", "province": "NL"},
    "recordType": "Company details",
}
MANY = 100


async def add_record(runtime: Runtime, organization_id: UUID, **fields: Any) -> BusinessRecord:
    """A record of the claimed business."""
    known = {"externalId": "cod", "name": CLAIM["legalName"], "jurisdiction": "NL", "registrationNumber": "77001"}
    return (await send(runtime, organization_id, **{**known, **fields})).record


async def verify(runtime: Runtime, principal: Principal, **changes: Any) -> UUID:
    """Order a verification and let a worker finish it; returns its ID."""
    reply = await ordered(runtime, principal, **changes)
    await worked(runtime)
    return reply.verification_id


async def verify_record(runtime: Runtime, principal: Principal, record: BusinessRecord) -> VerifyResponse:
    """The result of a verification of a record, which must have one."""
    return await document(runtime, principal, await verify(runtime, principal, businessId=str(record.id)))


async def list_checks(runtime: Runtime, organization_id: UUID, **chosen: Any) -> list[ManualCheckListItem]:
    """The manual checks of an organization, oldest change first."""
    page = await list_manual_checks(runtime, organization_id, ManualCheckFilter(**chosen), START, MANY)
    return list(page.manual_checks)


async def create(runtime: Runtime, principal: Principal, **fields: Any) -> ManualCheck:
    """A manual check that somebody created."""
    request = ManualCheckRequest.model_validate(fields)
    return (await create_manual_check(runtime, principal, request, ANN)).check


async def record_seen(runtime: Runtime, organization_id: UUID, check_id: UUID, by: Author = ANN, **changes: Any) -> ManualCheck:
    """Record that the claimed business was seen."""
    request = ManualCheckResultRequest.model_validate({**SEEN, **changes})
    return await record_result(runtime, organization_id, check_id, request, by)


async def record_absence(runtime: Runtime, organization_id: UUID, check_id: UUID, by: Author = ANN) -> ManualCheck:
    """Record that the register does not have the business."""
    return await record_result(runtime, organization_id, check_id, ManualCheckResultRequest(found=False), by)
