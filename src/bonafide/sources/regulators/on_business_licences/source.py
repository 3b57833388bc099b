"""Licences of Ontario's consumer services: one entry a licence number, with the names and places of all its branches.

The files of people who are licensed are neither fetched nor read; whether a licence past its last day still holds is not guessed.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from pydantic import JsonValue

from bonafide.errors import ParseFailed
from bonafide.model.entity import Address
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import (
    DelimitedDialect,
    TableRow,
    build_postal_address,
    normalize_whitespace,
    open_text,
    read_delimited,
)
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.shared.ckan import PortalFile, create_download, fetch_portal_files

INDEX = "package"
_TITLE = "%B %Y Business"
_NULL = "n/a"
_CONTACTS = {"telephone": "Telephone", "website": "Website", "email": "Email"}


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


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The licences of all files."""
    licences: dict[str, RegulatoryEntry] = {}
    for resource in resources:
        for entry in _read_entries(resource, context):
            known = licences.get(entry.entry_id)
            if known is not None:
                context.merge()
            licences[entry.entry_id] = entry if known is None else _merge_entries(known, entry)
    yield from licences.values()


def _read_entries(resource: Resource, context: ParseContext) -> Iterator[RegulatoryEntry]:
    with open_text(resource, "utf-8-sig") as text:
        for _, row in read_delimited(text, resource, context, DelimitedDialect(cell=_normalize_cell)):
            try:
                yield _build_entry(row, context)
            except ValueError as error:
                context.reject(resource, row.line, str(error))


def _normalize_cell(text: str) -> str | None:
    found = normalize_whitespace(text)
    return found if found is not None and found.casefold() != _NULL else None


def _build_entry(row: TableRow, context: ParseContext) -> RegulatoryEntry:
    name, trade_name, number = row.need("Legal Name"), row.get("Operating name"), row.get("Licence number")
    status = row.get("Licence status")
    address = _build_address(row, context)
    return RegulatoryEntry(
        entry_id=number if number is not None else f"{name} | {row.get('Licence type')}".casefold(),
        legal_name=name,
        alternate_names=(trade_name,) if trade_name is not None and trade_name != name else (),
        registration_number=number,
        status=status,
        status_code=context.status(status),
        addresses=(address,) if address is not None else (),
        details=_build_details(row),
    )


def _build_address(row: TableRow, context: ParseContext) -> Address | None:
    province, country = row.get("Province"), row.get("Country")
    return build_postal_address(
        street=row.get("Address"),
        city=row.get("City"),
        # Not `context.term`: what is no province of Canada's is no unknown word.
        province=context.metadata.terms.get(province, province) if province is not None else None,
        postal_code=row.get("Postal code"),
        country="CA" if country == "Canada" else country,
    )


def _build_details(row: TableRow) -> dict[str, JsonValue]:
    details: dict[str, JsonValue] = {key: row.get(column) for key, column in _CONTACTS.items()}
    details |= {"licenceType": row.get("Licence type"), "expiryDate": _parse_day(row.get("Expiry date")), "branchCount": 1.0}
    return {key: value for key, value in details.items() if value is not None}


def _parse_day(text: str | None) -> str | None:
    """The day of a date or an instant, as text. Raises `ValueError`."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        raise ValueError(f"{text!r} is not a date") from None


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
