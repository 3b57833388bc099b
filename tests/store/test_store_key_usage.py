"""Requests by key and day: sums grow, and nobody sees another organization's."""

from datetime import date, timedelta
from uuid import UUID, uuid4

import pytest

from bonafide.store.database.engine import Store
from bonafide.store.tenants import key_usage
from bonafide.store.tenants.key_usage import KeyDay, RequestCounts, RequestTotals

pytestmark = pytest.mark.anyio
DAY = date(2026, 11, 20)
NEXT = DAY + timedelta(days=1)


async def test_what_is_added_is_added_to_what_was_there(store: Store, north: UUID, north_key: UUID) -> None:
    today, tomorrow = KeyDay(north, north_key, DAY), KeyDay(north, north_key, NEXT)
    async with store.write() as connection:
        await key_usage.add_counts(connection, {today: RequestTotals(5, 1)})
    async with store.write() as connection:
        await key_usage.add_counts(connection, {today: RequestTotals(2, 0), tomorrow: RequestTotals(1, 1)})
    async with store.read() as connection:
        assert await key_usage.list_daily_requests(connection, north, DAY, NEXT) == {
            north_key: {DAY: RequestTotals(7, 1), NEXT: RequestTotals(1, 1)}
        }
        assert await key_usage.list_daily_requests(connection, north, NEXT, NEXT) == {north_key: {NEXT: RequestTotals(1, 1)}}


async def test_another_organization_sees_none_of_it(store: Store, north: UUID, south: UUID, north_key: UUID) -> None:
    async with store.write() as connection:
        await key_usage.add_counts(connection, {KeyDay(north, north_key, DAY): RequestTotals(5, 0)})
    async with store.read() as connection:
        assert await key_usage.list_daily_requests(connection, south, DAY, DAY) == {}


async def test_counts_of_a_key_that_is_not_there_are_dropped_and_the_others_written(
    store: Store, north: UUID, north_key: UUID
) -> None:
    async with store.write() as connection:
        await key_usage.add_counts(
            connection, {KeyDay(north, uuid4(), DAY): RequestTotals(9, 0), KeyDay(north, north_key, DAY): RequestTotals(1, 0)}
        )
    async with store.read() as connection:
        assert await key_usage.list_daily_requests(connection, north, DAY, DAY) == {north_key: {DAY: RequestTotals(1, 0)}}


def test_what_is_taken_is_counted_no_more_until_it_is_given_back() -> None:
    counts, key_day = RequestCounts(), KeyDay(uuid4(), uuid4(), DAY)
    counts.add(key_day, RequestTotals(1, 0))
    counts.add(key_day, RequestTotals(1, 1))
    taken = counts.take()
    assert taken == {key_day: RequestTotals(2, 1)}
    assert counts.take() == {}
    counts.add(key_day, RequestTotals(1, 0))
    counts.restore(taken)
    assert counts.take() == {key_day: RequestTotals(3, 1)}
