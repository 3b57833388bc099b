"""`bonafide bench records`: measure upserts and the change feed on the configured database, and print a table."""

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
    from bonafide_bench.measurements.figures import LatencyFigures
    from bonafide_bench.measurements.records import RecordsReport

MS_A_SECOND = 1000


def records(
    size: Annotated[int, typer.Option(min=1000, max=10_000_000, help="Number of business records in the feed.")] = 100_000,
    upserts: Annotated[int, typer.Option(min=10, help="Number of records to create and then change.")] = 1000,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Measure business records: upserts, and pages of the change feed at its start and at its end.

    The benchmark creates the records of a temporary organization in the configured database and deletes them afterwards.
    """
    report = run(_measured(data_dir, size, upserts))
    if as_json:
        print_json(asdict(report))
    else:
        _print(report)


async def _measured(data_dir: Path | None, size: int, upserts: int) -> "RecordsReport":
    from bonafide_bench.measurements.records import run_records_bench  # noqa: PLC0415 - slow to import; other commands must not pay for it

    async with open_command_runtime(data_dir) as runtime:
        with show_progress("bench records") as told:
            return await run_records_bench(runtime, size, upserts, told)


def _print(report: "RecordsReport") -> None:
    yard = report.yardstick.p50
    out.print(f"{report.records:,} records on {report.database}. Baseline (SELECT 1): {yard:.2f} ms.\n", highlight=False)
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("Operation")
    for heading in ("Median ms", "95 % ms", "Baselines", "Per second", "Calls"):
        table.add_column(heading, justify="right")
    parts = [(f"Page of 100 {place}", times) for place, times in report.pages.items()]
    for what, times in [*parts, *((f"Upsert {kind}", times) for kind, times in report.upserts.items())]:
        table.add_row(what, *_cells(times, yard))
    out.print(table)


def _cells(times: "LatencyFigures", yard: float) -> tuple[str, ...]:
    figures = (f"{times.p50:.2f}", f"{times.p95:.2f}", f"{times.p50 / yard:.1f}")
    return *figures, f"{MS_A_SECOND / times.mean:,.0f}", str(times.count)
