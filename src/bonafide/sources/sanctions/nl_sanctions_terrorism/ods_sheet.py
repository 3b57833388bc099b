"""Read the rows of an OpenDocument spreadsheet (.ods), a ZIP archive with the tables in one XML file, and the links of its cells.

A cell has its displayed text; dates are in ISO form. Only the first table is read, and formulas are not computed.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element, read_stream
from bonafide.sources.formats.zip_archive import is_zip, open_member, open_zip
from bonafide.sources.framework.context import Resource
from bonafide.sources.framework.load_limits import LoadLimits

CONTENT = "content.xml"
MAX_COLUMNS = 50
"""The last cell of a row is an empty one that is repeated up to the edge of the sheet."""
_NOT_ODS = Message("{file}: not an OpenDocument spreadsheet (.ods)")
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_HREF = "{http://www.w3.org/1999/xlink}href"


@dataclass(frozen=True, slots=True)
class OdsCell:
    """The displayed text of a cell, None if it is blank, and its link."""

    text: str | None = None
    link: str | None = None


def read_sheet(resource: Resource, limits: LoadLimits) -> Iterator[tuple[int, list[OdsCell]]]:
    """Yield each row that is not empty with its row number. Raises `ParseFailed` and `LoadLimitExceeded`."""
    if not is_zip(resource):
        raise ParseFailed(_NOT_ODS.fill(file=resource.name))
    with open_zip(resource, limits) as archive:
        if CONTENT not in archive.namelist():
            raise ParseFailed(_NOT_ODS.fill(file=resource.name))
        with open_member(archive, CONTENT, resource) as file:
            content = io.BytesIO(file.read())
    line = 0
    for table in read_stream(content, resource, "table"):
        for row in table.iter(f"{_TABLE}table-row"):
            line += 1
            cells = [cell for element in row for cell in _read_cells(element)]
            if any(cell.text is not None for cell in cells):
                yield line, cells
            line += _read_repeat_count(row, "rows") - 1
        return


def _read_cells(element: Element) -> list[OdsCell]:
    repeated = min(_read_repeat_count(element, "columns"), MAX_COLUMNS)
    link = next((href for anchor in element.iter(f"{_TEXT}a") if (href := anchor.get(_HREF))), None)
    return [OdsCell(_format_cell(element), link)] * repeated


def _format_cell(element: Element) -> str | None:
    if element.get(f"{_OFFICE}value-type") == "date":
        return (element.get(f"{_OFFICE}date-value") or "").partition("T")[0] or None
    paragraphs = ("".join(str(text) for text in paragraph.itertext()) for paragraph in element.iter(f"{_TEXT}p"))
    return normalize_whitespace(" ".join(paragraphs))


def _read_repeat_count(element: Element, unit: str) -> int:
    text = element.get(f"{_TABLE}number-{unit}-repeated") or "1"
    return int(text) if text.isdecimal() else 1
