"""Money services businesses: one entry a registration number, under its legal and all its operating names.

A registration that has ceased, expired or been revoked stays in the list and says so. The address is one line, and is left one.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from pydantic import JsonValue

from bonafide.model.entity import Address
from bonafide.model.entry import JoinNumber, RegulatoryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.parse import Row, address_of_line, opened_text, parse_date, squeeze
from bonafide.sources.parse_delimited import Dialect, read_delimited
from bonafide.sources.parse_xlsx import is_xlsx, read_xlsx
from bonafide.sources.regulators.fintrac_msb.cells import names_of, services_of

_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_DATES = ("%Y/%m/%d", "%B %d, %Y", "%d-%b-%Y")
"""Month or day first can't be told apart in figures, so that such a date refuses its row."""


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The businesses of all files."""
    businesses: dict[str, RegulatoryEntry] = {}
    for resource in resources:
        for row in _rows(resource, context):
            try:
                entry = _entry(row, context)
            except ValueError as error:
                context.reject(resource, row.line, str(error))
                continue
            known = businesses.get(entry.entry_id)
            if known is not None:
                context.merge()
            businesses[entry.entry_id] = entry if known is None else _merged(known, entry)
    yield from businesses.values()


def _rows(resource: Resource, context: ParseContext) -> Iterator[Row]:
    if is_xlsx(resource):
        yield from (row for _, row in read_xlsx(resource, context))
        return
    with opened_text(resource, "utf-8-sig") as text:
        yield from (row for _, row in read_delimited(text, resource, context, Dialect(cell=_lines)))


def _lines(text: str) -> str | None:
    """A cell with the lines that it has, each squeezed."""
    if "\n" not in text:
        return " ".join(text.split()) or None
    return "\n".join(line for part in text.splitlines() if (line := squeeze(part)) is not None) or None


def _line(row: Row, column: str) -> str | None:
    """A cell in one line."""
    text = row.get(column)
    return text.replace("\n", " ") if text is not None and "\n" in text else text


def _entry(row: Row, context: ParseContext) -> RegulatoryEntry:
    legal_name, others = names_of(row.need("Organization Names (Legal and Operating)"))
    number, status = _line(row, "MSB Registration Number"), _line(row, "MSB Registration Status")
    address = _address(row)
    return RegulatoryEntry(
        # Whoever was refused has no number.
        entry_id=number or f"{legal_name} | {address.raw if address is not None else ''}".casefold(),
        legal_name=legal_name,
        alternate_names=tuple(others),
        registration_number=number,
        join_numbers=_join_numbers(row, context),
        status=status,
        status_code=context.status(status),
        addresses=(address,) if address is not None else (),
        details=_details(row),
    )


def _address(row: Row) -> Address | None:
    lines = row.get("Business Address")
    return address_of_line(", ".join(line.strip(" ,") for line in lines.split("\n"))) if lines is not None else None


def _join_numbers(row: Row, context: ParseContext) -> tuple[JoinNumber, ...]:
    """The incorporation number, where it is one of the fourteen registers'; "Ontario" may be followed by "Canada"."""
    number, place = _line(row, "Incorporation Number"), _line(row, "Jurisdiction of Incorporation")
    if number is None or place is None:
        return ()
    code = context.metadata.terms.get(place.partition(",")[0].casefold())
    return (JoinNumber(label=context.term(code), value=number, jurisdiction=Jurisdiction(code)),) if code is not None else ()


def _details(row: Row) -> dict[str, JsonValue]:
    services = services_of(row.get("Services Offered"))
    details: dict[str, JsonValue] = {
        "website": _line(row, "Website"),
        "services": [*services] if services else None,
        "incorporationJurisdiction": _line(row, "Jurisdiction of Incorporation"),
        "incorporationNumber": _line(row, "Incorporation Number"),
        "initialRegistrationDate": _day(row, "Date Initial MSB Registration Approval"),
        "expiryDate": _day(row, "MSB Registration Expiry Date"),
    }
    return {key: value for key, value in details.items() if value is not None}


def _day(row: Row, column: str) -> str | None:
    text = row.get(column)
    # As nearly all are; to try patterns takes ten times as long.
    found = date.fromisoformat(text) if text is not None and _ISO.fullmatch(text) is not None else parse_date(text, *_DATES)
    return found.isoformat() if found is not None else None


def _merged(first: RegulatoryEntry, other: RegulatoryEntry) -> RegulatoryEntry:
    """The first with the names, places and numbers that another row of its registration adds."""
    names = [name for name in (*first.alternate_names, other.legal_name, *other.alternate_names) if name != first.legal_name]
    return first.model_copy(
        update={
            "alternate_names": tuple(dict.fromkeys(names)),
            "join_numbers": tuple(dict.fromkeys((*first.join_numbers, *other.join_numbers))),
            "addresses": tuple(dict.fromkeys((*first.addresses, *other.addresses))),
            "details": other.details | first.details,
        }
    )
