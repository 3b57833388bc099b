"""Build the entry of a charity from a row of the list or of the returns.

A row is a mapping by field name, without the fields that its layout lacks. Codes are looked up in the metadata and in
`sub_categories.yml`; no value is corrected.
"""

from collections.abc import Mapping
from functools import cache

from pydantic import JsonValue

from bonafide.i18n.message import Message
from bonafide.model.entity import Address, RegistrationNumber
from bonafide.model.entry import RegulatoryEntry
from bonafide.package_data import read_yaml
from bonafide.sources.formats.delimited_text import build_postal_address, parse_date
from bonafide.sources.framework.context import ParseContext

BN_LABEL = "Business Number (BN)"
CODE_DIGITS = 4
_BN_DIGITS = 9
_BETWEEN_LANGUAGES = " / "
_ABROAD = "OC"
"""The province code of charities outside Canada."""

Cells = Mapping[str, str | None]


def build_entry(cells: Cells, context: ParseContext) -> RegulatoryEntry:
    """Build the entry. Raises `ValueError` for a row without a number or a name, or with an invalid date."""
    number, name = cells["number"], cells["name"]
    if number is None or name is None:
        raise ValueError(Message("the number is empty") if number is None else Message("the name is empty"))
    legal_name, others = _split_names(name, cells.get("account_name"))
    business_number = _extract_business_number(number)
    status = cells.get("status")
    return RegulatoryEntry(
        entry_id=number,
        source_url=str(context.metadata.entry_url).format(number=number),
        legal_name=legal_name,
        alternate_names=others,
        registration_number=number,
        join_numbers=(RegistrationNumber(label=BN_LABEL, value=business_number),) if business_number is not None else (),
        status=status,
        status_code=context.status(status),
        addresses=_build_addresses(cells),
        details=_build_details(cells, business_number, context),
    )


def _split_names(name: str, account_name: str | None) -> tuple[str, tuple[str, ...]]:
    """`A / B` is a name in two languages: the first part is the legal name, the whole and the other parts are alternate names."""
    first, *rest = name.split(_BETWEEN_LANGUAGES)
    others = dict.fromkeys(filter(None, ([name, *rest] if rest else [])))
    if account_name is not None and account_name.casefold() not in {name.casefold(), first.casefold()}:
        others[account_name] = None
    return first, tuple(others)


def _extract_business_number(number: str) -> str | None:
    """Return the nine digits that precede the program account (`#########RR####`)."""
    digits = number[:_BN_DIGITS]
    return digits if len(digits) == _BN_DIGITS and digits.isdecimal() else None


def _build_addresses(cells: Cells) -> tuple[Address, ...]:
    lines = [line for line in (cells["street"], cells.get("street_2")) if line is not None]
    province = cells["province"]
    address = build_postal_address(
        street=", ".join(lines) or None,
        city=cells["city"],
        province=province if province != _ABROAD else None,
        postal_code=cells["postal_code"],
        country=cells["country"],
    )
    return (address,) if address is not None else ()


def _build_details(cells: Cells, business_number: str | None, context: ParseContext) -> dict[str, JsonValue]:
    since = parse_date(cells.get("since"), "%Y-%m-%d")
    designation, category = cells["designation"], _pad_code(cells["category"])
    sub_category = _pad_code(cells.get("sub_category"))
    details: dict[str, JsonValue] = {
        "businessNumber": business_number,
        "statusEffectiveDate": since.isoformat() if since is not None else None,
        "sanction": cells.get("sanction"),
        "designationCode": designation,
        "designation": context.term(f"designation {designation}") if designation is not None else None,
        "charityType": cells.get("charity_type"),
        "categoryCode": category,
        "category": context.term(f"category {category}") if category is not None else None,
        "subCategoryCode": sub_category,
        "subCategory": _load_sub_categories().get(f"{category}-{sub_category}"),
        "qualifiedDoneeType": cells.get("donee_type"),
        "website": cells.get("website"),
        "lastFilingYear": cells.get("filing_year"),
    }
    return {key: value for key, value in details.items() if value is not None}


def _pad_code(text: str | None) -> str | None:
    """Pad a code to four digits: a spreadsheet program may have removed its leading zeros."""
    return text.zfill(CODE_DIGITS) if text is not None and text.isdecimal() else text


@cache
def _load_sub_categories() -> dict[str, str]:
    """Load the names of sub-categories by category and code (`0110-0003`)."""
    return dict(read_yaml(__package__, "sub_categories.yml"))
