"""The queue has what waits in the order in which it is due; a case has its neighbours, and all its items page by page."""

from datetime import datetime, timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import update

from bonafide.errors import NotFound, ValidationFailed
from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import Principal
from bonafide.model.cases.case import MAX_LISTED_ITEMS, Case, CaseItemContent, CaseItemStatus
from bonafide.model.cases.policy import CaseItemKind, CasePriority
from bonafide.model.cases.requests import CaseChange
from bonafide.runtime import Runtime
from bonafide.services.cases.handling import change_case
from bonafide.services.cases.queue import change_cases, find_neighbours, list_queue
from bonafide.services.cases.reading import FIRST_ITEM, decode_item_cursor, list_case_items, read_case
from bonafide.store.cases import case_parts
from bonafide.store.cases.case_parts import StoredCaseItem
from bonafide.store.cases.case_queue import CaseOrder
from bonafide.store.cases.cases import CaseFilter
from bonafide.store.database.schema.case_tables import cases as case_table
from tests.support.services.cases import ANN, decide, list_all, open_discrepancy, read_only_case
from tests.support.services.runtimes import ManualClock

pytestmark = pytest.mark.anyio
WAITING = CaseFilter(is_undecided=True)
NAMES = ("Boulangerie Été", "Second Inc.", "Third Inc.", "Fourth Inc.", "Fifth Inc.")


@pytest.fixture
def runtime(empty_runtime: Runtime) -> Runtime:
    return empty_runtime


@pytest.fixture
def organization(north: Principal) -> UUID:
    return north.organization_id


@pytest.fixture
async def cases(runtime: Runtime, organization: UUID, clock: ManualClock) -> list[Case]:
    """Five cases: the first and the last have no due date, the fourth is due first, the second and the third are due together."""
    for name in NAMES:
        await open_discrepancy(runtime, organization, name=name)
    listed = sorted(await list_all(runtime, organization), key=lambda case: case.number)
    days: tuple[int | None, ...] = (None, 7, 7, 2, None)
    found = []
    for case, after in zip(listed, days, strict=True):
        due_at: datetime | None = clock.now + timedelta(days=after) if after is not None else None
        found.append(await change_case(runtime, organization, case.id, CaseChange(due_at=due_at), ANN))
    return found


