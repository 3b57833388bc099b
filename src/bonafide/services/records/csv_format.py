"""The CSV of business records: its columns, the conversion between fields and cells, and the export.

A column is a field with one value or a list of texts, by its wire name; people, further addresses and further registrations have no
column. Cells are escaped so that spreadsheets do not interpret them as formulas.
"""

import io
import re
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from pydantic.alias_generators import to_camel

from bonafide.errors import FieldProblem
from bonafide.i18n.message import Message, join_messages
from bonafide.model.records.business_input import FLAT_ADDRESS, BusinessUpsert
from bonafide.model.records.business_record import BusinessRecord, CallerFields, SystemFields
from bonafide.runtime import Runtime
from bonafide.services.records.business_records import RecordEdit
from bonafide.services.records.csv_lines import BYTE_ORDER_MARK, is_utf8
from bonafide.services.records.record_validation import to_record_problems
from bonafide.store.records import businesses
from bonafide.store.records.businesses import RecordFilter

ID = "id"
VERSION = "expectedUpdatedAt"
_NESTED = frozenset({"registrations", "addresses", "people", "address", "monitoring"})
_LISTS = frozenset({"operatingNames", "additionalWebsites"})
_SWITCHES = frozenset({"isMonitored", "isArchived"})
_FRENCH = {"vrai": "true", "oui": "true", "faux": "false", "non": "false"}
"""French words for booleans; the validator accepts the English ones."""
_NOT_SHOWN = frozenset({
    "sourceEntityType", "sourceUrls", "lastVerificationJobId", "latestVerificationId", "lastSearchJobId", "risk",
})  # fmt: skip
BATCH_SIZE = 500
"""How many records are read and sent at a time."""


def _list_wire_names(model: type[CallerFields | SystemFields]) -> list[str]:
    return [str(field.alias) for field in model.model_fields.values()]


ADDRESS_COLUMNS = tuple((to_camel(flat), to_camel(part)) for part, flat in FLAT_ADDRESS.items())
"""The columns of the main address, each with the part that it has."""


def _list_writable_columns() -> Iterable[str]:
    for name in _list_wire_names(CallerFields):
        if name == "address":
            yield from (name for name, _ in ADDRESS_COLUMNS)
        elif name not in _NESTED:
            yield name


WRITABLE = tuple(_list_writable_columns())
"""The columns that change a record."""
READ_ONLY = (*(name for name in _list_wire_names(SystemFields) if name not in _NOT_SHOWN), "createdAt", "updatedAt")
"""Further columns of an export, which an import ignores."""
EXPORTED = (ID, *WRITABLE, *READ_ONLY)
REFUSAL = "refusedBecause"
"""The column of reasons in a file of refused rows, which can be corrected and uploaded again."""
KNOWN = frozenset({*EXPORTED, VERSION, REFUSAL})
_IGNORED = frozenset({*READ_ONLY, REFUSAL})
_BETWEEN = "; "
_TO_ESCAPE = re.compile(r"[\\;]")
_ITEM = re.compile(r"(?:\\[\\;]|[^;])+")
_ESCAPED = re.compile(r"\\([\\;])")
_EMPTY = '""'
"""A row of one empty cell; an empty line is no row."""
_TO_QUOTE = re.compile(r'[",;\t\r\n]')
"""Every usual delimiter: a program that expects another one must not find a formula behind it."""
_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""The start of a formula in a spreadsheet, including full-width signs, after any number of apostrophes."""


# ------------------------------------------------------------------------------------------------------------- writing


def to_cells(record: BusinessRecord) -> list[str]:
    """The record as the cells of `EXPORTED`."""
    dumped = record.model_dump(mode="json", by_alias=True)
    values = {**dumped, **{column: dumped["address"][part] for column, part in ADDRESS_COLUMNS}}
    return [escape_formula(_format_cell(values[name])) for name in EXPORTED]


def _format_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return format_items(value)
    return str(value)


def format_items(items: Iterable[str]) -> str:
    """Several texts as one cell. Semicolons and backslashes within a text are escaped."""
    return _BETWEEN.join(_TO_ESCAPE.sub(r"\\\g<0>", item) for item in items)


def escape_formula(cell: str) -> str:
    """The cell with an apostrophe in front if a spreadsheet would interpret it as a formula."""
    return f"'{cell}" if _FORMULA.match(cell) is not None else cell


# ------------------------------------------------------------------------------------------------------------- reading


class RecordRowError(ValueError):
    """A row that is not a valid record, with the problem of each column."""

    def __init__(self, problems: Iterable[FieldProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__(format_problems(self.problems))


def format_problems(problems: Iterable[FieldProblem]) -> Message:
    """The problems in one line, each after its column if it has one."""
    return join_messages(
        (
            Message("{path}: {problem}", path=problem.path, problem=problem.message) if problem.path else problem.message
            for problem in problems
        ),
        _BETWEEN,
    )


def parse_edit(cells: Mapping[str, str], *, clear_empty: bool) -> RecordEdit:
    """The edit of a row. An empty cell leaves the field unchanged, or clears it. Raises `RecordRowError`."""
    wrong = [name for name, cell in cells.items() if not is_utf8(cell)]
    if wrong:
        raise RecordRowError(FieldProblem(name, Message("is not UTF-8: save the file as CSV in UTF-8")) for name in wrong)
    values = {name: _parse_value(name, unescape_formula(cell)) for name, cell in cells.items() if name not in _IGNORED}
    business_id = _parse_id(values.pop(ID, None))
    given = {name: value for name, value in values.items() if value is not None or (clear_empty and name in WRITABLE)}
    try:
        return RecordEdit(BusinessUpsert.model_validate(given), business_id)
    except ValidationError as error:
        columns = ((problem.path.partition(".")[0], problem.message) for problem in to_record_problems(error))
        raise RecordRowError(FieldProblem(*column) for column in columns) from None


def unescape_formula(cell: str) -> str:
    """The cell without the apostrophe of `escape_formula`."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) is not None else cell


