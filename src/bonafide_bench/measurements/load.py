"""`bonafide bench load`: load test of the service in separate processes, with a minimal FastAPI application as baseline.

The client shares the cores of the machine with the servers. Requests that were accepted, refused and failed are counted apart, and
only accepted ones have latencies and a rate. Nothing is asserted.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic

from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide_bench.harness.core_use import OtherCoreUse, OtherUse
from bonafide_bench.harness.load_generator import (
    ACCEPTED_STATUSES,
    REFUSED_STATUSES,
    HttpConnectionPool,
    HttpLoadOutcome,
    RequestFactory,
    run_closed_loop,
    run_open_loop,
)
from bonafide_bench.harness.physical_floor import PhysicalFloor, TouchedPages
from bonafide_bench.harness.process_memory import read_resident_memory
from bonafide_bench.harness.search_requests import HOST, build_request
from bonafide_bench.harness.server_processes import ServerProcesses, serve_in_processes
from bonafide_bench.measurements.figures import LatencyFigures
from bonafide_bench.measurements.search import create_search_probes
from bonafide_bench.seeding.organization import create_bench_organization

UNLIMITED = 1_000_000
CALLERS = 16
"""Concurrent clients in a closed loop."""
ROUNDS = 6
"""Rounds, alternating between service and baseline, so that both run under the same conditions."""
DOCUMENTS = 50
"""The number of distinct searches that are read."""
NAMES = 5000
"""The number of distinct names that are searched for."""
WARM_UP_S = 3.0
SAMPLE_EVERY_S = 5.0
FLOOR_REQUESTS = 50
"""The number of requests whose touched pages are counted."""


@dataclass(frozen=True, slots=True)
class HttpLoadSpec:
    """What to measure: server processes, seconds per round of reads, and rate and duration of the searches."""

    processes: int
    read_s: float
    rate: float
    search_s: float


@dataclass(frozen=True, slots=True)
class RateFigures:
    """Requests that were accepted, per second and with latencies in milliseconds; and counts of refused and failed ones by status.

    `times` is None if none was accepted. Status 0 means that there was no response. `floor` is None if it was not measured.
    """

    per_second: float
    times: LatencyFigures | None
    accepted: int
    refused: Mapping[int, int]
    failed: Mapping[int, int]
    floor: PhysicalFloor | None = None

    @classmethod
    def of(cls, outcome: HttpLoadOutcome, floor: PhysicalFloor | None = None) -> "RateFigures":
        """The figures of an outcome, with the floor of one request."""
        others = {status: count for status, count in sorted(outcome.statuses.items()) if status not in ACCEPTED_STATUSES}
        return cls(
            outcome.per_second,
            LatencyFigures.of(outcome.taken) if outcome.taken else None,
            len(outcome.taken),
            {status: count for status, count in others.items() if status in REFUSED_STATUSES},
            {status: count for status, count in others.items() if status not in REFUSED_STATUSES},
            floor,
        )

    @property
    def sent(self) -> int:
        """The number of all requests."""
        return self.accepted + sum(self.refused.values()) + sum(self.failed.values())


@dataclass(slots=True)
class MemoryUse:
    """Private memory of all service processes over time: (seconds since the start of the searches, bytes)."""

    samples: list[tuple[float, int]] = field(default_factory=list)

    async def watch(self, served: ServerProcesses) -> None:
        """Sample periodically until cancelled."""
        began = monotonic()
        while True:
            held = [sizes.anonymous for pid in served.processes if (sizes := read_resident_memory(pid)) is not None]
            self.samples.append((monotonic() - began, sum(held)))
            await asyncio.sleep(SAMPLE_EVERY_S)


@dataclass(frozen=True, slots=True)
class ServiceLoadReport:
    """One run. `rounds` are those of the baseline and the reads, `memory` is that of the service during the searches.

    `other_use` is what other processes used of the cores, None if the system does not report it.
    """

    entries: int
    database: str
    processes: int
    rounds: int
    round_s: float
    hello: RateFigures
    reads: RateFigures
    offered: float
    search_s: float
    searches: RateFigures
    memory: tuple[tuple[float, int], ...]
    other_use: OtherUse | None

    @property
    def share(self) -> float:
        """Read throughput relative to the baseline."""
        return self.reads.per_second / self.hello.per_second

    def compute_baselines(self, rate: RateFigures) -> float | None:
        """The median latency as a multiple of the median of the baseline; None if none was accepted in one of the two."""
        if rate.times is None or self.hello.times is None:
            return None
        return rate.times.p50 / self.hello.times.p50


async def run_load_bench(runtime: Runtime, order: HttpLoadSpec, told: Callable[[str], None]) -> ServiceLoadReport:
    """Measure over a loaded sandbox. Raises `ConfigurationError` if a server does not start."""
    probes = [probe.text for probe in create_search_probes(runtime, NAMES)]
    async with create_bench_organization(runtime, "load") as (_, name), AsyncExitStack() as stack:
        request = KeyRequest(organization=name, rate_limit=UNLIMITED, world=World.SANDBOX)
        key = (await api_access.create_key(runtime, request)).text
        served = await stack.enter_async_context(serve_service(runtime, "bonafide.asgi:application", order.processes))
        bare = await stack.enter_async_context(
            serve_service(runtime, "bonafide_bench.harness.baseline_app:application", order.processes)
        )
        gets = await _create_read_requests(served, key, probes)
        turns: Mapping[str, tuple[ServerProcesses, RequestFactory]] = {
            "baseline": (bare, lambda _: build_request("GET", "/", key)),
            "reads": (served, lambda number: gets[number % len(gets)]),
        }
        with OtherCoreUse() as others:
            hello, reads = await _run_rounds(turns, order.read_s, told)
            told("searches")
            post = create_search_factory(key, probes)
            searches, memory = await _search(served, post, order)
        told("pages touched")
        bare_floor, read_floor = [await measure_floor(*turn) for turn in turns.values()]
        search_floor = await measure_floor(served, post)
        async with runtime.store.read() as connection:
            database = connection.dialect.name
    return ServiceLoadReport(
        entries=count_entries(runtime),
        database=database,
        processes=order.processes,
        rounds=ROUNDS,
        round_s=order.read_s,
        hello=RateFigures.of(hello, bare_floor),
        reads=RateFigures.of(reads, read_floor),
        offered=order.rate,
        search_s=order.search_s,
        searches=RateFigures.of(searches, search_floor),
        memory=tuple(memory.samples),
        other_use=others.use,
    )


@asynccontextmanager
async def serve_service(runtime: Runtime, application: str, processes: int) -> AsyncIterator[ServerProcesses]:
    """Serve an application over the data and the database of this runtime. Raises as `serve_in_processes` does."""
    settings = runtime.settings
    environment = {"BONAFIDE_DATA_DIR": str(settings.data_dir), "BONAFIDE_RENEW": "off"}
    if settings.database_url is not None:
        environment["BONAFIDE_DATABASE_URL"] = settings.database_url
    log = settings.data_dir / f"bench-{application.partition('.')[2].partition(':')[0]}.log"
    async with serve_in_processes(application, processes, environment, log) as served:
        yield served


def count_entries(runtime: Runtime) -> int:
    """The number of entries in the loaded sandbox."""
    return sum(len(current.index) for key in runtime.sources if (current := runtime.generations[World.SANDBOX].current(key)))


async def _create_read_requests(served: ServerProcesses, key: str, probes: Sequence[str]) -> list[bytes]:
    """Run and store searches, and return the requests that read them."""
    post, to = create_search_factory(key, probes), HttpConnectionPool(HOST, served.port)
    kept = [json.loads((await to.call(post(number)))[1])["meta"]["searchId"] for number in range(DOCUMENTS)]
    to.close()
    return [build_request("GET", f"/v1/search/{search_id}", key) for search_id in kept]


async def _run_rounds(
    turns: Mapping[str, tuple[ServerProcesses, RequestFactory]], seconds: float, told: Callable[[str], None]
) -> list[HttpLoadOutcome]:
    """Send each kind of request in turn, in several rounds."""
    outcomes = {what: HttpLoadOutcome() for what in turns}
    for number in range(1, ROUNDS + 1):
        for what, (application, make) in turns.items():
            told(f"{what}, round {number}")
            # New connections in each round: their random distribution over the processes affects the throughput.
            to = HttpConnectionPool(HOST, application.port)
            await to.open(CALLERS)
            add_outcome(outcomes[what], await run_closed_loop(to, make, seconds, CALLERS))
            to.close()
    return list(outcomes.values())


async def measure_floor(application: ServerProcesses, make: RequestFactory) -> PhysicalFloor | None:
    """The physical floor of a request, from the pages that the processes of a server touch; None if they are not reported."""
    to, pages = HttpConnectionPool(HOST, application.port), TouchedPages(application.processes)
    await to.call(make(0))
    for number in range(1, FLOOR_REQUESTS + 1):
        with pages.count_operation():
            await to.call(make(number))
    to.close()
    return pages.compute_floor()


def add_outcome(outcome: HttpLoadOutcome, more: HttpLoadOutcome) -> None:
    """Add the results of another round."""
    outcome.wall_ns += more.wall_ns
    outcome.taken += more.taken
    outcome.statuses += more.statuses


async def _search(served: ServerProcesses, post: RequestFactory, order: HttpLoadSpec) -> tuple[HttpLoadOutcome, MemoryUse]:
    to, memory = HttpConnectionPool(HOST, served.port, kept=False), MemoryUse()
    await run_open_loop(to, post, WARM_UP_S, order.rate / 2)
    watching = asyncio.create_task(memory.watch(served))
    try:
        return await run_open_loop(to, post, order.search_s, order.rate), memory
    finally:
        watching.cancel()
        to.close()


def create_search_factory(key: str, names: Sequence[str]) -> RequestFactory:
    """Searches for the names in turn."""
    return lambda number: build_request("POST", "/v1/search", key, {"name": names[number % len(names)]})
