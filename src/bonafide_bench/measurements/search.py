"""`bonafide bench search`: the cost of each part of a search, as a ratio to a baseline.

Nothing is asserted.
"""

import os
import random
import statistics
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from time import perf_counter_ns
from uuid import uuid4

import httpx2

from bonafide.app.application import create_app
from bonafide.concurrency.process_tuning import freeze_gc
from bonafide.matching.entries.query import Query
from bonafide.matching.names.business_name_comparison import compare_business_names
from bonafide.matching.names.normalization import normalise
from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.model.entry import RegistryEntry
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.lookup.source_lookup import query_sources
from bonafide.services.lookup.source_result import SourceResult
from bonafide.services.results.match_building import build_registry_matches
from bonafide.services.search.prefill import prefill
from bonafide_bench.datasets.corruptions import CorruptionKind, corrupt_name
from bonafide_bench.harness.baseline import measure_baseline_ns
from bonafide_bench.harness.baseline_app import application as bare_application
from bonafide_bench.harness.physical_floor import PhysicalFloor, TouchedPages
from bonafide_sandbox.world.simulated_failures import find_search_failure

SEED = 1867
FLOOR_CALLS = 20
"""The maximum number of calls whose touched pages are counted."""
UNLIMITED = 1_000_000
_BASE_URL = "http://bench"
KINDS = (
    CorruptionKind.EXACT,
    CorruptionKind.FORM,
    CorruptionKind.SLIP,
    CorruptionKind.TWO_SLIPS,
    CorruptionKind.ADDED,
    CorruptionKind.SWAPPED,
    CorruptionKind.ACCENTS,
    CorruptionKind.JOINED,
    CorruptionKind.SPLIT,
    CorruptionKind.NUMBER,
)
"""Kinds of corruption after which a name is still identifiable."""


@dataclass(frozen=True, slots=True)
class PartFigures:
    """One measured part: microseconds per call, and the ratio to the baseline.

    `floor` is None if the system does not report which pages a call touches.
    """

    part: str
    median_us: float
    p95_us: float
    ratio: float
    calls: int
    floor: PhysicalFloor | None


@dataclass(frozen=True, slots=True)
class SearchProbe:
    """The corrupted name of an existing business, and that business."""

    text: str
    truth: RegistryEntry
    kind: CorruptionKind


@dataclass(slots=True)
class SearchRecall:
    """How often the expected business was the first result, and in the first twenty."""

    asked: int = 0
    first: int = 0
    among_twenty: int = 0
    missed: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SearchBenchReport:
    """The results of one run."""

    entries: int
    yardstick_us: float
    figures: tuple[PartFigures, ...]
    recall: dict[str, SearchRecall]


async def run_search_bench(runtime: Runtime, count: int) -> SearchBenchReport:
    """Measure on the loaded sandbox, with `count` corrupted queries."""
    registers = runtime.list_registers()
    probes = create_search_probes(runtime, count)
    freeze_gc()  # as a service does once it is ready
    yard = _Baseline()
    names = [normalise(probe.text) for probe in probes]
    truths = [normalise(probe.truth.legal_name) for probe in probes]

    async def candidates(i: int) -> list[SourceResult]:
        return await query_sources(runtime, World.SANDBOX, Query(name=probes[i].text), registers)

    found = [await candidates(i) for i in range(count)]
    figures = [
        yard.measure("normalise a name", count, lambda i: normalise(probes[i].text)),
        yard.measure("compare two names", count, lambda i: compare_business_names(names[i], truths[i])),
        await yard.measure_async("look a name up in all registers", count, candidates),
        yard.measure("rank the candidates", count, lambda i: build_registry_matches(uuid4(), Query(name=probes[i].text), found[i])),
        *await _measure_requests(runtime, yard, probes),
    ]
    return SearchBenchReport(_count_entries(runtime), yard.median_us, tuple(figures), _measure_recall(probes, found))


async def _measure_requests(runtime: Runtime, yard: "_Baseline", probes: Sequence[SearchProbe]) -> list[PartFigures]:
    """Measure whole requests to the application in this process."""
    request = KeyRequest(organization="Bench", rate_limit=UNLIMITED, world=World.SANDBOX)
    created = await api_access.create_key(runtime, request)
    try:
        return await _measure_requests_with_key(created.text, runtime, yard, probes)
    finally:
        await api_access.revoke_key(runtime, created.key.id)


