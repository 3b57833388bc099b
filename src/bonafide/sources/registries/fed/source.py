"""Corporations Canada in both its formats: the daily CSV files, and the older XML, which alone knows former names and origins.

Where a load has both, the CSV decides what holds today and the XML adds what it knows of the past; a corporation that only the XML
has is taken from there.
"""

from collections.abc import Iterator, Sequence

from bonafide.errors import ParseFailed
from bonafide.model.entry import RegistryEntry
from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.parse import read_csv
from bonafide.sources.parse_zip import is_zip
from bonafide.sources.registries.fed.corporation import Corporation
from bonafide.sources.registries.fed.open_data import read_corporations
from bonafide.sources.registries.fed.past import READ_BEFORE, Past, Today
from bonafide.sources.registries.fed.table import corporation_number, entry_of, names_of

_XML_BEGINS = (b"<?xml", b"\xef\xbb\xbf<?xml", b"<cc:corpcan")


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegistryEntry]:
    """Every corporation once; the files are of different minutes, so one that has just been dissolved can be in two."""
    older = [resource for resource in resources if _is_xml(resource)]
    tables = [resource for resource in resources if resource not in older]
    seen: set[int] = set()
    past = Past(_today(tables, context) if older else ())
    for resource in older:
        for corporation in read_corporations(resource, context):
            entry = _taken(corporation, past, seen, context)
            if entry is not None:
                yield entry
    for resource in tables:
        yield from _entries(resource, past, seen, context)


def _is_xml(resource: Resource) -> bool:
    """Whether a file is of the older kind, by its first bytes. Raises `ParseFailed` for one that can't be opened."""
    try:
        with resource.path.open("rb") as file:
            return is_zip(resource) or file.read(16).startswith(_XML_BEGINS)
    except OSError as error:
        raise ParseFailed(f"{resource.name}: can't be read: {error.strerror}") from error


def _today(tables: Sequence[Resource], context: ParseContext) -> Iterator[Today]:
    """The corporations that the CSV files have. What is wrong with a row is told when it is read for good."""
    for resource in tables:
        for _, row in read_csv(resource, ParseContext(context.metadata)):
            try:
                names = names_of(row)
                yield int(corporation_number(row)), names[0], names[-1]
            except ValueError:
                continue


def _taken(corporation: Corporation, past: Past, seen: set[int], context: ParseContext) -> RegistryEntry | None:
    """The entry of a corporation of the XML; None where it can't be read, or a CSV file has it too: then what it adds is kept."""
    try:
        number = corporation.entry_number()
        if past.keep(number, corporation):
            context.merge()
            return None
        entry = corporation.entry(context)
    except ValueError as error:
        context.reject(corporation.resource, corporation.line, str(error))
        return None
    if number in seen:
        context.reject(corporation.resource, corporation.line, READ_BEFORE)
        return None
    seen.add(number)
    return entry


def _entries(resource: Resource, past: Past, seen: set[int], context: ParseContext) -> Iterator[RegistryEntry]:
    """The corporations of a CSV file."""
    for _, row in read_csv(resource, context):
        try:
            entry = entry_of(row, resource.retrieved_at.year, context)
        except ValueError as error:
            context.reject(resource, row.line, str(error))
            continue
        number = int(entry.entry_id)
        if number in seen:
            context.reject(resource, row.line, READ_BEFORE)
            continue
        seen.add(number)
        yield past.joined(number, entry)
