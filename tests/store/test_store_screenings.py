"""Stored screenings on both databases: listed newest first by filter and position, and nobody else's."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from bonafide.model.base import StoredDocument
from bonafide.model.screening.history import ScreeningOutcome
from bonafide.store.database.engine import Store
from bonafide.store.records import businesses, screenings
from bonafide.store.records.businesses import StoredBusiness
from bonafide.store.records.screenings import ScreeningFilter, ScreeningPosition, ScreeningRow
from tests.support.store.rows import DOCUMENT, MESSAGES, MINUTE, NOW, SECOND

pytestmark = pytest.mark.anyio
NEWEST = ScreeningPosition(NOW + timedelta(days=365), UUID(int=2**128 - 1))


def screening(query: str = "Zoë Œuvre Ltd.", *, after: timedelta = timedelta()) -> ScreeningRow:
    return ScreeningRow(uuid4(), query, ScreeningOutcome.CLEAR, 0, 1, NOW + after, "ann@north.example", None)


async def keep(store: Store, organization: UUID, *new: ScreeningRow) -> None:
    async with store.write() as connection:
        for one in new:
            await screenings.add(connection, organization, one, StoredDocument(DOCUMENT, MESSAGES))


async def listed(
    store: Store,
    organization: UUID,
    chosen: ScreeningFilter | None = None,
    place: ScreeningPosition = NEWEST,
    limit: int = 10,
) -> list[ScreeningRow]:
    async with store.read() as connection:
        return await screenings.list_older(connection, organization, chosen or ScreeningFilter(), limit, place)


async def test_a_document_comes_back_as_it_was_stored(store: Store, north: UUID) -> None:
    one = screening()
    await keep(store, north, one)
    async with store.read() as connection:
        assert await screenings.get_document(connection, north, one.id) == StoredDocument(DOCUMENT, MESSAGES)


async def test_pages_follow_each_other_without_gaps_even_within_one_instant(store: Store, north: UUID) -> None:
    every = [screening(f"{number} Ltd.", after=SECOND * (number // 2)) for number in range(7)]
    await keep(store, north, *every)
    expected = sorted(every, key=lambda one: (one.screened_at, one.id.bytes), reverse=True)
    assert await listed(store, north) == expected
    first = await listed(store, north, limit=3)
    rest = await listed(store, north, place=ScreeningPosition(first[-1].screened_at, first[-1].id))
    assert first + rest == expected


async def test_filters_select(store: Store, north: UUID) -> None:
    record = StoredBusiness(uuid4(), None, is_monitored=False, is_archived=False, updated_at=NOW, document="{}")
    async with store.write() as connection:
        await businesses.add(connection, north, record)
    one, two = screening(), screening("Acme", after=MINUTE)
    two = replace(two, outcome=ScreeningOutcome.HITS, open_hits=3, business_id=record.id)
    await keep(store, north, one, two)
    assert await listed(store, north, ScreeningFilter(query="oeuvre")) == [one]
    assert await listed(store, north, ScreeningFilter(query="%")) == []
    assert await listed(store, north, ScreeningFilter(outcome=ScreeningOutcome.HITS)) == [two]
    assert await listed(store, north, ScreeningFilter(business_id=record.id)) == [two]
    assert await listed(store, north, ScreeningFilter(since=NOW + SECOND)) == [two]
    assert await listed(store, north, ScreeningFilter(until=NOW + MINUTE)) == [one]


async def test_nobody_sees_the_screenings_of_another_organization(store: Store, north: UUID, south: UUID) -> None:
    mine = screening()
    await keep(store, north, mine)
    assert await listed(store, south) == []
    async with store.read() as connection:
        assert await screenings.get_document(connection, south, mine.id) is None
