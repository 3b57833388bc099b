"""Licences and permits of Toronto: one entry a business and its premises, by the licence that is not cancelled, or else the newest.

A business has a licence for each category, a restaurant one more for its patio. Of people who hold a licence nothing is kept that
the licence does not need; plates of taxis and licences to drive are no businesses and are passed over.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from pydantic import JsonValue

from bonafide.errors import ParseFailed
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
"""Licences are renewed each year, and a renewal touches the record."""
_DRIVER = "DRIVER"


@dataclass(slots=True)
class _LicensedBusiness:
    """A business at one place: the licence that stands for it, and of its other licences what is kept."""

    licence: TorontoLicence
    numbers: list[str] = field(default_factory=list)
    names: list[str | None] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    """Of licences that are not cancelled."""

    def add(self, licence: TorontoLicence) -> None:
        """Another row of the business."""
        older, self.licence = sorted((self.licence, licence), key=lambda row: row.recency_key)
        self.numbers.append(older.number)
        self.names.append(older.operating_name)
        if older.cancelled is None:
            self.categories.append(older.category)


async def fetch(context: FetchContext) -> list[Resource]:
    """The whole list, from where the portal says that it lies. Raises a `SourceError`."""
    files = await fetch_portal_files(context, INDEX)
    tables = [file for file in files if file.format == "csv" and file.url.lower().endswith(".csv") and not file.in_datastore]
    if not tables:
        raise ParseFailed(f"{context.metadata.key}: {INDEX}: the portal lists no CSV file beside its own database")
    newest = max(tables, key=lambda file: file.modified)
    return [await context.download(create_download(context, INDEX, newest, "licences"))]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The businesses of all files."""
    businesses: dict[str, _LicensedBusiness] = {}
    passed_over = SkippedRows(context)
    for resource in resources:
        for licence in _read_licences(resource, context, passed_over):
            known = businesses.get(licence.key)
            if known is None:
                businesses[licence.key] = _LicensedBusiness(licence)
            else:
                context.merge()
                known.add(licence)
    passed_over.note()
    today = max((resource.as_of or resource.retrieved_at.date() for resource in resources), default=date.min)
    for key, business in businesses.items():
        yield _build_entry(key, business, today, context)


def _read_licences(resource: Resource, context: ParseContext, passed_over: SkippedRows) -> Iterator[TorontoLicence]:
    for _, row in read_csv(resource, context):
        category = row.get("Category") or ""
        passing = "drivers" if _DRIVER in category else context.metadata.terms.get(category)
        if passing is not None:
            passed_over.add(passing)
            continue
        try:
            yield parse_licence(row)
        except ValueError as error:
            context.reject(resource, row.line, str(error))


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
    """Whether nobody has touched the record for so long that the licence may have lapsed without being cancelled."""
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
    """What was found beside its own, each once, the newest first; None when that is nothing."""
    return [item for item in dict.fromkeys(reversed(found)) if item != own] or None
