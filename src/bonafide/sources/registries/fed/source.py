"""Corporations Canada's daily CSV files: one row a corporation, all four files in one layout.

The anniversary date is not read as a date of incorporation: it is as often that of an amalgamation or a continuance.
"""

import re
from collections.abc import Iterator, Sequence

from bonafide.model.entity import Address, RegistrationNumber, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.parse import Row, postal_address, read_csv

BN_LABEL = "Business Number (BN)"
_SECTION = re.compile(r" ?\(s\. ?[\d.]+\)$")
"""`Dissolved for non-compliance (s. 212)`: the section differs from act to act."""


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegistryEntry]:
    """Every corporation once; the files are of different minutes, so one that has just been dissolved can be in two."""
    seen: set[int] = set()
    for resource in resources:
        for _, row in read_csv(resource, context):
            try:
                entry = _entry(row, resource.retrieved_at.year, context)
            except ValueError as error:
                context.reject(resource, row.line, str(error))
                continue
            number = int(entry.entry_id)
            if number in seen:
                context.reject(resource, row.line, "the corporation number was read before")
                continue
            seen.add(number)
            yield entry


def _entry(row: Row, year: int, context: ParseContext) -> RegistryEntry:
    """The corporation of a row, its standing judged in the year given. Raises `ValueError` when it has no number or no name."""
    number = row.need("Corporation number")
    if not (number.isascii() and number.isdecimal()):
        raise ValueError("Corporation number is not a number")
    name, *others = _names(row)
    status, code = _status(row, context)
    return RegistryEntry(
        entry_id=number,
        source_url=str(context.metadata.entry_url).format(number=number),
        jurisdiction=Jurisdiction.FED,
        legal_name=name,
        alternate_names=tuple(others),
        registration_numbers=_numbers(number, row, context),
        entity_type=row.get("Governing legislation"),
        status=status,
        status_code=code,
        good_standing=_good_standing(row, code, year),
        addresses=_addresses(row, context),
    )


def _names(row: Row) -> list[str]:
    """Form 1, and form 2 (the other language's) where it is another. Raises `ValueError` when there is neither."""
    forms = [row.get("Corporate name - form 1"), row.get("Corporate name - form 2")]
    names = list(dict.fromkeys(form for form in forms if form is not None))
    if not names:
        raise ValueError("Corporate name is empty")
    return names


def _numbers(number: str, row: Row, context: ParseContext) -> tuple[RegistrationNumber, ...]:
    own = RegistrationNumber(label=str(context.metadata.number_label), value=number)
    business_number = row.get("Business number (BN)")
    if business_number is None:
        return (own,)
    return (own, RegistrationNumber(label=BN_LABEL, value=business_number))


def _status(row: Row, context: ParseContext) -> tuple[str | None, StatusCode]:
    """The detail where there is one. One that is not known is noted, and the code is that of the plain status."""
    status, detail = row.get("Status"), row.get("Status Detail")
    if detail is None:
        return status, context.status(status)
    code = context.known_status(_SECTION.sub("", detail))
    if code is not None:
        return detail, code
    context.note(f"the status detail {detail!r} is not known: the status decides")
    return detail, context.status(status)


def _good_standing(row: Row, code: StatusCode, year: int) -> bool | None:
    """The register has no field for it: up to date with its annual filings, being dissolved for want of them, or not known."""
    detail = row.get("Status Detail")
    if detail is not None and detail != row.get("Status"):
        return False if "dissolution pending" in detail.casefold() else None
    filed = row.get("Year of last annual filing")
    current = filed is not None and filed.isdecimal() and int(filed) >= year - 1
    return True if code is StatusCode.ACTIVE and current else None


def _addresses(row: Row, context: ParseContext) -> tuple[Address, ...]:
    """The registered office."""
    province = row.get("Province/territory")
    lines = [line for line in (row.get("Street"), row.get("Street 2")) if line is not None]
    office = postal_address(
        street=", ".join(lines) or None,
        city=row.get("City/town"),
        province=context.metadata.terms.get(province, province) if province is not None else None,
        postal_code=row.get("Postal code"),
        country=row.get("Country"),
    )
    return (office,) if office is not None else ()
