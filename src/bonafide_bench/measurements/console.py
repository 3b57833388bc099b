"""`bonafide bench console`: time of each page from the request to the last byte, with many stored searches.

The application runs in this process, so the figures include neither network nor browser. Nothing is asserted.
"""

import gc
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import perf_counter_ns, process_time_ns
from typing import Any
from uuid import UUID, uuid4

import httpx2
from fastapi import FastAPI

from bonafide.app.application import create_ready_app
from bonafide.console.frame.console_request import SESSION_COOKIE, build_cookie_name
from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.model.accounts.users import Role, UserRequest
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access, members, sessions
from bonafide.services.cases.following import update_cases
from bonafide.services.loading.refresh import Progress
from bonafide.store.database import tables
from bonafide_bench.harness.baseline import measure_baseline_ns
from bonafide_bench.measurements.figures import LatencyFigures
from bonafide_bench.measurements.records import fill_records
from bonafide_bench.seeding.case_copies import fill_cases
from bonafide_bench.seeding.console_pages import list_page_addresses
from bonafide_bench.seeding.organization import create_bench_organization
from bonafide_bench.seeding.row_copies import fill_with_copies
from bonafide_bench.seeding.seed_data import seed_organization

UNLIMITED = 1_000_000
CASES = 10_000
"""The number of cases, unless another one is given."""
WARM_UP = 2
"""Rounds that are discarded, in which templates are compiled and database pages are cached."""
HTML = "text/html"


@dataclass(frozen=True, slots=True)
class PageFigures:
    """One page: its path template, latency, CPU time of the process, and uncompressed size."""

    page: str
    times: LatencyFigures
    cpu: LatencyFigures
    bytes: int


@dataclass(frozen=True, slots=True)
class ConsoleReport:
    """One run, slowest page first."""

    searches: int
    cases: int
    database: str
    yardstick: LatencyFigures
    pages: tuple[PageFigures, ...]


@dataclass(slots=True)
class _PageTimer:
    """The measurements of one page."""

    page: str
    address: str
    size: int = 0
    taken: list[int] = field(default_factory=list)
    computed: list[int] = field(default_factory=list)

    async def look(self, browser: httpx2.AsyncClient, *, counts: bool) -> bool:
        """Request the page once; returns whether it is an HTML page. Raises `HTTPStatusError` for an error response."""
        started, computing = perf_counter_ns(), process_time_ns()
        answer = await browser.get(self.address)
        taken, computed = perf_counter_ns() - started, process_time_ns() - computing
        if answer.is_redirect:
            return False
        answer.raise_for_status()
        self.size = len(answer.content)
        if counts:
            self.taken.append(taken)
            self.computed.append(computed)
        return answer.headers["Content-Type"].startswith(HTML)


async def run_console_bench(runtime: Runtime, searches: int, rounds: int, told: Progress, cases: int = CASES) -> ConsoleReport:
    """Measure each page `rounds` times over a loaded sandbox with `searches` stored searches and business records, and cases."""
    app = await create_ready_app(runtime)
    async with create_bench_organization(runtime, "console") as (organization_id, name), _api(runtime, app, name) as (api, key):
        addresses = list_page_addresses(app, await seed_organization(api, key, lambda: update_cases(runtime)))
        await _fill(runtime, organization_id, searches, told)
        await fill_cases(runtime, organization_id, cases, told)
        async with _browser(runtime, app, name) as browser:
            yardstick, watches = await _measure(browser, [_PageTimer(*pair) for pair in addresses], rounds, told)
        async with runtime.store.read() as connection:
            database = connection.dialect.name
    figures = sorted((_summarize(one) for one in watches), key=lambda one: -one.times.p50)
    return ConsoleReport(searches, cases, database, LatencyFigures.of(yardstick), tuple(figures))


def _vary_event(number: int) -> Mapping[str, Any]:
    """Events are numbered in the order of their times, so copies, which are older, have lower numbers. No business has many."""
    return {"sequence": -number, "business_id": uuid4()}


def _summarize(timer: _PageTimer) -> PageFigures:
    return PageFigures(timer.page, LatencyFigures.of(timer.taken), LatencyFigures.of(timer.computed), timer.size)


async def _fill(runtime: Runtime, organization_id: UUID, size: int, told: Progress) -> None:
    await fill_with_copies(runtime, organization_id, tables.searches, size, told, lambda _: {"business_id": None})
    await fill_with_copies(runtime, organization_id, tables.verifications, size, told)
    await fill_with_copies(runtime, organization_id, tables.screenings, size, told, lambda _: {"business_id": None})
    await fill_with_copies(runtime, organization_id, tables.events, size, told, _vary_event)
    await fill_records(runtime, organization_id, size, runtime.clock().replace(microsecond=0), told)


async def _measure(
    browser: httpx2.AsyncClient, watches: Sequence[_PageTimer], rounds: int, told: Progress
) -> tuple[list[int], Sequence[_PageTimer]]:
    """Measure all pages in turn, each followed by the baseline."""
    for _ in range(WARM_UP):
        watches = [watch for watch in watches if await watch.look(browser, counts=False)]
    yardstick = []
    gc.collect()
    for number in range(rounds):
        for watch in watches:
            await watch.look(browser, counts=True)
            yardstick.append(measure_baseline_ns())
        told("rounds", number + 1, rounds)
    return yardstick, watches


@asynccontextmanager
async def _api(runtime: Runtime, app: FastAPI, organization: str) -> AsyncIterator[tuple[httpx2.AsyncClient, UUID]]:
    """An API client with a new key, and the id of the key."""
    wanted = KeyRequest(organization=organization, label="bench", rate_limit=UNLIMITED, world=World.SANDBOX)
    created = await api_access.create_key(runtime, wanted)
    base_url, headers = f"{runtime.settings.base_url}/v1", {"Authorization": f"Bearer {created.text}"}
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=base_url, headers=headers) as client:
        yield client, created.key.id


@asynccontextmanager
async def _browser(runtime: Runtime, app: FastAPI, organization: str) -> AsyncIterator[httpx2.AsyncClient]:
    """A client with the session of a signed-in owner."""
    email = f"owner@{organization.replace(' ', '-')}.example"
    wanted = UserRequest(email=email, organization=organization, role=Role.OWNER, world=World.SANDBOX)
    made = await members.create_user(runtime, wanted, Author("bench"))
    session = await sessions.begin_session(runtime, made.user.id, "bench")
    cookies = {build_cookie_name(runtime, SESSION_COOKIE): session}
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url=runtime.settings.base_url, cookies=cookies) as client:
        yield client
