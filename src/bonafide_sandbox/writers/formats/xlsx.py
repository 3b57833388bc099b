"""Write a workbook with one sheet of text, row by row, with only the required parts and no styles.

The output is deterministic. A spreadsheet library would embed the current time.
"""

from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
    '<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
}
_SHEET = "xl/worksheets/sheet1.xml"


class XlsxFile:
    """A workbook. `skip` is the number of empty rows above the first row."""

    def __init__(self, path: Path, *, skip: int = 0) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._zip = ZipFile(path, "w")
        for name, text in _PARTS.items():
            self._zip.writestr(_part(name), _HEAD + text)
        self._sheet = self._zip.open(_part(_SHEET), "w")
        self._sheet.write(f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>'.encode())
        self._row = skip

    def write(self, cells: Iterable[str]) -> None:
        """Write a row."""
        self._row += 1
        texts = "".join(f'<c t="inlineStr"><is><t xml:space="preserve">{escape(cell)}</t></is></c>' for cell in cells)
        self._sheet.write(f'<row r="{self._row}">{texts}</row>'.encode())

    def close(self) -> None:
        """Finish the file."""
        self._sheet.write(b"</sheetData></worksheet>")
        self._sheet.close()
        self._zip.close()


def _part(name: str) -> ZipInfo:
    """Return an archive member with the earliest timestamp that ZIP supports, so that the output is deterministic."""
    part = ZipInfo(name)
    part.compress_type = ZIP_DEFLATED
    return part
