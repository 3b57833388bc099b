"""Read the UK's list as CSV: a date line, 58 columns, and a row for each combination of name, address and number of a party.

Rows are grouped by Unique ID, and repeated values are removed.
"""

from collections.abc import Iterator

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.sources.formats.delimited_text import DelimitedDialect, TableRow, open_text, read_delimited
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.sanctions.uk_sanctions_list.listed_entity import (
    UkDesignation,
    UkDocument,
    UkName,
    join_name_parts,
    parse_list_date,
)
from bonafide.sources.shared.lists.party_fields import group_rows_by_party

DATED = "Report Date:"
NAME_PARTS = ("Name 1", "Name 2", "Name 3", "Name 4", "Name 5", "Name 6")
_COUNTRIES = ("Nationality(/ies)", "Current believed flag of ship", "Address Country")
_NUMBERS = {
    "Passport": ("Passport number", "Passport additional information"),
    "National identifier": ("National Identifier number", "National Identifier additional information"),
    "Business registration number": ("Business registration number (s)", None),
}
REMARK_COLUMNS = {
    "": ("Other Information", "UK Statement of Reasons"),
    "Title": ("Title",),
    "Position": ("Position",),
    "Sanctions imposed": ("Sanctions Imposed",),
    "Subsidiaries": ("Subsidiaries",),
    "Parent company": ("Parent company",),
    "Owner or operator": ("Current owner/operator (s)",),
    "Type of ship": ("Type of ship",),
    "Year built": ("Year Built",),
    "Designation source": ("Designation source",),
}
"""The columns of a remark by its label."""


def read_list(resource: Resource, context: ParseContext) -> Iterator[tuple[int, UkDesignation]]:
    """Yield each designation with the line of its first row. Raises `ParseFailed` for an unknown header."""

    def read(reading: ParseContext) -> Iterator[tuple[str, TableRow]]:
        for row in _read_rows(resource, reading):
            key = row.get("Unique ID")
            if key is None:
                reading.reject(resource, row.line, Message("{column} is empty", column="Unique ID"))
            else:
                yield key, row

    for key, rows in group_rows_by_party(read, context):
        yield rows[0].line, _parse_designation(key, rows)


def _read_rows(resource: Resource, context: ParseContext) -> Iterator[TableRow]:
    with open_text(resource, "utf-8-sig") as text:
        first = text.readline().partition(",")[0].strip().strip('"')
        if not first.startswith(DATED):
            raise ParseFailed(Message("{file}: the line “{text}” is missing", file=resource.name, text=DATED))
        context.set_as_of(parse_list_date(first.removeprefix(DATED), resource))
        for _, row in read_delimited(text, resource, context, DelimitedDialect()):
            yield TableRow(row.line + 1, row.cells)


def _parse_designation(key: str, rows: list[TableRow]) -> UkDesignation:
    first = rows[0]
    found = UkDesignation(
        unique_id=key,
        subject=first.get("Designation Type") or "",
        regime=first.get("Regime Name"),
        ofsi_group=first.get("OFSI Group ID"),
        un_reference=first.get("UN Reference Number"),
        designated=first.get("Date Designated"),
        other_scripts=_collect_column(rows, "Name non-latin script"),
        births=_collect_column(rows, "D.O.B"),
        imo_numbers=_collect_column(rows, "IMO number"),
        kinds_of_entity=_collect_column(rows, "Type of entity"),
    )
    found.names += dict.fromkeys(name for name in map(_parse_name, rows) if name.text)
    found.countries += [country for column in _COUNTRIES for country in _collect_column(rows, column)]
    for label, (number, note) in _NUMBERS.items():
        found.documents += _parse_documents(rows, label, number, note)
    found.remarks = {
        label: [text for column in columns for text in _collect_column(rows, column)] for label, columns in REMARK_COLUMNS.items()
    }
    return found


def _collect_column(rows: list[TableRow], column: str) -> list[str]:
    """Return the texts of a column, each once."""
    return list(dict.fromkeys(text for row in rows if (text := row.get(column)) is not None))


def _parse_name(row: TableRow) -> UkName:
    return UkName(join_name_parts([row.get(part) for part in NAME_PARTS]), row.get("Name type") or "", row.get("Alias strength"))


def _parse_documents(rows: list[TableRow], label: str, number: str, note: str | None) -> Iterator[UkDocument]:
    pairs = dict.fromkeys((row.get(number), row.get(note) if note is not None else None) for row in rows)
    return (UkDocument(label, value, comment) for value, comment in pairs if value is not None)
