"""Counts of what waits and of what was done, on both databases: of one organization, by status, age and assignee, and by day."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from bonafide.model.base import Document, StoredDocument
from bonafide.model.cases.case import CaseItemStatus, CaseStatus
from bonafide.model.cases.policy import CaseItemKind, CasePriority
from bonafide.model.events.event import EventSeverity, EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.screening.history import ScreeningOutcome
from bonafide.model.search.result import SelectionStatus
from bonafide.store.cases import case_parts, cases
from bonafide.store.cases.case_parts import StoredCaseItem
from bonafide.store.cases.cases import StoredCase
from bonafide.store.database.engine import Store
from bonafide.store.overview.daily_counts import DailyCounts, count_daily
from bonafide.store.overview.open_work import OpenWorkCounts, count_open_work
from bonafide.store.overview.waiting_cases import WaitingCaseGroup, count_open_items, count_waiting_cases
from bonafide.store.records import events, screenings, searches
from bonafide.store.records.screenings import ScreeningRow
from tests.support.store.rows import DOCUMENT, MESSAGES, completed, new_search
from tests.support.store.rows import NOW as NOW_WITH_MICROSECONDS

pytestmark = pytest.mark.anyio
NOW = NOW_WITH_MICROSECONDS.replace(microsecond=125_000)
ANN, BOB = "ann@north.example", "bob@north.example"
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
BOUNDS = [NOW - 2 * DAY, NOW - DAY, NOW, NOW + DAY]


class _Nothing(Document):
    pass


async def open_case(
    store: Store, organization: UUID, number: int, *kinds: CaseItemKind, age: timedelta = HOUR, assignee: str | None = None
) -> StoredCase:
    """A case that is due a week after its opening, with an open item of each of these kinds."""
    opened = NOW - age
    case = StoredCase(
        id=uuid4(), number=number, business_id=None, subject=str(number), status=CaseStatus.OPEN, outcome=None,
        priority=CasePriority.NORMAL, assignee=assignee, opened_at=opened, due_at=opened + 7 * DAY, reminder_at=None,
        decided_at=None, updated_at=opened, pending_decision_id=None, document="{}", folded_name="",
    )  # fmt: skip
    items = [
        StoredCaseItem(uuid4(), case.id, kind, f"{kind}:{number}", CaseItemStatus.OPEN, opened, None, None, 1, "{}")
        for kind in kinds
    ]
    async with store.write() as connection:
        await cases.add(connection, organization, case)
        for item in items:
            await case_parts.add_item(connection, organization, item)
    return case


async def test_cases_that_have_not_ended_are_counted_by_status_age_and_assignee(store: Store, north: UUID, south: UUID) -> None:
    hit, match = CaseItemKind.SANCTIONS_HIT, CaseItemKind.MATCH_SELECTION
    await open_case(store, north, 1, hit, match, assignee=ANN)
    await open_case(store, north, 2, hit, assignee=ANN, age=2 * HOUR)
    await open_case(store, north, 3, age=10 * DAY)
    ended = await open_case(store, north, 4, assignee=ANN)
    await open_case(store, south, 1, hit, assignee=ANN)
    async with store.write() as connection:
        await cases.replace(connection, north, replace(ended, status=CaseStatus.DECIDED, decided_at=NOW))
        groups = await count_waiting_cases(connection, north, NOW, [NOW - DAY, NOW - 7 * DAY, NOW - 30 * DAY])
        items = await count_open_items(connection, north)
    assert set(groups) == {
        WaitingCaseGroup(ANN, CaseStatus.OPEN, age=0, count=2, overdue=0),
        WaitingCaseGroup(None, CaseStatus.OPEN, age=2, count=1, overdue=1),
    }
    assert items == {hit: 2, match: 1}


async def test_what_waits_is_counted_for_one_organization_and_up_to_a_limit(store: Store, north: UUID, south: UUID) -> None:
    for number in range(3):
        await open_case(store, north, number, assignee=ANN if number else BOB)
    for selection in (SelectionStatus.NEEDS_REVIEW, SelectionStatus.NO_MATCH_FOUND):
        search = new_search()
        await searches.insert_loading(store, north, search)
        await searches.finish(store, north, search.id, completed(selection=selection))
    found = await count_open_work(store, north, ANN, 100)
    assert found == OpenWorkCounts(
        cases=3, own_cases=2, searches_to_review=1, open_hits=0, discrepancies=0, alerts=0, manual_checks=0
    )
    assert (await count_open_work(store, north, ANN, 2)).cases == 2
    assert await count_open_work(store, south, ANN, 100) == OpenWorkCounts(0, 0, 0, 0, 0, 0, 0)


async def test_each_day_has_its_counts(store: Store, north: UUID, south: UUID) -> None:
    found = NewEvent(EventType.SCREENING_HIT_FOUND, EventSubject(kind=EventSubjectKind.BUSINESS), _Nothing())
    opened = replace(found, type=EventType.CASE_OPENED)
    async with store.write() as connection:
        for days, new in ((2, [found]), (1, [opened, found]), (0, [found, found])):
            await events.append(connection, north, [(one, EventSeverity.HIGH) for one in new], NOW - days * DAY)
        row = ScreeningRow(uuid4(), "A", ScreeningOutcome.CLEAR, 0, 1, NOW - HOUR, ANN, None)
        await screenings.add(connection, north, row, StoredDocument(DOCUMENT, MESSAGES))
    for instant in (NOW - 3 * DAY, NOW - DAY, NOW - HOUR):
        await searches.insert_loading(store, north, new_search(searched_at=instant))
    async with store.read() as connection:
        assert await count_daily(connection, north, BOUNDS) == [
            DailyCounts(hits=1),
            DailyCounts(searches=2, screenings=1, hits=1, cases_opened=1),
            DailyCounts(hits=2),
        ]
        assert await count_daily(connection, south, BOUNDS) == [DailyCounts()] * 3
