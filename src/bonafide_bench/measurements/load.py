"""`bonafide bench load`: load test of the service in separate processes, with a minimal FastAPI application as baseline.

The client shares the cores of the machine with the servers. Nothing is asserted.
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
from bonafide_bench.harness.load_generator import (
    HttpConnectionPool,
    HttpLoadOutcome,
    RequestFactory,
    run_closed_loop,
    run_open_loop,
)
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
OK = 200


@dataclass(frozen=True, slots=True)
class HttpLoadSpec:
    """What to measure: server processes, seconds per round of reads, and rate and duration of the searches."""

    processes: int
    read_s: float
    rate: float
    search_s: float


@dataclass(frozen=True, slots=True)
class RateFigures:
    """Responses per second, latencies in milliseconds, and counts of statuses other than 200; 0 means no response."""

    per_second: float
    times: LatencyFigures
    failed: Mapping[int, int]

    @classmethod
    def of(cls, outcome: HttpLoadOutcome) -> "RateFigures":
        """The figures of at least one response."""
        failed = {status: count for status, count in sorted(outcome.statuses.items()) if status != OK}
        return cls(outcome.per_second, LatencyFigures.of(outcome.taken), failed)


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
    """One run. `memory` is that of the service during the searches."""

    entries: int
    database: str
    processes: int
    hello: RateFigures
    reads: RateFigures
    offered: float
    searches: RateFigures
    memory: tuple[tuple[float, int], ...]

    @property
    def share(self) -> float:
        """Read throughput relative to the baseline."""
        return self.reads.per_second / self.hello.per_second


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
        hello, reads = await _read(bare, served, key, probes, order, told)
        told("searches")
        searches, memory = await _search(served, create_search_factory(key, probes), order)
        async with runtime.store.read() as connection:
            database = connection.dialect.name
    return ServiceLoadReport(
        count_entries(runtime),
        database,
        order.processes,
        RateFigures.of(hello),
        RateFigures.of(reads),
        order.rate,
        RateFigures.of(searches),
        tuple(memory.samples),
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


async def _read(
    bare: ServerProcesses,
    served: ServerProcesses,
    key: str,
    probes: Sequence[str],
    order: HttpLoadSpec,
    told: Callable[[str], None],
) -> tuple[HttpLoadOutcome, HttpLoadOutcome]:
    """Measure the baseline and reads of searches in turn."""
    post, to_served = create_search_factory(key, probes), HttpConnectionPool(HOST, served.port)
    kept = [json.loads((await to_served.call(post(number)))[1])["meta"]["searchId"] for number in range(DOCUMENTS)]
    to_served.close()
    gets = [build_request("GET", f"/v1/search/{search_id}", key) for search_id in kept]
    hello, reads = HttpLoadOutcome(), HttpLoadOutcome()
    turns: Mapping[str, tuple[ServerProcesses, RequestFactory, HttpLoadOutcome]] = {
        "baseline": (bare, lambda _: build_request("GET", "/", key), hello),
        "reads": (served, lambda number: gets[number % len(gets)], reads),
    }
    for number in range(1, ROUNDS + 1):
        for what, (application, make, outcome) in turns.items():
            told(f"{what}, round {number}")
            # New connections in each round: their random distribution over the processes affects the throughput.
            to = HttpConnectionPool(HOST, application.port)
            await to.open(CALLERS)
            add_outcome(outcome, await run_closed_loop(to, make, order.read_s, CALLERS))
            to.close()
    return hello, reads


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
