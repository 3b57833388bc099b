"""Past searches: listed, put away, and their match chosen by a person."""

from uuid import UUID, uuid4

import pytest

from bonafide.errors import Conflict, MatchNotFound, NotFound, SearchNotFound
from bonafide.model.accounts.organizations import Principal
from bonafide.model.records.business_record import Author
from bonafide.model.search.result import SearchResult, SearchStatus, SelectionStatus
from bonafide.model.search.selection import MatchChoice
from bonafide.runtime import Runtime
from bonafide.services.records.audit_check import verify_audit_log
from bonafide.services.search.execution import read_search
from bonafide.services.search.history import (
    SearchCursor,
    archive_search,
    archive_searches,
    choose_match,
    list_past_searches,
    list_search_history,
    reopen_selection,
)
from bonafide.services.search.selection_audit import read_choices
from bonafide.store.records.searches import HistoryFilter
from tests.support.services.runtimes import ManualClock, search

pytestmark = pytest.mark.anyio
EVERYTHING = HistoryFilter()


async def test_the_newest_search_comes_first_and_pages_add_up(runtime: Runtime, north: Principal, clock: ManualClock) -> None:
    for name in ("First", "Second", "Third"):
        await search(runtime, north, name=name)
        clock.advance(seconds=1)
    page = await list_search_history(runtime, north.organization_id, EVERYTHING, 2, 0)
    assert [item.query for item in page.searches] == ["Third", "Second"]
    assert (page.pagination.total, page.pagination.has_more) == (3, True)
    rest = await list_search_history(runtime, north.organization_id, EVERYTHING, 2, 2)
    assert ([item.query for item in rest.searches], rest.pagination.has_more) == (["First"], False)


async def test_history_is_filtered_by_query_and_by_archive(runtime: Runtime, north: Principal) -> None:
    kept = (await search(runtime, north, name="Boulangerie Éclair")).meta.search_id
    await search(runtime, north, name="Something else")
    archived = await archive_search(runtime, north.organization_id, kept, archived=True)
    assert (archived.id, archived.archived, archived.status) == (kept, True, SearchStatus.COMPLETED)
    found = await list_search_history(runtime, north.organization_id, HistoryFilter(query="eclair"), 25, 0)
    assert [item.id for item in found.searches] == [kept]
    others = await list_search_history(runtime, north.organization_id, HistoryFilter(archived=False), 25, 0)
    assert [item.query for item in others.searches] == ["Something else"]


async def test_errors_stand_in_the_history(runtime: Runtime, north: Principal) -> None:
    await search(runtime, north, name="Sandbox Outage Ltd.")
    item = (await list_search_history(runtime, north.organization_id, EVERYTHING, 25, 0)).searches[0]
    assert item.status is SearchStatus.COMPLETED_WITH_ERRORS
    assert item.errors is not None
    assert item.errors.business_registry is not None


async def test_south_sees_nothing_of_norths_history(runtime: Runtime, north: Principal, south: Principal) -> None:
    mine = (await search(runtime, north, name="Mine", match_selection=True)).meta.search_id
    assert (await list_search_history(runtime, south.organization_id, EVERYTHING, 25, 0)).pagination.total == 0
    with pytest.raises(NotFound):
        await archive_search(runtime, south.organization_id, mine, archived=True)
    with pytest.raises(SearchNotFound):
        await choose_match(runtime, south.organization_id, mine, MatchChoice(status="no_selection"))


class TestPastSearches:
    async def test_pages_are_turned_by_a_search_that_stands_at_their_edge(
        self, runtime: Runtime, north: Principal, clock: ManualClock
    ) -> None:
        for name in ("First", "Second", "Third"):
            await search(runtime, north, name=name)
            clock.advance(seconds=1)
        page = await list_past_searches(runtime, north.organization_id, EVERYTHING, 2)
        assert ([past.item.query for past in page.searches], page.has_newer, page.has_older) == (["Third", "Second"], False, True)
        older = await list_past_searches(runtime, north.organization_id, EVERYTHING, 2, SearchCursor(page.searches[-1].item.id))
        assert ([past.item.query for past in older.searches], older.has_newer, older.has_older) == (["First"], True, False)
        back = await list_past_searches(
            runtime, north.organization_id, EVERYTHING, 2, SearchCursor(older.searches[0].item.id, is_newer=True)
        )
        assert [past.item.query for past in back.searches] == ["Third", "Second"]

    async def test_anothers_search_is_no_place_to_begin(self, runtime: Runtime, north: Principal, south: Principal) -> None:
        foreign = (await search(runtime, south, name="Theirs")).meta.search_id
        await search(runtime, north, name="Mine")
        page = await list_past_searches(runtime, north.organization_id, EVERYTHING, 2, SearchCursor(foreign))
        assert ([past.item.query for past in page.searches], page.has_newer) == (["Mine"], False)

    async def test_it_says_who_searched_and_what_came_of_it(self, runtime: Runtime, north: Principal) -> None:
        result = await search(runtime, north, name="Sandbox Twin Holdings Inc.", match_selection=True)
        past = (await list_past_searches(runtime, north.organization_id, EVERYTHING, 1)).searches[0]
        assert (past.searched_by, past.selection) == (north.identity, SelectionStatus.NEEDS_REVIEW)
        assert past.jurisdiction is (result.businesses or ())[0].jurisdiction
        other = (result.businesses or ())[1]
        await choose_match(runtime, north.organization_id, result.meta.search_id, MatchChoice(match_id=str(other.match_id)))
        past = (await list_past_searches(runtime, north.organization_id, EVERYTHING, 1)).searches[0]
        assert (past.selection, past.jurisdiction) == (SelectionStatus.SELECTED, other.jurisdiction)
        await choose_match(runtime, north.organization_id, result.meta.search_id, MatchChoice(status="no_match_found"))
        assert (await list_past_searches(runtime, north.organization_id, EVERYTHING, 1)).searches[0].jurisdiction is None

    async def test_several_are_archived_all_or_none(self, runtime: Runtime, north: Principal, south: Principal) -> None:
        mine = [(await search(runtime, north, name=name)).meta.search_id for name in ("One", "Two")]
        foreign = (await search(runtime, south, name="Theirs")).meta.search_id
        with pytest.raises(NotFound):
            await archive_searches(runtime, north.organization_id, [*mine, foreign], archived=True)
        archived = HistoryFilter(archived=True)
        assert (await list_past_searches(runtime, north.organization_id, archived, 10)).searches == ()
        assert await archive_searches(runtime, north.organization_id, mine, archived=True) == 2
        assert len((await list_past_searches(runtime, north.organization_id, archived, 10)).searches) == 2
        assert await archive_searches(runtime, north.organization_id, mine[:1], archived=False) == 1
        assert len((await list_past_searches(runtime, north.organization_id, archived, 10)).searches) == 1


