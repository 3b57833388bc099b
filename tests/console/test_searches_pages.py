"""The list of past searches: narrowed, paged, put away and taken out again."""

import re
from collections.abc import AsyncIterator
from urllib.parse import urlencode
from uuid import uuid4

import httpx2
import pytest

from bonafide.console.lists.definitions import SEARCHES as SEARCH_LIST
from bonafide.console.lists.definitions import build_history_filter
from bonafide.console.searches.history import PAGE_SIZE
from bonafide.model.accounts.users import Role
from bonafide.model.search.result import SearchStatus, SelectionStatus
from bonafide.store.records import searches
from bonafide.store.records.searches import NewSearch, SearchOutcome
from tests.support.console.organization_work import FRENCH, OUTAGE, TWIN, Desk, elsewhere
from tests.support.console.searches import words_of
from tests.support.console.sessions import csrf_of, send

pytestmark = pytest.mark.anyio
SEARCHES = "/console/searches"
ARCHIVE = f"{SEARCHES}/archive"
_LISTED = re.compile(r'<th scope="row"><a href="/console/searches/[0-9a-f-]{36}">([^<]*)</a>')
_NEXT = re.compile(r'rel="next" href="([^"]+)"')
_LAST = re.compile(r'rel="prev" href="([^"]+)"')


@pytest.fixture
async def analyst(desk: Desk) -> AsyncIterator[httpx2.AsyncClient]:
    async with desk.someone(Role.ANALYST) as client:
        yield client


def listed(page: httpx2.Response) -> list[str]:
    """The names on a page of the list, from above."""
    assert page.status_code == 200, page.text
    return _LISTED.findall(page.text)


async def names(client: httpx2.AsyncClient, **chosen: object) -> list[str]:
    return listed(await client.get(f"{SEARCHES}?{urlencode(chosen)}"))


def link(page: httpx2.Response, pattern: re.Pattern[str]) -> str | None:
    found = pattern.search(page.text)
    return found[1].replace("&amp;", "&") if found is not None else None


async def kept(desk: Desk, count: int) -> None:
    """Many searches that came to nothing, without asking any source."""
    organization_id = (await desk.principal()).organization_id
    for number in range(count):
        desk.clock.advance(seconds=1)
        new = NewSearch(
            id=uuid4(),
            query=f"Business {number}",
            website=None,
            request="{}",
            searched_at=desk.clock(),
            searched_by="ann@north.example",
            deadline_at=desk.clock(),
        )
        outcome = SearchOutcome(SearchStatus.COMPLETED, "{}", None, None, desk.clock(), SelectionStatus.AUTO_SELECTED)
        async with desk.runtime.store.write() as connection:
            await searches.insert_loading(connection, organization_id, new)
            await searches.finish(connection, organization_id, new.id, outcome)


# ------------------------------------------------------------------------------------------------------------ narrowing


async def test_without_any_search_the_list_says_so(analyst: httpx2.AsyncClient) -> None:
    assert "No searches yet" in words_of(await analyst.get(SEARCHES))
    assert "No matching searches" in words_of(await analyst.get(f"{SEARCHES}?text=x"))


