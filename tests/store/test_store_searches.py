import asyncio
from datetime import timedelta
from typing import Unpack
from uuid import UUID, uuid4

import pytest

from bonafide.model.base import StoredDocument
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.result import SearchStatus, SelectionStatus
from bonafide.store.database.engine import Store
from bonafide.store.records import searches
from bonafide.store.records.searches import HistoryFilter, NewSearch
from tests.support.store.rows import DOCUMENT, MESSAGES, MINUTE, NOW, SECOND, SearchChanges, completed, new_search

pytestmark = pytest.mark.anyio

EVERYTHING = HistoryFilter()


async def _insert(store: Store, organization_id: UUID, **changes: Unpack[SearchChanges]) -> NewSearch:
    search = new_search(**changes)
    async with store.write() as connection:
        await searches.insert_loading(connection, organization_id, search)
    return search


async def _queries(store: Store, organization_id: UUID, chosen: HistoryFilter, limit: int = 100, offset: int = 0) -> list[str]:
    async with store.read() as connection:
        page = await searches.list_history(connection, organization_id, chosen, limit, offset)
    assert offset > 0 or page.total >= len(page.searches)
    return [search.query for search in page.searches]


def _place(search: searches.StoredSearch) -> searches.SearchPosition:
    return searches.SearchPosition(search.searched_at, search.id)


# ------------------------------------------------------------------------------------------------------------ one search


async def test_a_new_search_is_loading_and_has_no_document(store: Store, north: UUID) -> None:
    new = await _insert(store, north, website="https://bakery.sandbox.example")
    async with store.read() as connection:
        kept = await searches.get(connection, north, new.id)
        assert await searches.get_document(connection, north, new.id) is None
    assert kept == searches.StoredSearch(
        organization_id=north,
        id=new.id,
        query="Sandbox Bakery Inc.",
        website="https://bakery.sandbox.example",
        request='{"name":"Sandbox Bakery Inc."}',
        status=SearchStatus.LOADING,
        archived=False,
        searched_at=NOW,
        searched_by="owner@north.example",
        deadline_at=NOW + 30 * SECOND,
        finished_at=None,
        errors=None,
        selection=None,
        jurisdiction=None,
    )


async def test_a_document_comes_back_to_the_letter(store: Store, north: UUID) -> None:
    new = await _insert(store, north)
    async with store.write() as connection:
        outcome = completed(status=SearchStatus.COMPLETED_WITH_ERRORS, errors='{"general": null}')
        assert await searches.finish(connection, north, new.id, outcome)
    async with store.read() as connection:
        assert await searches.get_document(connection, north, new.id) == StoredDocument(DOCUMENT, MESSAGES)
        kept = await searches.get(connection, north, new.id)
    assert kept is not None
    assert (kept.status, kept.errors, kept.finished_at) == (
        SearchStatus.COMPLETED_WITH_ERRORS,
        '{"general": null}',
        NOW + SECOND,
    )


async def test_a_document_may_be_large(store: Store, north: UUID) -> None:
    new, large = await _insert(store, north), "é" * 2_000_000
    async with store.write() as connection:
        await searches.finish(connection, north, new.id, completed(document=large))
    async with store.read() as connection:
        assert await searches.get_document(connection, north, new.id) == StoredDocument(large, MESSAGES)


async def test_a_search_is_finished_once(store: Store, north: UUID) -> None:
    new = await _insert(store, north)

    async def finish(number: int) -> bool:
        async with store.write() as connection:
            return await searches.finish(connection, north, new.id, completed(document=str(number)))

    outcomes = await asyncio.gather(*(finish(number) for number in range(8)))
    assert sum(outcomes) == 1
    async with store.read() as connection:
        assert await searches.get_document(connection, north, new.id) == StoredDocument(str(outcomes.index(True)), MESSAGES)


