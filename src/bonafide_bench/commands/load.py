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

if TYPE_CHECKING:
    from bonafide_bench.measurements.hostile_load import HostileLoadReport, HostileLoadSpec
    from bonafide_bench.measurements.load import HttpLoadSpec, RateFigures, ServiceLoadReport

MIB = 1024 * 1024
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
    out.print(f"{report.entries:,} entries, {report.processes} processes, clients on the same machine.\n", highlight=False)
    table = _create_table("Searches of one organization")
    table.add_row("Alone", *_cells(report.alone))
    table.add_row("While another floods", *_cells(report.attacked))
    out.print(table)
    out.print(f"\nUnder attack relative to alone: p50 {report.p50_ratio:.2f}, p99 {report.p99_ratio:.2f}.", highlight=False)
    for kind, counts in asdict(report.flood).items():
        responses = ", ".join(f"{count:,} x {status}" for status, count in sorted(counts.items()))
        out.print(f"Flood, {kind}: {responses}.", highlight=False)


def _create_table(what: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column(what)
    for heading in ("Per second", "p50 ms", "p95 ms", "p99 ms", "Max ms", "Failed"):
        table.add_column(heading, justify="right")
    return table


def _print(report: "ServiceLoadReport") -> None:
    out.print(
        f"{report.entries:,} entries on {report.database}, {report.processes} processes, client on the same machine.\n",
        highlight=False,
    )
    table = _create_table("Request")
    table.add_row("Baseline: minimal FastAPI application", *_cells(report.hello))
    table.add_row("GET /v1/search/{id}", *_cells(report.reads))
    table.add_row(f"POST /v1/search, {report.offered:g}/s offered", *_cells(report.searches))
    out.print(table)
    out.print(f"\nRead throughput relative to the baseline: {report.share:.2f}.", highlight=False)
    step = max(1, len(report.memory) // SHOWN_SAMPLES)
    shown = ", ".join(f"{held / MIB:,.0f} at {at / 60:.1f} min" for at, held in report.memory[::step])
    out.print(f"Private memory of all processes, MiB: {shown}.", highlight=False)


def _cells(rate: "RateFigures") -> tuple[str, ...]:
    times = rate.times
    figures = (f"{times.p50:,.1f}", f"{times.p95:,.1f}", f"{times.p99:,.1f}", f"{times.max:,.1f}")
    return f"{rate.per_second:,.0f}", *figures, ", ".join(f"{count} x {status}" for status, count in rate.failed.items())
