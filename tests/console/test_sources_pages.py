"""The pages of sources: a map that says in words what it shows, tables of every source, and all about one."""

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest

from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import RunOutcome, SourceRun
from bonafide.runtime import Runtime
from bonafide.store.records import source_rows
from tests.support.console.installation import installation
from tests.support.console.sessions import anonymous_client, signed_in_client
from tests.support.loaded_sandbox import LOADED_AT

pytestmark = pytest.mark.anyio
SOURCES = "/console/sources"
MAP = re.compile(r'<svg class="map".*?</svg>', re.DOTALL)
FRENCH = {"Accept-Language": "fr-CA"}


@pytest.fixture
async def runtime(sqlite_template: Path, tmp_path: Path, sandbox_data: Path) -> AsyncIterator[Runtime]:
    async with installation(sqlite_template, tmp_path, sandbox_data) as opened:
        yield opened


@pytest.fixture
async def viewer(runtime: Runtime) -> AsyncIterator[httpx2.AsyncClient]:
    async with await signed_in_client(runtime, Role.VIEWER) as client:
        yield client


async def remember(runtime: Runtime, source: str, *runs: SourceRun) -> None:
    async with runtime.store.write() as connection:
        for run in runs:
            await source_rows.record_run(connection, World.SANDBOX, source, run)


def run(days_ago: int, entries: int | None, note: str | None = None) -> SourceRun:
    outcome = RunOutcome.LOADED if note is None else RunOutcome.FAILED
    at = LOADED_AT - timedelta(days=days_ago)
    return SourceRun(
        started_at=at - timedelta(seconds=3), finished_at=at, outcome=outcome, entries=entries, rejected=entries and 0, note=note
    )


@pytest.mark.slow
async def test_each_place_of_the_map_is_a_link_that_says_its_name_and_state(viewer: httpx2.AsyncClient) -> None:
    page = (await viewer.get(SOURCES)).text
    drawn = MAP.search(page)
    assert drawn is not None
    links = re.findall(r'<a href="/console/sources/(\w+)" aria-label="([^"]+)"', drawn[0])
    assert len(links) == len(Jurisdiction)
    said = [label for _, label in links]
    assert {"Ontario: Loaded", "British Columbia: Not available", "Federal: Loaded"} <= set(said)
    for key, label in links:
        source = (await viewer.get(f"{SOURCES}/{key}")).text
        assert f"<h1>{label.partition(':')[0]}</h1>" in source


async def test_the_table_says_the_same_and_more(viewer: httpx2.AsyncClient, runtime: Runtime) -> None:
    page = (await viewer.get(SOURCES)).text
    rows = re.findall(r'<a class="target" href="/console/sources/([\w-]+)"', page)
    assert sorted(rows) == sorted(runtime.sources)
    ontario = page[page.index('<a class="target" href="/console/sources/on"') :].partition("</tr>")[0]
    assert "Loaded" in ontario
    assert "as of " in ontario


async def test_a_failed_run_stands_with_its_reason(runtime: Runtime, viewer: httpx2.AsyncClient) -> None:
    await remember(runtime, "on", run(0, None, "on: the publisher answered <503>"))
    listed = (await viewer.get(SOURCES)).text
    assert '<span class="badge bad">Failed</span>' in listed
    page = (await viewer.get(f"{SOURCES}/on")).text
    assert "on: the publisher answered &lt;503&gt;" in page


async def test_entries_over_time_are_a_chart_and_a_table_with_the_same_numbers(
    runtime: Runtime, viewer: httpx2.AsyncClient
) -> None:
    await remember(runtime, "on", run(9, 1000), run(6, None, "away"), run(3, 1250))
    page = (await viewer.get(f"{SOURCES}/on")).text
    assert "11 Nov 2026: 1,000 entries. 17 Nov 2026: 1,250 entries. Loads: 2." in " ".join(page.split())
    assert "Failed loads: 1 of 3" in page
    assert page.count('class="mark"') == 1
    table = page[page.index("View as table") :].partition("</table>")[0]
    assert [number for number in ("1,000", "1,250") if number in table] == ["1,000", "1,250"]


async def test_what_was_loaded_before_runs_were_written_down_is_drawn_all_the_same(viewer: httpx2.AsyncClient) -> None:
    page = (await viewer.get(f"{SOURCES}/fed")).text
    assert "Entries after each load" in page
    assert "No loads recorded." in page


async def test_licence_and_terms_stand_on_the_page_of_the_source(viewer: httpx2.AsyncClient, runtime: Runtime) -> None:
    page = (await viewer.get(f"{SOURCES}/fed")).text
    assert runtime.sources["fed"].metadata.licence.name in page
    live = next(source for source in runtime.sources.values() if source.metadata.live is not None and source.metadata.live.terms)
    assert "Terms the operator must accept" in (await viewer.get(f"{SOURCES}/{live.key}")).text


async def test_the_pages_speak_french(viewer: httpx2.AsyncClient) -> None:
    page = (await viewer.get(SOURCES, headers=FRENCH)).text
    assert "Registres d’entreprises du Canada" in page
    assert "Québec\N{NO-BREAK SPACE}: Chargée" in page
    assert "Éditeur" in (await viewer.get(f"{SOURCES}/on", headers=FRENCH)).text


async def test_an_unknown_source_is_not_found_and_nobody_reads_without_signing_in(
    runtime: Runtime, viewer: httpx2.AsyncClient
) -> None:
    assert (await viewer.get(f"{SOURCES}/atlantis")).status_code == 404
    async with anonymous_client(runtime) as nobody:
        assert (await nobody.get(SOURCES)).status_code == 303
