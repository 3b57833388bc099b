"""Read CSV and other delimited text row by row, with line numbers, and normalize the values in its cells.

Rows are dictionaries of stripped text; an absent value is None. The source interprets the columns.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.matching.addresses.line_parsing import parse_address_line
from bonafide.model.entity import Address
from bonafide.sources.framework.context import ParseContext, Resource

# The longest cell seen is under 10,000 characters; a cell of a megabyte is an unclosed quote.
csv.field_size_limit(1_000_000)
MAX_LINE_CHARACTERS = 4_000_000
"""Maximum length of a line. The longest known one has under 20,000 characters."""
_POSTAL_CODE = re.compile(r"([A-Za-z]\d[A-Za-z])[ -]?(\d[A-Za-z]\d)")
"""The Canadian form, with or without the space. Codes of other countries are not changed."""
CELL_COUNT = Message("the row has {cells} cells, the header has {columns}")
ISO_DATE = "%Y-%m-%d"
_ISO_DAY = re.compile(r"(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])")
"""Days 1 to 28 of any month, which `date.fromisoformat` reads faster than `strptime`."""
_UNIT_NUMBER = re.compile(r"#?[A-Za-z]?\d+[A-Za-z]?")


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: its line number and its cells. Empty and blank cells are None."""

    line: int
    cells: dict[str, str | None]

    def get(self, column: str) -> str | None:
        """The cell, or None when it is blank. Raises `KeyError` for a column that the layout does not have."""
        return self.cells[column]

    def need(self, column: str) -> str:
        """The cell. Raises `ValueError` when it is blank."""
        value = self.cells[column]
        if value is None:
            raise ValueError(Message("{column} is empty", column=column))
        return value


@contextmanager
def open_text(resource: Resource, encoding: str) -> Iterator[io.TextIOBase]:
    """Open the file as text. Raises `ParseFailed` for a byte that is invalid in the encoding."""
    with resource.path.open(encoding=encoding, newline="") as text:
        try:
            yield text
        except UnicodeDecodeError as error:
            problem = Message(
                "{file}: not {encoding}: {reason} at byte {byte}",
                file=resource.name,
                encoding=encoding,
                reason=error.reason,
                byte=error.start,
            )
            raise ParseFailed(problem) from error


def normalize_whitespace(text: str | None) -> str | None:
    """The text with runs of white space (no-break spaces too) as one space and the ends trimmed; None when nothing is left."""
    return " ".join(text.split()) or None if text is not None else None


def normalize_cells(cells: list[str]) -> list[str | None]:
    """The cells of a row with their white space normalized; None for those in which nothing is left."""
    return [" ".join(cell.split()) or None for cell in cells]


def normalize_lines(cells: list[str]) -> list[str | None]:
    """The same, with white space normalized within each line of a cell."""
    return [
        "\n".join(line for part in cell.splitlines() if (line := " ".join(part.split()))) or None
        if "\n" in cell
        else " ".join(cell.split()) or None
        for cell in cells
    ]


def parse_date(text: str | None, *formats: str) -> date | None:
    """A date by the first format that fits; None for None. Raises `ValueError` when none does."""
    if text is None:
        return None
    for pattern in formats:
        if pattern == ISO_DATE and _ISO_DAY.fullmatch(text) is not None:
            return date.fromisoformat(text)
        try:
            return datetime.strptime(text, pattern).date()  # noqa: DTZ007 - a calendar day has no zone
        except ValueError:
            continue
    raise ValueError(Message("'{text}' is not a date", text=text))


def format_postal_code(text: str | None) -> str | None:
    """A Canadian postal code in upper case with its space (`K2K 3G4`); any other text as it is."""
    found = _POSTAL_CODE.fullmatch(text) if text is not None else None
    return f"{found[1]} {found[2]}".upper() if found is not None else text


def build_street_line(unit: str | None, street: str | None) -> str | None:
    """Unit and street in one line: `200-100 Bay St` when both begin with a number, else `Unit 3, 100 Bay St`."""
    if unit is None or street is None:
        return unit if street is None else street
    joint = "-" if _UNIT_NUMBER.fullmatch(unit) is not None and street[0].isdigit() else ", "
    return f"{unit}{joint}{street}"


