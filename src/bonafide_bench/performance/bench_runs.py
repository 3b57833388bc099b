"""Run the performance benchmarks one after the other, and select the figures of the performance page."""

import asyncio
import os
import platform
import statistics
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bonafide.concurrency.executors import count_processors
from bonafide.native import comparison_extension, search_extension
from bonafide.runtime import Runtime
from bonafide_bench.engines.catalog import EngineName
from bonafide_bench.harness.baseline import measure_baseline_ns
from bonafide_bench.harness.core_use import OtherUse, describe_other_use
from bonafide_bench.harness.physical_floor import PhysicalFloor, measure_memory_bandwidth
from bonafide_bench.measurements.commits import CommitMode, run_commits_bench
from bonafide_bench.measurements.engine_rounds import OnStep
from bonafide_bench.measurements.figures import IndexEngineFigures
from bonafide_bench.measurements.index import IndexBenchPlan, run_index_bench
from bonafide_bench.measurements.load import HttpLoadSpec, RateFigures, run_load_bench
from bonafide_bench.measurements.ownership import run_ownership_bench
from bonafide_bench.measurements.pdf import measure_pdfs
from bonafide_bench.measurements.screen import measure_screening
from bonafide_bench.measurements.search import run_search_bench
from bonafide_bench.performance.release_figures import BenchMachine, PerformanceFigure

_GIB = 2**30
_US_PER_MS, _US_PER_S = 1e3, 1e6
_NS_PER_US = 1e3
_BASELINES = 200
"""Runs of the baseline before each benchmark."""
_COMMITS = 500
_CALLERS = 8
"""Concurrent callers that commit."""
_THRESHOLD = 0.85
_PARTIES = 10_000
_SEED = 1


@dataclass(frozen=True, slots=True)
class PerformancePlan:
    """What to measure: the number of businesses and of names, searches per second, the seconds of the load, and server processes.

    `rounds` is the number of reports of each kind, and that of ownership structures; `queries` is the number of names that are
    searched for and screened.
    """

    size: int
    rate: float
    seconds: float
    processes: int
    rounds: int
    queries: int