async def test_the_queue_is_listed_by_due_date_or_newest_first_on_pages_of_any_size(
    runtime: Runtime, organization: UUID, cases: list[Case]
) -> None:
    for order, expected in ((CaseOrder.DUE, [4, 2, 3, 1, 5]), (CaseOrder.NEWEST, [5, 4, 3, 2, 1])):
        for limit in (1, 2, 3, 5, 6):
            cursor, listed, pages = None, list[int](), 0
            while pages == 0 or cursor is not None:
                page = await list_queue(runtime, organization, WAITING, order, limit, cursor)
                listed += [case.number for case in page.cases]
                cursor, pages = page.next, pages + 1
            assert (listed, pages) == (expected, -(-len(expected) // limit))
    with pytest.raises(ValidationFailed):
        await list_queue(runtime, organization, WAITING, CaseOrder.DUE, 5, "e1.5")
    assert len(cases) == len(NAMES)


@pytest.mark.parametrize(("order", "expected"), [(CaseOrder.DUE, [4, 2, 3, 1, 5]), (CaseOrder.NEWEST, [5, 4, 3, 2, 1])])
async def test_the_queue_of_one_business_has_the_same_order(
    runtime: Runtime, organization: UUID, cases: list[Case], order: CaseOrder, expected: list[int]
) -> None:
    business_id, other = uuid4(), uuid4()
    async with runtime.store.write() as connection:
        mine = case_table.c.organization_id == organization
        await connection.execute(update(case_table).where(mine).values(business_id=business_id))
    chosen = CaseFilter(business_id=business_id)
    for limit in (1, 2, 5):
        cursor, listed = None, list[int]()
        while not listed or cursor is not None:
            page = await list_queue(runtime, organization, chosen, order, limit, cursor)
            listed += [case.number for case in page.cases]
            cursor = page.next
        assert listed == expected
    assert (await list_queue(runtime, organization, CaseFilter(business_id=other), order, 5)).cases == ()
    ids = {case.number: case.id for case in cases}
    for before, number, after in zip([None, *expected], expected, [*expected[1:], None], strict=False):
        found = await find_neighbours(runtime, organization, chosen, order, ids[number])
        assert [near.number if near is not None else None for near in (found.previous, found.next)] == [before, after]


async def test_a_case_that_has_left_the_queue_has_neighbours_in_it(
    runtime: Runtime, organization: UUID, south: Principal, cases: list[Case]
) -> None:
    numbers = {case.number: case.id for case in cases}
    for order, expected in ((CaseOrder.DUE, [4, 2, 3, 1, 5]), (CaseOrder.NEWEST, [5, 4, 3, 2, 1])):
        for before, number, after in zip([None, *expected], expected, [*expected[1:], None], strict=False):
            found = await find_neighbours(runtime, organization, WAITING, order, numbers[number])
            shown = [near.number if near is not None else None for near in (found.previous, found.next)]
            assert shown == [before, after]
    await decide(runtime, organization, numbers[3], "reject")
    found = await find_neighbours(runtime, organization, WAITING, CaseOrder.DUE, numbers[3])
    assert found.previous is not None
    assert found.next is not None
    assert (found.previous.number, found.next.number) == (2, 1)
    with pytest.raises(NotFound):
        await find_neighbours(runtime, south.organization_id, WAITING, CaseOrder.DUE, numbers[3])


async def test_cases_are_found_by_name_number_and_priority(runtime: Runtime, organization: UUID, cases: list[Case]) -> None:
    await change_cases(runtime, organization, [case.id for case in cases[:2]], CaseChange(priority=CasePriority.LOW), ANN)
    for chosen, expected in (
        (CaseFilter(text="ete"), [1]),
        (CaseFilter(text="INC."), [2, 3, 4, 5]),
        (CaseFilter(text="#4"), [4]),
        (CaseFilter(text="4"), [4]),
        (CaseFilter(text="%"), []),
        (CaseFilter(text="9" * 30), []),
        (CaseFilter(priority=CasePriority.LOW), [1, 2]),
    ):
        page = await list_queue(runtime, organization, chosen, CaseOrder.NEWEST, 10)
        assert sorted(case.number for case in page.cases) == expected


async def test_a_change_of_several_cases_says_which_it_refused(runtime: Runtime, organization: UUID, cases: list[Case]) -> None:
    await decide(runtime, organization, cases[1].id, "reject")
    outcome = await change_cases(runtime, organization, [case.id for case in cases[:3]], CaseChange(priority=CasePriority.LOW), ANN)
    assert [case.number for case in outcome.done] == [1, 3]
    ((refused, reason),) = [(one.id, one.reason) for one in outcome.refused]
    assert refused == cases[1].id
    assert reason.startswith(f"{ANN.actor} rejected this case on ")


async def test_a_case_lists_its_open_items_first_and_all_items_are_paged(
    runtime: Runtime, organization: UUID, clock: ManualClock
) -> None:
    await open_discrepancy(runtime, organization)
    case = await read_only_case(runtime, organization)
    async with runtime.store.write() as connection:
        for number in range(MAX_LISTED_ITEMS + 5):
            is_open = number == 0
            content = CaseItemContent.model_validate({"ref": "/v1/x", "eventId": str(uuid4()), "summary": f"Number {number}."})
            item = StoredCaseItem(
                id=uuid4(),
                case_id=case.id,
                kind=CaseItemKind.ALERT,
                cause=f"alert:{number}",
                status=CaseItemStatus.OPEN if is_open else CaseItemStatus.SETTLED,
                opened_at=clock.now + timedelta(minutes=1 + number // 3),
                settled_at=None if is_open else clock.now,
                settled_by=None if is_open else ANN.actor,
                sequence=1000 + number,
                document=content.to_stored().to_text(),
            )
            await case_parts.add_item(connection, organization, item)
    found = await read_case(runtime, organization, case.id)
    assert (len(found.items), found.item_count) == (MAX_LISTED_ITEMS, MAX_LISTED_ITEMS + 6)
    assert [item.kind for item in found.items if item.status is CaseItemStatus.OPEN] == [
        CaseItemKind.OWNERSHIP_DISCREPANCY,
        CaseItemKind.ALERT,
    ]
    position, listed = FIRST_ITEM, list[str]()
    while True:
        page = await list_case_items(runtime, organization, case.id, position, 40)
        listed += [str(item.summary) for item in page.items[1 if not listed else 0 :]]
        position = decode_item_cursor(page.cursor.next)
        if not page.pagination.has_more:
            break
    assert listed == [f"Number {number}." for number in range(MAX_LISTED_ITEMS + 5)]


async def test_the_reason_of_a_decision_is_translated(runtime: Runtime, organization: UUID) -> None:
    await open_discrepancy(runtime, organization)
    case = await read_only_case(runtime, organization)
    await decide(runtime, organization, case.id, "reject", reasonCode="not_verified")
    (decision,) = (await read_case(runtime, organization, case.id)).decisions
    assert decision.reason_title == "Existence or identity not confirmed"
    assert decision.reason_title.template == "Existence or identity not confirmed"
    assert translate(decision.reason_title, Language.ENGLISH) == decision.reason_title