class TestChoosing:
    async def to_review(self, runtime: Runtime, north: Principal) -> SearchResult:
        return await search(runtime, north, name="Sandbox Twin Holdings Inc.", match_selection=True)

    async def stored(self, runtime: Runtime, north: Principal, search_id: UUID) -> tuple[SelectionStatus, UUID | None]:
        document = (await read_search(runtime, north.organization_id, search_id)).parse(SearchResult)
        assert document.match_selection is not None
        return document.match_selection.status, document.match_selection.selected_match_id

    async def test_a_match_is_selected_and_the_document_says_so(self, runtime: Runtime, north: Principal) -> None:
        result = await self.to_review(runtime, north)
        chosen = (result.businesses or ())[1].match_id
        await choose_match(runtime, north.organization_id, result.meta.search_id, MatchChoice(match_id=str(chosen)))
        assert await self.stored(runtime, north, result.meta.search_id) == (SelectionStatus.SELECTED, chosen)

    async def test_a_choice_is_taken_back(self, runtime: Runtime, north: Principal) -> None:
        search_id = (await self.to_review(runtime, north)).meta.search_id
        await choose_match(
            runtime, north.organization_id, search_id, MatchChoice(status="no_selection"), Author("ann@north.example")
        )
        await reopen_selection(runtime, north.organization_id, search_id, SelectionStatus.NEEDS_REVIEW)
        assert await self.stored(runtime, north, search_id) == (SelectionStatus.NEEDS_REVIEW, None)

    async def test_who_decided_and_why_is_in_the_audit_log(self, runtime: Runtime, north: Principal, south: Principal) -> None:
        result, organization = await self.to_review(runtime, north), north.organization_id
        search_id, chosen = result.meta.search_id, (result.businesses or ())[1].match_id
        with_note = MatchChoice(match_id=str(chosen), note="Confirmed by phone.")
        await choose_match(runtime, organization, search_id, with_note, Author("ann@north.example", "request-1"))
        await reopen_selection(runtime, organization, search_id, SelectionStatus.NEEDS_REVIEW, Author("bob@north.example"))
        undone, made = await read_choices(runtime, organization, search_id)
        assert (made.by, made.status, made.note) == ("ann@north.example", SelectionStatus.SELECTED, "Confirmed by phone.")
        assert (undone.by, undone.status, undone.note) == ("bob@north.example", SelectionStatus.NEEDS_REVIEW, None)
        assert (await verify_audit_log(runtime, organization)).is_whole
        assert await read_choices(runtime, south.organization_id, search_id) == ()

    async def test_a_choice_of_nobody_is_not_in_the_audit_log(self, runtime: Runtime, north: Principal) -> None:
        search_id = (await self.to_review(runtime, north)).meta.search_id
        await choose_match(runtime, north.organization_id, search_id, MatchChoice(status="no_selection"))
        assert await read_choices(runtime, north.organization_id, search_id) == ()

    @pytest.mark.parametrize("status", ["no_match_found", "no_selection"])
    async def test_both_other_outcomes_are_reversed_by_a_match(self, runtime: Runtime, north: Principal, status: str) -> None:
        result = await self.to_review(runtime, north)
        search_id = result.meta.search_id
        await choose_match(runtime, north.organization_id, search_id, MatchChoice.model_validate({"status": status}))
        assert await self.stored(runtime, north, search_id) == (SelectionStatus(status), None)
        chosen = (result.businesses or ())[0].match_id
        await choose_match(runtime, north.organization_id, search_id, MatchChoice(match_id=str(chosen)))
        assert await self.stored(runtime, north, search_id) == (SelectionStatus.SELECTED, chosen)

    async def test_another_searchs_match_is_not_found(self, runtime: Runtime, north: Principal) -> None:
        one, other = await self.to_review(runtime, north), await self.to_review(runtime, north)
        foreign = (other.businesses or ())[0].match_id
        with pytest.raises(MatchNotFound):
            await choose_match(runtime, north.organization_id, one.meta.search_id, MatchChoice(match_id=str(foreign)))

    async def test_a_search_without_selection_is_a_conflict(self, runtime: Runtime, north: Principal) -> None:
        search_id = (await search(runtime, north, name="Sandbox Bakery")).meta.search_id
        with pytest.raises(Conflict):
            await choose_match(runtime, north.organization_id, search_id, MatchChoice(status="no_selection"))

    async def test_an_unknown_search_is_not_found(self, runtime: Runtime, north: Principal) -> None:
        with pytest.raises(SearchNotFound):
            await choose_match(runtime, north.organization_id, uuid4(), MatchChoice(status="no_selection"))
