"""The overview: what waits in the organization and nowhere else, the condition of the sources, the last days, the search box."""

import re
from datetime import timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import httpx2
import pytest

from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role
from bonafide.model.cases.requests import CaseChange
from bonafide.model.loading import LoadProblem, SourceCondition
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.cases.handling import change_case
from bonafide.services.overview.daily_activity import DAYS, KEPT_FOR, read_daily_activity
from bonafide.store.records import source_conditions
from tests.support.console.organization_work import Desk
from tests.support.console.searches import words_of
from tests.support.console.sessions import signed_in_client
from tests.support.services.cases import open_discrepancy, read_only_case

pytestmark = pytest.mark.anyio
OVERVIEW = "/console/overview"
UTC = ZoneInfo("UTC")
TWIN = "Sandbox Twin Holdings Inc."


@pytest.fixture
async def runtime(desk: Desk) -> Runtime:
    return desk.runtime


@pytest.fixture
def organization(desk: Desk) -> str:
    return desk.organization


@pytest.fixture
async def organization_id(analyst: httpx2.AsyncClient, runtime: Runtime, organization: str) -> UUID:
    """The organization of the analyst."""
    assert not analyst.is_closed
    return (await find_organization(runtime, organization, World.SANDBOX)).id


def counts_in(page: httpx2.Response) -> dict[str, str]:
    """The counts in the navigation, as they are shown, by the address of the page."""
    found = re.findall(r'<a href="(/console/[^"]+)"[^>]*><svg(?:(?!</a>).)*class="badge count[^>]*>([^<]+)<', page.text, re.DOTALL)
    return dict(found)


async def test_without_any_work_it_says_so(viewer: httpx2.AsyncClient) -> None:
    page = await viewer.get(OVERVIEW)
    assert page.status_code == 200
    assert "All caught up. No case waits for a decision." in words_of(page)
    assert "Nothing was done in this period." in words_of(page)
    assert counts_in(page) == {}


async def test_only_people_who_may_search_have_the_box(viewer: httpx2.AsyncClient, analyst: httpx2.AsyncClient) -> None:
    assert 'action="/console/search"' not in (await viewer.get(OVERVIEW)).text
    assert 'action="/console/search"' in (await analyst.get(OVERVIEW)).text


async def test_it_counts_what_waits_in_the_organization_and_nowhere_else(
    desk: Desk, analyst: httpx2.AsyncClient, organization_id: UUID, runtime: Runtime
) -> None:
    await open_discrepancy(runtime, organization_id)
    case = await read_only_case(runtime, organization_id)
    mine = f"analyst@{desk.organization}.example"
    await change_case(runtime, organization_id, case.id, CaseChange(assignee=mine), Author(mine))
    await desk.searched(TWIN)
    page = await analyst.get(OVERVIEW)
    assert counts_in(page) == {"/console/cases": "1/1", "/console/review": "1", "/console/discrepancies": "1"}
    words = words_of(page)
    assert "(1 assigned to you, 1 open)" in words
    assert "(1 search to review)" in words
    assert "Ownership discrepancies 1" in words
    assert f"{mine} 1" in words
    assert "Searches 1 in 7 days, 1 in 30 days" in words
    async with await signed_in_client(runtime, Role.OWNER, "elsewhere") as stranger:
        assert counts_in(await stranger.get(OVERVIEW)) == {}


async def test_the_count_of_cases_tells_own_ones_from_those_of_others(
    analyst: httpx2.AsyncClient, viewer: httpx2.AsyncClient, organization_id: UUID, runtime: Runtime
) -> None:
    await open_discrepancy(runtime, organization_id)
    await read_only_case(runtime, organization_id)
    for client in (analyst, viewer):
        assert counts_in(await client.get(OVERVIEW))["/console/cases"] == "1"


async def test_sources_are_named_where_something_is_wrong(analyst: httpx2.AsyncClient, runtime: Runtime) -> None:
    good = SourceCondition(problem=None, is_stale=False, as_of=None, retrieved_at=runtime.clock())
    bad = good.model_copy(update={"problem": LoadProblem.FAILED, "is_stale": True})
    async with runtime.store.write() as connection:
        for key, condition in (("on", bad), ("qc", good)):
            await source_conditions.lock(connection, World.SANDBOX, key)
            await source_conditions.put(connection, World.SANDBOX, key, condition)
    words = words_of(await analyst.get(OVERVIEW))
    assert "1 of 2 loaded sources needs attention." in words
    assert f"{runtime.sources['on'].metadata.title} Failed Outdated" in words


async def test_each_chart_has_a_text_and_all_have_a_table(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    await desk.searched(TWIN)
    page = await analyst.get(OVERVIEW)
    charts = re.findall(r'<svg class="bars trend"[^>]*role="img" aria-labelledby="([^"]+)"', page.text)
    assert len(charts) == 6
    assert all(f'id="{name}"' in page.text for names in charts for name in names.split())
    assert page.text.count("<caption") == 1


async def test_days_that_are_over_are_counted_again_after_an_hour(desk: Desk, organization_id: UUID) -> None:
    await desk.searched(TWIN)
    desk.clock.advance(days=1)
    first = await read_daily_activity(desk.runtime, organization_id, UTC)
    assert (len(first.days), first.days[-2][1].searches, first.sum_week("searches")) == (DAYS, 1, 1)
    await desk.searched(TWIN)
    again = await read_daily_activity(desk.runtime, organization_id, UTC)
    assert (again.days[-1][1].searches, again.sum_all("searches")) == (1, 2)
    desk.clock.advance(seconds=(KEPT_FOR + timedelta(seconds=1)).total_seconds())
    assert await read_daily_activity(desk.runtime, organization_id, UTC) == again
