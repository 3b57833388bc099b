"""`bonafide bench commits`: measure what durable commits cost on SQLite, and print a table."""

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from bonafide.cli.command_runtime import load_settings
from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out

if TYPE_CHECKING:
    from bonafide_bench.measurements.commits import CommitsReport

CALLERS = (1, 8, 32)


def commits(
    count: Annotated[int, typer.Option("--commits", min=10, help="Number of commits of each measurement.")] = 500,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Measure commits on SQLite: not durable, with a write-out for each, and with shared write-outs, as the service does.

    The benchmark creates temporary databases in the data directory, whose disk it measures, and deletes them.
    """
    from bonafide_bench.measurements.commits import run_commits_bench  # noqa: PLC0415 - slow to import; other commands must not pay for it

    folder = load_settings(data_dir).data_dir
    folder.mkdir(parents=True, exist_ok=True)
    with show_progress("bench commits") as told:
        report = asyncio.run(run_commits_bench(folder, count, CALLERS, told))
    if as_json:
        print_json(asdict(report))
    else:
        _print(report)


def _print(report: "CommitsReport") -> None:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("A commit waits for")
    for heading in ("Callers", "Per second", "Median ms", "95 % ms"):
        table.add_column(heading, justify="right")
    for row in report.figures:
        times = (f"{row.times.p50:.2f}", f"{row.times.p95:.2f}")
        table.add_row(row.mode, str(row.callers), f"{row.per_second:,.0f}", *times)
    out.print(table)