def _parse_value(name: str, cell: str) -> Any:
    if not cell.strip():
        return None
    if name in _LISTS:
        return parse_items(cell)
    if name in _SWITCHES:
        word = cell.strip().casefold()
        return _FRENCH.get(word, word)
    return cell


def parse_items(cell: str) -> list[str]:
    """The texts of a cell of `format_items`."""
    return [_ESCAPED.sub(r"\1", item).strip() for item in _ITEM.findall(cell) if item.strip()]


def _parse_id(cell: str | None) -> UUID | None:
    try:
        return UUID(cell) if cell is not None else None
    except ValueError:
        raise RecordRowError([FieldProblem(ID, Message("is not the id of a record; leave it empty for a new one"))]) from None


@dataclass(frozen=True, slots=True)
class CsvLayout:
    """The delimiter of a CSV file, and whether it begins with a byte order mark.

    Without the mark Excel reads the file in the system's encoding and corrupts accents.
    """

    delimiter: str = ","
    is_marked: bool = True


async def export_records(runtime: Runtime, organization_id: UUID, chosen: RecordFilter, layout: CsvLayout) -> AsyncIterator[bytes]:
    """Stream the organization's records as CSV, each once; a concurrent change may or may not be included."""
    delimiter = layout.delimiter
    yield format_csv([EXPORTED], delimiter, is_marked=layout.is_marked)
    last: UUID | None = None
    while True:
        async with runtime.store.read_lagging() as connection:
            found = await businesses.list_after(connection, organization_id, chosen, last, BATCH_SIZE)
        if found:
            yield format_csv((to_cells(BusinessRecord.model_validate_json(document)) for _, document in found), delimiter)
        if len(found) < BATCH_SIZE:
            return
        last = found[-1][0]


def format_csv(rows: Iterable[Iterable[str]], delimiter: str, *, is_marked: bool = False) -> bytes:
    """Rows of cells as CSV in UTF-8, with the line ends of RFC 4180. Lone surrogates become the bytes that they were read from."""
    text = io.StringIO(newline="")
    text.write(BYTE_ORDER_MARK if is_marked else "")
    for row in rows:
        text.write(f"{delimiter.join(map(_quote, row)) or _EMPTY}\r\n")
    return text.getvalue().encode(errors="surrogateescape")


def _quote(cell: str) -> str:
    """The cell in quotes if it has a delimiter, a quote or a line break."""
    return '"{}"'.format(cell.replace('"', '""')) if _TO_QUOTE.search(cell) is not None else cell
