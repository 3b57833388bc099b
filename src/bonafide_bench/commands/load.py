"""`bonafide bench load`: load-test the service and a minimal FastAPI application as baseline, and print a table."""

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
    from bonafide_bench.measurements.load import HttpLoadSpec, RateFigures, ServiceLoadReport

MIB = 1024 * 1024
SHOWN_SAMPLES = 12


def load(
    size: Annotated[int, typer.Option(min=1000, max=10_000_000, help="Number of businesses in the sandbox.")] = 100_000,
    processes: Annotated[int, typer.Option(min=1, max=64, help="Server processes, of the service and of the baseline.")] = 2,
    rate: Annotated[float, typer.Option(min=0.1, help="Search requests per second.")] = 100.0,
    seconds: Annotated[float, typer.Option(min=1, help="Duration of the search load, in seconds.")] = 30.0,
    read_seconds: Annotated[float, typer.Option(min=0.5, help="Duration of each round of reads, in seconds.")] = 5.0,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Measure the service under load: read throughput relative to a minimal application, searches at a given rate, memory."""
    from bonafide_bench.measurements.load import HttpLoadSpec  # noqa: PLC0415 - slow to import; other commands must not pay for it

    report = run(_measured(data_dir, size, HttpLoadSpec(processes, read_seconds, rate, seconds)))
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


def _print(report: "ServiceLoadReport") -> None:
    out.print(
        f"{report.entries:,} entries on {report.database}, {report.processes} processes, client on the same machine.\n",
        highlight=False,
    )
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("Request")
    for heading in ("Per second", "p50 ms", "p95 ms", "p99 ms", "Max ms", "Failed"):
        table.add_column(heading, justify="right")
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
