"""Stream a sheet of an Excel workbook (.xlsx): a known header, then rows.

A cell becomes the text that a person sees in it: whole numbers without a decimal point, dates in ISO form. It computes no formulas
and does not read the legacy format (`xls_workbook`).
"""

from collections.abc import Iterator
from datetime import date, datetime, time
from zipfile import ZipFile, is_zipfile

from python_calamine import CalamineWorkbook

from bonafide.errors import ParseFailed
from bonafide.sources.formats.delimited_text import TableRow, normalize_whitespace
from bonafide.sources.formats.zip_archive import UNREADABLE, check_member_sizes
from bonafide.sources.framework.context import ParseContext, Resource

MAX_XLSX_BYTES = 64 * 1024 * 1024
MAX_UNPACKED_BYTES = 1024 * 1024 * 1024
"""A workbook is a ZIP: so much it may be when it is unpacked."""
MAX_EMPTY_ROWS = 20
"""The header is looked for behind so many empty rows; publishers leave one or two."""


def is_xlsx(resource: Resource) -> bool:
    """Whether the file is a workbook, by its content: a ZIP with a workbook in it."""
    if not is_zipfile(resource.path):
        return False
    try:
        with ZipFile(resource.path) as packed:
            return "xl/workbook.xml" in packed.namelist()
    except UNREADABLE:
        return False


def read_xlsx(resource: Resource, context: ParseContext) -> Iterator[tuple[str, TableRow]]:
    """Rows of the first sheet with the name of its layout; empty rows are passed over, the line is the row that Excel shows.

    Raises `ParseFailed` when the file is not a readable workbook or its header is not one that is known.
    """
    rows = enumerate(_read_rows(resource), start=1)
    header = _read_header(resource, rows)
    layout = context.layout(header, resource)
    for line, cells in rows:
        if all(cell is None for cell in cells):
            continue
        context.row()
        if any(cell is not None for cell in cells[len(header) :]):
            context.reject(resource, line, f"{len(cells)} cells where the header has {len(header)}")
            continue
        padded = [*cells, *[None] * len(header)][: len(header)]
        yield layout, TableRow(line, dict(zip(header, padded, strict=True)))


def _read_header(resource: Resource, rows: Iterator[tuple[int, list[str | None]]]) -> list[str]:
    """The first row that is not empty, without the empty cells behind its last heading."""
    for line, cells in rows:
        if any(cell is not None for cell in cells):
            while cells[-1] is None:
                cells.pop()
            return [cell or "" for cell in cells]
        if line > MAX_EMPTY_ROWS:
            break
    raise ParseFailed(f"{resource.name}: the first sheet is empty")


def _read_rows(resource: Resource) -> Iterator[list[str | None]]:
    """The rows of the first sheet. Raises `ParseFailed` when the workbook can't be read."""
    _check_size(resource)
    try:
        sheet = CalamineWorkbook.from_path(resource.path).get_sheet_by_index(0)
    except Exception as error:  # a damaged workbook fails inside the reader in any of a dozen ways
        raise ParseFailed(f"{resource.name}: not a readable .xlsx workbook: {error}") from error
    return ([_format_cell(value) for value in cells] for cells in sheet.iter_rows())


def _check_size(resource: Resource) -> None:
    size = resource.path.stat().st_size
    if size > MAX_XLSX_BYTES:
        raise ParseFailed(f"{resource.name}: {size:,} bytes, where a workbook of at most {MAX_XLSX_BYTES:,} is read")
    try:
        with ZipFile(resource.path) as packed:
            check_member_sizes(packed.infolist(), resource)
            unpacked = sum(part.file_size for part in packed.infolist())
    except UNREADABLE as error:
        raise ParseFailed(f"{resource.name}: not a readable .xlsx workbook: {error}") from error
    if unpacked > MAX_UNPACKED_BYTES:
        raise ParseFailed(f"{resource.name}: {unpacked:,} bytes when unpacked, where at most {MAX_UNPACKED_BYTES:,} are read")


def _format_cell(value: object) -> str | None:
    """The cell as a person sees it; None when it is blank."""
    if value == "":
        return None
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        return str(value.date()) if value.time() == time() else str(value)
    return str(value) if isinstance(value, date) else normalize_whitespace(str(value))
