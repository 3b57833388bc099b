"""`bonafide bench load`: the service under load, in processes of its own, beside a bare FastAPI application served in the same way.

The client shares the machine's cores with what it measures. Nothing is asserted here: figures are for people to compare.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from bonafide.bench.calling import Connections, MakeRequest, Outcome, as_many_as_possible, at_a_rate
from bonafide.bench.figures import Times
from bonafide.bench.memory import resident
from bonafide.bench.search import probes_of
from bonafide.bench.serving import HOST, Served, served_apart
from bonafide.bench.tenant import bench_organization
from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access

UNLIMITED = 1_000_000
CALLERS = 16
"""At once, where as many requests are sent as can be answered."""
ROUNDS = 6
"""In turn, so that what is compared feels the same machine."""
DOCUMENTS = 50
"""Different searches that are read."""
NAMES = 5000
"""Different names that are searched."""
WARM_UP_S = 3.0
SAMPLE_EVERY_S = 5.0
OK = 200


@dataclass(frozen=True, slots=True)
class Order:
    """What to measure: so many processes, seconds of each round of reading, and searches at a rate for so long."""

    processes: int
    read_s: float
    rate: float
    search_s: float


@dataclass(frozen=True, slots=True)
class Rate:
    """Answers a second, their times in milliseconds, and how many had which other status than 200; 0 is no answer."""

    per_second: float
    times: Times
    failed: Mapping[int, int]

    @classmethod
    def of(cls, outcome: Outcome) -> "Rate":
        """Of at least one answer."""
        failed = {status: count for status, count in sorted(outcome.statuses.items()) if status != OK}
        return cls(outcome.per_second, Times.of(outcome.taken), failed)


@dataclass(slots=True)
class MemoryUse:
    """Bytes that all processes of the service held of their own, over time: (seconds since the searches began, bytes)."""

    samples: list[tuple[float, int]] = field(default_factory=list)

    async def watch(self, served: Served) -> None:
        """Take a sample now and then, until cancelled."""
        began = monotonic()
        while True:
            held = [sizes.anonymous for pid in served.processes if (sizes := resident(pid)) is not None]
            self.samples.append((monotonic() - began, sum(held)))
            await asyncio.sleep(SAMPLE_EVERY_S)


@dataclass(frozen=True, slots=True)
class LoadReport:
    """One run. `memory` is of the service while it was searched."""

    entries: int
    database: str
    processes: int
    hello: Rate
    reads: Rate
    offered: float
    searches: Rate
    memory: tuple[tuple[float, int], ...]

    @property
    def share(self) -> float:
        """Reads of a search as a share of the yardstick's rate."""
        return self.reads.per_second / self.hello.per_second


async def run_load(runtime: Runtime, order: Order, told: Callable[[str], None]) -> LoadReport:
    """Measure over a loaded sandbox. Raises `ConfigurationError` when a server does not start."""
    probes = [probe.text for probe in probes_of(runtime, NAMES)]
    async with bench_organization(runtime, "load") as (_, name), AsyncExitStack() as stack:
        request = KeyRequest(organization=name, rate_limit=UNLIMITED, world=World.SANDBOX)
        key = (await api_access.create_key(runtime, request)).text
        served = await stack.enter_async_context(_served(runtime, "bonafide.app.asgi:application", order.processes))
        bare = await stack.enter_async_context(_served(runtime, "bonafide.bench.hello:application", order.processes))
        hello, reads = await _read(bare, served, key, probes, order, told)
        told("searching")
        searches, memory = await _search(served, _posts(key, probes), order)
        async with runtime.store.read() as connection:
            database = connection.dialect.name
    entries = sum(len(current.index) for key in runtime.sources if (current := runtime.generations[World.SANDBOX].current(key)))
    return LoadReport(
        entries, database, order.processes, Rate.of(hello), Rate.of(reads), order.rate, Rate.of(searches), tuple(memory.samples)
    )


@asynccontextmanager
async def _served(runtime: Runtime, application: str, processes: int) -> AsyncIterator[Served]:
    settings = runtime.settings
    environment = {"BONAFIDE_DATA_DIR": str(settings.data_dir), "BONAFIDE_RENEW": "off"}
    if settings.database_url is not None:
        environment["BONAFIDE_DATABASE_URL"] = settings.database_url
    log = settings.data_dir / f"bench-{application.partition('.')[2].partition(':')[0]}.log"
    async with served_apart(application, processes, environment, log) as served:
        yield served


async def _read(
    bare: Served, served: Served, key: str, probes: Sequence[str], order: Order, told: Callable[[str], None]
) -> tuple[Outcome, Outcome]:
    """The yardstick and the reading of searches, in turns."""
    post, to_served = _posts(key, probes), Connections(HOST, served.port)
    kept = [json.loads((await to_served.call(post(number)))[1])["meta"]["searchId"] for number in range(DOCUMENTS)]
    to_served.close()
    gets = [_request("GET", f"/v1/search/{search_id}", key) for search_id in kept]
    hello, reads = Outcome(), Outcome()
    turns: Mapping[str, tuple[Served, MakeRequest, Outcome]] = {
        "the yardstick": (bare, lambda _: _request("GET", "/", key), hello),
        "reading": (served, lambda number: gets[number % len(gets)], reads),
    }
    for number in range(1, ROUNDS + 1):
        for what, (application, make, outcome) in turns.items():
            told(f"{what}, round {number}")
            # New ones each time: which process takes how many is chance, and decides how many requests are answered.
            to = Connections(HOST, application.port)
            await to.open(CALLERS)
            _add(outcome, await as_many_as_possible(to, make, order.read_s, CALLERS))
            to.close()
    return hello, reads


def _add(outcome: Outcome, more: Outcome) -> None:
    outcome.wall_ns += more.wall_ns
    outcome.taken += more.taken
    outcome.statuses += more.statuses


async def _search(served: Served, post: MakeRequest, order: Order) -> tuple[Outcome, MemoryUse]:
    to, memory = Connections(HOST, served.port, kept=False), MemoryUse()
    await at_a_rate(to, post, WARM_UP_S, order.rate / 2)
    watching = asyncio.create_task(memory.watch(served))
    try:
        return await at_a_rate(to, post, order.search_s, order.rate), memory
    finally:
        watching.cancel()
        to.close()


def _posts(key: str, names: Sequence[str]) -> MakeRequest:
    return lambda number: _request("POST", "/v1/search", key, {"name": names[number % len(names)]})


def _request(method: str, path: str, key: str, body: dict[str, Any] | None = None) -> bytes:
    content = json.dumps(body).encode() if body is not None else b""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}", f"Authorization: Bearer {key}"]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return "\r\n".join([*lines, "", ""]).encode() + content
