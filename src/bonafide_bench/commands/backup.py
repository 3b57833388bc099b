"""`bonafide bench backup`: measure backup and restore, and print a table."""

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
    from bonafide_bench.measurements.backup import BackupReport

SIZE = 1000
MB = 1_000_000


def backup(
    searches: Annotated[int, typer.Option(min=10, max=10_000_000, help="Number of stored searches and records.")] = 100_000,
    into: Annotated[str | None, typer.Option(help="An empty database to restore into; a SQLite file by default.")] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Measure backup, verification and restore of the configured database.

    The benchmark creates a temporary organization with test data and deletes it afterwards. Data restored into another database
    is kept.
    """
    report = run(_measured(data_dir, searches, into))
    if as_json:
        print_json(asdict(report))
    else:
        _print(report)


async def _measured(data_dir: Path | None, searches: int, into: str | None) -> "BackupReport":
    from bonafide_bench.measurements.backup import run_backup_bench  # noqa: PLC0415 - with the next, takes half a second to import; other commands must not pay for it
    from bonafide_sandbox.demo import prepare_sandbox  # noqa: PLC0415

    async with open_command_runtime(data_dir) as runtime:
        with show_progress("bench backup") as told:
            await prepare_sandbox(runtime, SIZE, told)
            return await run_backup_bench(runtime, searches, into, told)


def _print(report: "BackupReport") -> None:
    held = f"{report.rows:,} rows, {report.bytes / MB:,.0f} MB compressed"
    out.print(f"From {report.database} into {report.into}: {held}.\n", highlight=False)
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("Step")
    for heading in ("Seconds", "Rows/s", "MB/s"):
        table.add_column(heading, justify="right")
    for step, seconds in report.seconds.items():
        table.add_row(step, f"{seconds:.1f}", f"{report.rows / seconds:,.0f}", f"{report.bytes / MB / seconds:.1f}")
    out.print(table)
