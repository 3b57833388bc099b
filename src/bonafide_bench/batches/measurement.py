"""`bonafide bench batch`: rows per second on one core for each kind, and the latency of searches without and with a batch.

Rows are names of businesses of the loaded sandbox, written as people write them. Beside searches the batch is done in a process of
its own, as a worker does it. Nothing is asserted.
"""

import asyncio
import statistics
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import cycle, islice
from multiprocessing import get_context
from time import perf_counter, process_time
from uuid import UUID, uuid4

import httpx2

from bonafide.app.application import create_app
from bonafide.concurrency.process_tuning import freeze_gc, lower_priority
from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.model.batches.batch import BatchKind, BatchParameters
from bonafide.model.batches.rows import BatchInputRow
from bonafide.model.entry import RegistryEntry
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.batches.checker_opening import open_plain_checker
from bonafide.services.batches.local import PARTITION_ROWS
from bonafide.services.batches.partition_files import write_results
from bonafide.services.batches.partition_runner import open_process_runner, run_in_process
from bonafide.services.batches.row_checks import BatchTask, RowChecker, check_rows
from bonafide.settings import Settings
from bonafide_bench.measurements.search import UNLIMITED, SearchProbe, create_search_probes

WARM_UP_ROWS = 20
ROWS_AT_ONCE = 50
CLUSTER_PARTITIONS = 12
"""Partitions of each kind in a measurement of processes and nodes."""
_BASE_URL = "http://bench"
_MS = 1e3


@dataclass(frozen=True, slots=True)
class BatchKindFigures:
    """A kind: rows, rows per second of processor time, and bytes of the results of a row."""

    kind: str
    rows: int
    per_second: float
    bytes_per_row: float


@dataclass(frozen=True, slots=True)
class SearchLatency:
    """Searches one after the other: milliseconds at the median and at the 99th percentile, and the rows done meanwhile."""

    beside: str
    searches: int
    median_ms: float
    p99_ms: float
    rows: int


@dataclass(frozen=True, slots=True)
class BatchBenchReport:
    """The results of one run."""

    entries: int
    kinds: tuple[BatchKindFigures, ...]
    searches: tuple[SearchLatency, ...]


async def run_batch_bench(runtime: Runtime, rows: int, searches: int) -> BatchBenchReport:
    """Measure on the loaded sandbox, with so many rows of each kind and so many searches."""
    probes = create_search_probes(runtime, min(rows, 1000))
    checkers = {kind: await _open_checker(runtime, kind) for kind in BatchKind}
    work = {kind: list(islice(_create_rows(kind, probes), rows)) for kind in BatchKind}
    figures = [_measure_kind(kind, checkers[kind], work[kind]) for kind in BatchKind]
    names = [probe.text for probe in islice(cycle(probes), searches)]
    latencies = [await _measure_searches(runtime, names, "nothing else")]
    for kind in BatchKind:
        with _open_process(runtime, kind) as pool:
            latencies.append(await _measure_searches(runtime, names, f"a batch ({kind.value})", pool, work[kind]))
    generations = runtime.generations[World.SANDBOX]
    current = [generations.current(key) for key in runtime.sources]
    entries = sum(one.manifest.entries for one in current if one is not None)
    return BatchBenchReport(entries, tuple(figures), tuple(latencies))


def create_cluster_rows(runtime: Runtime) -> dict[BatchKind, list[BatchInputRow]]:
    """Rows of each kind for a measurement of processes and nodes: enough partitions for a rate."""
    probes = create_search_probes(runtime, 1000)
    return {kind: list(islice(_create_rows(kind, probes), CLUSTER_PARTITIONS * PARTITION_ROWS[kind])) for kind in BatchKind}


async def _open_checker(runtime: Runtime, kind: BatchKind) -> RowChecker:
    return await open_plain_checker(runtime, kind, _create_task(runtime))


def _create_task(runtime: Runtime) -> BatchTask:
    return BatchTask(UUID(int=0), World.SANDBOX, BatchParameters(), Language.ENGLISH, runtime.clock().date())


@contextmanager
def _open_process(runtime: Runtime, kind: BatchKind) -> Iterator[ProcessPoolExecutor]:
    """A process that does rows, ready to begin."""
    arguments = (runtime.settings, kind, _create_task(runtime))
    with ProcessPoolExecutor(1, get_context("spawn"), _open_worker, arguments) as pool:
        pool.submit(run_in_process, []).result()
        yield pool


def _open_worker(settings: Settings, kind: BatchKind, task: BatchTask) -> None:
    lower_priority(settings.worker_niceness)
    open_process_runner(settings, kind, task)


def _create_rows(kind: BatchKind, probes: Sequence[SearchProbe]) -> "cycle[BatchInputRow]":
    """The names of the probes as rows without end."""
    return cycle([
        BatchInputRow(number, number, _describe(probe.text, probe.truth) if kind is BatchKind.VERIFY else {"name": probe.text})
        for number, probe in enumerate(probes, start=1)
    ])  # fmt: skip


def _describe(name: str, truth: RegistryEntry) -> dict[str, str]:
    # Some registers publish no numbers; such a row is in error.
    numbers = {"registrationNumber": truth.registration_numbers[0].value} if truth.registration_numbers else {}
    return {"name": name, "jurisdiction": truth.jurisdiction.value, **numbers}


def _measure_kind(kind: BatchKind, checker: RowChecker, rows: Sequence[BatchInputRow]) -> BatchKindFigures:
    check_rows(checker, rows[:WARM_UP_ROWS])
    freeze_gc()  # as each process does that does rows
    began = process_time()
    results = check_rows(checker, rows)
    content = write_results(results, checker.coverage.build())
    return BatchKindFigures(kind.value, len(rows), len(rows) / (process_time() - began), len(content) / len(rows))


async def _measure_searches(
    runtime: Runtime,
    names: Sequence[str],
    beside: str,
    pool: ProcessPoolExecutor | None = None,
    rows: Sequence[BatchInputRow] = (),
) -> SearchLatency:
    """Send searches to the application in this process, while another one does rows if there is one."""
    request = KeyRequest(organization=f"Bench {uuid4().hex[:8]}", rate_limit=UNLIMITED, world=World.SANDBOX)
    created = await api_access.create_key(runtime, request)
    done: list[int] = []
    batch = asyncio.create_task(_do_rows(pool, rows, done)) if pool is not None else None
    headers = {"Authorization": f"Bearer {created.text}"}
    transport = httpx2.ASGITransport(create_app(runtime))
    took_s: list[float] = []
    try:
        async with httpx2.AsyncClient(transport=transport, base_url=_BASE_URL, headers=headers) as client:
            for name in (*names[:WARM_UP_ROWS], *names):
                began = perf_counter()
                (await client.post("/v1/search", json={"name": name})).raise_for_status()
                took_s.append(perf_counter() - began)
    finally:
        if batch is not None:
            batch.cancel()
            with suppress(asyncio.CancelledError):
                await batch
        await api_access.revoke_key(runtime, created.key.id)
    measured = took_s[-len(names) :]
    p99_ms = statistics.quantiles(measured, n=100)[98] * _MS
    return SearchLatency(beside, len(measured), statistics.median(measured) * _MS, p99_ms, sum(done))


async def _do_rows(pool: ProcessPoolExecutor, rows: Sequence[BatchInputRow], done: list[int]) -> None:
    """Have rows done again and again until cancelled."""
    for first in cycle(range(0, len(rows), ROWS_AT_ONCE)):
        part = list(rows[first : first + ROWS_AT_ONCE])
        await asyncio.wrap_future(pool.submit(run_in_process, part))
        done.append(len(part))
