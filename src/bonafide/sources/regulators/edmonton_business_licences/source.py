"""Business licences of Edmonton: one entry a business and its premises, by trade name; who operates it the list does not say.

Where the list puts words in place of an address, the entry has none. Licences of a person rather than of a business (massage
practitioners, adult services) are passed over.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from pydantic import JsonValue

from bonafide.model.entity import Address
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import build_postal_address, build_street_line, read_csv
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource, SkippedRows
from bonafide.sources.framework.downloads import download_sequentially
from bonafide.sources.regulators.edmonton_business_licences.paging import create_pages, parse_row_count

_COLUMNS = {
    "fields": {
        "number": "externalid",
        "name": "business_name",
        "address": "business_address",
        "categories": "business_licence_category",
        "type": "licencetype",
        "duration": "licenceduration",
        "original_issue": "originalissuedate",
        "issue": "most_recent_issue_date",
        "expires": "expiry_date",
        "neighbourhood": "neighbourhood",
        "ward": "ward",
    },
    "until_2020": {
        "number": "externalid",
        "name": "business_name",
        "trade_name": "trade_name",
        "categories": "business_category",
        "issue": "date_of_issue",
        "expires": "expiry_date",
    },
}
_PLACEHOLDER = re.compile(r"<.*>")
"""`<Home Based Business>`, `<REDACTED FOR PRIVACY>`, `<Non-Resident Business>`."""
_STREET_ADDRESS = re.compile(r"(?:(?P<unit>[^,]+), )?(?P<house>\d+[A-Za-z]?) - (?P<street>.+)")
"""`2020, 10060 - JASPER AVENUE NW`."""
_STAMP = re.compile(r"(\d{4})(\d{2})(\d{2})0{6}")
_PERSON = "person"

_Cells = Mapping[str, str | None]
"""A row under our names; a name that its layout does not have is absent."""


async def fetch(context: FetchContext) -> list[Resource]:
    """The list, page by page. Raises a `SourceError`."""
    count = context.metadata.resource("count")
    rows = parse_row_count(await context.read(count.url), f"{context.metadata.key}: {count.name}")
    return await download_sequentially(context, create_pages(context.metadata.resource("licences"), rows))


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The businesses of all files."""
    businesses: dict[str, RegulatoryEntry] = {}
    passed_over = SkippedRows(context)
    for resource in resources:
        for entry in _read_entries(resource, context, passed_over):
            known = businesses.get(entry.entry_id)
            if known is not None:
                context.merge()
            businesses[entry.entry_id] = entry if known is None else _merge_entries(known, entry)
    passed_over.note()
    yield from businesses.values()


def _read_entries(resource: Resource, context: ParseContext, passed_over: SkippedRows) -> Iterator[RegulatoryEntry]:
    today = resource.as_of or resource.retrieved_at.date()
    for layout, row in read_csv(resource, context):
        cells: _Cells = {name: row.get(column) for name, column in _COLUMNS[layout].items()}
        reason = _find_skip_reason(cells, context)
        if reason is not None:
            passed_over.add(reason)
            continue
        try:
            yield _build_entry(row.need(_COLUMNS[layout]["number"]), cells, today, context)
        except ValueError as error:
            context.reject(resource, row.line, str(error))


def _find_skip_reason(cells: _Cells, context: ParseContext) -> str | None:
    kind = cells.get("type")
    if kind is not None and context.term(kind) == _PERSON:
        return "licences of a person"
    return "no name is published" if _read_cell(cells["name"]) is None and _read_cell(cells.get("trade_name")) is None else None


def _read_cell(cell: str | None) -> str | None:
    """The cell, or None where words stand in place of what is withheld."""
    return cell if cell is None or _PLACEHOLDER.fullmatch(cell) is None else None


def _build_entry(number: str, cells: _Cells, today: date, context: ParseContext) -> RegulatoryEntry:
    names = [name for name in (_read_cell(cells["name"]), _read_cell(cells.get("trade_name"))) if name is not None]
    place = _read_cell(cells.get("address"))
    expires = _parse_day(cells["expires"])
    status = "Active" if expires is None or expires >= today else "Expired"
    address = _build_address(place)
    return RegulatoryEntry(
        # `100031017-001` is the first licence of an account; without a place, the account tells one business from another.
        entry_id=f"{names[0]} | {place or number.partition('-')[0]}".casefold(),
        legal_name=names[0],
        alternate_names=tuple(name for name in names[1:] if name != names[0]),
        registration_number=number,
        status=status,
        status_code=context.status(status),
        addresses=(address,) if address is not None else (),
        details=_build_details(cells, expires),
    )


def _build_address(place: str | None) -> Address | None:
    if place is None:
        return None
    found = _STREET_ADDRESS.fullmatch(place)
    street = build_street_line(found["unit"], f"{found['house']} {found['street']}") if found is not None else place
    return build_postal_address(street=street, city="Edmonton", province="AB", postal_code=None, country="CA")


def _build_details(cells: _Cells, expires: date | None) -> dict[str, JsonValue]:
    categories = [item.strip() for item in (cells["categories"] or "").split(";") if item.strip()]
    details: dict[str, JsonValue] = {
        "nameType": "trade",
        "statusDerived": True,
        "categories": list[JsonValue](dict.fromkeys(categories)) or None,
        "licenceType": cells.get("type"),
        "licenceDuration": cells.get("duration"),
        "originalIssueDate": _to_iso(_parse_day(cells.get("original_issue"))),
        "mostRecentIssueDate": _to_iso(_parse_day(cells["issue"])),
        "expiryDate": _to_iso(expires),
        "neighbourhood": cells.get("neighbourhood"),
        "ward": cells.get("ward"),
    }
    return {key: value for key, value in details.items() if value is not None}


def _parse_day(text: str | None) -> date | None:
    """A day, an instant's, or that of a stamp such as `20200115000000`. Raises `ValueError`."""
    if text is None:
        return None
    stamp = _STAMP.fullmatch(text)
    try:
        return date.fromisoformat("-".join(stamp.groups()) if stamp is not None else text[:10])
    except ValueError:
        raise ValueError(f"{text!r} is not a date") from None


def _to_iso(day: date | None) -> str | None:
    return day.isoformat() if day is not None else None


def _merge_entries(one: RegulatoryEntry, other: RegulatoryEntry) -> RegulatoryEntry:
    """The licence that ends later, with the numbers, names and categories that the other adds."""
    older, newer = sorted(
        (one, other), key=lambda entry: (str(entry.details.get("expiryDate", "")), entry.registration_number or "")
    )
    details = dict(newer.details)
    numbers = [
        *_read_strings(newer, "otherLicenceNumbers"),
        older.registration_number or "",
        *_read_strings(older, "otherLicenceNumbers"),
    ]
    details["otherLicenceNumbers"] = [number for number in dict.fromkeys(numbers) if number != newer.registration_number]
    categories = [*_read_strings(newer, "categories"), *_read_strings(older, "categories")]
    if categories:
        details["categories"] = list[JsonValue](dict.fromkeys(categories))
    if not details["otherLicenceNumbers"]:
        del details["otherLicenceNumbers"]
    names = (*newer.alternate_names, *older.alternate_names)
    return newer.model_copy(update={"alternate_names": tuple(dict.fromkeys(names)), "details": details})


def _read_strings(entry: RegulatoryEntry, key: str) -> list[str]:
    value = entry.details.get(key)
    return [str(item) for item in value] if isinstance(value, list) else []
