"""The UK Sanctions List: one entry for each designation, by Unique ID, from the XML or, if that is unavailable, the CSV.

The CSV has a row for each combination of repeated fields of a party (up to 3,780), so the XML is half as large.
"""

from collections.abc import Iterator, Sequence

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.formats.xml_elements import is_xml
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import download_with_fallback
from bonafide.sources.sanctions.uk_sanctions_list.csv_list import read_list
from bonafide.sources.sanctions.uk_sanctions_list.listed_entity import UkDesignation, build_listed_entity
from bonafide.sources.sanctions.uk_sanctions_list.xml_list import read_xml


async def fetch(context: FetchContext) -> list[Resource]:
    """Download the list in one of its formats. Raises a `SourceError`."""
    return await download_with_fallback(context, context.metadata.resource("xml"), context.metadata.resource("csv"))


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """Yield the designations of all files. Raises `ParseFailed` for a file in neither format, or without designations."""
    seen: set[str] = set()
    for resource in resources:
        before = context.report.rows
        for line, found in read_xml(resource, context) if is_xml(resource) else read_list(resource, context):
            if found.unique_id in seen:
                context.reject(resource, line, Message("the number is not unique"))
                continue
            seen.add(found.unique_id)
            entry = _build_entry(found, resource, line, context)
            if entry is not None:
                yield entry
        if context.report.rows == before:
            raise ParseFailed(Message("{file}: the file contains no listed parties", file=resource.name))


def _build_entry(found: UkDesignation, resource: Resource, line: int, context: ParseContext) -> ListedEntity | None:
    kind = context.term(found.subject.casefold())
    if kind not in set(EntityKind):
        context.reject(resource, line, Message("unknown type of party “{type}”", type=found.subject))
        return None
    try:
        return build_listed_entity(found, EntityKind(kind), context)
    except ValueError as error:
        context.reject(resource, line, error)
        return None
