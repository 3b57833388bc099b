"""The golden copy as CSV (three million rows of hundreds of columns, of which one in fifty is Canada's) and as XML.

A foreign row is passed over as bytes, without being taken apart. The elements of the XML, in the LEI Common Data File format, get
the names of the columns. What these mean is not known here.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import cast

from bonafide.errors import ParseFailed
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element, read_stream
from bonafide.sources.framework.context import ParseContext, Resource

BUFFER_BYTES = 1 << 20
MAX_ROW_BYTES = 1 << 20
"""A row has about 2,000 bytes; one of a megabyte is an unclosed quote."""
LAYOUT = "golden_copy"
JURISDICTION = "Entity.LegalJurisdiction"
AUTHORITY = "Entity.RegistrationAuthority.RegistrationAuthorityID"
COUNTRY = "CA"
_CANADIAN_MARKS = (b'"CA', b",CA", b"RA00007", b"RA00008")
"""One of these is in every Canadian row, and in few others: a cell that begins with the country, or such an authority."""


@dataclass(frozen=True, slots=True)
class LeiRecord:
    """An entity: where it stands, and its cells by the golden copy's column names; blank ones are left out."""

    resource: Resource
    line: int
    cells: Mapping[str, str]


def is_canadian(jurisdiction: str, authority: str, context: ParseContext) -> bool:
    """Whether an entity was formed under a law of Canada or is registered with one of its registers."""
    return jurisdiction.partition("-")[0] == COUNTRY or authority in context.metadata.terms


def read_table(file: io.BufferedReader, resource: Resource, context: ParseContext) -> Iterator[LeiRecord]:
    """The Canadian rows. Raises `ParseFailed` for an unknown header, another encoding, or a file that breaks off in a row."""
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
            context.reject(resource, line, f"{len(cells)} cells where the header has {len(columns)}")
        elif is_canadian(cells[jurisdiction], cells[authority], context):
            found = zip(columns, map(normalize_whitespace, cells), strict=True)
            yield LeiRecord(resource, line, {column: cell for column, cell in found if cell is not None})
        else:
            foreign += 1
    context.note(f"{foreign:,} entities of other countries were passed over")


def _read_rows(file: io.BufferedReader, resource: Resource) -> Iterator[tuple[int, bytes]]:
    """Each row with the number of its last line: a cell in quotes may go over several lines."""
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
        raise ParseFailed(f"{resource.name}: breaks off within a row, or has a quote that is never closed")


def _split_row(row: bytes, resource: Resource, encoding: str = "utf-8") -> list[str]:
    try:
        return next(csv.reader(io.StringIO(row.decode(encoding), newline=""), strict=True), [])
    except UnicodeDecodeError as error:
        raise ParseFailed(f"{resource.name}: not {encoding}: {error.reason} at byte {error.start} of a row") from error
    except csv.Error as error:
        raise ParseFailed(f"{resource.name}: not CSV: {error}") from error


ROOT = "LEIData"
REPEATED = frozenset(
    {"OtherEntityName", "TransliteratedOtherEntityName", "AdditionalAddressLine", "OtherAddress", "SuccessorEntity"}
)
"""Elements that the golden copy numbers, `.1` and so on."""
_PASSED_OVER = frozenset({"Extension", "LegalEntityEvents"})
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def read_document(file: io.BufferedReader, resource: Resource, context: ParseContext) -> Iterator[LeiRecord]:
    """The Canadian records. Raises `ParseFailed` when the document is another or not well-formed."""
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
        raise ParseFailed(f"{resource.name}: has no LEIRecord in it")
    context.note(f"{foreign:,} entities of other countries were passed over")


def _check_root(element: Element, resource: Resource) -> None:
    root = str(element.getroottree().getroot().tag).rpartition("}")[2]
    if root != ROOT:
        raise ParseFailed(f"{resource.name}: the document is a {root}, not a {ROOT}")


def _find_text(entity: Element | None, column: str) -> str:
    """The text of an element by its column's name; empty when it is not there."""
    if entity is None:
        return ""
    path = "/".join(f"{{*}}{name}" for name in column.split(".")[1:])
    return (entity.findtext(path) or "").strip()


def _flatten(element: Element, path: str, cells: dict[str, str]) -> None:
    """Put every text below an element under the path of the elements that lead to it."""
    counts: dict[str, int] = {}
    for child in element:
        name = str(child.tag).rpartition("}")[2]
        if name in _PASSED_OVER:
            continue
        counts[name] = counts.get(name, 0) + 1
        place = f"{path}{name}.{counts[name]}" if name in REPEATED else f"{path}{name}"
        text = normalize_whitespace(child.text)
        if text is not None:
            cells[place] = text
        for attribute, suffix in (("type", "type"), (_LANGUAGE, "xmllang")):
            value = child.get(attribute)
            if value is not None:
                cells[f"{place}.{suffix}"] = value
        _flatten(child, f"{place}.", cells)
