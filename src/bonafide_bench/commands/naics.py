"""`bonafide bench naics`: how often the class of an official phrase is found that the index does not hold."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out

if TYPE_CHECKING:
    from bonafide_bench.measurements.naics import NaicsReport

SHOWN_MISSES = 5


def naics(
    file: Annotated[list[Path], typer.Option("--file", help="An official table, structure or elements; given for each.")],
    held_out: Annotated[int, typer.Option(min=1, help="How many official phrases are held out of the index.")] = 300,
    seed: Annotated[int | None, typer.Option(help="Which phrases; without it the same ones every time.")] = None,
    as_json: AsJson = False,
    _data_dir: DataDir = None,  # every command takes it, for scripts that give it to all
) -> None:
    """Measure the industry: how often the class of an official phrase is the first found, and among the first five."""
    from bonafide_bench.measurements.naics import SEED, measure_naics  # noqa: PLC0415 - a second that no other command should wait for

    with show_progress("bench naics") as told:
        report = measure_naics(
            file, held_out, SEED if seed is None else seed, lambda done, count: told("ask for phrases", done, count)
        )
    if as_json:
        print_json(asdict(report))
    else:
        _print_report(report)


def _print_report(report: "NaicsReport") -> None:
    out.print(
        f"{report.held_out:,} official phrases (seed {report.seed}) held out of an index of {report.indexed:,} in "
        f"{report.classes:,} classes:",
        highlight=False,
    )
    out.print(f"  class is the first found    {report.first:.1%}", highlight=False)
    out.print(f"  class is among the first 5  {report.top:.1%}", highlight=False)
    out.print(
        f"  sure enough for a code ({report.min_confidence:g})  {report.coded:.1%}, of which right {report.right:.1%}",
        highlight=False,
    )
    out.print(f"  milliseconds: {report.times.p50:.2f} in the median, {report.times.p95:.2f} at 95 in 100", highlight=False)
    for missed in report.missed[:SHOWN_MISSES]:
        out.print(escape(f"  {missed.phrase}: {missed.code}, found {missed.found}"), highlight=False, style="dim", soft_wrap=True)
