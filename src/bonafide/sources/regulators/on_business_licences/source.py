"""Licences of Ontario's consumer services: one entry a licence number, with the names and places of all its branches.

The files of people who are licensed are neither fetched nor read; whether a licence past its last day still holds is not guessed.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from bonafide.errors import ParseFailed
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import PortalFile, create_download, fetch_portal_files
from bonafide.sources.tables.parser import parse_table

INDEX = "package"
_TITLE = "%B %Y Business"


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The licences of all files."""
    return parse_table(resources, context, merge=_merge_entries)


def _merge_entries(first: RegulatoryEntry, other: RegulatoryEntry) -> RegulatoryEntry:
    """The licence as the branch with the last day has it, with the names and places of the others."""
    last = max((first, other), key=lambda entry: str(entry.details.get("expiryDate", "")))
    one = other if last is first else first
    names = (*first.list_search_names(), *other.list_search_names())
    branches = [entry.details.get("branchCount") for entry in (first, other)]
    return last.model_copy(
        update={
            "alternate_names": tuple(name for name in dict.fromkeys(names) if name != last.legal_name),
            "addresses": tuple(dict.fromkeys((*first.addresses, *other.addresses))),
            "details": {**one.details, **last.details, "branchCount": sum(count for count in branches if isinstance(count, float))},
        }
    )


async def fetch(context: FetchContext) -> list[Resource]:
    """The newest file of businesses, from where the portal says that it lies. Raises a `SourceError`."""
    found = [(month, file) for file in await fetch_portal_files(context, INDEX) if (month := _parse_month(file)) is not None]
    if not found:
        raise ParseFailed(f"{context.metadata.key}: {INDEX}: the portal lists no CSV file called after a month and Business")
    # A month can be listed twice, in English first.
    month, newest = max(found, key=lambda pair: pair[0])
    return [await context.download(create_download(context, INDEX, newest, f"business_{month:%Y_%m}"))]


def _parse_month(file: PortalFile) -> date | None:
    """The month of a file of businesses (`August 2026 Business`); None for any other file."""
    try:
        month = datetime.strptime(file.name.strip(), _TITLE).date()  # noqa: DTZ007 - a month has no zone
    except ValueError:
        return None
    return month if file.format == "csv" else None
