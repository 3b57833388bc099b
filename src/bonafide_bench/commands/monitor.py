"""`bonafide bench monitor`: match a portfolio of monitored parties against changed sanctions lists, and print the figures."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from bonafide.cli.options import AsJson, print_json
from bonafide.cli.output import out

if TYPE_CHECKING:
    from bonafide_bench.monitoring.portfolio_matching import MonitorReport

_HEADINGS = (
    "Changed",
    "Parties",
    "Processes",
    "Index s",
    "Match s",
    "CPU s",
    "Peak MiB",
    "Planted",
    "Found",
    "Missed",
    "Others",
)
SIZE, LISTED_NAMES, CHANGED, PLANTED = 1_000_000, 100_000, 5_000, 500


def monitor(
    size: Annotated[int, typer.Option("--size", min=1000, help="Number of monitored parties.")] = SIZE,
    listed: Annotated[int, typer.Option("--listed", min=1000, help="Number of generated listed names.")] = LISTED_NAMES,
    changes: Annotated[int, typer.Option("--changes", min=10, help="Number of changed entries of a day.")] = CHANGED,
    processes: Annotated[int, typer.Option("--processes", min=1, help="Processes of the full reload.")] = 2,
    full: Annotated[bool, typer.Option("--full/--no-full", help="Measure a full reload too.")] = True,
    threshold: Annotated[float, typer.Option(min=0.7, max=1.0, help="Minimum score of a match.")] = 0.85,
    as_json: AsJson = False,
) -> None:
    """Measure the monitoring of parties: a day's changes in one process, and a reload in which every entry is new in several."""
    from bonafide_bench.monitoring.portfolio_matching import MonitorPlan, measure_monitoring  # noqa: PLC0415 - takes half a second to import; other commands must not pay for it

    planted = min(PLANTED, size // 20)
    plans = [MonitorPlan(size, listed, changes, planted, 1, threshold)]
    plans += [MonitorPlan(size, listed, listed, planted, processes, threshold)] if full else []
    reports = [measure_monitoring(plan) for plan in plans]
    if as_json:
        print_json([asdict(report) for report in reports])
    else:
        _print(reports)


def _print(reports: "list[MonitorReport]") -> None:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in _HEADINGS:
        table.add_column(heading, justify="right")
    for report in reports:
        counts = (f"{report.changed:,}", f"{report.parties:,}", str(report.processes))
        times = (f"{report.built_s:.1f}", f"{report.matched_s:.0f}", f"{report.cpu_s:.0f}", f"{report.peak_mib:.0f}")
        table.add_row(*counts, *times, f"{report.expected:,}", f"{report.found:,}", str(report.missed), f"{report.others:,}")
    out.print(table)
