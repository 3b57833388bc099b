"""A row of Corporations Canada's daily CSV files: one corporation, all four files in one layout.

The anniversary date is not read as a date of incorporation: it is as often that of an amalgamation or a continuance.
"""

from bonafide.model.entity import Address, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.formats.delimited_text import TableRow, build_postal_address
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.registries.fed import register_rules


def build_entry(row: TableRow, year: int, context: ParseContext) -> RegistryEntry:
    """The corporation of a row, its standing judged in the year given. Raises `ValueError` when it has no number or no name."""
    number = read_corporation_number(row)
    name, *others = read_names(row)
    status, code = _read_status(row, context)
    return RegistryEntry(
        entry_id=number,
        source_url=str(context.metadata.entry_url).format(number=number),
        jurisdiction=Jurisdiction.FED,
        legal_name=name,
        alternate_names=tuple(others),
        registration_numbers=register_rules.build_numbers(number, row.get("Business number (BN)"), context),
        entity_type=row.get("Governing legislation"),
        status=status,
        status_code=code,
        good_standing=_derive_good_standing(row, code, year),
        addresses=_build_addresses(row, context),
    )


def read_corporation_number(row: TableRow) -> str:
    """The digits, without a dash. Raises `ValueError` when there are none."""
    number = row.need("Corporation number")
    if not (number.isascii() and number.isdecimal()):
        raise ValueError("Corporation number is not a number")
    return number


def read_names(row: TableRow) -> list[str]:
    """Form 1, and form 2 (the other language's) where it is another. Raises `ValueError` when there is neither."""
    forms = [row.get("Corporate name - form 1"), row.get("Corporate name - form 2")]
    names = list(dict.fromkeys(form for form in forms if form is not None))
    if not names:
        raise ValueError("Corporate name is empty")
    return names


def _read_status(row: TableRow, context: ParseContext) -> tuple[str | None, StatusCode]:
    """The detail where there is one. One that is not known is noted, and the code is that of the plain status."""
    status, detail = row.get("Status"), row.get("Status Detail")
    if detail is None:
        return status, context.status(status)
    code = context.find_status(register_rules.remove_section(detail))
    if code is not None:
        return detail, code
    context.note(f"the status detail {detail!r} is not known: the status decides")
    return detail, context.status(status)


def _derive_good_standing(row: TableRow, code: StatusCode, year: int) -> bool | None:
    filed = row.get("Year of last annual filing")
    detail = row.get("Status Detail")
    return register_rules.good_standing(detail if detail != row.get("Status") else None, code, filed, year)


def _build_addresses(row: TableRow, context: ParseContext) -> tuple[Address, ...]:
    """The registered office."""
    lines = [line for line in (row.get("Street"), row.get("Street 2")) if line is not None]
    office = build_postal_address(
        street=", ".join(lines) or None,
        city=row.get("City/town"),
        province=register_rules.normalize_province(row.get("Province/territory"), context),
        postal_code=row.get("Postal code"),
        country=row.get("Country"),
    )
    return (office,) if office is not None else ()
