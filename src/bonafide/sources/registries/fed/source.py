"""Parse Corporations Canada's daily CSV files and the older XML, the only one with former names and incorporation dates.

If a load has both, the CSV files have precedence and the XML adds the history. Corporations that only the XML has are included.
"""

from collections.abc import Iterator, Sequence

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entry import RegistryEntry
from bonafide.sources.formats.delimited_text import read_csv
from bonafide.sources.formats.zip_archive import is_zip
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.registries.fed.csv_rows import build_entry, read_corporation_number, read_names
from bonafide.sources.registries.fed.xml_archive import read_corporations
from bonafide.sources.registries.fed.xml_corporation import READ_BEFORE, CorporationHistory, CurrentCorporation, XmlCorporation

_XML_PREFIXES = (b"<?xml", b"\xef\xbb\xbf<?xml", b"<cc:corpcan")


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegistryEntry]:
    """Every corporation once. The files are created at different times, so one that was just dissolved can be in two."""
    older = [resource for resource in resources if _is_xml(resource)]
    tables = [resource for resource in resources if resource not in older]
    seen: set[int] = set()
    past = CorporationHistory(_read_current_corporations(tables, context) if older else ())
    for resource in older:
        for corporation in read_corporations(resource, context):
            entry = _merge_corporation(corporation, past, seen, context)
            if entry is not None:
                yield entry
    for resource in tables:
        yield from _read_entries(resource, past, seen, context)


def _is_xml(resource: Resource) -> bool:
    """Whether a file is the older XML or a ZIP, by its first bytes. Raises `ParseFailed` for an unreadable file."""
    try:
        with resource.path.open("rb") as file:
            return is_zip(resource) or file.read(16).startswith(_XML_PREFIXES)
    except OSError as error:
        raise ParseFailed(
            Message("{file}: the file can’t be read: {error}", file=resource.name, error=str(error.strerror))
        ) from error


def _read_current_corporations(tables: Sequence[Resource], context: ParseContext) -> Iterator[CurrentCorporation]:
    """The corporations of the CSV files. Problems of rows are reported when these are parsed."""
    for resource in tables:
        for _, row in read_csv(resource, ParseContext(context.metadata)):
            try:
                names = read_names(row)
                yield int(read_corporation_number(row)), names[0], names[-1]
            except ValueError:
                continue


def _merge_corporation(
    corporation: XmlCorporation, past: CorporationHistory, seen: set[int], context: ParseContext
) -> RegistryEntry | None:
    """The entry of a corporation of the XML; None if it is unreadable, or if a CSV file has it, for which its history is kept."""
    try:
        number = corporation.entry_number()
        if past.keep(number, corporation):
            context.merge()
            return None
        entry = corporation.entry(context)
    except ValueError as error:
        context.reject(corporation.resource, corporation.line, error)
        return None
    if number in seen:
        context.reject(corporation.resource, corporation.line, READ_BEFORE)
        return None
    seen.add(number)
    return entry


def _read_entries(resource: Resource, past: CorporationHistory, seen: set[int], context: ParseContext) -> Iterator[RegistryEntry]:
    """The corporations of a CSV file."""
    for _, row in read_csv(resource, context):
        try:
            entry = build_entry(row, resource.retrieved_at.year, context)
        except ValueError as error:
            context.reject(resource, row.line, error)
            continue
        number = int(entry.entry_id)
        if number in seen:
            context.reject(resource, row.line, READ_BEFORE)
            continue
        seen.add(number)
        yield past.joined(number, entry)
