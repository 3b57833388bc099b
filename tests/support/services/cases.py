"""Cases as tests make and read them."""

from typing import Any
from uuid import UUID, uuid4

from bonafide.model.accounts.users import Role, User
from bonafide.model.cases.case import Case, CaseListItem
from bonafide.model.cases.policy import CaseItemKind
from bonafide.model.cases.requests import CaseDecisionRequest
from bonafide.model.events.event import EventBusiness, EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.events.event_data import EvaluationOverdueData
from bonafide.model.monitoring.policy import MonitoringKind
from bonafide.model.ownership.discrepancies import Discrepancy, DiscrepancyRequest
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.cases.deciding import decide_case
from bonafide.services.cases.following import update_cases
from bonafide.services.cases.reading import list_cases, read_case
from bonafide.services.events.recording import record_events
from bonafide.services.ownership.reviews import review_ownership
from bonafide.services.records.change_feed import START
from bonafide.store.cases.cases import CaseFilter
from bonafide.store.people import users
from tests.support.services.business_records import send

ANN, BOB = Author("ann@north.example", "request-1"), Author("bob@north.example", "request-2")
MANY = 100


async def follow(runtime: Runtime) -> None:
    """Follow all events."""
    while await update_cases(runtime):
        pass


async def list_all(runtime: Runtime, organization_id: UUID, **chosen: Any) -> list[CaseListItem]:
    """The cases of an organization after all events were followed, oldest change first."""
    await follow(runtime)
    return list((await list_cases(runtime, organization_id, CaseFilter(**chosen), START, MANY)).cases)


async def read_only_case(runtime: Runtime, organization_id: UUID) -> Case:
    """The one case of an organization after all events were followed."""
    (found,) = await list_all(runtime, organization_id)
    return await read_case(runtime, organization_id, found.id)


def count_open(case: CaseListItem) -> dict[CaseItemKind, int]:
    """The number of open items of a case by kind."""
    return {counted.kind: counted.count for counted in case.open_items}


async def open_discrepancy(
    runtime: Runtime, organization_id: UUID, owner: str = "Jane Doe", name: str = "Bakery Inc."
) -> Discrepancy:
    """An open discrepancy in the ownership of a business record of this name."""
    record = (await send(runtime, organization_id, externalId=name, name=name, jurisdiction="FED")).record
    found = {"kind": "extra_owner", "registry": {"name": owner}, "reason": "Seen in the register."}
    request = DiscrepancyRequest.model_validate({"riskRating": "low", "discrepancy": found})
    return (await review_ownership(runtime, organization_id, record.id, request, ANN)).discrepancies[0]


async def record_overdue(runtime: Runtime, organization_id: UUID, *businesses: EventBusiness) -> None:
    """Record an alert of monitoring about each of these businesses, all in one transaction."""
    now = runtime.clock()
    data = EvaluationOverdueData(kind=MonitoringKind.VERIFICATION_AGE, due_at=now, last_at=None)
    new = [
        NewEvent(
            EventType.MONITORING_EVALUATION_OVERDUE,
            EventSubject(kind=EventSubjectKind.BUSINESS, id=business.id, name=business.name),
            data,
            business=business,
        )
        for business in businesses
    ]
    async with runtime.store.write() as connection:
        await record_events(connection, organization_id, new, now)


async def decide(runtime: Runtime, organization_id: UUID, case_id: UUID, decision: str, by: Author = ANN, **fields: Any) -> Case:
    """Decide about a case, for the reason that every decision may have."""
    request = CaseDecisionRequest.model_validate({"decision": decision, "reasonCode": "other", **fields})
    return await decide_case(runtime, organization_id, case_id, request, by)


async def add_member(runtime: Runtime, organization_id: UUID, email: str, role: Role = Role.ANALYST) -> None:
    """Add a member to an organization."""
    async with runtime.store.write() as connection:
        user, _ = await users.get_or_create(connection, User(id=uuid4(), email=email), runtime.clock())
        await users.add_membership(connection, organization_id, user.id, role, runtime.clock())
