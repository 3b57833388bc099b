"""`bonafide bench website`: accuracy of the facts extracted from the sandbox's sites, and the time to analyse a site."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from bonafide.cli.command_runtime import run
from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out

if TYPE_CHECKING:
    from bonafide_bench.measurements.extraction_accuracy import FactCounts
    from bonafide_bench.measurements.website import SiteTimes, WebsiteReport

SHOWN_EXAMPLES = 3


def website(
    sites: Annotated[int, typer.Option(min=1, max=250, help="Number of the sandbox's sites to analyse.")] = 200,
    as_json: AsJson = False,
    _data_dir: DataDir = None,  # every command accepts it, for scripts that pass it to all
) -> None:
    """Measure website analysis: recall and precision by kind of fact, and the time for a site that responds immediately."""
    report = run(_measured(sites))
    if as_json:
        print_json(asdict(report))
    else:
        _print_report(report)


async def _measured(sites: int) -> "WebsiteReport":
    from bonafide.settings import Settings  # noqa: PLC0415
    from bonafide_bench.measurements.website import measure_website  # noqa: PLC0415 - takes half a second to import; other commands must not pay for it

    with show_progress("bench website") as told:
        return await measure_website(
            Settings(), lambda: datetime.now(UTC), sites, lambda done, count: told("analyse sites", done, count)
        )


def _print_report(report: "WebsiteReport") -> None:
    statuses = ", ".join(f"{status} {count}" for status, count in report.statuses.items())
    out.print(f"{report.sites:,} sites, {report.pages:,} pages ({statuses}).\n", highlight=False)
    out.print(_facts("All", report.kinds), "\n", _facts("Written by hand", report.written))
    for kind, tally in report.kinds.items():
        _print_examples(f"{kind}, missed", tally.missed)
        _print_examples(f"{kind}, wrong", tally.invented)
    if report.times is not None:
        _print_times(report.times)


def _facts(title: str, kinds: Mapping[str, "FactCounts"]) -> Table:
    table = _table(title, "Expected", "Found", "Recall", "Extracted", "Wrong", "Precision")
    for kind, tally in kinds.items():
        shares = (f"{tally.recall:.3f}", str(tally.given), str(len(tally.invented)), f"{tally.precision:.3f}")
        table.add_row(kind, str(tally.planted), str(tally.found), *shares)
    return table


def _print_examples(what: str, examples: Sequence[str]) -> None:
    for example in examples[:SHOWN_EXAMPLES]:
        out.print(f"  [dim]{what}: {escape(example)}[/]", highlight=False)


def _print_times(times: "SiteTimes") -> None:
    ratio = times.analysis_ms / times.yardstick_ms
    out.print(
        f"\nA site of {times.pages} pages: median {times.analysis_ms:.0f} ms; plain fetch {times.yardstick_ms:.0f} ms"
        f" (ratio {ratio:.1f}).",
        highlight=False,
    )


def _table(first: str, *rest: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column(first)
    for heading in rest:
        table.add_column(heading, justify="right")
    return table
