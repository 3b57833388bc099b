"""The older XML download: a ZIP of `OPEN_DATA_1.xml` and so on with `codes.xml`, or one such file by itself."""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import IO, cast

from bonafide.errors import ParseFailed
from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.parse_xml import read_stream
from bonafide.sources.parse_zip import is_zip, opened_member, opened_zip
from bonafide.sources.registries.fed.codes import Codes, read_codes
from bonafide.sources.registries.fed.corporation import SECTIONS, Corporation, sections_of

CODES = "codes.xml"
ROOT = "corpcan"
MAX_UNPACKED_BYTES = 16 << 30
"""Six times what the last known download held."""
_PART = re.compile(r"(?:.*/)?OPEN_DATA_(\d+)\.xml", re.IGNORECASE)


def read_corporations(resource: Resource, context: ParseContext) -> Iterator[Corporation]:
    """Every corporation of a ZIP or of a single XML file. Raises `ParseFailed` when it is none of the register's."""
    if not is_zip(resource):
        with resource.path.open("rb") as file:
            yield from _corporations(file, resource, Codes(context.metadata), context)
        return
    with opened_zip(resource, MAX_UNPACKED_BYTES) as archive:
        parts = _parts(archive)
        if not parts:
            raise ParseFailed(f"{resource.name}: has no OPEN_DATA_1.xml or any other part of the register")
        codes = _codes(archive, resource, context)
        for name in parts:
            with opened_member(archive, name, resource) as member:
                yield from _corporations(member, replace(resource, name=f"{resource.name}/{name}"), codes, context)


def _parts(archive: zipfile.ZipFile) -> list[str]:
    """The names of the parts, in the order of their numbers."""
    found = ((_PART.fullmatch(name), name) for name in archive.namelist())
    return [name for _, name in sorted((int(part[1]), name) for part, name in found if part is not None)]


def _codes(archive: zipfile.ZipFile, resource: Resource, context: ParseContext) -> Codes:
    for name in archive.namelist():
        if name.rpartition("/")[2].casefold() == CODES:
            with opened_member(archive, name, resource) as member:
                return read_codes(member, replace(resource, name=f"{resource.name}/{name}"), context.metadata)
    context.note(f"the archive has no {CODES}: only the codes that this release knows are read")
    return Codes(context.metadata)


def _corporations(file: IO[bytes], resource: Resource, codes: Codes, context: ParseContext) -> Iterator[Corporation]:
    year: int | None = None
    for element in read_stream(file, resource, "corporation"):
        if year is None:
            year = _year(element.getroottree().getroot().attrib.get("date"), resource, context)
            _check_root(str(element.getroottree().getroot().tag), resource)
        context.row()
        sections = sections_of(element)
        if not sections.keys() <= SECTIONS:
            for name in sections.keys() - SECTIONS:
                context.note(f"the XML has a part that is not known and not read: {name}")
        line = cast("int | None", element.sourceline) or 0
        yield Corporation((element.get("corporationId") or "").strip(), sections, resource, line, year, codes)
    if year is None:
        raise ParseFailed(f"{resource.name}: has no corporation in it")


def _check_root(tag: str, resource: Resource) -> None:
    if tag.rpartition("}")[2] != ROOT:
        raise ParseFailed(f"{resource.name}: the document is a {tag.rpartition('}')[2]}, not a {ROOT}")


def _year(made: str | None, resource: Resource, context: ParseContext) -> int:
    """In which the file was made, as it says of itself."""
    try:
        day = date.fromisoformat((made or "")[:10])
    except ValueError:
        return resource.retrieved_at.year
    context.note(f"the older XML is of {day.isoformat()}")
    context.dated(day)
    return day.year
