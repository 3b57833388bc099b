"""`bonafide bench load --hostile`: the searches of one organization, alone and while another floods the service.

Both are measured in turns over the same server processes. Nothing is asserted.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide_bench.harness.flood import FloodFigures, FloodOrder, run_flood
from bonafide_bench.harness.load_generator import HttpConnectionPool, HttpLoadOutcome, run_open_loop
from bonafide_bench.harness.search_requests import HOST
from bonafide_bench.measurements.load import (
    NAMES,
    UNLIMITED,
    WARM_UP_S,
    RateFigures,
    add_outcome,
    count_entries,
    create_search_factory,
    serve_service,
)
from bonafide_bench.measurements.search import create_search_probes
from bonafide_bench.seeding.organization import create_bench_organization

ROUNDS = 3
"""Rounds, alternating between alone and under attack, so that both run under the same conditions."""


@dataclass(frozen=True, slots=True)
class HostileLoadSpec:
    """What to measure: server processes, rate and total duration of the searches in each state, and the flood's connections."""

    processes: int
    rate: float
    search_s: float
    slow: int = 300
    searchers: int = 32


@dataclass(frozen=True, slots=True)
class HostileLoadReport:
    """One run. `flood` is what the hostile organization sent and how that was answered."""

    entries: int
    processes: int
    rounds: int
    offered: float
    alone: RateFigures
    attacked: RateFigures
    flood: FloodFigures

    @property
    def p50_ratio(self) -> float | None:
        """The median under attack, relative to the median alone; None if none was accepted in one of the two."""
        alone, attacked = self.alone.times, self.attacked.times
        return None if alone is None or attacked is None else attacked.p50 / alone.p50

    @property
    def p99_ratio(self) -> float | None:
        """The 99th percentile under attack, relative to that alone; None if none was accepted in one of the two."""
        alone, attacked = self.alone.times, self.attacked.times
        return None if alone is None or attacked is None else attacked.p99 / alone.p99


async def run_hostile_load_bench(runtime: Runtime, order: HostileLoadSpec, told: Callable[[str], None]) -> HostileLoadReport:
    """Measure over a loaded sandbox. Raises `ConfigurationError` if the server does not start."""
    names = [probe.text for probe in create_search_probes(runtime, NAMES)]
    alone, attacked, flood = HttpLoadOutcome(), HttpLoadOutcome(), FloodFigures()
    async with AsyncExitStack() as stack:
        victim = await stack.enter_async_context(_create_key(runtime, "searches"))
        attacker = await stack.enter_async_context(_create_key(runtime, "flood"))
        served = await stack.enter_async_context(serve_service(runtime, "bonafide.asgi:application", order.processes))
        to = HttpConnectionPool(HOST, served.port, kept=False)
        search, seconds = create_search_factory(victim, names), order.search_s / ROUNDS
        await run_open_loop(to, search, WARM_UP_S, order.rate)
        flooding = FloodOrder(HOST, served.port, attacker, names[::7], order.slow, order.searchers)
        for number in range(1, ROUNDS + 1):
            told(f"alone, round {number}")
            add_outcome(alone, await run_open_loop(to, search, seconds, order.rate))
            told(f"under attack, round {number}")
            async with run_flood(flooding) as figures:
                # The flood begins before the measurement: what an attack is like that goes on.
                await run_open_loop(to, search, WARM_UP_S, order.rate)
                add_outcome(attacked, await run_open_loop(to, search, seconds, order.rate))
            flood.add(await figures)
        to.close()
    return HostileLoadReport(
        count_entries(runtime), order.processes, ROUNDS, order.rate, RateFigures.of(alone), RateFigures.of(attacked), flood
    )


@asynccontextmanager
async def _create_key(runtime: Runtime, what: str) -> AsyncIterator[str]:
    """The key of a temporary organization, without a rate limit."""
    async with create_bench_organization(runtime, what) as (_, name):
        request = KeyRequest(organization=name, rate_limit=UNLIMITED, world=World.SANDBOX)
        yield (await api_access.create_key(runtime, request)).text
