"""`bonafide bench load`: load-test the service and a minimal FastAPI application as baseline, and print a table.

With `--hostile`, measure the searches of one organization while another floods the service.
"""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from bonafide.cli.command_runtime import open_command_runtime, run
from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import err, out
from bonafide_bench.harness.core_use import describe_other_use

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonafide_bench.measurements.hostile_load import HostileLoadReport, HostileLoadSpec
    from bonafide_bench.measurements.load import HttpLoadSpec, RateFigures, ServiceLoadReport

MIB, GIB = 2**20, 2**30
_NONE = "–"
SHOWN_SAMPLES = 12
RATE = 100.0
HOSTILE_RATE = 10.0


def load(
    size: Annotated[int, typer.Option(min=1000, max=10_000_000, help="Number of businesses in the sandbox.")] = 100_000,
    processes: Annotated[int, typer.Option(min=1, max=64, help="Server processes, of the service and of the baseline.")] = 2,
    rate: Annotated[
        float | None, typer.Option(min=0.1, help="Search requests per second; 100 by default, 10 with --hostile.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, help="Duration of the search load, in seconds.")] = 30.0,
    read_seconds: Annotated[float, typer.Option(min=0.5, help="Duration of each round of reads, in seconds.")] = 5.0,
    hostile: Annotated[
        bool, typer.Option("--hostile", help="Measure one organization's searches while another floods the service.")
    ] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Measure the service under load: read throughput relative to a minimal application, searches at a given rate, memory."""
    from bonafide_bench.measurements.hostile_load import HostileLoadSpec  # noqa: PLC0415 - slow to import
    from bonafide_bench.measurements.load import HttpLoadSpec  # noqa: PLC0415 - slow to import

    if hostile:
        chosen = rate if rate is not None else HOSTILE_RATE
        _show_hostile(run(_measured_hostile(data_dir, size, HostileLoadSpec(processes, chosen, seconds))), as_json=as_json)
        return
    chosen = rate if rate is not None else RATE
    report = run(_measured(data_dir, size, HttpLoadSpec(processes, read_seconds, chosen, seconds)))
    if as_json:
        print_json(asdict(report))
    else:
        _print(report)


async def _measured(data_dir: Path | None, size: int, order: "HttpLoadSpec") -> "ServiceLoadReport":
    from bonafide_bench.measurements.load import run_load_bench  # noqa: PLC0415 - as in `load`
    from bonafide_sandbox.demo import prepare_sandbox  # noqa: PLC0415

    async with open_command_runtime(data_dir) as runtime:
        with show_progress("bench load") as told:
            await prepare_sandbox(runtime, size, told)
        return await run_load_bench(runtime, order, lambda what: err.print(f"{what} ..."))


async def _measured_hostile(data_dir: Path | None, size: int, order: "HostileLoadSpec") -> "HostileLoadReport":
    from bonafide_bench.measurements.hostile_load import run_hostile_load_bench  # noqa: PLC0415 - as in `load`
    from bonafide_sandbox.demo import prepare_sandbox  # noqa: PLC0415

    async with open_command_runtime(data_dir) as runtime:
        with show_progress("bench load") as told:
            await prepare_sandbox(runtime, size, told)
        return await run_hostile_load_bench(runtime, order, lambda what: err.print(f"{what} ..."))


def _show_hostile(report: "HostileLoadReport", *, as_json: bool) -> None:
    if as_json:
        print_json({**asdict(report), "p50Ratio": report.p50_ratio, "p99Ratio": report.p99_ratio})
        return
    out.print(
        f"{report.entries:,} entries, {report.processes} processes, clients on the same machine, {report.rounds} rounds.\n",
        highlight=False,
    )
    table = _create_table("Searches of one organization")
    table.add_row("Alone", *_cells(report.alone))
    table.add_row("While another floods", *_cells(report.attacked))
    out.print(table)
    ratios = ", ".join(
        f"{name} {_NONE if ratio is None else format(ratio, '.2f')}"
        for name, ratio in (("p50", report.p50_ratio), ("p99", report.p99_ratio))
    )
    out.print(f"\nUnder attack relative to alone: {ratios}.", highlight=False)
    for kind, counts in asdict(report.flood).items():
        responses = ", ".join(f"{count:,} x {status}" for status, count in sorted(counts.items()))
        out.print(f"Flood, {kind}: {responses}.", highlight=False)


def _create_table(what: str, *further: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column(what)
    for heading in ("Accepted/s", "p50 ms", "p95 ms", "p99 ms", "Max ms", "Sent", "Accepted", "Refused", "Failed", *further):
        table.add_column(heading, justify="right")
    return table


def _print(report: "ServiceLoadReport") -> None:
    out.print(
        f"{report.entries:,} entries on {report.database}, {report.processes} processes, client on the same cores."
        f" {report.rounds} rounds of {report.round_s:g} s of baseline and reads in turns; searches for {report.search_s:g} s.\n",
        highlight=False,
    )
    table = _create_table("Request", "× baseline", "Pages", "Floor ms")
    rows = {
        "Baseline: minimal FastAPI application": report.hello,
        "GET /v1/search/{id}": report.reads,
        f"POST /v1/search, {report.offered:g}/s offered": report.searches,
    }
    for what, rate in rows.items():
        baselines = report.compute_baselines(rate)
        floor = rate.floor
        further = (
            _NONE if baselines is None else f"{baselines:,.1f}",
            *((_NONE, _NONE) if floor is None else (f"{floor.pages:,.0f}", f"{floor.ms:.3f}")),
        )
        table.add_row(what, *_cells(rate), *further)
    out.print(table)
    out.print(f"\nRead throughput relative to the baseline: {report.share:.2f}.", highlight=False)
    if report.hello.floor is not None:
        out.print(
            "× baseline is the ratio of the medians; baseline and reads have 16 clients, searches are sent when they are due. The"
            " floor is the time for a cache line of each page that a request touches in the server's processes, at"
            f" {report.hello.floor.bandwidth / GIB:.1f} GiB/s.",
            highlight=False,
        )
    out.print(describe_other_use(report.other_use), highlight=False)
    step = max(1, len(report.memory) // SHOWN_SAMPLES)
    shown = ", ".join(f"{held / MIB:,.0f} at {at / 60:.1f} min" for at, held in report.memory[::step])
    out.print(f"Private memory of all processes, MiB: {shown}.", highlight=False)


def _cells(rate: "RateFigures") -> tuple[str, ...]:
    times = rate.times
    latencies = (times.p50, times.p95, times.p99, times.max) if times is not None else ()
    cells = tuple(f"{value:,.1f}" for value in latencies) or (_NONE,) * 4
    counts = f"{rate.sent:,}", f"{rate.accepted:,}", _format_statuses(rate.refused), _format_statuses(rate.failed)
    return f"{rate.per_second:,.0f}", *cells, *counts


def _format_statuses(counts: "Mapping[int, int]") -> str:
    return ", ".join(f"{count:,} x {status}" for status, count in counts.items()) or "0"
