"""`bonafide bench pdf`: time and size of PDF reports, with a one-letter document as baseline."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out

if TYPE_CHECKING:
    from bonafide_bench.measurements.pdf import PdfFigures


def pdf(
    rounds: Annotated[int, typer.Option(min=5, max=10_000, help="How many times each document is rendered.")] = 30,
    as_json: AsJson = False,
    _data_dir: DataDir = None,  # every command accepts it, for scripts that pass it to all
) -> None:
    """Measure PDF reports: the time from the stored result to the PDF, and the size."""
    from bonafide_bench.measurements.pdf import measure_pdfs  # noqa: PLC0415 - takes half a second to import; other commands must not pay for it

    with show_progress("bench pdf") as told:
        figures = measure_pdfs(rounds, lambda done, count: told("documents", done, count))
    if as_json:
        print_json([asdict(item) for item in figures])
    else:
        _print_figures(figures)


def _print_figures(figures: "Sequence[PdfFigures]") -> None:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("Document")
    for heading in ("Median ms", "95 % ms", "CPU ms", "KiB", "Rounds"):
        table.add_column(heading, justify="right")
    for item in figures:
        table.add_row(
            item.document,
            f"{item.median_ms:.1f}",
            f"{item.p95_ms:.1f}",
            f"{item.cpu_ms:.1f}",
            f"{item.size / 1024:.0f}",
            str(item.rounds),
        )
    out.print(table)
