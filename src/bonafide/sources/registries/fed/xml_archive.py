"""Read the older XML download: a ZIP with `OPEN_DATA_1.xml` etc. and `codes.xml`, or one of these files."""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import IO, cast

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.sources.formats.xml_elements import read_stream
from bonafide.sources.formats.zip_archive import is_zip, open_member, open_zip
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.registries.fed.codes import CodeTable, read_codes
from bonafide.sources.registries.fed.xml_corporation import SECTIONS, XmlCorporation, split_sections

CODES = "codes.xml"
ROOT = "corpcan"
_PART = re.compile(r"(?:.*/)?OPEN_DATA_(\d+)\.xml", re.IGNORECASE)


def read_corporations(resource: Resource, context: ParseContext) -> Iterator[XmlCorporation]:
    """Every corporation of a ZIP or of a single XML file. Raises `ParseFailed` for any other file."""
    if not is_zip(resource):
        with resource.path.open("rb") as file:
            yield from _read_file(file, resource, CodeTable(context.metadata), context)
        return
    with open_zip(resource, context.metadata.limits) as archive:
        parts = _find_parts(archive)
        if not parts:
            raise ParseFailed(Message("{file}: the archive has no OPEN_DATA_*.xml", file=resource.name))
        codes = _read_codes(archive, resource, context)
        for name in parts:
            with open_member(archive, name, resource) as member:
                yield from _read_file(member, replace(resource, name=f"{resource.name}/{name}"), codes, context)


def _find_parts(archive: zipfile.ZipFile) -> list[str]:
    """The names of the parts, in the order of their numbers."""
    found = ((_PART.fullmatch(name), name) for name in archive.namelist())
    return [name for _, name in sorted((int(part[1]), name) for part, name in found if part is not None)]


def _read_codes(archive: zipfile.ZipFile, resource: Resource, context: ParseContext) -> CodeTable:
    for name in archive.namelist():
        if name.rpartition("/")[2].casefold() == CODES:
            with open_member(archive, name, resource) as member:
                return read_codes(member, replace(resource, name=f"{resource.name}/{name}"), context.metadata)
    context.note(Message("the archive has no {file}; only known codes are read", file=CODES))
    return CodeTable(context.metadata)


def _read_file(file: IO[bytes], resource: Resource, codes: CodeTable, context: ParseContext) -> Iterator[XmlCorporation]:
    year: int | None = None
    for element in read_stream(file, resource, "corporation"):
        if year is None:
            year = _read_year(element.getroottree().getroot().attrib.get("date"), resource, context)
            _check_root(str(element.getroottree().getroot().tag), resource)
        context.row()
        sections = split_sections(element)
        if not sections.keys() <= SECTIONS:
            for name in sections.keys() - SECTIONS:
                context.note(Message("the unknown XML element {element} was ignored", element=name))
        line = cast("int | None", element.sourceline) or 0
        yield XmlCorporation((element.get("corporationId") or "").strip(), sections, resource, line, year, codes)
    if year is None:
        raise ParseFailed(Message("{file}: the file contains no corporation", file=resource.name))


def _check_root(tag: str, resource: Resource) -> None:
    if tag.rpartition("}")[2] != ROOT:
        found = tag.rpartition("}")[2]
        raise ParseFailed(
            Message("{file}: the root element is {found}, not {expected}", file=resource.name, found=found, expected=ROOT)
        )


def _read_year(made: str | None, resource: Resource, context: ParseContext) -> int:
    """The year of the date in the file, or of its download."""
    try:
        day = date.fromisoformat((made or "")[:10])
    except ValueError:
        return resource.retrieved_at.year
    context.note(Message("the older XML is dated {date}", date=day.isoformat()))
    context.set_as_of(day)
    return day.year