async def test_a_search_is_begun_and_finished_by_single_statements(store: Store, north: UUID) -> None:
    new = new_search()
    await searches.insert_loading(store, north, new)
    finished = await asyncio.gather(*(searches.finish(store, north, new.id, completed()) for _ in range(4)))
    assert sorted(finished) == [False, False, False, True]
    assert await searches.get_document(store, north, new.id) == StoredDocument(DOCUMENT, MESSAGES)
    async with store.read() as connection:
        kept = await searches.get(connection, north, new.id)
    assert kept is not None
    assert (kept.query, kept.request, kept.status, kept.finished_at) == (
        new.query,
        new.request,
        SearchStatus.COMPLETED,
        NOW + SECOND,
    )


async def test_an_unknown_search_is_none(store: Store, north: UUID) -> None:
    async with store.write() as connection:
        assert await searches.get(connection, north, uuid4()) is None
        assert await searches.get_document(connection, north, uuid4()) is None
        assert await searches.lock_document(connection, north, uuid4()) is None
        assert not await searches.finish(connection, north, uuid4(), completed())
        assert not await searches.set_archived(connection, north, uuid4(), archived=True)


async def test_of_changes_to_a_locked_document_none_is_lost(store: Store, north: UUID) -> None:
    new = await _insert(store, north)
    async with store.write() as connection:
        await searches.finish(connection, north, new.id, completed(document=""))

    async def append(letter: str) -> None:
        async with store.write() as connection:
            document = await searches.lock_document(connection, north, new.id)
            assert document is not None
            await asyncio.sleep(0.01)
            assert await searches.replace_document(
                connection, north, new.id, StoredDocument(document.body + letter, document.messages)
            )

    await asyncio.gather(*(append(letter) for letter in "abcdefgh"))
    async with store.read() as connection:
        assert (document := await searches.get_document(connection, north, new.id)) is not None
        assert sorted(document.body) == list("abcdefgh")


async def test_a_loading_search_has_no_document_to_replace(store: Store, north: UUID) -> None:
    new = await _insert(store, north)
    async with store.write() as connection:
        assert not await searches.replace_document(connection, north, new.id, StoredDocument(DOCUMENT))


# ------------------------------------------------------------------------------------------------------------ history


