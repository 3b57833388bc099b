"""Licences to build in Quebec: one entry a licence, from all the rows that the file has for it, wherever they stand.

A business can hold several licences; they stay apart, each with its number. That a licence was lost is seen from its absence alone.
"""

from collections.abc import Iterator, Sequence

from bonafide.errors import ParseFailed
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.ckan import download_of, portal_files
from bonafide.sources.context import FetchContext, ParseContext, Resource
from bonafide.sources.regulators.rbq_licences.files import records
from bonafide.sources.regulators.rbq_licences.licence import Licence, entry_of, licence_of, number_of

INDEX = "package"
FILE = "rdl01_extractiondonneesouvertes"
ENDINGS = (".zip", ".json")
"""The forms of the file, the smaller one first."""


async def fetch(context: FetchContext) -> list[Resource]:
    """The file of all licences, from where the portal says that it lies. Raises a `SourceError`."""
    files = await portal_files(context, INDEX)
    for ending in ENDINGS:
        for file in files:
            if file.url.lower().endswith(f"/{FILE}{ending}"):
                return [await context.download(download_of(context, INDEX, file, "licences"))]
    raise ParseFailed(f"{context.metadata.key}: {INDEX}: the portal lists no {FILE}.zip")


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The licences of all files."""
    licences: dict[str, Licence] = {}
    for resource in resources:
        _gather(resource, context, licences)
    for number in list(licences):
        # Given away one by one: entries and licences need not all be there at a time.
        yield entry_of(licences.pop(number), context)


def _gather(resource: Resource, context: ParseContext, licences: dict[str, Licence]) -> None:
    for record in records(resource, context):
        try:
            number = number_of(record)
            licence = licences.get(number)
            if licence is None:
                licence = licences[number] = licence_of(record)
            else:
                context.merge()
        except ValueError as error:
            context.reject(record.resource, record.line, str(error))
            continue
        licence.add(record)
