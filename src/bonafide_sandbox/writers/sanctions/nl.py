"""The Dutch national list as an OpenDocument spreadsheet: a title, an empty row, a header row, and one row per party.

As written by office programs, each row ends with one repeated empty cell for the remaining columns, and the sheet with one repeated
empty row.
"""

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from bonafide_sandbox.generator.foreign_parties import ForeignParty, ForeignPartyKind, create_terrorists
from bonafide_sandbox.writers.formats.standalone_list import StandaloneListWriter
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import StandaloneListWriterFactory, TargetFile

HEADER = (
    *("Surname", "First name(s)", "Alias", "Date of Birth(DD-MM-JJJJ)", "Place of Birth"),
    *("Date of ministerial decision (DD/MM/JJJJ)", "Link official notification"),
)
MEDIA_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
_NAMESPACE = "urn:oasis:names:tc:opendocument:xmlns"
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    f'<office:document-content xmlns:office="{_NAMESPACE}:office:1.0" xmlns:table="{_NAMESPACE}:table:1.0"'
    f' xmlns:text="{_NAMESPACE}:text:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.3">'
    '<office:body><office:spreadsheet><table:table table:name="Sheet1">'
)
_TAIL = (
    '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/>'
    "</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"
)
_NOTICES = "https://zoek.officielebekendmakingen.nl/sandbox"


TARGET = TargetFile(
    "nl-sanctions-terrorism", "terrorism_list", "nl-sanctions-terrorism/eng-terrorismelijst.ods", DeliveryRoute.DOWNLOAD
)


def create_dutch_writer(folder: Path, seed: int, day: int) -> StandaloneListWriter:
    """Return the writer of the list, whose people and organizations are on no other list."""
    return StandaloneListWriter(folder, TARGET, lambda path: _write(path, create_terrorists(seed, day)))


def _write(path: Path, parties: Iterable[ForeignParty]) -> None:
    title = _row([_cell("National sanctions list terrorism")])
    rows = [title, _row([]), _row(list(map(_cell, HEADER))), *map(_party, parties)]
    with ZipFile(path, "w") as archive:
        archive.writestr(_part("mimetype", ZIP_STORED), MEDIA_TYPE)
        archive.writestr(_part("content.xml", ZIP_DEFLATED), _HEAD + "".join(rows) + _TAIL)


def _party(party: ForeignParty) -> str:
    born = "; ".join(f"{birth.day or 1:02}-{birth.month or 1:02}-{birth.year}" for birth in party.births)
    place = party.city if party.kind is ForeignPartyKind.PERSON else "n/a: an organisation"
    aliases = "; ".join(alias.text for alias in party.aliases)
    texts = [party.name, " ".join(party.given), aliases, born, place]
    return _row([*map(_cell, texts), _day(party.listed), _link(f"Stcrt {party.serial}", f"{_NOTICES}/{party.serial}")])


def _day(day: date) -> str:
    value = f'office:value-type="date" office:date-value="{day}"'
    return f"<table:table-cell {value}><text:p>{day:%d-%m-%Y}</text:p></table:table-cell>"


def _link(text: str, url: str) -> str:
    anchor = f"<text:a xlink:href={quoteattr(url)}>{escape(text)}</text:a>"
    return f"<table:table-cell><text:p>{anchor}</text:p></table:table-cell>"


def _cell(text: str) -> str:
    paragraph = f"<text:p>{escape(text)}</text:p>" if text else ""
    return f'<table:table-cell office:value-type="string">{paragraph}</table:table-cell>'


def _row(cells: list[str]) -> str:
    rest = f'<table:table-cell table:number-columns-repeated="{16384 - len(cells)}"/>'
    return f"<table:table-row>{''.join(cells)}{rest}</table:table-row>"


def _part(name: str, compression: int) -> ZipInfo:
    """Return an archive member with the earliest timestamp that ZIP supports, so that the output is deterministic."""
    part = ZipInfo(name)
    part.compress_type = compression
    return part


WRITERS = (StandaloneListWriterFactory("nl-sanctions-terrorism", create_dutch_writer),)
