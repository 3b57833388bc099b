"""The queue of searches that need a review: count them, and find one with its neighbours.

Deciding is the business of `history`; here nothing is changed.
"""

from dataclasses import dataclass
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.model.search.result import SearchResult
from bonafide.runtime import Runtime
from bonafide.services.search.execution import read_search
from bonafide.store.database.engine import Connection
from bonafide.store.records import review_queue, searches
from bonafide.store.records.review_queue import ReviewQueue
from bonafide.store.records.searches import SearchPosition

__all__ = ["MAX_COUNTED", "ReviewItem", "ReviewQueue", "count_waiting", "find_review_item", "read_decided_search"]
MAX_COUNTED = 1000
"""More than so many are not counted: nobody plans a day by the exact number."""


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """The search whose turn it is: its document, how many wait for longer, and its neighbours, None at the ends."""

    search_id: UUID
    document: SearchResult
    before: int
    previous_id: UUID | None
    next_id: UUID | None


async def count_waiting(runtime: Runtime, organization_id: UUID) -> dict[ReviewQueue, int]:
    """How many wait in each queue; `MAX_COUNTED` stands for so many or more."""
    async with runtime.store.read_lagging() as connection:
        return {queue: await review_queue.count_waiting(connection, organization_id, queue, MAX_COUNTED) for queue in ReviewQueue}


async def find_review_item(
    runtime: Runtime, organization_id: UUID, queue: ReviewQueue, search_id: UUID | None = None
) -> ReviewItem | None:
    """The named search or, if that does not wait, the first after it, or else the first of all; None when none waits.

    Raises `NotFound` for a search that is not the organization's.
    """
    async with runtime.store.read() as connection:
        place = await _find_position(connection, organization_id, queue, search_id)
        if place is None:
            return None
        previous_id = await review_queue.find_previous(connection, organization_id, queue, place)
        next_id = await review_queue.find_next(connection, organization_id, queue, place)
        before = await review_queue.count_before(connection, organization_id, queue, place)
    document = await read_search(runtime, organization_id, place.id)
    return ReviewItem(place.id, SearchResult.model_validate_json(document), before, previous_id, next_id)


async def read_decided_search(runtime: Runtime, organization_id: UUID, search_id: UUID) -> searches.StoredSearch | None:
    """The search as it stands after a decision; None when it is not the organization's."""
    async with runtime.store.read() as connection:
        return await searches.get(connection, organization_id, search_id)


async def _find_position(
    connection: Connection, organization_id: UUID, queue: ReviewQueue, search_id: UUID | None
) -> SearchPosition | None:
    if search_id is None:
        return await review_queue.find_first_from(connection, organization_id, queue)
    named = await searches.get_position(connection, organization_id, search_id)
    if named is None:
        raise NotFound("there is no search with this id")
    place = await review_queue.find_first_from(connection, organization_id, queue, named)
    return place if place is not None else await review_queue.find_first_from(connection, organization_id, queue)
