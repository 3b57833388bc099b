"""Build entries from the rows of Corporations Canada's four daily CSV files: one row for each corporation.

The anniversary date is not used as the incorporation date, because it can be that of an amalgamation or a continuance.
"""

from bonafide.i18n.message import Message
from bonafide.model.entity import Address, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.formats.delimited_text import TableRow, build_postal_address
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.registries.fed import register_rules


def build_entry(row: TableRow, year: int, context: ParseContext) -> RegistryEntry:
    """Build the entry of a row, with good standing as of the year. Raises `ValueError` for a row without number or name."""
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
    """The digits of the number. Raises `ValueError` for anything else."""
    number = row.need("Corporation number")
    if not (number.isascii() and number.isdecimal()):
        raise ValueError(Message("{column} is not a number", column="Corporation number"))
    return number


def read_names(row: TableRow) -> list[str]:
    """Form 1 and form 2 (the other language) of the name, if they differ. Raises `ValueError` without a name."""
    forms = [row.get("Corporate name - form 1"), row.get("Corporate name - form 2")]
    names = list(dict.fromkeys(form for form in forms if form is not None))
    if not names:
        raise ValueError(Message("{column} is empty", column="Corporate name"))
    return names


def _read_status(row: TableRow, context: ParseContext) -> tuple[str | None, StatusCode]:
    """The status detail if there is one, or the status. For an unknown detail, a note is added and the status gives the code."""
    status, detail = row.get("Status"), row.get("Status Detail")
    if detail is None:
        return status, context.status(status)
    code = context.find_status(register_rules.remove_section(detail))
    if code is not None:
        return detail, code
    context.note(Message("the status detail '{detail}' is unknown, so the status was used", detail=detail))
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
        label=register_rules.OFFICE_LABEL,
    )
    return (office,) if office is not None else ()