async def test_history_is_newest_first_and_does_not_repeat_over_pages(store: Store, north: UUID) -> None:
    # Two searches for each instant: only the order by id as well keeps the pages apart.
    for number in range(20):
        await _insert(store, north, query=f"query {number}", searched_at=NOW + (number // 2) * SECOND)
    pages = [await _queries(store, north, EVERYTHING, limit=3, offset=offset) for offset in range(0, 24, 3)]
    assert [len(page) for page in pages] == [3, 3, 3, 3, 3, 3, 2, 0]
    listed = [int(query.removeprefix("query ")) for page in pages for query in page]
    assert sorted(listed) == list(range(20))
    assert [number // 2 for number in listed] == sorted((number // 2 for number in listed), reverse=True)


async def test_pages_by_place_cover_the_list_once_both_ways(store: Store, north: UUID) -> None:
    # Two searches for each instant: only the order by id as well keeps the pages apart.
    for number in range(20):
        await _insert(store, north, query=f"query {number}", searched_at=NOW + (number // 2) * SECOND)
    listed = await _queries(store, north, EVERYTHING)
    async with store.read() as connection:
        page = await searches.list_newest(connection, north, EVERYTHING, 3)
        assert (page.has_newer, page.has_older) == (False, True)
        down = [page]
        while page.has_older:
            page = await searches.list_older(connection, north, EVERYTHING, 3, _place(page.searches[-1]))
            assert page.has_newer
            down.append(page)
        up = [page]
        while page.has_newer:
            page = await searches.list_newer(connection, north, EVERYTHING, 3, _place(page.searches[0]))
            up.append(page)
    assert [search.query for page in down for search in page.searches] == listed
    assert [len(page.searches) for page in down] == [3, 3, 3, 3, 3, 3, 2]
    # The way back ends with a full page of the newest, whatever was left over.
    assert [search.query for search in up[-1].searches] == listed[:3]
    assert {search.query for page in up for search in page.searches} == set(listed)


async def test_pages_by_place_keep_to_their_organization_and_filter(store: Store, north: UUID, south: UUID) -> None:
    ours = [await _insert(store, north, query=query) for query in ("Maple", "Cedar", "Maple too")]
    await _insert(store, south, query="Maple of the south")
    async with store.read() as connection:
        found = await searches.list_newest(connection, north, HistoryFilter(query="maple"), 10)
        assert {search.query for search in found.searches} == {"Maple", "Maple too"}
        assert not found.has_older
        assert await searches.get_position(connection, south, ours[0].id) is None
        assert await searches.get_position(connection, north, ours[0].id) == searches.SearchPosition(NOW, ours[0].id)


async def test_history_is_filtered_by_jurisdiction_and_by_day(store: Store, north: UUID) -> None:
    for number, place in enumerate([Jurisdiction.ON, Jurisdiction.QC, None, Jurisdiction.ON]):
        new = await _insert(store, north, query=str(number), searched_at=NOW + number * MINUTE)
        async with store.write() as connection:
            await searches.finish(connection, north, new.id, completed(jurisdiction=place))
    assert await _queries(store, north, HistoryFilter(jurisdiction=Jurisdiction.ON)) == ["3", "0"]
    assert await _queries(store, north, HistoryFilter(since=NOW + MINUTE, until=NOW + 3 * MINUTE)) == ["2", "1"]
    async with store.read() as connection:
        page = await searches.list_newest(connection, north, HistoryFilter(jurisdiction=Jurisdiction.QC), 10)
    assert [(search.query, search.jurisdiction) for search in page.searches] == [("1", Jurisdiction.QC)]


async def test_a_decision_is_kept_beside_the_document(store: Store, north: UUID) -> None:
    new = await _insert(store, north)
    decision = searches.SelectionDecision(SelectionStatus.SELECTED, "ann@north.example", NOW, Jurisdiction.NL)
    async with store.write() as connection:
        await searches.finish(connection, north, new.id, completed(selection=SelectionStatus.NEEDS_REVIEW))
        await searches.replace_document(connection, north, new.id, StoredDocument("{}"), decision)
        kept = await searches.get(connection, north, new.id)
    assert kept is not None
    assert searches.SelectionDecision(decision.selection, kept.decided_by, kept.decided_at, kept.jurisdiction) == decision
    assert await _queries(store, north, HistoryFilter(selection=SelectionStatus.NEEDS_REVIEW)) == []
    assert await _queries(store, north, HistoryFilter(selection=SelectionStatus.SELECTED)) == [new.query]


async def test_the_total_counts_what_the_filter_lets_through(store: Store, north: UUID) -> None:
    for number in range(5):
        new = await _insert(store, north, query=f"query {number}")
        async with store.write() as connection:
            await searches.set_archived(connection, north, new.id, archived=number < 2)
    async with store.read() as connection:
        totals = [
            (await searches.list_history(connection, north, HistoryFilter(archived=archived), 1, 0)).total
            for archived in (None, True, False)
        ]
        filtered = await searches.list_history(connection, north, HistoryFilter(query="query 4", archived=True), 1, 0)
    assert totals == [5, 2, 3]
    assert filtered == searches.HistoryPage([], 0)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("boulangerie", ["Boulangerie Côté Ltée"]),
        ("BOULANGERIE CÔTÉ", ["Boulangerie Côté Ltée"]),
        ("cote ltee", ["Boulangerie Côté Ltée"]),
        ("Cote\u0301", ["Boulangerie Côté Ltée"]),
        ("soeur", ["Les Sœurs Æther"]),
        ("aether", ["Les Sœurs Æther"]),
        ("100%", ["100% Pur"]),
        ("%", ["100% Pur"]),
        ("_", ["snake_case Inc."]),
        ("e_c", ["snake_case Inc."]),
        ("\\", ["back\\slash / Co."]),
        ("/", ["back\\slash / Co."]),
        ("strasse", ["Straße GmbH"]),
        ("東京", ["東京 Trading"]),
        ("🍁", ["Maple 🍁"]),
        ("'; DROP TABLE searches; --", []),
        ("nothing like it", []),
    ],
)
async def test_history_is_filtered_by_a_part_of_the_query(store: Store, north: UUID, query: str, found: list[str]) -> None:
    names = [
        "Boulangerie Côté Ltée",
        "Les Sœurs Æther",
        "100% Pur",
        "1000 Pour",
        "snake_case Inc.",
        "snakescase Inc.",
        "back\\slash / Co.",
        "Straße GmbH",
        "東京 Trading",
        "Maple 🍁",
    ]
    async with store.write() as connection:
        for name in names:
            await searches.insert_loading(connection, north, new_search(query=name))
    assert await _queries(store, north, HistoryFilter(query=query)) == found


async def test_an_archived_search_can_be_taken_out_again(store: Store, north: UUID) -> None:
    new = await _insert(store, north)
    for archived in (True, False):
        async with store.write() as connection:
            assert await searches.set_archived(connection, north, new.id, archived=archived)
        assert await _queries(store, north, HistoryFilter(archived=archived)) == [new.query]
        assert await _queries(store, north, HistoryFilter(archived=not archived)) == []


# ------------------------------------------------------------------------------------------------------------ deadlines


async def test_only_what_is_loading_past_its_deadline_expires(store: Store, north: UUID, south: UUID) -> None:
    overdue = [await _insert(store, north, deadline_at=NOW), await _insert(store, south, deadline_at=NOW - MINUTE)]
    await _insert(store, north, deadline_at=NOW + timedelta(microseconds=1))
    finished = await _insert(store, north, deadline_at=NOW - MINUTE)
    async with store.write() as connection:
        await searches.finish(connection, north, finished.id, completed())
        expired = await searches.expire_overdue(connection, NOW, '{"general":{}}')
    assert {(search.organization_id, search.id) for search in expired} == {(north, overdue[0].id), (south, overdue[1].id)}
    assert {(search.status, search.errors, search.finished_at) for search in expired} == {
        (SearchStatus.ERROR, '{"general":{}}', NOW)
    }


async def test_an_expired_search_stays_expired(store: Store, north: UUID) -> None:
    new = await _insert(store, north, deadline_at=NOW)
    async with store.write() as connection:
        assert len(await searches.expire_overdue(connection, NOW, "{}")) == 1
        assert await searches.expire_overdue(connection, NOW + MINUTE, "{}") == []
        assert not await searches.finish(connection, north, new.id, completed())


async def test_two_sweepers_at_once_expire_each_search_once(store: Store, north: UUID) -> None:
    for _ in range(10):
        await _insert(store, north, deadline_at=NOW)

    async def sweep() -> int:
        async with store.write() as connection:
            return len(await searches.expire_overdue(connection, NOW, "{}"))

    assert sum(await asyncio.gather(sweep(), sweep(), sweep())) == 10


# ------------------------------------------------------------------------------------------------------------ isolation


async def test_south_sees_and_changes_nothing_of_north_s(store: Store, north: UUID, south: UUID) -> None:
    loading, finished = await _insert(store, north), await _insert(store, north)
    async with store.write() as connection:
        await searches.finish(connection, north, finished.id, completed())
    async with store.write() as connection:
        before = await searches.list_history(connection, north, EVERYTHING, 10, 0)
        for search in (loading, finished):
            assert await searches.get(connection, south, search.id) is None
            assert await searches.get_document(connection, south, search.id) is None
            assert await searches.lock_document(connection, south, search.id) is None
            assert not await searches.replace_document(connection, south, search.id, StoredDocument("south's"))
            assert not await searches.finish(connection, south, search.id, completed(document="south's"))
            assert not await searches.set_archived(connection, south, search.id, archived=True)
        assert await searches.list_history(connection, south, EVERYTHING, 10, 0) == searches.HistoryPage([], 0)
        assert await searches.list_history(connection, north, EVERYTHING, 10, 0) == before
        assert await searches.get_document(connection, north, finished.id) == StoredDocument(DOCUMENT, MESSAGES)


async def test_the_same_id_may_be_both_s(store: Store, north: UUID, south: UUID) -> None:
    new = await _insert(store, north, query="north's")
    await _insert(store, south, id=new.id, query="south's")
    assert await _queries(store, north, EVERYTHING) == ["north's"]
    assert await _queries(store, south, EVERYTHING) == ["south's"]
