"""Business licences of Edmonton: one entry a business and its premises, by trade name; who operates it the list does not say.

Where the list puts words in place of an address, the entry has none. Licences of a person rather than of a business (massage
practitioners, adult services) are passed over.
"""

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import download_sequentially
from bonafide.sources.regulators.edmonton_business_licences.paging import create_pages, parse_row_count
from bonafide.sources.tables.parser import parse_table
from bonafide.sources.tables.records import RowSkipped, TableRecord

_PERSON = "person"


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The businesses of all files."""
    return parse_table(resources, context, complete=_complete, merge=_merge_entries)


def _complete(record: TableRecord, context: ParseContext) -> None:
    """Derive the status from the last day, and the ID from name and place."""
    kind, number, place, values = (
        record.text("licenceType"),
        record.text("registration_number"),
        record.text("street"),
        record.values,
    )
    if kind is not None and context.term(kind) == _PERSON:
        raise RowSkipped("licences of a person")
    if values["legal_name"] is None:
        raise RowSkipped("no name is published")
    if number is None:
        return
    # `100031017-001` is the first licence of an account; without a place, the account tells one business from another.
    values["entry_id"] = f"{values['legal_name'][0]} | {place or number.partition('-')[0]}".casefold()
    expires = values["expiryDate"] = record.day("expiryDate")
    if expires is not None and expires < (record.resource.as_of or record.resource.retrieved_at.date()):
        values["status"] = "Expired"


def _merge_entries(one: RegulatoryEntry, other: RegulatoryEntry) -> RegulatoryEntry:
    """The licence that ends later, with the numbers, names and categories that the other adds."""
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
    """The list, page by page. Raises a `SourceError`."""
    count = context.metadata.resource("count")
    rows = parse_row_count(await context.read(count.url), f"{context.metadata.key}: {count.name}")
    return await download_sequentially(context, create_pages(context.metadata.resource("licences"), rows))
