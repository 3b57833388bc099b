"""Cannabis licensees of Alberta: stores, and suppliers of any province, one entry an authorization number.

The report is a legacy workbook; the same columns are read from CSV. It names each store's manager, a private person, whom this
module does not import.
"""

import re
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from bonafide.model.entity import Address
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import TableRow, parse_date, read_csv
from bonafide.sources.formats.xls_workbook import is_xls, read_xls
from bonafide.sources.framework.context import ParseContext, Resource

_SHEET = "CannabisLicenseeList_EXCEL"
_STATUS = "Active"
_ZIP = re.compile(r"\d{5}(-\d{4})?")
_BOOLEANS = {"yes": True, "no": False}


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The licensees of all files."""
    licensees: dict[str, RegulatoryEntry] = {}
    for resource in resources:
        for entry in _read_entries(resource, context):
            known = licensees.get(entry.entry_id)
            if known is not None:
                context.merge()
            licensees[entry.entry_id] = entry if known is None else _merge_entries(known, entry)
    yield from licensees.values()


def _read_entries(resource: Resource, context: ParseContext) -> Iterator[RegulatoryEntry]:
    rows = read_xls(resource, context, sheet=_SHEET) if is_xls(resource) else read_csv(resource, context)
    for _, row in rows:
        try:
            yield _build_entry(row, context)
        except ValueError as error:
            context.reject(resource, row.line, str(error))


def _build_entry(row: TableRow, context: ParseContext) -> RegulatoryEntry:
    number = row.need("Authorization Number")
    return RegulatoryEntry(
        entry_id=number,
        legal_name=row.need("Establishment Name"),
        registration_number=number,
        status=_STATUS,
        status_code=context.status(_STATUS),
        addresses=(_build_address(row),),
        details=_build_details(number, row, context),
    )


def _build_address(row: TableRow) -> Address:
    lines = [line for line in (row.get("Site Address Line 1"), row.get("Site Address Line 2")) if line is not None]
    street = ", ".join(lines) or None
    city, province, postal_code = row.get("Site City Name"), row.get("Site Province Abbrev"), row.get("Site Postal Code")
    # Suppliers in the United States are listed under their state, and California is "CA" too.
    country = "US" if postal_code is not None and _ZIP.fullmatch(postal_code) else "CA"
    raw = ", ".join(part for part in (street, city, province, postal_code) if part is not None)
    return Address(street=street, city=city, province=province, postal_code=postal_code, country=country, raw=raw)


def _build_details(number: str, row: TableRow, context: ParseContext) -> dict[str, JsonValue]:
    # Month first: of 931 dates more than half have a second part above 12, none a first.
    effective = parse_date(row.get("Initial Effective Date"), "%m/%d/%Y", "%Y-%m-%d")
    online = row.get("Online Sales")
    details: dict[str, JsonValue] = {
        "nameType": "trade",
        "statusDerived": True,
        "initialEffectiveDate": effective.isoformat() if effective is not None else None,
        "telephone": row.get("Telephone Number"),
        "onlineSales": _BOOLEANS.get(context.term(online)) if online is not None else None,
        "licenseeType": _classify_licensee(number, row.get("Site Province Abbrev")),
    }
    return {key: value for key, value in details.items() if value is not None}


def _classify_licensee(number: str, province: str | None) -> str | None:
    """Stores are in Alberta; the 77 and 78 series are all stores there, the 30 series suppliers. The newer series mix both."""
    if number.startswith("30") or province != "AB":
        return "supplier"
    return "retail" if number.startswith(("77", "78")) else None


def _merge_entries(first: RegulatoryEntry, other: RegulatoryEntry) -> RegulatoryEntry:
    """The first with the names and sites that the other adds."""
    names = [name for name in (*first.alternate_names, other.legal_name) if name != first.legal_name]
    sites = (*first.addresses, *other.addresses)
    return first.model_copy(update={"alternate_names": tuple(dict.fromkeys(names)), "addresses": tuple(dict.fromkeys(sites))})
