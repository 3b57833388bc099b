"""The output of `bonafide bench match --real-data`: figures by set, alerts, calibration, and changes since an earlier run."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.markup import escape
from rich.table import Table

from bonafide.cli.loading import show_progress
from bonafide.cli.options import print_json
from bonafide.cli.output import out
from bonafide_bench.measurements.address_accuracy import AddressFigures, measure_address_accuracy
from bonafide_bench.measurements.register_recall import RegisterRecall, measure_register_recall
from bonafide_bench.quality.alerts import ALERT_THRESHOLDS, AlertFigures
from bonafide_bench.quality.calibration import CalibrationCurve
from bonafide_bench.quality.calibration_files import write_calibration
from bonafide_bench.quality.score_dump import CrossedScore, DumpComparison, compare_dumps, read_dump, write_dump
from bonafide_bench.quality.set_figures import (
    NOT_APPLICABLE,
    ProgramFigures,
    RealNameReport,
    SetFigures,
    measure_real_names,
)

if TYPE_CHECKING:
    from bonafide_bench.commands.match import RealNameOptions

SHOWN_CHANGES = 200
_COLUMNS = ("Set", "Part", "Program", "Same", "Diff.", "Best F1", "At .85", "Same ≥ .7 .8 .85", "Diff. ≥ .7 .8 .85")


def measure_and_print(options: "RealNameOptions", *, as_json: bool) -> None:
    """Measure on real names and print the report; write and compare the scores where the options say so."""
    earlier = None if options.compare_with is None else _read_earlier(options.compare_with)
    try:
        with show_progress("bench match") as told:
            report = measure_real_names(
                options.data,
                lambda key, done, count: told(f"set “{key}”", done, count),
                people=options.people,
                most_pairs=options.most_pairs,
            )
            told("register search", 0, 1)
            register = measure_register_recall(options.data)
            told("addresses", 0, 1)
            addresses = measure_address_accuracy(options.data)
    except FileNotFoundError as missing:
        raise typer.BadParameter(f"--real-data: {missing.filename} is missing.") from missing
    if options.dump is not None:
        write_dump(options.dump, report.scored)
    if options.write_calibration:
        _write_calibration(report)
    comparison = None if earlier is None else compare_dumps(earlier, report.scored)
    if as_json:
        print_json(_to_json(report, comparison) | {"register": asdict(register), "addresses": [asdict(item) for item in addresses]})
    else:
        print_report(report)
        out.print("\n", _create_register_table(register))
        out.print("\n", _create_address_table(addresses))
        if comparison is not None:
            print_changes(comparison)


def _read_earlier(path: Path) -> Sequence[Any]:
    try:
        return read_dump(path)
    except ValueError as error:
        raise typer.BadParameter(f"--compare-with: {error}") from error


def _write_calibration(report: RealNameReport) -> None:
    try:
        write_calibration(Path(), report.curves)
    except FileNotFoundError as missing:
        raise typer.BadParameter(f"--write-calibration: {missing.filename} is missing; run it in a checkout.") from missing


def _to_json(report: RealNameReport, comparison: DumpComparison | None) -> dict[str, Any]:
    return {
        "sets": [asdict(item) for item in report.sets],
        "alerts": [asdict(item) for item in report.alerts],
        "calibration": [asdict(item) for item in report.curves],
        "changes": None if comparison is None else asdict(comparison),
    }


def print_report(report: RealNameReport) -> None:
    """Print the figures of the sets, the alerts and the calibration as tables."""
    table = _create_table(*_COLUMNS)
    for item in report.sets:
        _add_set(table, item)
    out.print(table)
    for key, source in dict.fromkeys((item.key, f"{item.part}: {item.source} ({item.licence})") for item in report.sets):
        out.print(f"  [dim]{escape(key)}, {escape(source)}[/]", highlight=False)
    if report.alerts:
        out.print("\n", _create_alert_table(report.alerts))
    out.print("\n", _create_calibration_table(report.curves))


def _add_set(table: Table, item: SetFigures) -> None:
    shown = [(program, figures) for program, figures in item.programs.items() if figures != NOT_APPLICABLE]
    for place, (program, figures) in enumerate(shown):
        first = (item.key, item.part.value) if place == 0 else ("", "")
        counts = (str(item.same), str(item.different)) if place == 0 else ("", "")
        if isinstance(figures, str):
            table.add_row(*first, program, *counts, "", "", figures)
        else:
            table.add_row(*first, program, *counts, *_format_figures(figures))


def _format_figures(figures: ProgramFigures) -> list[str]:
    return [
        _format_share(figures.best_f1),
        _format_share(figures.f1),
        *("–" if shares is None else " ".join(map(_format_share, shares[:3])) for shares in (figures.found, figures.false)),
    ]


def _format_share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _create_alert_table(alerts: Sequence[AlertFigures]) -> Table:
    table = _create_table("Alerts on people who are not listed", "Part", "Names", *(f"≥ {cut:g}" for cut in ALERT_THRESHOLDS))
    table.add_column("Highest")
    for item in alerts:
        examples = escape("; ".join(item.examples[:3]))
        table.add_row(item.key, item.part.value, f"{item.names:,}", *(f"{share:.2%}" for share in item.shares), examples)
    return table


def _create_calibration_table(curves: Sequence[CalibrationCurve]) -> Table:
    bands = curves[0].bands if curves else ()
    headings = [f"{band.low:g} to {band.high:g}" if band.high <= 1 else f"{band.low:g} or more" for band in bands]
    table = _create_table("Share of true matches (pairs)", *headings)
    for curve in curves:
        table.add_row(curve.kind.value, *(f"{_format_share(band.share)} ({band.pairs})" for band in curve.bands))
    return table


def _create_register_table(register: RegisterRecall) -> Table:
    table = _create_table(
        f"Search in {register.entries:,} entries of {register.register}", "Queries", "First", "First five", "Found"
    )
    for item in register.kinds:
        shares = map(_format_share, (item.first, item.first_five, item.found))
        table.add_row(item.kind.value, f"{item.queries:,}", *shares)
    return table


def _create_address_table(addresses: Sequence[AddressFigures]) -> Table:
    table = _create_table("Addresses with every field right", "Part", "Lines", "Right")
    for item in addresses:
        table.add_row(item.group, item.part, f"{item.lines:,}", _format_share(item.right))
    return table


def print_changes(comparison: DumpComparison) -> None:
    """Print what crossed a threshold since the earlier run, right and wrong changes apart, the largest first."""
    out.print(
        f"\n{comparison.compared:,} pairs compared, {comparison.changed:,} with another score; "
        f"{comparison.only_before:,} only before, {comparison.only_after:,} only now.",
        highlight=False,
    )
    for right, title in ((False, "Wrong"), (True, "Right")):
        changes = comparison.list_changes(right=right)
        table = _create_table(f"{title}: {len(changes):,} pairs crossed .7 or .85", "Before", "Now")
        table.add_column("Pair")
        for change in changes[:SHOWN_CHANGES]:
            table.add_row(f"{change.set_key} ({change.part})", f"{change.before:.2f}", f"{change.after:.2f}", _format_pair(change))
        out.print("\n", table)


def _format_pair(change: CrossedScore) -> str:
    sign = "=" if change.pair.same else "≠"
    return escape(f"{change.pair.submitted} {sign} {' / '.join(change.pair.names[:3])}")


def _create_table(first: str, *rest: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column(first, no_wrap=True)
    for heading in rest:
        table.add_column(heading, justify="right", no_wrap=True)
    return table
