"""Licences to build in Quebec: one entry a licence, from all the rows that the file has for it, wherever they stand.

A business can hold several licences; they stay apart, each with its number. That a licence was lost is seen from its absence alone.
"""

from collections.abc import Iterator, Sequence

from bonafide.errors import ParseFailed
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import create_download, fetch_portal_files
from bonafide.sources.regulators.rbq_licences.licence import (
    RbqLicence,
    build_entry,
    parse_licence,
    parse_licence_number,
    read_records,
)

INDEX = "package"
FILE = "rdl01_extractiondonneesouvertes"
ENDINGS = (".zip", ".json")
"""The forms of the file, the smaller one first."""


async def fetch(context: FetchContext) -> list[Resource]:
    """The file of all licences, from where the portal says that it lies. Raises a `SourceError`."""
    files = await fetch_portal_files(context, INDEX)
    for ending in ENDINGS:
        for file in files:
            if file.url.lower().endswith(f"/{FILE}{ending}"):
                return [await context.download(create_download(context, INDEX, file, "licences"))]
    raise ParseFailed(f"{context.metadata.key}: {INDEX}: the portal lists no {FILE}.zip")


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The licences of all files."""
    licences: dict[str, RbqLicence] = {}
    for resource in resources:
        _gather_licences(resource, context, licences)
    for number in list(licences):
        # Given away one by one: entries and licences need not all be there at a time.
        yield build_entry(licences.pop(number), context)


def _gather_licences(resource: Resource, context: ParseContext, licences: dict[str, RbqLicence]) -> None:
    for record in read_records(resource, context):
        try:
            number = parse_licence_number(record)
            licence = licences.get(number)
            if licence is None:
                licence = licences[number] = parse_licence(record)
            else:
                context.merge()
        except ValueError as error:
            context.reject(record.resource, record.line, str(error))
            continue
        licence.add(record)
