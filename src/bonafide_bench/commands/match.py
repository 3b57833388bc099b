"""`bonafide bench match`: precision and recall of the score on labelled pairs, and false matches of unregistered names.

With `--real-data` it measures on real names instead; `commands.real_names` prints these figures.
"""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.markup import escape
from rich.table import Table

from bonafide.cli.command_runtime import open_command_runtime, run
from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out

if TYPE_CHECKING:
    from bonafide_bench.measurements.match import CategoryFigures, MatchReport

SHOWN_EXAMPLES = 3
RealData = Annotated[
    Path | None,
    typer.Option(exists=True, file_okay=False, help="A folder with sanctions/, registries/ and labelled/: measure on real names."),
]
MostPairs = Annotated[int | None, typer.Option(min=1, help="With --real-data: at most so many pairs of each part of a set.")]


class RealNameOptions(NamedTuple):
    """The options of a measurement on real names."""

    data: Path
    people: int
    most_pairs: int | None
    dump: Path | None
    compare_with: Path | None
    write_calibration: bool


def match(
    size: Annotated[int, typer.Option(min=1000, max=10_000_000, help="Number of businesses in the sandbox.")] = 100_000,
    pairs: Annotated[int, typer.Option(min=10, help="Number of labelled pairs in each category.")] = 150,
    strangers: Annotated[int, typer.Option(min=0, help="Number of unregistered names to search for.")] = 10_000,
    real_data: RealData = None,
    people: Annotated[
        int, typer.Option(min=0, help="With --real-data: names of unlisted people to screen, of each source.")
    ] = 10_000,
    most_pairs: MostPairs = None,
    dump: Annotated[Path | None, typer.Option(help="With --real-data: write each pair with its score to this file.")] = None,
    compare_with: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="With --real-data: a file of --dump to compare the scores with."),
    ] = None,
    write_calibration: Annotated[
        bool,
        typer.Option("--write-calibration", help="With --real-data, in a checkout: write the calibration to its documentation."),
    ] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Measure the score: precision and recall on labelled pairs by category, and false matches of unregistered names.

    With --real-data, measure on real names, beside other programs, with the calibration of the score.
    """
    if real_data is not None:
        from bonafide_bench.commands.real_names import measure_and_print  # noqa: PLC0415 - only this option needs the lists' readers

        measure_and_print(RealNameOptions(real_data, people, most_pairs, dump, compare_with, write_calibration), as_json=as_json)
        return
    if dump is not None or compare_with is not None or write_calibration:
        raise typer.BadParameter("--dump, --compare-with and --write-calibration need --real-data.")
    report = run(_measured(data_dir, size, pairs, strangers))
    if as_json:
        print_json(asdict(report))
    else:
        _print_report(report)


async def _measured(data_dir: Path | None, size: int, pairs: int, strangers: int) -> "MatchReport":
    from bonafide_bench.measurements.match import measure_matching  # noqa: PLC0415 - with the next, takes half a second to import; other commands must not pay for it
    from bonafide_sandbox.demo import prepare_sandbox  # noqa: PLC0415

    async with open_command_runtime(data_dir) as runtime:
        with show_progress("bench match") as told:
            await prepare_sandbox(runtime, size, told)
            return await measure_matching(runtime, pairs, strangers, lambda done, count: told("unregistered names", done, count))


def _print_report(report: "MatchReport") -> None:
    table = _table("Threshold", "Precision", "Recall", "F1")
    for item in report.decisions:
        best = " (best)" if item is report.decisions[-1] else ""
        table.add_row(f"{item.threshold:.3g}{best}", *(f"{value:.4f}" for value in (item.precision, item.recall, item.f1)))
    out.print(table)
    for title, same in (("Same business: recall", True), ("Different businesses: false matches", False)):
        out.print("\n", _categories(title, report, [item for item in report.categories if item.same is same]))
    found = report.strangers
    out.print(f"\n{found.asked:,} unregistered names, {found.borne:,} identical to a registered one. False matches of the others:")
    for threshold, count in zip(report.thresholds, found.false_matches, strict=True):
        out.print(f"  score {threshold:.3g} or higher: {count:,}", highlight=False)
    for example in found.examples[:SHOWN_EXAMPLES]:
        out.print(f"  [dim]{escape(example)}[/]", highlight=False)


def _categories(title: str, report: "MatchReport", categories: list["CategoryFigures"]) -> Table:
    table = _table(title, "Pairs", *(f"{threshold:.3g}" for threshold in report.thresholds))
    table.add_column("Misclassified")
    for item in categories:
        examples = escape("; ".join(item.examples[:SHOWN_EXAMPLES]))
        table.add_row(item.category, str(item.pairs), *(f"{share:.3f}" for share in item.shares), examples)
    return table


def _table(first: str, *rest: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column(first)
    for heading in rest:
        table.add_column(heading, justify="right")
    return table
