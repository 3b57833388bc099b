"""Stream a sheet of an Excel workbook (.xlsx): a known header, then rows.

Cells are converted to the text that Excel shows: whole numbers without a decimal point, dates in ISO form. Formulas are not
computed. The legacy format is read by `xls_workbook`.
"""

from collections.abc import Iterator
from datetime import date, datetime, time
from zipfile import ZipFile, is_zipfile

from python_calamine import CalamineWorkbook

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.sources.formats.delimited_text import CELL_COUNT, TableRow, normalize_whitespace
from bonafide.sources.formats.file_problems import TOO_LARGE, UNREADABLE_FILE
from bonafide.sources.formats.zip_archive import UNREADABLE, check_member_sizes
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.framework.load_limits import LoadLimits

MAX_XLSX_BYTES = 64 * 1024 * 1024
MAX_EMPTY_ROWS = 20
"""Maximum number of empty rows before the header; publishers leave one or two."""


def is_xlsx(resource: Resource) -> bool:
    """Whether the file is a workbook, by its content: a ZIP archive that contains one."""
    if not is_zipfile(resource.path):
        return False
    try:
        with ZipFile(resource.path) as packed:
            return "xl/workbook.xml" in packed.namelist()
    except UNREADABLE:
        return False


def read_xlsx(resource: Resource, context: ParseContext) -> Iterator[tuple[str, TableRow]]:
    """Rows of the first sheet with the name of its layout; empty rows are skipped, and the line is the row number that Excel shows.

    Raises `ParseFailed` when the file is not a readable workbook or its header is unknown.
    """
    rows = enumerate(_read_rows(resource, context.metadata.limits), start=1)
    header = _read_header(resource, rows)
    layout = context.layout(header, resource)
    for line, cells in rows:
        if all(cell is None for cell in cells):
            continue
        context.row()
        if any(cell is not None for cell in cells[len(header) :]):
            context.reject(resource, line, CELL_COUNT.fill(cells=len(cells), columns=len(header)))
            continue
        padded = [*cells, *[None] * len(header)][: len(header)]
        yield layout, TableRow(line, dict(zip(header, padded, strict=True)))


def _read_header(resource: Resource, rows: Iterator[tuple[int, list[str | None]]]) -> list[str]:
    """The first row that is not empty, without the empty cells after its last heading."""
    for line, cells in rows:
        if any(cell is not None for cell in cells):
            while cells[-1] is None:
                cells.pop()
            return [cell or "" for cell in cells]
        if line > MAX_EMPTY_ROWS:
            break
    raise ParseFailed(Message("{file}: the first sheet is empty", file=resource.name))


def _read_rows(resource: Resource, limits: LoadLimits) -> Iterator[list[str | None]]:
    """The rows of the first sheet. Raises `ParseFailed` for an unreadable workbook, `LoadLimitExceeded` for a large one."""
    _check_size(resource, limits)
    try:
        sheet = CalamineWorkbook.from_path(resource.path).get_sheet_by_index(0)
    except MemoryError:
        raise
    except Exception as error:  # the library raises many kinds of errors for a damaged workbook
        raise ParseFailed(UNREADABLE_FILE.fill(file=resource.name, format=".xlsx", error=str(error))) from error
    return ([_format_cell(value) for value in cells] for cells in sheet.iter_rows())


def _check_size(resource: Resource, limits: LoadLimits) -> None:
    size = resource.path.stat().st_size
    if size > MAX_XLSX_BYTES:
        raise ParseFailed(TOO_LARGE.fill(file=resource.name, size=size, limit=MAX_XLSX_BYTES))
    try:
        with ZipFile(resource.path) as packed:
            check_member_sizes(packed.infolist(), resource)
            unpacked = sum(part.file_size for part in packed.infolist())
    except UNREADABLE as error:
        raise ParseFailed(UNREADABLE_FILE.fill(file=resource.name, format=".xlsx", error=str(error))) from error
    limits.check_unpacked(resource.name, size, unpacked)


def _format_cell(value: object) -> str | None:
    """The text that Excel shows; None for a blank cell."""
    if value == "":
        return None
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        return str(value.date()) if value.time() == time() else str(value)
    return str(value) if isinstance(value, date) else normalize_whitespace(str(value))
