"""Events on both databases: numbered without gaps in the order of commits, found by filter and position, and nobody else's."""

import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import bindparam, insert
from sqlalchemy.exc import IntegrityError

from bonafide.model.base import Document
from bonafide.model.events.event import (
    EventBusiness,
    EventSeverity,
    EventSubject,
    EventSubjectKind,
    EventType,
    NewEvent,
    StoredEventBody,
)
from bonafide.store.database.autocommit import PlannedWrite
from bonafide.store.database.engine import Store
from bonafide.store.database.tables import event_heads
from bonafide.store.records import events, searches
from bonafide.store.records.events import EventFilter, StoredEvent
from bonafide.store.records.searches import NewSearch
from tests.support.store.rows import MINUTE, SECOND, completed
from tests.support.store.rows import NOW as NOW_WITH_MICROSECONDS

pytestmark = pytest.mark.anyio
NOW = NOW_WITH_MICROSECONDS.replace(microsecond=125_000)
EVERYTHING = EventFilter()
WRITERS, WRITES = 6, 10


class _Data(Document):
    text: str


def event(text: str = "one", *, kind: EventType = EventType.BUSINESS_UPDATED, business: UUID | None = None) -> NewEvent:
    reference = EventBusiness(id=business, external_id=None, name="Zoë Œuvre Ltd.") if business is not None else None
    return NewEvent(kind, EventSubject(kind=EventSubjectKind.BUSINESS), _Data(text=text), business=reference)


async def record(store: Store, organization: UUID, *new: NewEvent, after: timedelta = timedelta()) -> None:
    async with store.write() as connection:
        await events.append(connection, organization, [(one, EventSeverity.INFO) for one in new], NOW + after)


async def listed(
    store: Store, organization: UUID, chosen: EventFilter = EVERYTHING, position: int = 0, limit: int = 1000
) -> list[StoredEvent]:
    async with store.read() as connection:
        return await events.list_after(connection, organization, chosen, position, limit)


async def newest(
    store: Store, organization: UUID, chosen: EventFilter = EVERYTHING, position: int | None = None, limit: int = 1000
) -> list[StoredEvent]:
    async with store.read() as connection:
        return await events.list_before(connection, organization, chosen, position, limit)


def texts(found: list[StoredEvent]) -> list[object]:
    return [StoredEventBody.model_validate_json(one.document).data["text"] for one in found]


async def test_an_event_is_read_as_it_was_recorded(store: Store, north: UUID) -> None:
    business = uuid4()
    new = event("“quotes”, é, \\ and \n", business=business)
    await record(store, north, new)
    (stored,) = await listed(store, north)
    assert (stored.sequence, stored.type, stored.severity, stored.occurred_at) == (1, new.type, EventSeverity.INFO, NOW)
    assert StoredEventBody.model_validate_json(stored.document) == new.to_body()
    async with store.read() as connection:
        assert await events.get(connection, north, stored.id) == stored


async def test_events_are_numbered_by_organization_and_nobody_elses_are_listed(store: Store, north: UUID, south: UUID) -> None:
    await record(store, north, event("a"), event("b"))
    await record(store, south, event("c"))
    await record(store, north, event("d"))
    mine, theirs = await listed(store, north), await listed(store, south)
    assert [(one.sequence, text) for one, text in zip(mine, texts(mine), strict=True)] == [(1, "a"), (2, "b"), (3, "d")]
    assert [one.sequence for one in theirs] == [1]
    async with store.read() as connection:
        assert await events.get(connection, south, mine[0].id) is None
        assert await events.get_last_position(connection, north) == 3
        assert await events.get_last_position(connection, uuid4()) == 0


async def test_nothing_to_record_locks_nothing(store: Store, north: UUID) -> None:
    await record(store, north)
    assert events.plan_append(store.dialect, north, [], NOW) == []


async def test_filters_select(store: Store, north: UUID) -> None:
    business = uuid4()
    await record(
        store,
        north,
        event("a", business=business),
        event("b", kind=EventType.SEARCH_COMPLETED),
        event("c", kind=EventType.SEARCH_COMPLETED, business=business),
        event("d", kind=EventType.REPORT_READY, business=uuid4()),
    )
    searches = frozenset({EventType.SEARCH_COMPLETED})
    assert texts(await listed(store, north, EventFilter(searches))) == ["b", "c"]
    assert texts(await listed(store, north, EventFilter(searches | {EventType.REPORT_READY}))) == ["b", "c", "d"]
    assert texts(await listed(store, north, EventFilter(business_id=business))) == ["a", "c"]
    assert texts(await listed(store, north, EventFilter(searches, business))) == ["c"]
    assert texts(await listed(store, north, EventFilter(frozenset()))) == []
    assert texts(await listed(store, north, position=1, limit=2)) == ["b", "c"]


