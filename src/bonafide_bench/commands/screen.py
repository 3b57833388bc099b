"""`bonafide bench screen`: speed and accuracy of screening against all lists, with a full scan as baseline."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out

if TYPE_CHECKING:
    from bonafide_bench.measurements.screen import ScreenReport


def screen(
    names: Annotated[int, typer.Option(min=1000, max=1_000_000, help="Number of generated listed names.")] = 100_000,
    queries: Annotated[int, typer.Option(min=20, help="Number of names to screen; the full scans screen the first 200.")] = 2000,
    threshold: Annotated[float, typer.Option(min=0.7, max=1.0, help="Minimum score of a match.")] = 0.85,
    as_json: AsJson = False,
    _data_dir: DataDir = None,  # every command accepts it, for scripts that pass it to all
) -> None:
    """Measure screening: time per name, names per second on one core, recall of listed names, and false positives."""
    from bonafide_bench.measurements.screen import measure_screening  # noqa: PLC0415 - takes half a second to import; other commands must not pay for it

    with show_progress("bench screen") as told:
        report = measure_screening(names, queries, threshold, lambda done, count: told("names", done, count))
    if as_json:
        print_json(asdict(report))
    else:
        _print_report(report)


def _print_report(report: "ScreenReport") -> None:
    from bonafide_bench.measurements.screen import PEOPLE_OF_A_BUSINESS  # noqa: PLC0415 - imported by the command already

    memory = f", {report.memory_mib:,.0f} MiB" if report.memory_mib is not None else ""
    out.print(
        f"{report.names:,} names of {report.parties:,} parties, read in {report.built_s:.1f} s{memory}."
        f" Match threshold: {report.threshold:.2f}.\n",
        highlight=False,
    )
    table = _table("Engine", "Median ms", "95 % ms", "Names/s", "Recall", "False positives", "Names screened")
    for item in report.engines:
        numbers = (f"{item.median_ms:.2f}", f"{item.p95_ms:.2f}", f"{item.per_second:,.0f}")
        table.add_row(item.engine, *numbers, f"{item.found:.1%}", f"{item.alarms:.2%}", str(item.asked))
    out.print(table)
    kinds = _table("Names", "Matched")
    for kind, share in report.kinds.items():
        kinds.add_row(kind, f"{share:.1%}")
    out.print("\n", kinds)
    out.print(
        f"\nThe people of one business ({PEOPLE_OF_A_BUSINESS}): {report.party_set_ms:.2f} ms median,"
        f" {report.party_set_p95_ms:.2f} ms at the 95th percentile.",
        highlight=False,
    )


def _table(first: str, *rest: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column(first)
    for heading in rest:
        table.add_column(heading, justify="right")
    return table