async def _measure_requests_with_key(
    key: str, runtime: Runtime, yard: "_Baseline", probes: Sequence[SearchProbe]
) -> list[PartFigures]:
    principal = await api_access.authenticate(runtime, key)
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        httpx2.AsyncClient(transport=httpx2.ASGITransport(create_app(runtime)), base_url=_BASE_URL, headers=headers) as client,
        httpx2.AsyncClient(transport=httpx2.ASGITransport(bare_application), base_url=_BASE_URL, headers=headers) as bare,
    ):

        async def post(i: int, **flags: bool) -> None:
            (await client.post("/v1/search", json={"name": probes[i].text, **flags})).raise_for_status()

        async def get_bare(_i: int) -> None:
            (await bare.get("/")).raise_for_status()

        async def get(_i: int) -> None:
            (await client.get("/v1/search/history", params={"limit": 25})).raise_for_status()

        return [
            await yard.measure_async("bare FastAPI application", len(probes), get_bare),
            await yard.measure_async("pre-fill", len(probes), lambda i: prefill(runtime, principal, probes[i].text[:5], None, 10)),
            await yard.measure_async("POST /search, registers", len(probes), lambda i: post(i, regulatoryRegistry=False)),
            await yard.measure_async("POST /search, all indexed sources", len(probes), lambda i: post(i, sanctionsScreening=True)),
            await yard.measure_async("GET /search/history", len(probes), get),
        ]


class _Baseline:
    """Runs the baseline between calls, so that both run under the same conditions."""

    def __init__(self) -> None:
        self._all: list[int] = []

    @property
    def median_us(self) -> float:
        return statistics.median(self._all) / 1000

    def measure(self, part: str, calls: int, call: Callable[[int], object]) -> PartFigures:
        taken, yard = [], []
        for i in range(calls):
            yard.append(self._once())
            started = perf_counter_ns()
            call(i)
            taken.append(perf_counter_ns() - started)
        pages = TouchedPages([os.getpid()])
        for i in range(min(FLOOR_CALLS, calls)):
            with pages.count_operation():
                call(i)
        return self._figure(part, taken, yard, pages.compute_floor())

    async def measure_async(self, part: str, calls: int, call: Callable[[int], Awaitable[object]]) -> PartFigures:
        taken, yard = [], []
        for i in range(calls):
            yard.append(self._once())
            started = perf_counter_ns()
            await call(i)
            taken.append(perf_counter_ns() - started)
        pages = TouchedPages([os.getpid()])
        for i in range(min(FLOOR_CALLS, calls)):
            with pages.count_operation():
                await call(i)
        return self._figure(part, taken, yard, pages.compute_floor())

    def _once(self) -> int:
        self._all.append(measure_baseline_ns())
        return self._all[-1]

    @staticmethod
    def _figure(part: str, taken: list[int], yard: list[int], floor: PhysicalFloor | None) -> PartFigures:
        median = statistics.median(taken)
        p95 = statistics.quantiles(taken, n=20)[-1]
        return PartFigures(part, median / 1000, p95 / 1000, median / statistics.median(yard), len(taken), floor)


# ------------------------------------------------------------------------------------------------------------ probes


def create_search_probes(runtime: Runtime, count: int) -> list[SearchProbe]:
    """Corrupted names of loaded businesses, cycling through the kinds of corruption; deterministic for the same data."""
    chance = random.Random(SEED)  # noqa: S311 - a sample, not a secret
    segments = [
        generation.index
        for source in runtime.list_registers()
        if (generation := runtime.generations[World.SANDBOX].current(source.key)) is not None
    ]
    weights = [len(segment) for segment in segments]
    kinds = cycle(KINDS)
    kind = next(kinds)
    probes: list[SearchProbe] = []
    while len(probes) < count:
        segment = chance.choices(segments, weights)[0]
        entry = RegistryEntry.model_validate_json(segment.payload(chance.randrange(len(segment))))
        spoilt = corrupt_name(entry.legal_name, kind, chance)
        # Some names make the sandbox's registries time out, which must not be measured.
        if spoilt is not None and find_search_failure(entry.legal_name) is None:
            probes.append(SearchProbe(spoilt.text, entry, kind))
            kind = next(kinds)
    return probes


def _measure_recall(probes: Sequence[SearchProbe], found: Sequence[Sequence[SourceResult]]) -> dict[str, SearchRecall]:
    recall: dict[str, SearchRecall] = {kind: SearchRecall() for kind in KINDS}
    for probe, lookups in zip(probes, found, strict=True):
        matches = build_registry_matches(uuid4(), Query(name=probe.text), lookups)
        # Another business with exactly this name is an equally correct result.
        right = [
            match.legal_name.name == probe.truth.legal_name or probe.truth.legal_name in match.alternate_names for match in matches
        ]
        kept = recall[probe.kind]
        kept.asked += 1
        kept.first += any(right[:1])
        kept.among_twenty += any(right)
        if not any(right):
            kept.missed.append(probe.text)
    return recall


def _count_entries(runtime: Runtime) -> int:
    current = (runtime.generations[World.SANDBOX].current(key) for key in runtime.sources)
    return sum(len(generation.index) for generation in current if generation is not None)
