"""`bonafide bench naics`: accuracy of industry classification on official phrases that are held out of the index."""

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
    file: Annotated[list[Path], typer.Option("--file", help="An official table, structure or elements; repeatable.")],
    held_out: Annotated[int, typer.Option(min=1, help="Number of official phrases to hold out of the index.")] = 300,
    seed: Annotated[int | None, typer.Option(help="Seed for the choice of phrases; fixed by default.")] = None,
    as_json: AsJson = False,
    _data_dir: DataDir = None,  # every command accepts it, for scripts that pass it to all
) -> None:
    """Measure industry classification: how often the class of a held-out phrase is the first candidate or in the first five."""
    from bonafide_bench.measurements.naics import SEED, measure_naics  # noqa: PLC0415 - takes a second to import; other commands must not pay for it

    with show_progress("bench naics") as told:
        report = measure_naics(
            file, held_out, SEED if seed is None else seed, lambda done, count: told("classify phrases", done, count)
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
    out.print(f"  class is the first candidate {report.first:.1%}", highlight=False)
    out.print(f"  class is in the first 5      {report.top:.1%}", highlight=False)
    out.print(
        f"  confidence of at least {report.min_confidence:g}: {report.coded:.1%}, of which correct {report.right:.1%}",
        highlight=False,
    )
    out.print(f"  milliseconds: p50 {report.times.p50:.2f}, p95 {report.times.p95:.2f}", highlight=False)
    for missed in report.missed[:SHOWN_MISSES]:
        out.print(escape(f"  {missed.phrase}: {missed.code}, found {missed.found}"), highlight=False, style="dim", soft_wrap=True)
