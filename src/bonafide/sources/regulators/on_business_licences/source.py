"""Licences of Ontario's consumer services: one entry for each licence number, with the names and addresses of all its branches.

The files of licensed individuals are neither fetched nor read. The status is the list's own, even after the expiry date.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import PortalFile, create_download, fetch_portal_files
from bonafide.sources.tables.parser import parse_table

INDEX = "package"
_TITLE = "%B %Y Business"


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """Yield the licences of all files."""
    return parse_table(resources, context, merge=_merge_entries)


def _merge_entries(first: RegulatoryEntry, other: RegulatoryEntry) -> RegulatoryEntry:
    """Return the row of the branch with the latest expiry date, with the names and addresses of the others added."""
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
    """Download the newest file of businesses that the portal lists. Raises a `SourceError`."""
    found = [(month, file) for file in await fetch_portal_files(context, INDEX) if (month := _parse_month(file)) is not None]
    if not found:
        raise ParseFailed(
            Message("{source}: the portal lists no CSV file named like “August 2026 Business”", source=context.metadata.key)
        )
    # A month can be listed twice, in English first.
    month, newest = max(found, key=lambda pair: pair[0])
    return [await context.download(create_download(context, INDEX, newest, f"business_{month:%Y_%m}"))]


def _parse_month(file: PortalFile) -> date | None:
    """Return the month of a file of businesses (`August 2026 Business`); None for any other file."""
    try:
        month = datetime.strptime(file.name.strip(), _TITLE).date()  # noqa: DTZ007 - a month has no time zone
    except ValueError:
        return None
    return month if file.format == "csv" else None
