"""Licences and permits of Toronto: one entry for each business and its premises, by an uncancelled licence, or else the newest.

A business has a licence for each category; a restaurant has another for its patio. For individuals who hold a licence, only the
data of the licence is kept. Taxi plates and drivers' licences are not businesses and are skipped.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from pydantic import JsonValue

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entity import StatusCode
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import read_csv
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource, SkippedRows
from bonafide.sources.framework.downloads import create_download, fetch_portal_files
from bonafide.sources.regulators.toronto_business_licences.licence import (
    TorontoLicence,
    build_address,
    is_person_name,
    parse_licence,
)

INDEX = "package"
LAPSED_AFTER = timedelta(days=2 * 366)
"""Licences are renewed each year, and a renewal updates the record."""
_DRIVER = "DRIVER"
_SKIPPED_CATEGORIES = {
    "drivers": Message("drivers"),
    "taxi_plates": Message("taxi plates"),
    "driving_instructors": Message("driving instructors"),
}
"""Reasons to skip a row, by the code in `terms`."""


@dataclass(slots=True)
class _LicensedBusiness:
    """A business at one address: the licence that represents it, and the kept data of its other licences."""

    licence: TorontoLicence
    numbers: list[str] = field(default_factory=list)
    names: list[str | None] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    """The categories of licences that are not cancelled."""

    def add(self, licence: TorontoLicence) -> None:
        """Add another row of the business."""
        older, self.licence = sorted((self.licence, licence), key=lambda row: row.recency_key)
        self.numbers.append(older.number)
        self.names.append(older.operating_name)
        if older.cancelled is None:
            self.categories.append(older.category)


async def fetch(context: FetchContext) -> list[Resource]:
    """Download the whole list from the portal. Raises a `SourceError`."""
    files = await fetch_portal_files(context, INDEX)
    tables = [file for file in files if file.format == "csv" and file.url.lower().endswith(".csv") and not file.in_datastore]
    if not tables:
        raise ParseFailed(Message("{source}: the portal lists no CSV file", source=context.metadata.key))
    newest = max(tables, key=lambda file: file.modified)
    return [await context.download(create_download(context, INDEX, newest, "licences"))]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """Yield the businesses of all files."""
    businesses: dict[str, _LicensedBusiness] = {}
    skipped = SkippedRows(context)
    for resource in resources:
        for licence in _read_licences(resource, context, skipped):
            known = businesses.get(licence.key)
            if known is None:
                businesses[licence.key] = _LicensedBusiness(licence)
            else:
                context.merge()
                known.add(licence)
    skipped.note()
    today = max((resource.as_of or resource.retrieved_at.date() for resource in resources), default=date.min)
    for key, business in businesses.items():
        yield _build_entry(key, business, today, context)


def _read_licences(resource: Resource, context: ParseContext, skipped: SkippedRows) -> Iterator[TorontoLicence]:
    for _, row in read_csv(resource, context):
        category = row.get("Category") or ""
        skipped_as = "drivers" if _DRIVER in category else context.metadata.terms.get(category)
        if skipped_as is not None:
            skipped.add(_SKIPPED_CATEGORIES[skipped_as])
            continue
        try:
            yield parse_licence(row)
        except ValueError as error:
            context.reject(resource, row.line, error)


def _build_entry(key: str, business: _LicensedBusiness, today: date, context: ParseContext) -> RegulatoryEntry:
    licence = business.licence
    address = build_address(licence)
    status = "Active" if licence.cancelled is None else "Cancelled"
    names = dict.fromkeys((licence.operating_name, *reversed(business.names)))
    return RegulatoryEntry(
        entry_id=key,
        legal_name=licence.name,
        alternate_names=tuple(name for name in names if name is not None and name != licence.name),
        registration_number=licence.number,
        status=status,
        status_code=StatusCode.UNKNOWN if _is_possibly_lapsed(licence, today) else context.status(status),
        addresses=(address,) if address is not None else (),
        details=_build_details(business, today),
    )


def _is_possibly_lapsed(licence: TorontoLicence, today: date) -> bool:
    """Whether the record was not updated for so long that the licence may have lapsed without being cancelled."""
    return licence.cancelled is None and licence.updated is not None and today - licence.updated > LAPSED_AFTER


def _build_details(business: _LicensedBusiness, today: date) -> dict[str, JsonValue]:
    licence = business.licence
    details: dict[str, JsonValue] = {
        "nameType": "trade" if licence.client is None else None,
        "statusDerived": True,
        "statusDoubtful": True if _is_possibly_lapsed(licence, today) else None,
        "category": licence.category,
        "issuedDate": _to_iso(licence.issued),
        "cancelDate": _to_iso(licence.cancelled),
        "lastRecordUpdate": _to_iso(licence.updated),
        "otherLicenceNumbers": _collect_others(business.numbers, licence.number),
        "otherCategories": _collect_others(business.categories, licence.category),
    }
    if is_person_name(licence.name):
        details["soleProprietor"] = True
    else:
        details |= {
            "phone": licence.phone,
            "ward": licence.ward,
            "conditions": list(licence.conditions) or None,
            "endorsements": list(licence.endorsements) or None,
        }
    return {key: value for key, value in details.items() if value is not None}


def _to_iso(day: date | None) -> str | None:
    return day.isoformat() if day is not None else None


def _collect_others(found: Sequence[str], own: str) -> list[JsonValue] | None:
    """Return the values other than `own`, each once, the newest first; None if there are none."""
    return [item for item in dict.fromkeys(reversed(found)) if item != own] or None