async def test_events_are_listed_from_the_newest_by_the_same_filters(store: Store, north: UUID, south: UUID) -> None:
    business, searches = uuid4(), frozenset({EventType.SEARCH_COMPLETED})
    await record(store, north, event("a", business=business), event("b", kind=EventType.SEARCH_COMPLETED))
    await record(store, south, event("theirs", business=business))
    await record(store, north, event("c", kind=EventType.SEARCH_COMPLETED, business=business), event("d"))
    assert texts(await newest(store, north)) == ["d", "c", "b", "a"]
    assert texts(await newest(store, north, limit=2)) == ["d", "c"]
    assert texts(await newest(store, north, position=3)) == ["b", "a"]
    assert texts(await newest(store, north, position=1)) == []
    assert texts(await newest(store, north, EventFilter(searches))) == ["c", "b"]
    assert texts(await newest(store, north, EventFilter(searches, business), position=4)) == ["c"]


async def test_a_lowest_severity_includes_the_higher_ones(store: Store, north: UUID) -> None:
    async with store.write() as connection:
        await events.append(connection, north, [(event(severity), severity) for severity in EventSeverity], NOW)
    for number, severity in enumerate(EventSeverity):
        expected = [str(one) for one in EventSeverity][number:]
        assert texts(await listed(store, north, EventFilter(min_severity=severity))) == expected
        assert texts(await newest(store, north, EventFilter(min_severity=severity))) == expected[::-1]


async def test_instants_are_whole_milliseconds_as_on_the_wire(store: Store, north: UUID) -> None:
    await record(store, north, event(), after=timedelta(microseconds=999))
    assert [one.occurred_at for one in await listed(store, north)] == [NOW]


async def test_times_have_the_order_of_numbers_even_if_a_clock_is_set_back(store: Store, north: UUID) -> None:
    for text, after in (("a", MINUTE), ("b", -MINUTE), ("c", 2 * MINUTE)):
        await record(store, north, event(text), after=after)
    assert [one.occurred_at for one in await listed(store, north)] == [NOW + MINUTE, NOW + MINUTE, NOW + 2 * MINUTE]


async def test_a_position_after_an_instant_is_that_of_the_last_event_until_then(store: Store, north: UUID, south: UUID) -> None:
    await record(store, north, event("a"), event("b"))
    await record(store, north, event("c"), after=MINUTE)
    await record(store, south, event("other"), after=-MINUTE)
    async with store.read() as connection:
        found = [
            await events.find_position_after(connection, north, NOW + after)
            for after in (-SECOND, timedelta(), SECOND, MINUTE, 2 * MINUTE)
        ]
    assert found == [0, 2, 2, 3, 3]


async def test_a_transaction_that_is_rolled_back_leaves_neither_an_event_nor_a_gap(store: Store, north: UUID) -> None:
    await record(store, north, event("a"))

    async def fail() -> None:
        async with store.write() as connection:
            await events.append(connection, north, [(event("lost"), EventSeverity.INFO)], NOW)
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        await fail()
    await record(store, north, event("b"))
    found = await listed(store, north)
    assert [(one.sequence, text) for one, text in zip(found, texts(found), strict=True)] == [(1, "a"), (2, "b")]


async def test_a_later_writer_waits_so_that_a_reader_skips_nothing(store: Store, north: UUID, database_url: str) -> None:
    """The first writer takes its number and commits late: no reader may see the second event before it."""
    other = Store.open(database_url)
    async with store.write() as connection:
        await events.append(connection, north, [(event("slow"), EventSeverity.INFO)], NOW)
        second = asyncio.create_task(record(other, north, event("quick")))
        await asyncio.sleep(0.3)
        assert not second.done(), "the second writer must not overtake the first"
        assert await listed(other, north) == []
    await second
    found = await listed(other, north)
    assert [(one.sequence, text) for one, text in zip(found, texts(found), strict=True)] == [(1, "slow"), (2, "quick")]
    await other.close()


