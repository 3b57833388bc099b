"""Queues of searches that wait for a person."""

from uuid import UUID

import pytest

from bonafide.model.base import StoredDocument
from bonafide.model.search.result import SelectionStatus
from bonafide.store.database.engine import Store
from bonafide.store.records import review_queue, searches
from bonafide.store.records.review_queue import ReviewQueue
from bonafide.store.records.searches import SearchPosition, SelectionDecision
from tests.support.store.rows import NOW, SECOND, completed, new_search

pytestmark = pytest.mark.anyio
MANY = 100


async def _waiting(
    store: Store, organization_id: UUID, second: int, selection: SelectionStatus | None, errors: str | None = None
) -> SearchPosition:
    """A finished search that came to this."""
    new = new_search(searched_at=NOW + second * SECOND)
    async with store.write() as connection:
        await searches.insert_loading(connection, organization_id, new)
        await searches.finish(connection, organization_id, new.id, completed(selection=selection, errors=errors))
    return SearchPosition(new.searched_at, new.id)


async def _counts(store: Store, organization_id: UUID) -> dict[ReviewQueue, int]:
    async with store.read() as connection:
        return {queue: await review_queue.count_waiting(connection, organization_id, queue, MANY) for queue in ReviewQueue}


async def test_each_queue_has_what_belongs_there(store: Store, north: UUID, south: UUID) -> None:
    await _waiting(store, north, 0, SelectionStatus.NEEDS_REVIEW)
    await _waiting(store, north, 1, SelectionStatus.NO_MATCH_FOUND, errors="{}")
    for second, selection in enumerate((None, SelectionStatus.AUTO_SELECTED), start=2):
        await _waiting(store, north, second, selection)
    assert await _counts(store, north) == {ReviewQueue.NEEDS_REVIEW: 1, ReviewQueue.NO_MATCH_FOUND: 1, ReviewQueue.INCOMPLETE: 1}
    assert await _counts(store, south) == dict.fromkeys(ReviewQueue, 0)


async def test_what_is_decided_or_archived_waits_no_more(store: Store, north: UUID) -> None:
    decided = await _waiting(store, north, 0, SelectionStatus.NEEDS_REVIEW)
    archived = await _waiting(store, north, 1, SelectionStatus.NEEDS_REVIEW)
    confirmed = await _waiting(store, north, 2, SelectionStatus.NO_MATCH_FOUND)
    async with store.write() as connection:
        by = ("ann@north.example", NOW)
        await searches.replace_document(
            connection, north, decided.id, StoredDocument("{}"), SelectionDecision(SelectionStatus.SELECTED, *by)
        )
        await searches.replace_document(
            connection, north, confirmed.id, StoredDocument("{}"), SelectionDecision(SelectionStatus.NO_MATCH_FOUND, *by)
        )
        await searches.set_archived(connection, north, archived.id, archived=True)
    assert await _counts(store, north) == dict.fromkeys(ReviewQueue, 0)
    async with store.write() as connection:
        await searches.replace_document(
            connection, north, decided.id, StoredDocument("{}"), SelectionDecision(SelectionStatus.NEEDS_REVIEW)
        )
    assert await _counts(store, north) == {ReviewQueue.NEEDS_REVIEW: 1, ReviewQueue.NO_MATCH_FOUND: 0, ReviewQueue.INCOMPLETE: 0}


async def test_neighbours_are_found_from_any_place(store: Store, north: UUID) -> None:
    # Two of the same instant: they have one order all the same.
    places = sorted(
        [await _waiting(store, north, second, SelectionStatus.NEEDS_REVIEW) for second in (0, 1, 1, 2)],
        key=lambda place: (place.searched_at, place.id),
    )
    queue = ReviewQueue.NEEDS_REVIEW
    async with store.read() as connection:
        assert await review_queue.find_first_from(connection, north, queue) == places[0]
        for number, place in enumerate(places):
            following = places[number + 1].id if number + 1 < len(places) else None
            before = places[number - 1].id if number > 0 else None
            assert await review_queue.find_first_from(connection, north, queue, place) == place
            assert await review_queue.find_next(connection, north, queue, place) == following
            assert await review_queue.find_previous(connection, north, queue, place) == before
            assert await review_queue.count_before(connection, north, queue, place) == number


async def test_counting_ends_where_nobody_counts_on(store: Store, north: UUID) -> None:
    for second in range(5):
        await _waiting(store, north, second, SelectionStatus.NEEDS_REVIEW)
    async with store.read() as connection:
        assert await review_queue.count_waiting(connection, north, ReviewQueue.NEEDS_REVIEW, 3) == 3
