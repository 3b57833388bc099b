"""`bonafide bench search`: measure each part of a search on a sandbox of a given size, and print a table."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from bonafide.cli.command_runtime import open_command_runtime, run
from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out

if TYPE_CHECKING:
    from bonafide_bench.measurements.search import SearchBenchReport

SHOWN_MISSES = 5
US_PER_MS = 1e3


def search(
    size: Annotated[int, typer.Option(min=1000, max=10_000_000, help="Number of businesses in the sandbox.")] = 100_000,
    queries: Annotated[int, typer.Option(min=20, help="Number of corrupted names to search for.")] = 300,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Measure each part of a search, relative to a baseline in the same run."""
    report = run(_measured(data_dir, size, queries))
    if as_json:
        print_json(asdict(report))
    else:
        _print_report(report)


async def _measured(data_dir: Path | None, size: int, queries: int) -> "SearchBenchReport":
    from bonafide_bench.measurements.search import run_search_bench  # noqa: PLC0415 - with the next, takes half a second to import; other commands must not pay for it
    from bonafide_sandbox.demo import prepare_sandbox  # noqa: PLC0415

    async with open_command_runtime(data_dir) as runtime:
        with show_progress("bench search") as told:
            await prepare_sandbox(runtime, size, told)
        return await run_search_bench(runtime, queries)


def _print_report(report: "SearchBenchReport") -> None:
    out.print(
        f"{report.entries:,} entries. Baseline (serialize and parse a JSON document): {report.yardstick_us:,.0f} µs.\n",
        highlight=False,
    )
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("Part")
    for heading in ("Median µs", "95 % µs", "Baselines", "Pages", "Floor µs", "Calls"):
        table.add_column(heading, justify="right")
    for figure in report.figures:
        floor = figure.floor
        floor_cells = ("–", "–") if floor is None else (f"{floor.pages:,.0f}", f"{floor.ms * US_PER_MS:,.1f}")
        times = f"{figure.median_us:,.0f}", f"{figure.p95_us:,.0f}", f"{figure.ratio:.2f}"
        table.add_row(figure.part, *times, *floor_cells, str(figure.calls))
    out.print(table)
    out.print("Floor: the time in which the memory delivers a cache line of each page that a call touches.\n", highlight=False)
    found = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("Corruption", "First", "In first 20", "Missed"):
        found.add_column(heading)
    for kind, recall in report.recall.items():
        missed = escape("; ".join(recall.missed[:SHOWN_MISSES]))
        found.add_row(kind, f"{recall.first}/{recall.asked}", f"{recall.among_twenty}/{recall.asked}", missed)
    out.print("\n", found)