def build_address_from_line(line: str) -> Address:
    """The address of a source that has it in one line (`raw`), with the parts that the parser finds in it."""
    found = parse_address_line(line)
    return Address(
        street=found.line,
        city=found.city,
        province=found.province,
        postal_code=format_postal_code(found.postal_code),
        country=found.country,
        raw=line,
    )


def build_postal_address(
    *,
    street: str | None,
    city: str | None,
    province: str | None,
    postal_code: str | None,
    country: str | None,
    label: str | None = None,
) -> Address | None:
    """The address of these parts, with `raw` joined from those that are not None; None when all but the label are."""
    postal_code = format_postal_code(postal_code)
    raw = ", ".join(part for part in (street, city, province, postal_code, country) if part is not None)
    if raw == "":
        return None
    return Address(label=label, street=street, city=city, province=province, postal_code=postal_code, country=country, raw=raw)


@dataclass(frozen=True, slots=True)
class DelimitedDialect:
    """The format of a delimited file, and how its cells are normalized."""

    delimiter: str = ","
    quoted: bool = True
    """False where quotation marks are ordinary characters."""
    headings: Callable[[list[str]], list[str]] = list
    """Returns the names of the columns for the headings, whose white space is collapsed."""
    cells: Callable[[list[str]], list[str | None]] = normalize_cells


CSV = DelimitedDialect()


def read_csv(
    resource: Resource, context: ParseContext, *, encoding: str = "utf-8-sig", dialect: DelimitedDialect = CSV
) -> Iterator[tuple[str, TableRow]]:
    """Rows of a file with the name of its layout, as `read_delimited` reads them.

    Raises `ParseFailed` when the header is not one of the source's layouts, or the text is invalid in the encoding.
    """
    with open_text(resource, encoding) as text:
        yield from read_delimited(text, resource, context, dialect)


def read_delimited(
    text: io.TextIOBase, resource: Resource, context: ParseContext, dialect: DelimitedDialect
) -> Iterator[tuple[str, TableRow]]:
    """Rows with the name of their layout. Rows with too few or too many cells are rejected.

    Extra delimiters at the end of the header or a row are ignored.

    Raises `ParseFailed` when the header is not one of the source's layouts.
    """
    rows = read_csv_rows(text, resource, context, dialect)
    first = [normalize_whitespace(column) or "" for column in next(rows, (0, []))[1]]
    header = dialect.headings(_drop_trailing_blanks(first, 0))
    layout, width = context.layout(header, resource), len(header)
    for line, found in rows:
        if not any(found):
            continue
        context.row()
        cells = found if len(found) == width else _drop_trailing_blanks(found, width)
        if len(cells) != width:
            context.reject(resource, line, CELL_COUNT.fill(cells=len(cells), columns=width))
            continue
        yield layout, TableRow(line, dict(zip(header, dialect.cells(cells), strict=True)))


def read_lines(text: io.TextIOBase, resource: Resource) -> Iterator[str]:
    """The lines of a text with their ends. Raises `ParseFailed` for one that is too long to be a line of a table."""
    while (line := text.readline(MAX_LINE_CHARACTERS)) != "":
        if len(line) == MAX_LINE_CHARACTERS:
            raise ParseFailed(
                Message("{file}: a line has more than {limit:,} characters", file=resource.name, limit=MAX_LINE_CHARACTERS)
            )
        yield line


def read_csv_rows(
    text: io.TextIOBase, resource: Resource, context: ParseContext, dialect: DelimitedDialect = CSV
) -> Iterator[tuple[int, list[str]]]:
    """All rows with their line numbers. A row that is not valid CSV is rejected, and reading continues after it.

    Raises `ParseFailed` for a line that is too long.
    """
    lines = read_lines(text, resource)
    reader = csv.reader(lines, delimiter=dialect.delimiter, quoting=csv.QUOTE_MINIMAL if dialect.quoted else csv.QUOTE_NONE)
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            context.row()
            context.reject(resource, reader.line_num, Message("not valid CSV: {error}", error=str(error)))
            continue
        if cells is None:
            return
        yield reader.line_num, cells


def _drop_trailing_blanks(cells: list[str], width: int) -> list[str]:
    """The cells without trailing blank cells beyond the width."""
    end = len(cells)
    while end > width and not cells[end - 1].strip():
        end -= 1
    return cells[:end] if end < len(cells) else cells
