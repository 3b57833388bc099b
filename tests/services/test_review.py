"""What waits for a person, one search at a time."""

import pytest

from bonafide.errors import NotFound
from bonafide.model.accounts.organizations import Principal
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_record import Author
from bonafide.model.search.result import SelectionStatus
from bonafide.model.search.selection import MatchChoice
from bonafide.runtime import Runtime
from bonafide.services.search import history
from bonafide.store.records.review_queue import ReviewQueue
from tests.support.services.runtimes import ManualClock, search

pytestmark = pytest.mark.anyio
TWIN = "Sandbox Twin Holdings Inc."
NOBODY = MatchChoice(status="no_match_found")


async def test_the_longest_waiting_has_its_turn_until_it_is_decided(runtime: Runtime, north: Principal, clock: ManualClock) -> None:
    ids = []
    for _ in range(3):
        ids.append((await search(runtime, north, name=TWIN, match_selection=True)).meta.search_id)
        clock.advance(seconds=1)
    organization = north.organization_id
    turn = await history.find_review_item(runtime, organization, ReviewQueue.NEEDS_REVIEW)
    assert turn is not None
    assert (turn.search_id, turn.before, turn.previous_id, turn.next_id) == (ids[0], 0, None, ids[1])
    assert turn.document.meta.search_id == ids[0]
    await history.choose_match(runtime, organization, ids[1], NOBODY, Author("ann@north.example"))
    after = await history.find_review_item(runtime, organization, ReviewQueue.NEEDS_REVIEW, ids[1])
    assert after is not None
    assert (after.search_id, after.before, after.previous_id, after.next_id) == (ids[2], 1, ids[0], None)
    assert (await history.count_waiting(runtime, organization))[ReviewQueue.NEEDS_REVIEW] == 2
    done = await history.read_decided_search(runtime, organization, ids[1])
    assert done is not None
    assert (done.selection, done.decided_by) == (SelectionStatus.NO_MATCH_FOUND, "ann@north.example")


async def test_from_behind_the_last_it_begins_again(runtime: Runtime, north: Principal, clock: ManualClock) -> None:
    first = (await search(runtime, north, name=TWIN, match_selection=True)).meta.search_id
    clock.advance(seconds=1)
    last = (await search(runtime, north, name=TWIN, match_selection=True)).meta.search_id
    await history.choose_match(runtime, north.organization_id, last, NOBODY)
    turn = await history.find_review_item(runtime, north.organization_id, ReviewQueue.NEEDS_REVIEW, last)
    assert turn is not None
    assert turn.search_id == first


async def test_what_failed_and_what_was_not_found_wait_too(runtime: Runtime, north: Principal) -> None:
    await search(runtime, north, name="Sandbox Outage Ltd.", match_selection=True)
    await search(runtime, north, name="Qwzx Vbnm Unheard", jurisdictions=[Jurisdiction.ON], match_selection=True)
    await search(runtime, north, name=TWIN)
    assert await history.count_waiting(runtime, north.organization_id) == {
        ReviewQueue.NEEDS_REVIEW: 1,
        ReviewQueue.NO_MATCH_FOUND: 1,
        ReviewQueue.INCOMPLETE: 1,
    }


async def test_south_sees_nothing_of_norths_queue(runtime: Runtime, north: Principal, south: Principal) -> None:
    mine = (await search(runtime, north, name=TWIN, match_selection=True)).meta.search_id
    assert await history.find_review_item(runtime, south.organization_id, ReviewQueue.NEEDS_REVIEW) is None
    assert await history.read_decided_search(runtime, south.organization_id, mine) is None
    with pytest.raises(NotFound):
        await history.find_review_item(runtime, south.organization_id, ReviewQueue.NEEDS_REVIEW, mine)
