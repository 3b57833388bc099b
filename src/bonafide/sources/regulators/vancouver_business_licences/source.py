"""Business licences of Vancouver: one entry for each business and its premises, by the licence in force, or else the newest.

A licence has a row for each year, and for each revision within it. Sole proprietors are in parentheses; for them, only the data of
the licence is kept. If no street is published, two people with the same name are one entry.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from bonafide.i18n.message import Message
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import DelimitedDialect, read_csv
from bonafide.sources.framework.context import ParseContext, Resource, SkippedRows
from bonafide.sources.regulators.vancouver_business_licences.licence import (
    ColumnNames,
    VancouverLicence,
    build_address,
    parse_holder,
    parse_licence,
)

_EXPIRED = "Expired"
_NO_NAME = Message("no name is published")


@dataclass(slots=True)
class _LicensedBusiness:
    """A business at one address: the licence that represents it, and the kept data of its other licences."""

    licence: VancouverLicence
    numbers: list[str] = field(default_factory=list)
    names: list[str | None] = field(default_factory=list)
    types: list[str | None] = field(default_factory=list)
    """The business types of licences in force."""

    def add(self, licence: VancouverLicence) -> None:
        """Add another row of the business."""
        older, self.licence = sorted((self.licence, licence), key=lambda row: row.recency_key)
        self.numbers.append(older.number)
        self.names.append(older.trade_name)
        if older.is_in_force:
            self.types.append(older.business_type)


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """Yield the businesses of all files."""
    businesses: dict[str, _LicensedBusiness] = {}
    skipped = SkippedRows(context)
    for resource in resources:
        for licence in _read_licences(resource, context, skipped):
            key = f"{licence.holder.name.casefold()} | {licence.place}"
            known = businesses.get(key)
            if known is None:
                businesses[key] = _LicensedBusiness(licence)
            else:
                context.merge()
                known.add(licence)
    skipped.note()
    for key, business in businesses.items():
        yield _build_entry(key, business, context)


def _read_licences(resource: Resource, context: ParseContext, skipped: SkippedRows) -> Iterator[VancouverLicence]:
    columns: dict[str, ColumnNames] = {
        name: {heading.lower(): heading for heading in layout.columns} for name, layout in context.metadata.layouts.items()
    }
    day = None
    for layout, row in read_csv(resource, context, dialect=DelimitedDialect(";")):
        holder = parse_holder(row, columns[layout])
        if holder is None:
            skipped.add(_NO_NAME)
            continue
        try:
            licence = parse_licence(holder, row, columns[layout], context)
        except ValueError as error:
            context.reject(resource, row.line, error)
            continue
        if licence.day is not None and (day is None or licence.day > day):
            day = licence.day
            context.set_as_of(day)
        yield licence


def _build_entry(key: str, business: _LicensedBusiness, context: ParseContext) -> RegulatoryEntry:
    licence = business.licence
    holder = licence.holder
    address = build_address(licence)
    names = dict.fromkeys((holder.other_form, licence.trade_name, *reversed(business.names)))
    return RegulatoryEntry(
        entry_id=key,
        legal_name=holder.name,
        alternate_names=tuple(name for name in names if name is not None and name != holder.name),
        registration_number=licence.number,
        status=_EXPIRED if licence.has_expired else licence.status,
        status_code=context.status(_EXPIRED) if licence.has_expired else licence.code,
        addresses=(address,) if address is not None else (),
        details=_build_details(business),
    )


def _build_details(business: _LicensedBusiness) -> dict[str, JsonValue]:
    licence = business.licence
    person = licence.holder.is_person
    details: dict[str, JsonValue] = {
        "nameType": "trade" if licence.holder.is_trade_name else None,
        "soleProprietor": True if person else None,
        "statusDerived": True if licence.has_expired else None,
        "businessType": licence.business_type,
        "businessSubType": licence.business_subtype,
        "issuedDate": licence.issued.isoformat() if licence.issued is not None else None,
        "expiryDate": licence.expires.isoformat() if licence.expires is not None else None,
        "numberOfEmployees": licence.employees if not person else None,
        "localArea": licence.local_area if not person else None,
        "licenceRsn": licence.rsn,
        "otherLicenceNumbers": _collect_others(business.numbers, licence.number),
        "otherBusinessTypes": _collect_others(business.types, licence.business_type),
    }
    return {key: value for key, value in details.items() if value is not None}


def _collect_others(found: Sequence[str | None], own: str | None) -> list[JsonValue] | None:
    """Return the values other than `own`, each once, the newest first; None if there are none."""
    return [item for item in dict.fromkeys(reversed(found)) if item is not None and item != own] or None