async def test_planned_writes_are_one_transaction_and_depend_on_the_first(store: Store, north: UUID) -> None:
    """As a search ends: the row, and its event only if the row was changed."""
    search = NewSearch(uuid4(), "Acme", None, "{}", NOW, "ann@north.example", NOW + MINUTE)
    await searches.insert_loading(store, north, search)

    async def finish(text: str) -> bool:
        planned = events.plan_append(store.dialect, north, [(event(text), EventSeverity.INFO)], NOW)
        return await searches.finish_with(store, north, search.id, completed(), planned)

    assert [await finish("first"), await finish("second")] == [True, False]
    assert texts(await listed(store, north)) == ["first"]
    other = NewSearch(uuid4(), "Acme", None, "{}", NOW, "ann@north.example", NOW + MINUTE)
    await searches.insert_loading(store, north, other)
    planned = events.plan_append(store.dialect, north, [(event("lost"), EventSeverity.INFO)], NOW)
    repeated = insert(event_heads).values({column.name: bindparam(column.name) for column in event_heads.c})
    head = {"organization_id": north, "sequence": 1, "occurred_at": NOW}
    with pytest.raises(IntegrityError):
        await searches.finish_with(store, north, other.id, completed(), [*planned, PlannedWrite(repeated, head)])
    async with store.read() as connection:
        assert await searches.get_document(connection, north, other.id) is None
    assert texts(await listed(store, north)) == ["first"]
    await record(store, north, event("next"))
    assert [one.sequence for one in await listed(store, north)] == [1, 2]


async def test_an_error_that_ends_the_transaction_itself_is_reported_as_it_is(store: Store, north: UUID, database_url: str) -> None:
    """SQLite rolls back by itself on some errors, such as a full disk; so does a trigger."""
    if not database_url.startswith("sqlite"):
        pytest.skip("PostgreSQL never ends a transaction by itself")
    async with store.write() as connection:
        trigger = "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ROLLBACK, 'disk full'); END"
        await connection.exec_driver_sql(trigger)
    search = NewSearch(uuid4(), "Acme", None, "{}", NOW, "ann@north.example", NOW + MINUTE)
    await searches.insert_loading(store, north, search)
    planned = events.plan_append(store.dialect, north, [(event(), EventSeverity.INFO)], NOW)
    with pytest.raises(IntegrityError, match="disk full"):
        await searches.finish_with(store, north, search.id, completed(), planned)
    async with store.write() as connection:
        await connection.exec_driver_sql("DROP TRIGGER full")
    assert await searches.finish_with(store, north, search.id, completed(), planned)
    assert [one.sequence for one in await listed(store, north)] == [1]


async def test_writers_of_other_organizations_do_not_wait_on_postgresql(
    store: Store, north: UUID, south: UUID, database_url: str
) -> None:
    if database_url.startswith("sqlite"):
        pytest.skip("SQLite has one writer at a time, whoever it is")
    other = Store.open(database_url)
    async with store.write() as connection:
        await events.append(connection, north, [(event(), EventSeverity.INFO)], NOW)
        await asyncio.wait_for(record(other, south, event()), timeout=10)
    await other.close()


@pytest.mark.slow
async def test_a_reader_beside_many_writers_reads_each_event_once_and_in_order(
    store: Store, north: UUID, database_url: str
) -> None:
    stores = [Store.open(database_url) for _ in range(WRITERS)]
    over = asyncio.Event()

    async def write(number: int) -> None:
        for turn in range(WRITES):
            await record(stores[number], north, event(f"{number} {turn}"), event(f"{number} {turn} too"))

    async def follow() -> list[StoredEvent]:
        seen: list[StoredEvent] = []
        while True:
            is_last = over.is_set()
            found = await listed(store, north, position=seen[-1].sequence if seen else 0, limit=3)
            seen += found
            if is_last and not found:
                return seen
            await asyncio.sleep(0)

    reader = asyncio.create_task(follow())
    await asyncio.gather(*map(write, range(WRITERS)))
    over.set()
    seen = await reader
    assert [one.sequence for one in seen] == list(range(1, WRITERS * WRITES * 2 + 1))
    assert len(set(texts(seen))) == len(seen)
    for one in stores:
        await one.close()


@given(st.text())
def test_any_text_survives_the_stored_form(text: str) -> None:
    body = event(text).to_body()
    assert StoredEventBody.model_validate_json(body.to_json()) == body
