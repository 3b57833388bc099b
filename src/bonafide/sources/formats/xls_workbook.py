"""Read a sheet of a legacy Excel workbook (.xls, OLE2): a known header, then rows.

Cells are converted to the text that Excel shows: whole numbers without a decimal point, dates in ISO form. Formulas, formatting and
.xlsx are not read.
"""

import io
from collections.abc import Iterator

import xlrd
from xlrd.sheet import Cell, Sheet

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message, join_values
from bonafide.sources.formats.delimited_text import TableRow, normalize_whitespace
from bonafide.sources.formats.file_problems import EMPTY_SHEET, TOO_LARGE, UNREADABLE_FILE
from bonafide.sources.framework.context import ParseContext, Resource

_OLE2_MAGIC = bytes.fromhex("D0CF11E0A1B11AE1")
MAX_XLS_BYTES = 64 * 1024 * 1024
"""A sheet has at most 65,536 rows; the reader keeps the whole file in memory."""


def is_xls(resource: Resource) -> bool:
    """Whether the file is a legacy workbook, by its first bytes: publishers use the same file name for CSV and HTML."""
    with resource.path.open("rb") as file:
        return file.read(len(_OLE2_MAGIC)) == _OLE2_MAGIC


def read_xls(resource: Resource, context: ParseContext, *, sheet: str) -> Iterator[tuple[str, TableRow]]:
    """Rows of one sheet with the name of its layout; empty rows are skipped, and the line is the row number that Excel shows.

    Raises `ParseFailed` when the file is not a readable workbook, has no such sheet, or has an unknown header.
    """
    cells = _open_sheet(resource, sheet)
    if cells.nrows == 0:
        raise ParseFailed(EMPTY_SHEET.fill(file=resource.name, sheet=sheet))
    header = [_format_cell(cell, cells) or "" for cell in cells.row(0)]
    layout = context.layout(header, resource)
    for index in range(1, cells.nrows):
        texts = [_format_cell(cell, cells) for cell in cells.row(index)]
        if any(text is not None for text in texts):
            context.row()
            yield layout, TableRow(index + 1, dict(zip(header, texts, strict=True)))


def _open_sheet(resource: Resource, name: str) -> Sheet:
    size = resource.path.stat().st_size
    if size > MAX_XLS_BYTES:
        raise ParseFailed(TOO_LARGE.fill(file=resource.name, size=size, limit=MAX_XLS_BYTES))
    try:
        # By default xlrd prints warnings to standard output.
        book = xlrd.open_workbook(file_contents=resource.path.read_bytes(), logfile=io.StringIO())
    except MemoryError:
        raise
    except Exception as error:  # the library raises many kinds of errors for a damaged workbook
        raise ParseFailed(UNREADABLE_FILE.fill(file=resource.name, format=".xls", error=str(error))) from error
    if name not in book.sheet_names():
        names = join_values(book.sheet_names())
        raise ParseFailed(Message("{file}: there is no sheet '{sheet}', only {names}", file=resource.name, sheet=name, names=names))
    return book.sheet_by_name(name)


def _format_cell(cell: Cell, sheet: Sheet) -> str | None:
    """The text that Excel shows; None for a blank cell or an error."""
    if cell.ctype == xlrd.XL_CELL_TEXT:
        return normalize_whitespace(cell.value)
    if cell.ctype == xlrd.XL_CELL_NUMBER:
        return str(int(cell.value)) if cell.value.is_integer() else repr(cell.value)
    if cell.ctype == xlrd.XL_CELL_DATE:
        return _format_instant(cell.value, sheet.book.datemode)
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return "TRUE" if cell.value else "FALSE"
    return None


def _format_instant(serial: float, datemode: int) -> str:
    """A spreadsheet's day number in ISO form, with the time if it has one; the number itself if it is not a valid day."""
    try:
        return str(xlrd.xldate.xldate_as_datetime(serial, datemode)).removesuffix(" 00:00:00")
    except (ValueError, OverflowError):
        return repr(serial)
