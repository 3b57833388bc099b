"""Read the Canadian records of the golden copy, as CSV (three million rows of hundreds of columns, 2 % of them Canadian) or as XML.

Foreign rows are skipped as bytes, without being parsed. The elements of the XML, in the LEI Common Data File format, get the names
of the columns. `lei_entry` interprets them.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import cast

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message, plural_message
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element, read_stream
from bonafide.sources.framework.context import ParseContext, Resource

BUFFER_BYTES = 1 << 20
MAX_ROW_BYTES = 1 << 20
"""A row has about 2,000 bytes; one of a megabyte has an unclosed quote."""
LAYOUT = "golden_copy"
JURISDICTION = "Entity.LegalJurisdiction"
AUTHORITY = "Entity.RegistrationAuthority.RegistrationAuthorityID"
COUNTRY = "CA"
_CANADIAN_MARKS = (b'"CA', b",CA", b"RA00007", b"RA00008")
"""Every Canadian row contains one of these, and few others do: a cell that begins with the country, or a Canadian authority."""


@dataclass(frozen=True, slots=True)
class LeiRecord:
    """An entity: its position, and its cells by the golden copy's column names, without blank ones."""

    resource: Resource
    line: int
    cells: Mapping[str, str]


def is_canadian(jurisdiction: str, authority: str, context: ParseContext) -> bool:
    """Whether an entity was formed under Canadian law or is registered with a Canadian register."""
    return jurisdiction.partition("-")[0] == COUNTRY or authority in context.metadata.terms


def read_table(file: io.BufferedReader, resource: Resource, context: ParseContext) -> Iterator[LeiRecord]:
    """Yield the Canadian rows. Raises `ParseFailed` for an unknown header, another encoding, or a truncated file."""
    rows = _read_rows(file, resource)
    columns = [column.strip() for column in _split_row(next(rows, (1, b""))[1], resource, "utf-8-sig")]
    context.layout(columns, resource)
    jurisdiction, authority = columns.index(JURISDICTION), columns.index(AUTHORITY)
    foreign = 0
    for line, row in rows:
        if not any(mark in row for mark in _CANADIAN_MARKS):
            foreign += 1
            continue
        cells = _split_row(row, resource)
        if len(cells) != len(columns):
            context.row()
            context.reject(
                resource, line, Message("{cells} cells where the header has {columns}", cells=len(cells), columns=len(columns))
            )
        elif is_canadian(cells[jurisdiction], cells[authority], context):
            found = zip(columns, map(normalize_whitespace, cells), strict=True)
            yield LeiRecord(resource, line, {column: cell for column, cell in found if cell is not None})
        else:
            foreign += 1
    context.note(_count_foreign(foreign))


def _count_foreign(n: int) -> Message:
    return plural_message("{n:,} entity in another country was skipped", "{n:,} entities in other countries were skipped", n)


def _read_rows(file: io.BufferedReader, resource: Resource) -> Iterator[tuple[int, bytes]]:
    """Yield each row with the number of its last line: a quoted cell may span several lines."""
    pieces: list[bytes] = []
    size, within = 0, False
    for number, line in enumerate(iter(partial(file.readline, MAX_ROW_BYTES), b""), start=1):
        within ^= line.count(b'"') % 2 == 1
        pieces.append(line)
        size += len(line)
        if within and size <= MAX_ROW_BYTES:
            continue
        if within:
            break
        row = b"".join(pieces)
        pieces, size = [], 0
        if row.strip():
            yield number, row
    if pieces:
        raise ParseFailed(Message("{file}: the file is truncated or has an unclosed quote", file=resource.name))


def _split_row(row: bytes, resource: Resource, encoding: str = "utf-8") -> list[str]:
    try:
        return next(csv.reader(io.StringIO(row.decode(encoding), newline=""), strict=True), [])
    except UnicodeDecodeError as error:
        raise ParseFailed(Message("{file}: not {encoding} text", file=resource.name, encoding=encoding)) from error
    except csv.Error as error:
        raise ParseFailed(Message("{file}: not a valid CSV file: {detail}", file=resource.name, detail=str(error))) from error


ROOT = "LEIData"
REPEATED = frozenset(
    {"OtherEntityName", "TransliteratedOtherEntityName", "AdditionalAddressLine", "OtherAddress", "SuccessorEntity"}
)
"""Elements that the golden copy numbers (`.1`, `.2`)."""
_SKIPPED = frozenset({"Extension", "LegalEntityEvents"})
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def read_document(file: io.BufferedReader, resource: Resource, context: ParseContext) -> Iterator[LeiRecord]:
    """Yield the Canadian records. Raises `ParseFailed` if the document is another one or not well-formed."""
    foreign = 0
    line = 0
    for element in read_stream(file, resource, "LEIRecord"):
        if line == 0:
            _check_root(element, resource)
        line = cast("int | None", element.sourceline) or 0
        entity = element.find("{*}Entity")
        jurisdiction, authority = (_find_text(entity, name) for name in (JURISDICTION, AUTHORITY))
        if not is_canadian(jurisdiction, authority, context):
            foreign += 1
            continue
        cells: dict[str, str] = {}
        _flatten(element, "", cells)
        yield LeiRecord(resource, line, cells)
    if line == 0:
        raise ParseFailed(Message("{file}: the file contains no {element} element", file=resource.name, element="LEIRecord"))
    context.note(_count_foreign(foreign))


def _check_root(element: Element, resource: Resource) -> None:
    root = str(element.getroottree().getroot().tag).rpartition("}")[2]
    if root != ROOT:
        raise ParseFailed(
            Message("{file}: the root element is {found}; {expected} is expected", file=resource.name, found=root, expected=ROOT)
        )


def _find_text(entity: Element | None, column: str) -> str:
    """Return the text of an element by its column's name; empty if it is absent."""
    if entity is None:
        return ""
    path = "/".join(f"{{*}}{name}" for name in column.split(".")[1:])
    return (entity.findtext(path) or "").strip()


def _flatten(element: Element, path: str, cells: dict[str, str]) -> None:
    """Add every text below an element to `cells`, by the path of its elements."""
    counts: dict[str, int] = {}
    for child in element:
        name = str(child.tag).rpartition("}")[2]
        if name in _SKIPPED:
            continue
        counts[name] = counts.get(name, 0) + 1
        position = f"{path}{name}.{counts[name]}" if name in REPEATED else f"{path}{name}"
        text = normalize_whitespace(child.text)
        if text is not None:
            cells[position] = text
        for attribute, suffix in (("type", "type"), (_LANGUAGE, "xmllang")):
            value = child.get(attribute)
            if value is not None:
                cells[f"{position}.{suffix}"] = value
        _flatten(child, f"{position}.", cells)
