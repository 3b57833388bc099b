"""`bonafide screen --file`: render the rows of a batch screening as CSV or JSON lines."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import typer
from rich.markup import escape

from bonafide.cli.loading import show_progress
from bonafide.cli.output import err, open_source
from bonafide.cli.translation import localize
from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message, join_values, plural_message
from bonafide.model.screening.batch_rows import RowMatch, RowStatus, ScreenedRow
from bonafide.model.search.match import ScreenedList, ScreeningWarningCode
from bonafide.observability import log
from bonafide.services.screening.batch import ScreeningBatch, screen_rows
from bonafide.services.screening.name_file import read_names

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""The first characters of a formula in a spreadsheet."""
HEADER = (
    "line",
    "name",
    "status",
    "totalMatches",
    "score",
    "listedName",
    "matchedName",
    "source",
    "entryId",
    "entityType",
    "reasons",
    "warnings",
)


@dataclass(slots=True)
class BatchTotals:
    """The totals of a run: rows by status, those without their date of birth, the screened lists, and those that could not be."""

    statuses: dict[RowStatus, int] = field(default_factory=lambda: dict.fromkeys(RowStatus, 0))
    lists: dict[str, ScreenedList] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    undated: int = 0

    @property
    def rows(self) -> int:
        """The number of rows."""
        return sum(self.statuses.values())

    def count(self, rows: Iterable[ScreenedRow], lists: Iterable[ScreenedList]) -> None:
        """Add rows to the totals."""
        self.lists.update({item.source: item for item in lists})
        for row in rows:
            self.statuses[row.status] += 1
            self.missing.update(row.not_screened)
            self.undated += any(warning.code is ScreeningWarningCode.INVALID_DATE_OF_BIRTH for warning in row.warnings)


def screen_file(path: Path, batch: ScreeningBatch, *, as_json: bool) -> int:
    """Screen a file of names, `-` for standard input, and write CSV or JSON lines to standard output.

    Returns the number of names with a match. Ends with status 1 if a row is in error or a list could not be screened, after the
    results of the other rows are written.
    """
    log.configure("ERROR")
    tally = BatchTotals()
    with open_source(path) as stream, show_progress("screen") as report:
        try:
            names = read_names(stream)
        except ValueError as error:
            raise ValidationFailed(Message("{file}: {problem}", file=str(path), problem=error.args[0])) from error
        if names.unread:
            ignored = Message("Ignored columns: {columns}", columns=join_values(names.unread))
            err.print(escape(localize(ignored)), highlight=False, soft_wrap=True)
        render, opening = (_to_json_line, "") if as_json else (_to_csv_lines, _to_csv_line(HEADER))
        for part in screen_rows(batch, names.rows):
            if part.rows:
                typer.echo(opening + "".join(map(render, part.rows)), nl=False)
                opening = ""
            tally.count(part.rows, part.lists)
            report("names", tally.rows, None)
        typer.echo(opening, nl=False)
    _print_summary(tally)
    return tally.statuses[RowStatus.MATCH]


def _to_json_line(row: ScreenedRow) -> str:
    return row.to_json() + "\n"


def _to_csv_lines(row: ScreenedRow) -> str:
    """One line for each match, or one line without a match or with the error."""
    lead = (row.line, row.name, row.status, row.total_matches)
    warnings = " ".join(localize(warning.message) for warning in row.warnings)
    if row.matches:
        return "".join(_to_csv_line((*lead, *_build_cells(match), warnings)) for match in row.matches)
    missing = Message("not screened: {lists}", lists=join_values(row.not_screened)) if row.not_screened else None
    reason = row.error if row.error is not None else missing
    blank = [""] * (len(HEADER) - len(lead) - 2)
    return _to_csv_line((*lead, *blank, localize(reason) if reason is not None else "", warnings))


def _build_cells(match: RowMatch) -> tuple[object, ...]:
    return (
        match.score,
        match.listed_name,
        match.matched_name,
        match.source,
        match.entry_id or "",
        match.entity_type,
        "; ".join(map(localize, match.reasons)),
    )


def _to_csv_line(cells: Iterable[object]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow([_escape_formula(cell) for cell in cells])
    return line.getvalue()


def _escape_formula(cell: object) -> object:
    """A cell that no spreadsheet interprets as a formula: names are untrusted. `--json` changes nothing."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def _print_summary(tally: BatchTotals) -> None:
    counts = ", ".join(f"{count:,} {status}" for status, count in tally.statuses.items() if count)
    lists = ", ".join(f"{item.source} ({item.entries:,}, {_get_list_date(item)})" for item in tally.lists.values())
    total = plural_message("{n:,} name", "{n:,} names", tally.rows)
    none = localize(Message("none"))
    screened = localize(Message("Screened: {lists}.", lists=lists or none))
    err.print(f"{localize(total)}: {counts or none}. {screened}", highlight=False, soft_wrap=True)
    if tally.undated:
        undated = plural_message(
            "{n:,} name was screened without its date of birth, which is invalid.",
            "{n:,} names were screened without their dates of birth, which are invalid.",
            tally.undated,
        )
        err.print(f"[yellow]{escape(localize(undated))}[/]", highlight=False, soft_wrap=True)
    if tally.missing:
        missing = ", ".join(sorted(tally.missing))
        problem = localize(Message("Not screened: {lists}.", lists=missing))
        err.print(f"[yellow]{escape(problem)}[/]", highlight=False, soft_wrap=True)
    if tally.missing or tally.statuses[RowStatus.ERROR]:
        raise typer.Exit(1)


def _get_list_date(item: ScreenedList) -> str:
    return str(item.as_of if item.as_of is not None else item.retrieved_at.date())
