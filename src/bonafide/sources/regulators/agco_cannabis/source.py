"""Cannabis stores of Ontario: one entry a licence number, or an application where no number is given yet.

A cancelled row is a cancelled application, not a store that closed: it stays, and says so (`statusOf`). It does not guess who
operates a store.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from pydantic import JsonValue

from bonafide.model.entity import Address, StatusCode
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import TableRow, parse_date, read_csv
from bonafide.sources.framework.context import ParseContext, Resource

_COLUMNS = {
    "open_data": {
        "number": "LicenceNumber",
        "name": "PremisesName",
        "street": "StreetAddress",
        "city": "City",
        "postal_code": "PostalCode",
        "application_status": "ApplicationStatusEn",
        "licence_status": "LicenceStatus",
        "application_type": "ApplicationType",
        "licence_type": "LicenceTypeEn",
        "file_number": "FileNumber",
        "website": "WebsiteEn",
        "latitude": "Latitude",
        "longitude": "Longitude",
    },
    "web_export": {
        "number": "License Number",
        "name": "Store Name",
        "street": "Address",
        "city": "Municipality or First Nation",
        "application_status": "Store Application Status",
        "website": "Website",
    },
}
_NO_NAME = frozenset({"tbd", "tba", "n/a"})
_DATED = re.compile(r"(?P<word>.+?)\s*(?P<day>\d{4}/\d{2}/\d{2})")

_Cells = Mapping[str, str | None]
"""A row under our names; a name that its layout does not have is absent."""


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The stores and applications of all files."""
    stores: defaultdict[str, list[RegulatoryEntry]] = defaultdict(list)
    for resource in resources:
        for entry in _read_entries(resource, context):
            if entry.entry_id in stores:
                context.merge()
            stores[entry.entry_id].append(entry)
    yield from map(_choose_newest, stores.values())


def _read_entries(resource: Resource, context: ParseContext) -> Iterator[RegulatoryEntry]:
    for layout, row in read_csv(resource, context):
        try:
            yield _build_entry(layout, row, context)
        except ValueError as error:
            context.reject(resource, row.line, str(error))


def _build_entry(layout: str, row: TableRow, context: ParseContext) -> RegulatoryEntry:
    cells: _Cells = {name: row.get(column) for name, column in _COLUMNS[layout].items()}
    name, number = cells["name"], cells["number"]
    if name is None or name.casefold() in _NO_NAME:
        raise ValueError("the store has no name yet")
    application, notice_end = _split_status_date(cells["application_status"])
    licence = cells.get("licence_status")
    return RegulatoryEntry(
        # Without a number, name and place tell one application from another.
        entry_id=number or f"{name} | {cells['street']} | {cells['city']}".casefold(),
        legal_name=name,
        registration_number=number,
        status=licence or cells["application_status"],
        status_code=context.status(licence or application),
        addresses=_build_addresses(cells),
        details=_build_details(cells, notice_end),
    )


def _split_status_date(status: str | None) -> tuple[str | None, date | None]:
    """`Public Notice: Ends on 2026/10/02` as its word and its day."""
    dated = _DATED.fullmatch(status or "")
    return (dated["word"], parse_date(dated["day"], "%Y/%m/%d")) if dated is not None else (status, None)


def _build_addresses(cells: _Cells) -> tuple[Address, ...]:
    street, city, postal_code = cells["street"], cells["city"], cells.get("postal_code")
    if street is None and city is None:
        return ()
    raw = ", ".join(part for part in (street, city, "ON", postal_code) if part is not None)
    return (Address(street=street, city=city, province="ON", postal_code=postal_code, country="CA", raw=raw),)


def _build_details(cells: _Cells, notice_end: date | None) -> dict[str, JsonValue]:
    latitude, longitude = cells.get("latitude"), cells.get("longitude")
    details: dict[str, JsonValue] = {
        "nameType": "trade",
        "statusOf": "licence" if cells.get("licence_status") is not None else "application",
        "applicationStatus": cells["application_status"],
        "noticePeriodEnd": notice_end.isoformat() if notice_end is not None else None,
        "applicationType": cells.get("application_type"),
        "licenceType": cells.get("licence_type"),
        "fileNumber": cells.get("file_number"),
        "municipality": cells["city"],
        "website": cells["website"],
        "latitude": float(latitude) if latitude is not None else None,
        "longitude": float(longitude) if longitude is not None else None,
    }
    return {key: value for key, value in details.items() if value is not None}


def _choose_newest(rows: Sequence[RegulatoryEntry]) -> RegulatoryEntry:
    """Of the rows of one licence the one with the highest file number, then one in force, then the last; it keeps all names."""
    newest = max(enumerate(rows), key=lambda numbered: (*_build_recency_key(numbered[1]), numbered[0]))[1]
    others = dict.fromkeys(row.legal_name for row in rows if row.legal_name != newest.legal_name)
    return newest.model_copy(update={"alternate_names": tuple(others)}) if others else newest


def _build_recency_key(entry: RegulatoryEntry) -> tuple[int, bool]:
    number = str(entry.details.get("fileNumber", ""))
    return int(number) if number.isdecimal() else 0, entry.status_code is StatusCode.ACTIVE
