"""Health service providers of Ontario: one entry a provider, with all its service types and places.

The provider number is counted anew within each service type, so that one number stands for up to three unrelated providers; number
and name together tell them apart. It does not decide which of the names is the incorporated one.
"""

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from bonafide.model.entity import Address
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import TableRow, parse_date, read_csv
from bonafide.sources.framework.context import ParseContext, Resource

_STATUS = "Listed"


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The providers of all files."""
    providers: dict[str, RegulatoryEntry] = {}
    for resource in resources:
        for entry in _read_entries(resource, context):
            known = providers.get(entry.entry_id)
            if known is not None:
                context.merge()
            providers[entry.entry_id] = entry if known is None else _merge_entries(known, entry)
    yield from providers.values()


def _read_entries(resource: Resource, context: ParseContext) -> Iterator[RegulatoryEntry]:
    for _, row in read_csv(resource, context):
        try:
            yield _build_entry(row, context)
        except ValueError as error:
            context.reject(resource, row.line, str(error))


def _build_entry(row: TableRow, context: ParseContext) -> RegulatoryEntry:
    ident, name = row.need("MOH_SERVICE_PROVIDER_IDENT"), row.need("ENGLISH_NAME")
    others = (row.get("FRENCH_NAME"), row.get("ENGLISH_NAME_ALT"), row.get("FRENCH_NAME_ALT"))
    return RegulatoryEntry(
        entry_id=f"{ident} {name.casefold()}",
        legal_name=name,
        alternate_names=tuple(dict.fromkeys(other for other in others if other is not None and other != name)),
        registration_number=ident,
        status=_STATUS,
        status_code=context.status(_STATUS),
        addresses=(_build_address(row),),
        details=_build_details(row),
    )


def _build_address(row: TableRow) -> Address:
    lines = [line for line in (row.get("ADDRESS_LINE_1"), row.get("ADDRESS_LINE_2")) if line is not None]
    street = ", ".join(lines) or None
    city, postal_code = row.get("COMMUNITY"), row.get("POSTAL_CODE")
    raw = ", ".join(part for part in (street, city, "ON", postal_code) if part is not None)
    return Address(street=street, city=city, province="ON", postal_code=postal_code, country="CA", raw=raw)


def _build_details(row: TableRow) -> dict[str, JsonValue]:
    effective = parse_date((row.get("EFFECTIVE_DATETIME") or "")[:10] or None, "%Y/%m/%d")
    longitude, latitude, detail = row.get("X"), row.get("Y"), row.get("SERVICE_TYPE_DETAIL")
    details: dict[str, JsonValue] = {
        "statusDerived": True,
        "serviceTypes": [row.need("SERVICE_TYPE")],
        "serviceTypeDetails": [detail] if detail is not None else None,
        "addressDescriptor": row.get("ADDRESS_DESCRIPTOR"),
        "effectiveDate": effective.isoformat() if effective is not None else None,
        "latitude": float(latitude) if latitude is not None else None,
        "longitude": float(longitude) if longitude is not None else None,
    }
    return {key: value for key, value in details.items() if value is not None}


def _merge_entries(first: RegulatoryEntry, other: RegulatoryEntry) -> RegulatoryEntry:
    """The first with what the other adds; the descriptor, date and coordinates stay those of the first place."""
    names = [name for name in (*first.alternate_names, *other.alternate_names) if name != first.legal_name]
    details = other.details | first.details
    for key in ("serviceTypes", "serviceTypeDetails"):
        found = [*_read_strings(first, key), *_read_strings(other, key)]
        if found:
            details[key] = list[JsonValue](dict.fromkeys(found))
    return first.model_copy(
        update={
            "alternate_names": tuple(dict.fromkeys(names)),
            "addresses": tuple(dict.fromkeys((*first.addresses, *other.addresses))),
            "details": details,
        }
    )


def _read_strings(entry: RegulatoryEntry, key: str) -> list[str]:
    value = entry.details.get(key)
    return [str(item) for item in value] if isinstance(value, list) else []
