"""The change feed: its order, its cursor, its filters, and that a reader of it misses nothing whoever writes meanwhile."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from bonafide.errors import ValidationFailed
from bonafide.model.records.business_record import BusinessRecord, FeedPosition, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.records import business_records as service
from bonafide.services.records import change_feed
from bonafide.services.records.audit_check import verify_audit_log
from bonafide.store.database.engine import Store
from bonafide.store.records import businesses
from bonafide.store.records.businesses import FeedFilter
from bonafide.store.tenants import audit_log
from tests.support.services.business_records import AUTHOR, page, send, sent
from tests.support.services.runtimes import ManualClock, principal_of, runtime_over
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
WRITERS = 8
WRITES = 12
"""Of each writer: half make a record of its own, half change one that all of them change."""


@pytest.fixture
def runtime(empty_runtime: Runtime) -> Runtime:
    return empty_runtime


@pytest.fixture
async def north(runtime: Runtime) -> UUID:
    return (await principal_of(runtime, "north")).organization_id


def names(listed: tuple[BusinessRecord, ...]) -> list[str | None]:
    return [record.name for record in listed]


async def test_it_lists_the_oldest_change_first_and_a_changed_record_again(runtime: Runtime, north: UUID) -> None:
    for name in ("One", "Two", "Three"):
        await sent(runtime, north, externalId=name, name=name)
    await sent(runtime, north, externalId="One", name="One again")
    assert names((await page(runtime, north)).businesses) == ["Two", "Three", "One again"]


async def test_pages_follow_each_other_and_the_last_one_has_a_cursor_too(runtime: Runtime, north: UUID) -> None:
    for number in range(5):
        await sent(runtime, north, name=f"Acme {number}")
    first = await page(runtime, north, limit=3)
    assert (names(first.businesses), first.pagination.has_more) == (["Acme 0", "Acme 1", "Acme 2"], True)
    rest = await page(runtime, north, change_feed.decode_cursor(first.cursor.next), limit=3)
    assert (names(rest.businesses), rest.pagination.has_more) == (["Acme 3", "Acme 4"], False)
    nothing = await page(runtime, north, change_feed.decode_cursor(rest.cursor.next))
    assert (nothing.businesses, nothing.cursor, nothing.pagination.has_more) == ((), rest.cursor, False)
    await sent(runtime, north, name="Later")
    assert names((await page(runtime, north, change_feed.decode_cursor(nothing.cursor.next))).businesses) == ["Later"]


async def test_an_empty_feed_has_a_cursor_from_which_it_can_be_followed(runtime: Runtime, north: UUID) -> None:
    empty = await page(runtime, north)
    await sent(runtime, north, name="First")
    assert names((await page(runtime, north, change_feed.decode_cursor(empty.cursor.next))).businesses) == ["First"]


async def test_a_full_last_page_does_not_promise_more(runtime: Runtime, north: UUID) -> None:
    for number in range(2):
        await sent(runtime, north, name=f"Acme {number}")
    assert not (await page(runtime, north, limit=2)).pagination.has_more


async def test_since_an_instant_means_strictly_after_it(runtime: Runtime, north: UUID) -> None:
    first, second = [await sent(runtime, north, name=name) for name in ("One", "Two")]
    assert names((await page(runtime, north, change_feed.build_position_after(first.updated_at))).businesses) == ["Two"]
    assert (await page(runtime, north, change_feed.build_position_after(second.updated_at))).businesses == ()
    before = change_feed.build_position_after(first.updated_at - timedelta(microseconds=1))
    assert names((await page(runtime, north, before)).businesses) == ["One", "Two"]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (FeedFilter(), ["One", "Two", "Three"]),
        (FeedFilter(external_id="Two"), ["Two"]),
        (FeedFilter(external_id="two"), []),
        (FeedFilter(archived=True), ["Two"]),
        (FeedFilter(archived=False), ["One", "Three"]),
        (FeedFilter(monitored=True), ["Three"]),
        (FeedFilter(archived=True, monitored=True), []),
    ],
)
async def test_filters(runtime: Runtime, north: UUID, chosen: FeedFilter, expected: list[str]) -> None:
    for name, flags in (("One", {}), ("Two", {"isArchived": True}), ("Three", {"isMonitored": True})):
        await sent(runtime, north, externalId=name, name=name, **flags)
    assert names((await page(runtime, north, chosen=chosen)).businesses) == expected


async def test_south_sees_nothing_of_norths(runtime: Runtime, north: UUID) -> None:
    await sent(runtime, north, externalId="crm-1")
    south = (await principal_of(runtime, "south")).organization_id
    assert (await page(runtime, south)).businesses == ()
    assert (await page(runtime, south, chosen=FeedFilter(external_id="crm-1"))).businesses == ()


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "é",
        "",
        "MS4x",
        "MS4xLjAw",
        change_feed.encode_cursor(change_feed.START) + "=",
        change_feed.encode_cursor(change_feed.START)[:-1] + "B",
    ],
)
def test_what_is_no_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(ValidationFailed):
        change_feed.decode_cursor(cursor)


async def test_a_cursor_is_its_position(runtime: Runtime, north: UUID) -> None:
    record = await sent(runtime, north, name="Acme")
    position = FeedPosition(record.updated_at, record.id)
    assert change_feed.decode_cursor(change_feed.encode_cursor(position)) == position


# -------------------------------------------------------------------------------------------------------- many at once


def another(runtime: Runtime, url: str, tmp_path: Path, clock: ManualClock) -> Runtime:
    """The same service in another process, as far as the database can tell: connections of its own."""
    return runtime_over(Store.open(url), tmp_path, clock)


async def test_who_comes_second_waits_and_a_reader_sees_neither_before_the_first(
    runtime: Runtime, north: UUID, database_url: str, tmp_path: Path, clock: ManualClock
) -> None:
    other = another(runtime, database_url, tmp_path, clock)
    early = (await page(runtime, north)).cursor
    record = BusinessRecord(id=UUID(int=7), created_at=clock.now, updated_at=clock.now, name="Slow")
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, north)
        instant = ledger.next_instant(clock.now)
        row = service._to_row(record.model_copy(update={"updated_at": instant}))
        await businesses.add(connection, north, row)
        change = audit_log.AuditChange(record.id, instant, AUTHOR, [FieldChange("name", None, "Slow")])
        await audit_log.record_change(connection, north, ledger, change)
        second = asyncio.create_task(send(other, north, name="Quick"))
        await asyncio.sleep(0.3)
        assert not second.done(), "the second writer must not overtake the first"
        assert (await page(other, north, change_feed.decode_cursor(early.next))).businesses == ()
    quick = (await second).record
    assert quick.updated_at > instant
    assert names((await page(other, north, change_feed.decode_cursor(early.next))).businesses) == ["Slow", "Quick"]
    await other.store.close()


async def test_writers_of_other_organizations_do_not_wait_on_postgresql(
    runtime: Runtime, north: UUID, database_url: str, tmp_path: Path, clock: ManualClock
) -> None:
    if database_url.startswith("sqlite"):
        pytest.skip("SQLite has one writer at a time, whoever it is")
    south = (await principal_of(runtime, "south")).organization_id
    other = another(runtime, database_url, tmp_path, clock)
    async with runtime.store.write() as connection:
        await audit_log.lock_head(connection, north)
        assert (await asyncio.wait_for(send(other, south, name="Acme"), timeout=TIMEOUT_S)).created
    await other.store.close()


class TestEightWriters:
    """Eight connections write, on one record and on many, while a reader follows the feed from its own connection."""

    async def write(self, runtime: Runtime, north: UUID, writer: int) -> None:
        for number in range(WRITES):
            if number % 2 == 0:
                await send(runtime, north, externalId=f"own-{writer}-{number}", name=f"Own {writer} {number}", city="Toronto")
            else:
                await send(runtime, north, externalId="shared", notes=f"{writer} {number}", phoneNumber=str(number))

    async def follow(self, runtime: Runtime, north: UUID, until: "asyncio.Event") -> list[BusinessRecord]:
        """Every record that a client sees who asks again and again with the cursor that it was given last."""
        seen: list[BusinessRecord] = []
        cursor = change_feed.encode_cursor(change_feed.START)
        while True:
            over = until.is_set()
            found = await page(runtime, north, change_feed.decode_cursor(cursor), limit=3)
            seen += found.businesses
            cursor = found.cursor.next
            if over and not found.pagination.has_more and not found.businesses:
                return seen
            await asyncio.sleep(0)

    @pytest.mark.slow
    async def test_the_reader_misses_nothing_and_the_trail_is_whole(
        self, runtime: Runtime, north: UUID, database_url: str, tmp_path: Path, clock: ManualClock
    ) -> None:
        others = [another(runtime, database_url, tmp_path, clock) for _ in range(WRITERS + 1)]
        over = asyncio.Event()
        reader = asyncio.create_task(self.follow(others[-1], north, over))
        await asyncio.gather(*(self.write(others[number], north, number) for number in range(WRITERS)))
        over.set()
        seen = await reader
        instants = [record.updated_at for record in seen]
        assert instants == sorted(set(instants)), "what is seen later changed later, and no two at once"
        stored = (await page(runtime, north)).businesses
        assert len(stored) == WRITERS * WRITES // 2 + 1
        assert {record.id: record for record in seen} == {record.id: record for record in stored}
        check = await verify_audit_log(runtime, north)
        assert check.problems == []
        assert check.entries == WRITERS * WRITES // 2 * 3 + self.changes_of_shared(await self.shared_trail(runtime, north))
        for other in others:
            await other.store.close()

    async def shared_trail(self, runtime: Runtime, north: UUID) -> list[Any]:
        shared = await service.find_record(runtime, north, external_id="shared")
        return list((await change_feed.read_audit_log(runtime, north, shared.id, 1000, 0)).entries)

    def changes_of_shared(self, entries: list[Any]) -> int:
        """Each change of one field begins with what the change before it left."""
        for field in ("notes", "phoneNumber"):
            own = [entry for entry in entries if entry.field == field]
            assert [entry.old for entry in own[1:]] == [entry.new for entry in own[:-1]]
        assert len([entry for entry in entries if entry.field == "notes"]) == WRITERS * WRITES // 2
        return len(entries)
