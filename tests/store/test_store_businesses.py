"""Business records as rows: found by their ids and numbers, listed in the feed's order, each statement through an index."""

import dataclasses
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_record import FeedPosition
from bonafide.store.database.engine import Store
from bonafide.store.records import businesses
from bonafide.store.records.businesses import FeedFilter, NaturalKey, StoredBusiness
from bonafide.store.tenants import audit_log, organizations
from tests.support.store.query_plans import is_scan
from tests.support.store.rows import MINUTE, NOW

pytestmark = pytest.mark.anyio
KEY = NaturalKey(Jurisdiction.ON, frozenset({"1000017", "ON1000017"}))


def business(**changes: Any) -> StoredBusiness:
    values = {"id": uuid4(), "external_id": None, "is_monitored": False, "is_archived": False, "updated_at": NOW, "document": "{}"}
    return StoredBusiness(**(values | changes))


async def add(store: Store, organization_id: UUID, one: StoredBusiness, key: NaturalKey | None = None) -> StoredBusiness:
    async with store.write() as connection:
        await businesses.add(connection, organization_id, one)
        await businesses.add_numbers(connection, organization_id, one.id, key)
    return one


async def matching(store: Store, organization_id: UUID, external_id: str | None, *numbers: str) -> tuple[str | None, list[str]]:
    key = NaturalKey(Jurisdiction.ON, frozenset(numbers)) if numbers else None
    async with store.read() as connection:
        return await businesses.find_matching(connection, organization_id, external_id, key)


async def test_a_record_is_found_by_external_id_and_by_any_of_its_numbers(store: Store, north: UUID, south: UUID) -> None:
    await add(store, north, business(external_id="crm-1", document="one"), KEY)
    await add(store, north, business(external_id="crm-2", document="two"))
    assert await matching(store, north, "crm-2", "1000017") == ("two", ["one"])
    assert await matching(store, north, None, "ON1000017", "1000017") == (None, ["one"])
    assert await matching(store, north, "crm-1") == ("one", [])
    assert await matching(store, north, "crm-3", "7") == (None, [])
    assert await matching(store, south, "crm-1", "1000017") == (None, [])


async def test_two_records_can_share_neither(store: Store, north: UUID) -> None:
    await add(store, north, business(external_id="crm-1"), KEY)
    with pytest.raises(IntegrityError):
        await add(store, north, business(external_id="crm-1"))
    with pytest.raises(IntegrityError):
        await add(store, north, business(), NaturalKey(Jurisdiction.ON, frozenset({"1000017"})))
    await add(store, north, business(), NaturalKey(Jurisdiction.BC, frozenset({"1000017"})))


async def test_new_numbers_take_the_place_of_the_old_ones(store: Store, north: UUID) -> None:
    one = await add(store, north, business(document="one"), KEY)
    async with store.write() as connection:
        await businesses.set_numbers(connection, north, one.id, NaturalKey(Jurisdiction.ON, frozenset({"7"})))
    assert await matching(store, north, None, "1000017") == (None, [])
    assert await matching(store, north, None, "7") == (None, ["one"])
    async with store.write() as connection:
        await businesses.set_numbers(connection, north, one.id, None)
    assert await matching(store, north, None, "7") == (None, [])


async def test_a_record_is_replaced_whole(store: Store, north: UUID) -> None:
    one = await add(store, north, business(external_id="crm-1"))
    changed = dataclasses.replace(one, external_id="crm-2", is_archived=True, updated_at=NOW + MINUTE, document="é 🍁")
    async with store.write() as connection:
        await businesses.replace(connection, north, changed)
    async with store.read() as connection:
        assert await businesses.list_changes(connection, north, FeedFilter(), None, 10) == [changed]
        assert await businesses.get(connection, north, one.id) == "é 🍁"


async def test_records_of_one_instant_are_listed_by_id_and_none_is_passed_over(store: Store, north: UUID) -> None:
    made = [await add(store, north, business()) for _ in range(7)]
    listed: list[UUID] = []
    after = None
    async with store.read() as connection:
        while found := await businesses.list_changes(connection, north, FeedFilter(), after, 2):
            listed += [row.id for row in found]
            after = FeedPosition(found[-1].updated_at, found[-1].id)
    assert listed == sorted(row.id for row in made)


async def test_a_ledger_begins_empty_and_is_kept(store: Store, north: UUID) -> None:
    async with store.read() as connection:
        assert await audit_log.get_head(connection, north) is None
    async with store.write() as connection:
        held = await audit_log.lock_head(connection, north)
        assert (held.entries, held.head, held.next_instant(NOW)) == (0, audit_log.GENESIS, NOW.replace(microsecond=125_000))
        await audit_log.save_head(connection, north, audit_log.AuditLogState(NOW, 3, "a" * 64))
    async with store.write() as connection:
        assert await audit_log.lock_head(connection, north) == audit_log.AuditLogState(NOW, 3, "a" * 64)


async def test_settings_are_kept_and_replaced(store: Store, north: UUID, south: UUID) -> None:
    for document in ('{"a": 1}', '{"a": 2}'):
        async with store.write() as connection:
            await organizations.put_settings(connection, north, document)
    async with store.read() as connection:
        assert await organizations.get_settings(connection, north) == '{"a": 2}'
        assert await organizations.get_settings(connection, south) is None


ORGANIZATION, ID = uuid4(), uuid4()
PLACE = FeedPosition(NOW, ID)
STATEMENTS: dict[str, Callable[[AsyncConnection], Awaitable[object]]] = {
    "hold": lambda connection: audit_log.lock_head(connection, ORGANIZATION),
    "matching": lambda connection: businesses.find_matching(connection, ORGANIZATION, "crm-1", KEY),
    "record": lambda connection: businesses.get(connection, ORGANIZATION, ID),
    "replace": lambda connection: businesses.replace(connection, ORGANIZATION, business()),
    "numbers": lambda connection: businesses.set_numbers(connection, ORGANIZATION, ID, None),
    "feed": lambda connection: businesses.list_changes(connection, ORGANIZATION, FeedFilter(), PLACE, 100),
    "filtered feed": lambda connection: businesses.list_changes(
        connection, ORGANIZATION, FeedFilter(external_id=None, archived=True, monitored=False), PLACE, 100
    ),
    "one of the feed": lambda connection: businesses.list_changes(connection, ORGANIZATION, FeedFilter("crm-1"), None, 100),
    "trail": lambda connection: audit_log.list_for_subject(connection, ORGANIZATION, ID, 25, 50),
    "whole trail": lambda connection: audit_log.list_after(connection, ORGANIZATION, 7, 5000),
    "settings": lambda connection: organizations.get_settings(connection, ORGANIZATION),
}


@pytest.mark.parametrize("name", STATEMENTS)
async def test_rows_are_found_in_order_through_an_index(sqlite_store: Store, name: str) -> None:
    executed: list[tuple[str, Any]] = []
    async with sqlite_store._writer.connect() as connection:
        # The organization need not be there: nothing is committed.
        await connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")

        @event.listens_for(connection.sync_connection, "before_cursor_execute")
        def _note(*details: Any) -> None:
            executed.append((details[2], details[3]))

        await STATEMENTS[name](connection)
        plan = [
            row.detail
            for statement, parameters in list(executed)
            if not statement.startswith("INSERT")
            for row in await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        ]
        await connection.rollback()
    assert plan
    sorts = [step for step in plan if "TEMP B-TREE" in step and "DISTINCT" not in step]
    assert not [*sorts, *(step for step in plan if is_scan(step))]
