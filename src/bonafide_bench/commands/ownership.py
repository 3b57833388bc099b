"""`bonafide bench ownership`: measure the roll-up of a large ownership structure, and print a table."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, print_json
from bonafide.cli.output import out

if TYPE_CHECKING:
    from bonafide_bench.measurements.ownership import OwnershipReport


def ownership(
    size: Annotated[int, typer.Option("--size", min=10, help="Number of parties of each structure.")] = 10_000,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Number of structures.")] = 10,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the first structure.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Measure the roll-up of ownership structures with chains, cycles, bands, control without shares and unknown owners."""
    from bonafide_bench.measurements.ownership import run_ownership_bench  # noqa: PLC0415 - slow to import; other commands must not pay for it

    with show_progress("bench ownership") as told:
        report = run_ownership_bench(size, rounds, seed, told)
    if as_json:
        print_json(asdict(report))
    else:
        _print(report)


def _print(report: "OwnershipReport") -> None:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("Parties", "Interests", "In cycles", "Median ms", "95 % ms", "CPU median ms"):
        table.add_column(heading, justify="right")
    counts = (f"{count:,}" for count in (report.parties, report.interests, report.in_cycles))
    table.add_row(*counts, f"{report.times.p50:.0f}", f"{report.times.p95:.0f}", f"{report.cpu_times.p50:.0f}")
    out.print(table)
