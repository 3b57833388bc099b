"""`bonafide bench fit`: fit the numbers of the scoring to labelled pairs of real names."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, print_json
from bonafide.cli.output import out

if TYPE_CHECKING:
    from bonafide_bench.fitting.fit import FitResult

REPORT = Path("docs/reference/scoring-fit.md")
DEFAULT_SEED = 20


def fit(
    real_data: Annotated[
        Path, typer.Option(exists=True, file_okay=False, help="A folder with sanctions/, registries/ and labelled/.")
    ],
    write: Annotated[bool, typer.Option("--write", help="Write the numbers to the source files, and the report.")] = False,
    report: Annotated[Path, typer.Option(help="The file of the report.")] = REPORT,
    seed: Annotated[int, typer.Option(help="Seed of the order in which numbers are varied.")] = DEFAULT_SEED,
    most_pairs: Annotated[int, typer.Option(min=1, help="At most so many pairs of each set.")] = 300,
    people: Annotated[
        int, typer.Option(min=0, help="Names of unlisted people whose nearest listed names are training pairs.")
    ] = 2_000,
    workers: Annotated[int, typer.Option(min=1, help="Processes at once.")] = 2,
    as_json: AsJson = False,
) -> None:
    """Fit the numbers of the score to the training parts of real names, within their ranges.

    Without --write, print what would change.
    """
    from bonafide_bench.fitting.fit import fit_scoring  # noqa: PLC0415 - imports all of the matching; other commands must not pay for it
    from bonafide_bench.fitting.fit_report import render_report  # noqa: PLC0415
    from bonafide_bench.fitting.source_numbers import write_numbers  # noqa: PLC0415
    from bonafide_bench.fitting.training_pairs import read_training_pairs  # noqa: PLC0415

    try:
        with show_progress("bench fit") as told:
            pairs = read_training_pairs(real_data, told, people=people, most_pairs=most_pairs)
            result = fit_scoring(pairs, seed, told, workers)
    except FileNotFoundError as missing:
        raise typer.BadParameter(f"--real-data: {missing.filename} is missing.") from missing
    if write:
        write_numbers(result.numbers, {change.key: change.after for change in result.changes})
        report.write_text(render_report(result), encoding="utf-8")
    if as_json:
        print_json({**asdict(result), "numbers": [number.key for number in result.numbers]})
    else:
        _print_result(result)


def _print_result(result: "FitResult") -> None:
    out.print(f"{sum(result.sizes.values()):,} pairs, {result.fitted} numbers, seed {result.seed}", highlight=False)
    for kind, before in result.before.items():
        out.print(f"  {kind}: loss {before:.4f}, then {result.after[kind]:.4f}", highlight=False)
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("Number", "Before", "After"):
        table.add_column(heading)
    for change in result.changes:
        table.add_row(change.key, f"{change.before:g}", f"{change.after:g}")
    out.print("\n", table)
