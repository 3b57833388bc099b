"""Write rows as a spreadsheet (Office Open XML, ECMA-376), a batch at a time.

The workbook has one sheet. Texts are stored as texts, so that no cell is a formula, and instants as dates of the time zone.
"""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, tzinfo
from typing import IO, cast
from xml.sax.saxutils import escape

from typing_extensions import Buffer

Cell = str | int | float | bool | datetime | None
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MAX_CELL_CHARACTERS = 32767
"""The limit of spreadsheets."""
MAX_SHEET_ROWS = 1_048_576
"""The limit of spreadsheets, including the row of column names."""
_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001 - dates of spreadsheets have no time zone
_SECONDS_OF_A_DAY = 86400
_DATE_STYLE, _HEAD_STYLE = 1, 2
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML does not have."""
_HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PARTS = {
    "[Content_Types].xml": (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_KIND}.worksheet+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_KIND}.styles+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>'
    ),
    "xl/styles.xml": (
        f'<styleSheet xmlns="{_MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts>'
        '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
        '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
        '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>'
        '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
        '<cellXfs count="3"><xf/><xf numFmtId="164" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>'
    ),
}  # fmt: skip
_SHEET = "xl/worksheets/sheet1.xml"


class _Buffer(io.RawIOBase):
    """What the archive has written since the last `take`; it can't be rewound."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        """Whether bytes can be written."""
        return True

    def write(self, data: Buffer) -> int:
        """Append bytes."""
        self._pieces.append(bytes(data))
        return len(self._pieces[-1])

    def take(self) -> bytes:
        """The bytes written since the last call."""
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken


class SpreadsheetWriter:
    """Writes one sheet: `begin`, then `write` for each batch, then `finish`. Each returns the next bytes of the file."""

    def __init__(self, sheet_name: str, zone: tzinfo) -> None:
        self._buffer = _Buffer()
        self._archive = zipfile.ZipFile(cast("IO[bytes]", self._buffer), "w", zipfile.ZIP_DEFLATED)
        self._sheet_name = re.sub(r"[\[\]:*?/\\]", " ", sheet_name)[:31].strip() or "List"
        self._zone = zone
        self._rows = 0

    def begin(self, columns: Sequence[str]) -> bytes:
        """The beginning of the file with the row of column names."""
        workbook = (
            f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
            f'<sheet name="{_escape(self._sheet_name)}" sheetId="1" r:id="rId1"/></sheets></workbook>'
        )
        for name, content in {**_PARTS, "xl/workbook.xml": workbook}.items():
            self._archive.writestr(name, _HEADER + content)
        self._sheet = self._archive.open(_SHEET, "w")
        views = (
            '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews>'
        )
        self._sheet.write(f'{_HEADER}<worksheet xmlns="{_MAIN}">{views}<sheetData>'.encode())
        self._sheet.write(self._write_row([_write_text(name, _HEAD_STYLE) for name in columns]).encode())
        return self._buffer.take()

    def write(self, rows: Iterable[Sequence[Cell]]) -> bytes:
        """The bytes of further rows."""
        written = "".join(self._write_row([_write_cell(cell, self._zone) for cell in row]) for row in rows)
        self._sheet.write(written.encode())
        return self._buffer.take()

    def finish(self) -> bytes:
        """The end of the file."""
        self._sheet.write(b"</sheetData></worksheet>")
        self._sheet.close()
        self._archive.close()
        return self._buffer.take()

    def _write_row(self, cells: list[str]) -> str:
        self._rows += 1
        return f'<row r="{self._rows}">{"".join(self._place(cells))}</row>'

    def _place(self, cells: list[str]) -> Iterator[str]:
        """The cells with their references; empty ones are left out."""
        for number, cell in enumerate(cells):
            if cell:
                yield cell.replace("<c", f'<c r="{_name_column(number)}{self._rows}"', 1)


def _write_cell(value: Cell, zone: tzinfo) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f"<c><v>{value}</v></c>"
    if isinstance(value, datetime):
        days = (value.astimezone(zone).replace(tzinfo=None) - _EPOCH).total_seconds() / _SECONDS_OF_A_DAY
        return f'<c s="{_DATE_STYLE}"><v>{days:.8f}</v></c>'
    return _write_text(value, 0)


def _write_text(text: str, style: int) -> str:
    return f'<c s="{style}" t="inlineStr"><is><t xml:space="preserve">{_escape(text[:MAX_CELL_CHARACTERS])}</t></is></c>'


def _escape(text: str) -> str:
    return escape(_ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", text), {'"': "&quot;"})


def _name_column(number: int) -> str:
    """`A` for 0, `AA` for 26."""
    name = ""
    while number >= 0:
        number, letter = divmod(number, 26)
        name = chr(ord("A") + letter) + name
        number -= 1
    return name
