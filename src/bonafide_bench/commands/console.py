"""`bonafide bench console`: measure the response time of each page for a given number of stored searches, and print a table."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from bonafide.cli.command_runtime import open_command_runtime, run
from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out

if TYPE_CHECKING:
    from bonafide_bench.measurements.console import ConsoleReport

SIZE = 1000


def console(
    searches: Annotated[int, typer.Option(min=10, max=10_000_000, help="Number of searches and other records.")] = 100_000,
    cases: Annotated[int, typer.Option(min=10, max=1_000_000, help="Number of cases and manual checks.")] = 10_000,
    rounds: Annotated[int, typer.Option(min=5, max=10_000, help="How many times each page is requested.")] = 30,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Measure the response times of the console and documentation pages, relative to a baseline in the same run.

    The benchmark creates a temporary organization with test data in the configured database and deletes it afterwards.
    """
    report = run(_measured(data_dir, searches, cases, rounds))
    if as_json:
        print_json(asdict(report))
    else:
        _print(report)


async def _measured(data_dir: Path | None, searches: int, cases: int, rounds: int) -> "ConsoleReport":
    from bonafide_bench.measurements.console import run_console_bench  # noqa: PLC0415 - with the next, takes half a second to import; other commands must not pay for it
    from bonafide_sandbox.demo import prepare_sandbox  # noqa: PLC0415

    async with open_command_runtime(data_dir) as runtime:
        with show_progress("bench console") as told:
            await prepare_sandbox(runtime, SIZE, told)
            return await run_console_bench(runtime, searches, rounds, told, cases)


def _print(report: "ConsoleReport") -> None:
    yard = report.yardstick.p50
    measure = f"Baseline (serialize and parse a JSON document): {yard * 1000:,.0f} µs."
    out.print(f"{report.searches:,} searches and {report.cases:,} cases on {report.database}. {measure}\n", highlight=False)
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("Page")
    for heading in ("Median ms", "95 % ms", "CPU ms", "Baselines", "kB"):
        table.add_column(heading, justify="right")
    for item in report.pages:
        figures = (
            f"{item.times.p50:.1f}",
            f"{item.times.p95:.1f}",
            f"{item.cpu.p50:.1f}",
            f"{item.times.p50 / yard:.1f}",
            f"{item.bytes / 1000:.1f}",
        )
        table.add_row(item.page, *figures)
    out.print(table)
