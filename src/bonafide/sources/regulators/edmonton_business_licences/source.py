"""Business licences of Edmonton: one entry for each business and its premises, by trade name. The operator is not published.

If the list has a placeholder instead of an address, the entry has no address. Licences of individuals (massage practitioners, adult
services) are skipped. The list is fetched in pages, whose number follows from the row count; rows that are added meanwhile are
read in the next load.
"""

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any

from pydantic import JsonValue

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.json_objects import parse_strict_json
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import download_sequentially
from bonafide.sources.framework.metadata import ResourceMetadata
from bonafide.sources.tables.parser import parse_table
from bonafide.sources.tables.records import RowSkipped, TableRecord

_PERSON = "person"


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """Yield the businesses of all files."""
    return parse_table(resources, context, complete=_complete, merge=_merge_entries)


def _complete(record: TableRecord, context: ParseContext) -> None:
    """Derive the status from the expiry date, and the ID from name and address."""
    kind, number, place, values = (
        record.text("licenceType"),
        record.text("registration_number"),
        record.text("street"),
        record.values,
    )
    if kind is not None and context.term(kind) == _PERSON:
        raise RowSkipped(Message("licences of individuals"))
    if values["legal_name"] is None:
        raise RowSkipped(Message("no name is published"))
    if number is None:
        return
    # `100031017-001` is the first licence of an account. Without an address, the account identifies the business.
    values["entry_id"] = f"{values['legal_name'][0]} | {place or number.partition('-')[0]}".casefold()
    expires = values["expiryDate"] = record.day("expiryDate")
    if expires is not None and expires < (record.resource.as_of or record.resource.retrieved_at.date()):
        values["status"] = "Expired"


def _merge_entries(one: RegulatoryEntry, other: RegulatoryEntry) -> RegulatoryEntry:
    """Return the licence that expires later, with the numbers, names and categories of the other added."""
    older, newer = sorted(
        (one, other), key=lambda entry: (str(entry.details.get("expiryDate", "")), entry.registration_number or "")
    )
    numbers = (*_get_list(newer, "otherLicenceNumbers"), older.registration_number, *_get_list(older, "otherLicenceNumbers"))
    lists = {
        "otherLicenceNumbers": [number for number in dict.fromkeys(numbers) if number != newer.registration_number],
        "categories": list(dict.fromkeys((*_get_list(newer, "categories"), *_get_list(older, "categories")))),
    }
    return newer.model_copy(
        update={
            "alternate_names": tuple(dict.fromkeys((*newer.alternate_names, *older.alternate_names))),
            "details": newer.details | {key: found for key, found in lists.items() if found},
        }
    )


def _get_list(entry: RegulatoryEntry, key: str) -> list[JsonValue]:
    value = entry.details.get(key)
    return value if isinstance(value, list) else []


async def fetch(context: FetchContext) -> list[Resource]:
    """Download the list page by page. Raises a `SourceError`."""
    count = context.metadata.resource("count")
    rows = parse_row_count(await context.read(count.url), f"{context.metadata.key}: {count.name}")
    return await download_sequentially(context, create_pages(context.metadata.resource("licences"), rows))


PAGE_ROWS = 50_000
"""The largest page of Socrata's older API."""
MAX_PAGES = 20
"""Twenty times the current list."""


def parse_row_count(body: bytes, name: str) -> int:
    """Return the number of rows of the list. Raises `ParseFailed` if the response has no plausible number."""
    try:
        [row] = parse_strict_json(body)
        count = int(_get_only_value(row))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ParseFailed(
            Message("{file}: unexpected format: {detail}", file=name, detail=f"{type(error).__name__}: {error}")
        ) from error
    if not 0 < count <= PAGE_ROWS * MAX_PAGES:
        raise ParseFailed(Message("{file}: implausible number of rows: {count:,}", file=name, count=count))
    return count


def create_pages(resource: ResourceMetadata, rows: int) -> list[ResourceMetadata]:
    """Create the resources of all pages."""
    return [
        resource.model_copy(
            update={"name": f"{resource.name}_{page + 1}", "url": resource.url.format(limit=PAGE_ROWS, offset=page * PAGE_ROWS)}
        )
        for page in range(ceil(rows / PAGE_ROWS))
    ]


def _get_only_value(row: dict[str, Any]) -> Any:
    """Return the only value. The portal names the column `count` or after the query."""
    [value] = row.values()
    return value
