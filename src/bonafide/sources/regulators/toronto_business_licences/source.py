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
from bonafide.sources.ckan import download_of, portal_files
from bonafide.sources.context import FetchContext, ParseContext, Resource
from bonafide.sources.parse import read_csv
from bonafide.sources.passed_over import PassedOver
from bonafide.sources.regulators.toronto_business_licences.licence import Licence, address_of, is_person, licence_of

INDEX = "package"
DOUBTFUL_AFTER = timedelta(days=2 * 366)
"""Licences are renewed each year, and a renewal touches the record."""
_DRIVER = "DRIVER"


@dataclass(slots=True)
class _Business:
    """A business at one place: the licence that stands for it, and of its other licences what is kept."""

    licence: Licence
    numbers: list[str] = field(default_factory=list)
    names: list[str | None] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    """Of licences that are not cancelled."""

    def add(self, licence: Licence) -> None:
        """Another row of the business."""
        older, self.licence = sorted((self.licence, licence), key=lambda row: row.age)
        self.numbers.append(older.number)
        self.names.append(older.operating_name)
        if older.cancelled is None:
            self.categories.append(older.category)


async def fetch(context: FetchContext) -> list[Resource]:
    """The whole list, from where the portal says that it lies. Raises a `SourceError`."""
    files = await portal_files(context, INDEX)
    tables = [file for file in files if file.format == "csv" and file.url.lower().endswith(".csv") and not file.in_datastore]
    if not tables:
        raise ParseFailed(f"{context.metadata.key}: {INDEX}: the portal lists no CSV file beside its own database")
    newest = max(tables, key=lambda file: file.modified)
    return [await context.download(download_of(context, INDEX, newest, "licences"))]


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The businesses of all files."""
    businesses: dict[str, _Business] = {}
    passed_over = PassedOver(context)
    for resource in resources:
        for licence in _licences(resource, context, passed_over):
            known = businesses.get(licence.key)
            if known is None:
                businesses[licence.key] = _Business(licence)
            else:
                context.merge()
                known.add(licence)
    passed_over.note()
    today = max((resource.as_of or resource.retrieved_at.date() for resource in resources), default=date.min)
    for key, business in businesses.items():
        yield _entry(key, business, today, context)


def _licences(resource: Resource, context: ParseContext, passed_over: PassedOver) -> Iterator[Licence]:
    for _, row in read_csv(resource, context):
        category = row.get("Category") or ""
        passing = "drivers" if _DRIVER in category else context.metadata.terms.get(category)
        if passing is not None:
            passed_over.add(passing)
            continue
        try:
            yield licence_of(row)
        except ValueError as error:
            context.reject(resource, row.line, str(error))


def _entry(key: str, business: _Business, today: date, context: ParseContext) -> RegulatoryEntry:
    licence = business.licence
    address = address_of(licence)
    status = "Active" if licence.cancelled is None else "Cancelled"
    names = dict.fromkeys((licence.operating_name, *reversed(business.names)))
    return RegulatoryEntry(
        entry_id=key,
        legal_name=licence.name,
        alternate_names=tuple(name for name in names if name is not None and name != licence.name),
        registration_number=licence.number,
        status=status,
        status_code=StatusCode.UNKNOWN if _is_doubtful(licence, today) else context.status(status),
        addresses=(address,) if address is not None else (),
        details=_details(business, today),
    )


def _is_doubtful(licence: Licence, today: date) -> bool:
    """Whether nobody has touched the record for so long that the licence may have lapsed without being cancelled."""
    return licence.cancelled is None and licence.updated is not None and today - licence.updated > DOUBTFUL_AFTER


def _details(business: _Business, today: date) -> dict[str, JsonValue]:
    licence = business.licence
    details: dict[str, JsonValue] = {
        "nameType": "trade" if licence.client is None else None,
        "statusDerived": True,
        "statusDoubtful": True if _is_doubtful(licence, today) else None,
        "category": licence.category,
        "issuedDate": _iso(licence.issued),
        "cancelDate": _iso(licence.cancelled),
        "lastRecordUpdate": _iso(licence.updated),
        "otherLicenceNumbers": _others(business.numbers, licence.number),
        "otherCategories": _others(business.categories, licence.category),
    }
    if is_person(licence.name):
        details["soleProprietor"] = True
    else:
        details |= {
            "phone": licence.phone,
            "ward": licence.ward,
            "conditions": list(licence.conditions) or None,
            "endorsements": list(licence.endorsements) or None,
        }
    return {key: value for key, value in details.items() if value is not None}


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day is not None else None


def _others(found: Sequence[str], own: str) -> list[JsonValue] | None:
    """What was found beside its own, each once, the newest first; None when that is nothing."""
    return [item for item in dict.fromkeys(reversed(found)) if item != own] or None