class BenchRun:
    """The figures of a run, with the baselines between its benchmarks."""

    def __init__(self, plan: PerformancePlan, on_step: OnStep) -> None:
        self.figures: list[PerformanceFigure] = []
        self._plan = plan
        self._on_step = on_step
        self._all_baselines: list[float] = []
        self._baseline_us = 0.0

    def measure_alone(self, folder: Path) -> None:
        """Run the benchmarks that need no loaded data. They use a temporary folder below `folder`."""
        self._measure_index(folder)
        self._measure_screening()
        self._measure_pdfs()
        self._measure_ownership()
        self._measure_commits(folder)

    async def measure_service(self, runtime: Runtime) -> None:
        """Run the benchmarks of the service over a loaded sandbox."""
        self._start("search")
        report = await run_search_bench(runtime, self._plan.queries)
        for part in report.figures:
            shown = f"{part.median_us / _US_PER_MS:,.2f} ms" if part.median_us >= _US_PER_MS else f"{part.median_us:,.1f} µs"
            # Each part has baselines of its own, which ran between its calls.
            floor_us = None if part.floor is None else part.floor.ms * _US_PER_MS
            self.figures.append(PerformanceFigure(f"search.{part.part}", part.part, shown, part.median_us, part.ratio, floor_us))
        self._start("load")
        order = HttpLoadSpec(self._plan.processes, max(1.0, self._plan.seconds / 6), self._plan.rate, self._plan.seconds)
        load = await run_load_bench(runtime, order, self._on_step)
        self._add_rate("load.hello", "Bare FastAPI application, requests per second", load.hello)
        self._add_rate("load.reads", "`GET /v1/search/{id}` over HTTP, requests per second", load.reads)
        searches, offered = load.searches, f"{load.offered:g} per second offered"
        if searches.times is not None:
            for name, value in (("p50", searches.times.p50), ("p99", searches.times.p99)):
                shown = f"{value:,.2f} ms; {searches.accepted:,} of {searches.sent:,} accepted"
                what = f"`POST /v1/search` over HTTP, {offered}, {name}"
                self._add(f"load.searches.{name}", what, value * _US_PER_MS, shown, searches.floor)

    def describe_machine(self, use: OtherUse | None) -> BenchMachine:
        """The machine, after all benchmarks; `use` is what other processes used during them."""
        return BenchMachine(
            processor=_read_processor(),
            cores=count_processors(),
            memory_gib=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / _GIB,
            system=f"{platform.system()} {platform.machine()}",
            python=platform.python_version(),
            extensions=_describe_extensions(),
            bandwidth_gib_s=measure_memory_bandwidth() / _GIB,
            baseline_us=statistics.median(self._all_baselines),
            other_use=describe_other_use(use),
        )

    def _start(self, what: str) -> None:
        """Report the next benchmark, and measure the baseline to which its figures are compared."""
        self._on_step(what)
        taken = [measure_baseline_ns() / _NS_PER_US for _ in range(_BASELINES)]
        self._all_baselines += taken
        self._baseline_us = statistics.median(taken)

    def _add(self, key: str, what: str, duration_us: float, shown: str | None = None, floor: PhysicalFloor | None = None) -> None:
        text = f"{duration_us / _US_PER_MS:,.2f} ms" if shown is None else shown
        floor_us = None if floor is None else floor.ms * _US_PER_MS
        self.figures.append(PerformanceFigure(key, what, text, duration_us, duration_us / self._baseline_us, floor_us))

    def _add_throughput(self, key: str, what: str, per_second: float, floor: PhysicalFloor | None = None) -> None:
        self._add(key, what, _US_PER_S / per_second, f"{per_second:,.0f}", floor)

    def _add_rate(self, key: str, what: str, rate: RateFigures) -> None:
        if rate.accepted:
            self._add_throughput(key, what, rate.per_second, rate.floor)

    def _measure_index(self, folder: Path) -> None:
        self._start("index")
        with TemporaryDirectory(prefix="bench-", dir=folder) as temporary:
            engines = (EngineName.INDEX, EngineName.SCORED)
            plan = IndexBenchPlan(Path(temporary), (self._plan.size,), engines=engines)
            own, scored = run_index_bench(plan, self._on_step).sizes[0].engines
        self._add_index(own, scored)

    def _add_index(self, own: IndexEngineFigures, scored: IndexEngineFigures) -> None:
        build = (own.builds or {}).get(1)
        if build is not None:
            self._add_throughput("index.build", "Build the index, names per processor second", self._plan.size / build.cpu_s)
        for name, engine in (("Index alone", own), ("Index and final score", scored)):
            if engine.sets:
                times = next(iter(engine.sets.values())).times
                key = f"index.{engine.engine}".replace(" ", "-")
                self._add(f"{key}.p50", f"{name}, a query, p50", times.p50 * _US_PER_MS)
                self._add(f"{key}.p99", f"{name}, a query, p99", times.p99 * _US_PER_MS)
        if own.hostile:
            self._add(
                "index.hostile", "Index alone, worst hostile query", max(each.max for each in own.hostile.values()) * _US_PER_MS
            )
        if own.typeahead:
            slowest = max(each.p50 for each in own.typeahead.values())
            self._add("typeahead.p50", "Typeahead, p50 of the slowest kind of prefix", slowest * _US_PER_MS)
            self._add("typeahead.p99", "Typeahead, p99 of any kind", max(each.p99 for each in own.typeahead.values()) * _US_PER_MS)

    def _measure_screening(self) -> None:
        self._start("screen")
        own = measure_screening(self._plan.size, self._plan.queries, _THRESHOLD, _ignore_progress).engines[0]
        self._add("screen.p50", "Screen a name, median", own.median_ms * _US_PER_MS)
        self._add("screen.p95", "Screen a name, p95", own.p95_ms * _US_PER_MS)
        self._add_throughput("screen.rate", "Screen names, per second and core", own.per_second)

    def _measure_pdfs(self) -> None:
        self._start("pdf")
        for figures in measure_pdfs(self._plan.rounds, _ignore_progress):
            if figures.document.endswith("en"):
                self._add(f"pdf.{figures.document}", f"PDF: {figures.document}", figures.median_ms * _US_PER_MS)

    def _measure_ownership(self) -> None:
        self._start("ownership")
        report = run_ownership_bench(_PARTIES, self._plan.rounds, _SEED, lambda _what, _done, _count: None)
        self._add("ownership.p50", f"Roll up {report.parties:,} parties, p50", report.times.p50 * _US_PER_MS)

    def _measure_commits(self, folder: Path) -> None:
        self._start("commits")
        report = asyncio.run(run_commits_bench(folder, _COMMITS, (_CALLERS,), lambda _what, _done, _count: None))
        for figures in report.figures:
            if figures.mode == CommitMode.GROUP:
                self._add_throughput(
                    "commits.group", f"Durable commits on SQLite, {_CALLERS} callers, per second", figures.per_second
                )


def _ignore_progress(_done: int, _count: int) -> None:
    pass


def _describe_extensions() -> str:
    compiled = {"search": search_extension is not None, "comparison of names": comparison_extension is not None}
    return "; ".join(f"{what} {'compiled' if is_compiled else 'in Python'}" for what, is_compiled in compiled.items())


def _read_processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
