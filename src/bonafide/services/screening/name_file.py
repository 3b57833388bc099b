"""Read a file of names to screen: CSV with a `name` column, or one name per line.

A row that can't be read is returned as an `InvalidNameRow` with its line and the reason. `ScreeningRequest` validates the values.
An impossible date of birth is left out, with a warning: it only adds evidence, and the name must be screened.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import BinaryIO

from pydantic import ValidationError

from bonafide.i18n.message import Message, plural_message
from bonafide.matching.text.countries import parse_country_code, parse_country_codes
from bonafide.model.screening.requests import ScreeningRequest
from bonafide.model.search.match import ScreeningWarning, ScreeningWarningCode
from bonafide.model.validation_messages import describe_validation_error
from bonafide.services.records.csv_lines import CsvLine, CsvLineReader, CsvRowError, split_line

MAX_ROW_LINES = 20
"""A quotation mark that is still open after so many lines is treated as unclosed."""
_COLUMNS = {
    "name": "query",
    "entitytype": "entityType",
    "country": "countries",
    "countries": "countries",
    "dateofbirth": "dateOfBirth",
}
"""The columns that are read, by their names in lower case without spaces and signs."""
_BIRTH = "dateOfBirth"
_SHOWN_DATE = 40
"""Characters of an invalid date that the warning quotes."""
_SIGNS = re.compile(r"[\W_]+")
_DELIMITERS = ",;\t"


@dataclass(frozen=True, slots=True)
class RequestedRow:
    """The request of a row, and the warnings about values that it leaves out."""

    request: ScreeningRequest
    warnings: tuple[ScreeningWarning, ...] = ()


@dataclass(frozen=True, slots=True)
class NameRow:
    """One row: its first line, its name as given, and its other columns."""

    line: int
    name: str
    facts: dict[str, str] = field(default_factory=dict)

    def request(self, today: date) -> RequestedRow:
        """The row as a screening's request, without a date of birth that is not a date or is later than `today`.

        Raises `ValueError` with a `Message` that names the column and the problem of any other value.
        """
        facts: dict[str, object] = {name: text for name, text in self.facts.items() if text}
        if "entityType" in facts:
            facts["entityType"] = self.facts["entityType"].lower()
        if "countries" in facts:
            facts["countries"] = _parse_countries(self.facts["countries"])
        try:
            return _validate_request({"query": self.name, **facts}, today)
        except ValidationError as error:
            problem = error.errors()[0]
            place = str(problem["loc"][0]) if problem["loc"] else "query"
            column = "name" if place == "query" else place
            raise ValueError(_describe_problem(column, describe_validation_error(problem))) from None


@dataclass(frozen=True, slots=True)
class InvalidNameRow:
    """One row that can't be read: its first line, its readable text, and the reason."""

    line: int
    name: str
    reason: Message


NameFileRow = NameRow | InvalidNameRow


def _validate_request(values: dict[str, object], today: date) -> RequestedRow:
    """Validate the values of a row. Raises `ValidationError` for a problem that is not the date of birth's."""
    try:
        request = ScreeningRequest.model_validate(values)
        born = request.date_of_birth
        # A date and a longer one of the same format compare as texts: "2031" with "2026-11-23".
        if born is None or born <= today.isoformat()[: len(born)]:
            return RequestedRow(request)
    except ValidationError as error:
        if not any(problem["loc"][:1] == (_BIRTH,) for problem in error.errors()):
            raise
    text = str(values.pop(_BIRTH))
    return RequestedRow(ScreeningRequest.model_validate(values), (_warn_about_birth_date(text),))


def _warn_about_birth_date(text: str) -> ScreeningWarning:
    return ScreeningWarning(
        code=ScreeningWarningCode.INVALID_DATE_OF_BIRTH,
        field=_BIRTH,
        message=Message(
            "The name was screened without the date of birth “{text}”, which is not a past date in the form YYYY, YYYY-MM or "
            "YYYY-MM-DD.",
            text=text if len(text) <= _SHOWN_DATE else f"{text[: _SHOWN_DATE - 1]}…",
        ),
    )


def _describe_problem(column: str, problem: Message) -> Message:
    return Message("{column}: {problem}", column=column, problem=problem)


def _parse_countries(text: str) -> tuple[str, ...]:
    """Codes in any case or names of countries, separated by semicolons."""
    codes = []
    for part in parse_country_codes(text):
        code = parse_country_code(part) or parse_country_code(part.upper())
        if code is None:
            raise ValueError(_describe_problem("country", Message("“{text}” is not a country", text=part)))
        codes.append(code)
    return tuple(codes)


@dataclass(frozen=True, slots=True)
class NameFile:
    """An open file: its rows, which can be read once, and its ignored columns."""

    rows: Iterator[NameFileRow]
    unread: tuple[str, ...] = ()


def read_names(stream: BinaryIO) -> NameFile:
    """Read a file of names; at most a few lines are in memory at a time."""
    lines = CsvLineReader(stream, MAX_ROW_LINES, needs_utf8=True)
    first = lines.next()
    if first is None:
        return NameFile(iter(()))
    for delimiter in _DELIMITERS:
        header = [] if first.problem is not None else split_line(first.text, delimiter)
        columns = [_COLUMNS.get(_SIGNS.sub("", cell).casefold()) for cell in header]
        if "query" in columns:
            _check_columns(header, columns)
            unread = tuple(cell for cell, column in zip(header, columns, strict=True) if column is None)
            return NameFile(_read_rows(lines, partial(_read_table_row, lines, columns, delimiter)), unread)
    lines.put_back([first])
    return NameFile(_read_rows(lines, _read_name))


def _check_columns(header: Sequence[str], columns: Sequence[str | None]) -> None:
    known = [column for column in columns if column is not None]
    twice = next((cell for cell, column in zip(header, columns, strict=True) if known.count(str(column)) > 1), None)
    if twice is not None:
        raise ValueError(Message("line 1: the column “{column}” is repeated", column=twice))


def _read_rows(lines: CsvLineReader, read: Callable[[CsvLine], NameFileRow]) -> Iterator[NameFileRow]:
    while (line := lines.next()) is not None:
        if line.problem is not None:
            yield _build_invalid_row(line, Message.untranslated(line.problem))
        elif line.text.strip():
            yield read(line)


def _read_name(line: CsvLine) -> NameRow:
    return NameRow(line.number, line.text.strip())


def _read_table_row(lines: CsvLineReader, columns: Sequence[str | None], delimiter: str, first: CsvLine) -> NameFileRow:
    try:
        cells = lines.read_cells(first, delimiter)
    except CsvRowError as error:
        return _build_invalid_row(first, Message.untranslated(error.args[0]))
    if len(cells) != len(columns):
        reason = plural_message(
            "{n} cell, but the header has {columns} columns",
            "{n} cells, but the header has {columns} columns",
            len(cells),
            columns=len(columns),
        )
        return _build_invalid_row(first, reason)
    texts = (cell.replace("\r\n", "\n").strip() for cell in cells)
    values = {column: text for column, text in zip(columns, texts, strict=True) if column is not None}
    name = values.pop("query")
    return NameRow(first.number, name, values) if name else _build_invalid_row(first, Message("name: is empty"))


def _build_invalid_row(line: CsvLine, reason: Message) -> InvalidNameRow:
    shown = line.text.rstrip("\r\n").encode(errors="surrogateescape").decode(errors="replace")
    return InvalidNameRow(line.number, shown, reason)
