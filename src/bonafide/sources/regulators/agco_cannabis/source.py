"""Cannabis stores of Ontario: one entry a licence number, or a store where none is given yet.

A cancelled row is a cancelled application, not a store that closed: it stays, and says so (`statusOf`). It does not guess who
operates a store.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from bonafide.model.base import JsonValue
from bonafide.model.entity import Address, StatusCode
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.parse import Row, parse_date, read_csv

_COLUMNS = {
    "open_data": {
        "number": "LicenceNumber",
        "name": "PremisesName",
        "street": "StreetAddress",
        "city": "City",
        "province": "Province",
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


@dataclass(frozen=True, slots=True)
class _Store:
    """One row, its columns under our names; `code` and `notice_end` are read from its status words."""

    name: str
    code: StatusCode
    notice_end: date | None
    number: str | None = None
    street: str | None = None
    city: str | None = None
    province: str | None = "ON"
    postal_code: str | None = None
    application_status: str | None = None
    licence_status: str | None = None
    application_type: str | None = None
    licence_type: str | None = None
    file_number: str | None = None
    website: str | None = None
    latitude: str | None = None
    longitude: str | None = None

    @property
    def key(self) -> str:
        """The licence number; where there is none, what tells one application from another."""
        return self.number or f"{self.name} | {self.street} | {self.city}".casefold()

    @property
    def age(self) -> tuple[int, bool]:
        """Orders the rows of one licence from old to new: by file number, and what is in force after what is not."""
        number = self.file_number or ""
        return int(number) if number.isdecimal() else 0, self.code is StatusCode.ACTIVE


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The stores and applications of all files."""
    stores: defaultdict[str, list[_Store]] = defaultdict(list)
    for resource in resources:
        for store in _stores(resource, context):
            if store.key in stores:
                context.merge()
            stores[store.key].append(store)
    for key, rows in stores.items():
        yield _entry(key, rows)


def _stores(resource: Resource, context: ParseContext) -> Iterator[_Store]:
    for layout, row in read_csv(resource, context):
        try:
            yield _store(layout, row, context)
        except ValueError as error:
            context.reject(resource, row.line, str(error))


def _store(layout: str, row: Row, context: ParseContext) -> _Store:
    cells = {name: row.get(column) for name, column in _COLUMNS[layout].items()}
    name = cells.pop("name")
    if name is None or name.casefold() in _NO_NAME:
        raise ValueError("the store has no name yet")
    application, notice_end = _folded(cells["application_status"])
    code = context.status(cells.get("licence_status") or application)
    return _Store(name, code, notice_end, **cells)


def _folded(status: str | None) -> tuple[str | None, date | None]:
    """`Public Notice: Ends on 2026/10/02` as its word and its day."""
    dated = _DATED.fullmatch(status or "")
    return (dated["word"], parse_date(dated["day"], "%Y/%m/%d")) if dated is not None else (status, None)


def _entry(key: str, rows: Sequence[_Store]) -> RegulatoryEntry:
    # Licences that stand twice differed in nothing but the row number when they were counted; of equals the later row is taken.
    newest = max(enumerate(rows), key=lambda numbered: (numbered[1].age, numbered[0]))[1]
    return RegulatoryEntry(
        entry_id=key,
        legal_name=newest.name,
        alternate_names=tuple(dict.fromkeys(row.name for row in rows if row.name != newest.name)),
        registration_number=newest.number,
        status=newest.licence_status or newest.application_status,
        status_code=newest.code,
        addresses=_addresses(newest),
        details=_details(newest),
    )


def _addresses(store: _Store) -> tuple[Address, ...]:
    parts = (store.street, store.city, store.province, store.postal_code)
    raw = ", ".join(part for part in parts if part is not None)
    if store.street is None and store.city is None:
        return ()
    street, city, province, postal_code = parts
    return (Address(street=street, city=city, province=province, postal_code=postal_code, country="CA", raw=raw),)


def _details(store: _Store) -> dict[str, JsonValue]:
    details: dict[str, JsonValue] = {
        "nameType": "trade",
        "statusOf": "licence" if store.licence_status is not None else "application",
        "applicationStatus": store.application_status,
        "noticePeriodEnd": store.notice_end.isoformat() if store.notice_end is not None else None,
        "applicationType": store.application_type,
        "licenceType": store.licence_type,
        "fileNumber": store.file_number,
        "municipality": store.city,
        "website": store.website,
        "latitude": float(store.latitude) if store.latitude is not None else None,
        "longitude": float(store.longitude) if store.longitude is not None else None,
    }
    return {key: value for key, value in details.items() if value is not None}