async def test_each_row_says_what_came_of_the_search(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    await desk.searched("Zyzzyva Qwertz Unheard-of Ltd.", jurisdictions=["ON"])
    await desk.searched(TWIN)
    await desk.searched(OUTAGE)
    page = words_of(await analyst.get(SEARCHES))
    assert page.index(OUTAGE) < page.index(TWIN)
    assert "Needs review" in page
    assert "Ontario" in page
    assert "Completed with errors" in page
    assert "is out of service for this name" in page
    assert "Needs review" in page.partition(OUTAGE)[2].partition(TWIN)[0]
    assert "No match" in page.partition(TWIN)[2].partition("Zyzzyva")[2]


async def test_the_list_is_narrowed_by_each_of_its_fields(desk: Desk) -> None:
    await desk.searched("Boulangerie Éclair")
    await desk.searched(OUTAGE)
    await desk.searched("Sandbox Bakery Inc.", matchSelection=False)
    first_day = desk.clock().date()
    desk.clock.advance(days=2)
    await desk.searched(TWIN)
    last_day = desk.clock().date()
    async with desk.someone(Role.VIEWER) as viewer:
        assert await names(viewer, text="ECLAIR") == ["Boulangerie Éclair"]
        assert await names(viewer, status="completed-with-errors") == [OUTAGE]
        assert await names(viewer, selection="needs_review") == [TWIN, OUTAGE]
        assert await names(viewer, jurisdiction="ON") == [TWIN, "Sandbox Bakery Inc."]
        assert await names(viewer, until=first_day) == ["Sandbox Bakery Inc.", OUTAGE, "Boulangerie Éclair"]
        assert await names(viewer, since=last_day) == [TWIN]
        assert await names(viewer, text="sandbox", since=first_day, until=first_day, jurisdiction="ON") == ["Sandbox Bakery Inc."]


@pytest.mark.parametrize(
    "query", ["status=x&selection=1&archived=maybe", "since=2026-13-01&until=x", "older=x&newer=", "text=%00%0A", "jurisdiction=XX"]
)
async def test_what_makes_no_sense_is_as_if_it_was_not_said(desk: Desk, analyst: httpx2.AsyncClient, query: str) -> None:
    await kept(desk, 1)
    assert listed(await analyst.get(f"{SEARCHES}?{query}")) == ["Business 0"]


def test_an_address_says_what_was_chosen() -> None:
    said = {
        "text": "a & b",
        "archived": "all",
        "status": "error",
        "jurisdiction": "QC",
        "since": "2026-11-20",
        "until": "9999-12-31",
    }
    chosen = SEARCH_LIST.parse(said)
    assert SEARCH_LIST.parse(dict(httpx2.URL(chosen.address).params)) == chosen
    assert build_history_filter(chosen).query == "a & b"


async def test_a_filter_is_shown_again_and_can_be_taken_away(analyst: httpx2.AsyncClient) -> None:
    page = await analyst.get(f"{SEARCHES}?text=%3Cb%3E&selection=selected&since=2026-11-01")
    assert 'value="&lt;b&gt;"' in page.text
    assert '<option value="selected" selected>' in page.text
    assert 'value="2026-11-01"' in page.text
    assert ">Reset</a>" in page.text


# --------------------------------------------------------------------------------------------------------------- paging


async def test_pages_lead_to_the_end_and_back(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    await kept(desk, 2 * PAGE_SIZE + 3)
    expected = [f"Business {number}" for number in reversed(range(2 * PAGE_SIZE + 3))]
    page = await analyst.get(f"{SEARCHES}?text=business")
    assert link(page, _LAST) is None
    seen = listed(page)
    while (address := link(page, _NEXT)) is not None:
        assert "text=business" in address
        page = await analyst.get(address)
        seen += listed(page)
    assert seen == expected
    back = link(page, _LAST)
    assert back is not None
    assert listed(await analyst.get(back)) == expected[PAGE_SIZE : 2 * PAGE_SIZE]


async def test_a_search_of_another_organization_is_no_place_to_begin(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    await kept(desk, 1)
    foreign = (await elsewhere(desk).searched("Theirs")).meta.search_id
    assert await names(analyst, older=foreign) == ["Business 0"]


# -------------------------------------------------------------------------------------------------------------- archive


async def test_one_is_archived_with_its_button_and_restored(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    one = (await desk.searched(TWIN)).meta.search_id
    await kept(desk, 1)
    answer = await send(analyst, SEARCHES, f"{ARCHIVE}?text=a", archive=one)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{SEARCHES}?text=a&archived_count=1")
    assert "Searches archived: 1." in words_of(await analyst.get(answer.headers["Location"]))
    assert await names(analyst) == ["Business 0"]
    assert await names(analyst, archived="yes") == [TWIN]
    assert await names(analyst, archived="all") == ["Business 0", TWIN]
    answer = await send(analyst, f"{SEARCHES}?archived=yes", f"{ARCHIVE}?archived=yes", restore=one)
    assert answer.headers["Location"] == f"{SEARCHES}?archived=yes&restored_count=1"
    assert await names(analyst) == ["Business 0", TWIN]


async def test_several_are_archived_with_their_ticks(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    ids = [str((await desk.searched(TWIN)).meta.search_id) for _ in range(3)]
    answer = await send(analyst, SEARCHES, ARCHIVE, archive="selected", search=ids[:2])
    assert answer.headers["Location"] == f"{SEARCHES}?archived_count=2"
    assert len(await names(analyst)) == 1


async def test_without_a_tick_the_page_says_what_is_missing(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    await kept(desk, 1)
    answer = await send(analyst, SEARCHES, ARCHIVE, archive="selected")
    assert answer.status_code == 422
    assert "Select at least one search." in words_of(answer)


async def test_anothers_search_is_not_archived(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    await kept(desk, 1)
    other = elsewhere(desk)
    foreign = (await other.searched(TWIN)).meta.search_id
    assert (await send(analyst, SEARCHES, ARCHIVE, archive=foreign)).status_code == 404
    async with other.someone(Role.VIEWER) as viewer:
        assert await names(viewer) == [TWIN]


async def test_a_viewer_reads_the_list_and_changes_nothing(desk: Desk) -> None:
    one = (await desk.searched(TWIN)).meta.search_id
    async with desk.someone(Role.VIEWER) as viewer:
        page = await viewer.get(SEARCHES)
        assert listed(page) == [TWIN]
        assert "checkbox" not in page.text
        answer = await viewer.post(ARCHIVE, data={"csrf": csrf_of(page), "archive": str(one)})
        assert answer.status_code == 403
        assert await names(viewer) == [TWIN]


async def test_the_list_speaks_french(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    await desk.searched(OUTAGE)
    await desk.searched("Zyzzyva Qwertz Unheard-of Ltd.", jurisdictions=["ON"])
    page = words_of(await analyst.get(SEARCHES, headers=FRENCH))
    assert "Archiver la sélection" in page
    assert "Aucune correspondance" in page
    assert "est hors service pour ce nom" in page
