"""The UK Sanctions List: one entry a designation, by its Unique ID, from the XML or, when that can't be had, from the CSV.

The CSV has a row for each combination of what a party has several of (one has 3,780), so that the XML is half as large.
"""

from collections.abc import Iterator, Sequence

from bonafide.errors import ParseFailed
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.formats.xml_elements import is_xml
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import download_with_fallback
from bonafide.sources.sanctions.uk_sanctions_list.csv_list import read_list
from bonafide.sources.sanctions.uk_sanctions_list.listed_entity import UkDesignation, build_listed_entity
from bonafide.sources.sanctions.uk_sanctions_list.xml_list import read_xml


async def fetch(context: FetchContext) -> list[Resource]:
    """The list in one of its forms. Raises a `SourceError`."""
    return await download_with_fallback(context, context.metadata.resource("xml"), context.metadata.resource("csv"))


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """The designations of all files. Raises `ParseFailed` for a file that is neither form of the list, or has none in it."""
    seen: set[str] = set()
    for resource in resources:
        before = context.report.rows
        for line, found in read_xml(resource, context) if is_xml(resource) else read_list(resource, context):
            if found.unique_id in seen:
                context.reject(resource, line, "a Unique ID that stands twice")
                continue
            seen.add(found.unique_id)
            entry = _build_entry(found, resource, line, context)
            if entry is not None:
                yield entry
        if context.report.rows == before:
            raise ParseFailed(f"{context.metadata.key}: {resource.name}: there is no designation in it")


def _build_entry(found: UkDesignation, resource: Resource, line: int, context: ParseContext) -> ListedEntity | None:
    kind = context.term(found.subject.casefold())
    if kind not in set(EntityKind):
        context.reject(resource, line, f"a designation of a kind that is not known: {found.subject!r}")
        return None
    try:
        return build_listed_entity(found, EntityKind(kind), context)
    except ValueError as error:
        context.reject(resource, line, str(error))
        return None
