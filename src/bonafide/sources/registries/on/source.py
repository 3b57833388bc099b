"""Parse extracts of the Ontario register: CSV with padded cells, names over four columns, letters for types and statuses.

Status letters without a legend have no meaning here. Bilingual names are not split.
"""

from collections.abc import Iterator, Sequence
from datetime import date

from bonafide.i18n.message import Message
from bonafide.matching.entries.register_codes import parse_home_jurisdiction
from bonafide.model.entity import Address, RegistrationNumber
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.formats.delimited_text import TableRow, build_postal_address, build_street_line, parse_date, read_csv
from bonafide.sources.framework.context import ParseContext, Resource

NUMBERS = {
    "corporations": ("orgId", "Ontario Corporation Number"),
    "business_names": ("Company Number", "Business Identification Number"),
}
"""Layout to column and label of its numbers. The series don't overlap: the second has nine digits, the first seven or ten."""
NAME_LINES = tuple(f"Company Name Line {line}" for line in range(1, 5))
NO_DATES = frozenset({"0", "11111111"})
NO_PLACES = frozenset({"N/A", "NOT APPLICABLE", ""})
PROVINCES = {"PQ": "QC", "NF": "NL"}
"""Obsolete codes. They can't be in `terms`, because `CO` is both an entity type and a state."""


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegistryEntry]:
    """One entry for each row."""
    seen: set[str] = set()
    for resource in resources:
        for layout, row in read_csv(resource, context):
            try:
                entry = _build_entry(row, layout, context)
            except ValueError as error:
                context.reject(resource, row.line, error)
                continue
            if entry.entry_id in seen:
                context.reject(resource, row.line, Message("an earlier row has the same registration number"))
                continue
            seen.add(entry.entry_id)
            yield entry


def _build_entry(row: TableRow, layout: str, context: ParseContext) -> RegistryEntry:
    """Raises `ValueError` for a row without number or name, or with an invalid date."""
    column, label = NUMBERS[layout]
    number = row.need(column)
    name = " ".join(line for line in (row.get(column) for column in NAME_LINES) if line is not None)
    if name == "":
        raise ValueError(Message("{column} is empty", column="Company Name"))
    kind = row.get("Type of Business")
    return RegistryEntry(
        entry_id=number,
        jurisdiction=Jurisdiction.ON,
        legal_name=name,
        registration_numbers=(RegistrationNumber(label=label, value=number),),
        entity_type=context.term(kind) if kind is not None else None,
        status=row.get("Company Status"),
        status_code=context.status(row.get("Company Status")),
        incorporation_date=_read_incorporation_date(row),
        addresses=_build_addresses(row),
        home_jurisdiction=parse_home_jurisdiction(row.get("Home Jurisdiction"), Jurisdiction.ON),
    )


def _read_incorporation_date(row: TableRow) -> date | None:
    """The registration date of an Ontario entity; for others it is not the date of incorporation."""
    text = row.get("Registration Date")
    if text is None or text in NO_DATES or row.get("Home Jurisdiction") != "ONTARIO":
        return None
    try:
        return parse_date(text, "%Y%m%d")
    except ValueError as error:
        raise ValueError(Message("{column} is not a date", column="Registration Date")) from error


def _build_addresses(row: TableRow) -> tuple[Address, ...]:
    """The registered office or place of business, depending on the extract."""
    street = " ".join(part for part in (row.get("Street Number"), row.get("Street Name")) if part is not None)
    lines = [
        line
        for line in (build_street_line(row.get("Suite Number"), street or None), row.get("Additional Info"))
        if line is not None
    ]
    city, province = (row.get("Municipality") or "").rstrip(","), row.get("Province")
    office = build_postal_address(
        street=", ".join(lines) or None,
        city=city if city not in NO_PLACES else None,
        province=PROVINCES.get(province, province) if province is not None else None,
        postal_code=row.get("Postal code"),
        country=row.get("Country"),
        label=row.get("Address Type"),
    )
    return (office,) if office is not None else ()
