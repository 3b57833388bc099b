"""Building contractor licences in Quebec: one entry for each licence, from all of its rows, in any order.

A business can hold several licences, which are separate entries. Only active licences are listed: a lost licence is absent.
"""

from collections.abc import Iterator, Sequence

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
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
"""The formats of the file, the smaller one first."""


async def fetch(context: FetchContext) -> list[Resource]:
    """Download the file of all licences that the portal lists. Raises a `SourceError`."""
    files = await fetch_portal_files(context, INDEX)
    for ending in ENDINGS:
        for file in files:
            if file.url.lower().endswith(f"/{FILE}{ending}"):
                return [await context.download(create_download(context, INDEX, file, "licences"))]
    raise ParseFailed(Message("{source}: the portal does not list {file}", source=context.metadata.key, file=f"{FILE}.zip"))


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """Yield the licences of all files."""
    licences: dict[str, RbqLicence] = {}
    for resource in resources:
        _gather_licences(resource, context, licences)
    for number in list(licences):
        # Removed one by one, so that licences and entries are not all in memory at once.
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
            context.reject(record.resource, record.line, error)
            continue
        licence.add(record)
