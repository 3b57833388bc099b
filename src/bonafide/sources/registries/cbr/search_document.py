"""Build an entry of a register from a document of the search.

The business number of a Quebec document is the NEQ. The documents do not state good standing.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any
from urllib.parse import quote

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.matching.entries.register_codes import parse_home_jurisdiction
from bonafide.model.entity import Address, RegistrationNumber, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.formats.delimited_text import build_postal_address, normalize_whitespace
from bonafide.sources.framework.live import LiveContext

BN_LABEL = "Business Number (BN)"
_BUSINESS_NUMBER = re.compile(r"\d{9}([A-Z]{2}\d{4})?")
CbrDocument = Mapping[str, Any]


def build_entry(document: Any, context: LiveContext) -> RegistryEntry:
    """Build the entry. Raises `ParseFailed` with a field that is missing or invalid."""
    if not isinstance(document, dict):
        raise ParseFailed(Message("an item of docs is not an object"))
    source = _require_text(document, "Registry_Source")
    register = get_register(source, context)
    number = _read_number(document, source)
    status, code = _read_status(document, context)
    names = [*_read_texts(document, "Alternate_Name"), *_read_texts(document, "HJ_entity_name")]
    legal_name = _require_text(document, "Company_Name")
    home, home_number = _find_home(document, register, source)
    return RegistryEntry(
        entry_id=f"{source}_{number}",
        source_url=str(context.metadata.entry_url).format(number=quote(number)),
        jurisdiction=register,
        legal_name=legal_name,
        alternate_names=tuple(name for name in dict.fromkeys(names) if name.casefold() != legal_name.casefold()),
        registration_numbers=tuple(_build_numbers(document, register, number, context)),
        entity_type=_read_text(document, "Entity_Type"),
        status=status,
        status_code=code,
        incorporation_date=_read_day(document, "Date_Incorporated"),
        addresses=_build_addresses(document),
        home_jurisdiction=home,
        home_number=home_number,
    )


def get_registers(context: LiveContext) -> dict[str, Jurisdiction]:
    """The registers that the search covers, by `Registry_Source`."""
    terms = context.metadata.terms
    return {word.removeprefix("source "): Jurisdiction(code) for word, code in terms.items() if word.startswith("source ")}


def get_register(source: str, context: LiveContext) -> Jurisdiction:
    """The register of a `Registry_Source`. Raises `ParseFailed` for an unknown one."""
    known = get_registers(context).get(source)
    if known is None:
        raise ParseFailed(Message("a document is of the unknown register '{register}'", register=source))
    return known


def _read_number(document: CbrDocument, source: str) -> str:
    """The register's own number, or the one in the ID of the document."""
    own = _read_text(document, "Juri_ID")
    if own is None:
        own = _require_text(document, "MRAS_ID").removeprefix(f"{source}_")
    return own


def _build_numbers(
    document: CbrDocument, register: Jurisdiction, number: str, context: LiveContext
) -> Iterator[RegistrationNumber]:
    yield RegistrationNumber(label=_choose_label(register, number, context), value=number)
    business_number = _read_text(document, "BN")
    if business_number is None:
        return
    if register is not Jurisdiction.QC or _BUSINESS_NUMBER.fullmatch(business_number) is not None:
        yield RegistrationNumber(label=BN_LABEL, value=business_number)


def _choose_label(register: Jurisdiction, number: str, context: LiveContext) -> str:
    """The label of a register's numbers, which can depend on their length."""
    by_length = context.metadata.terms.get(f"number {register} of {len(number)}")
    return by_length if by_length is not None else context.words.term(f"number {register}")


def _read_status(document: CbrDocument, context: LiveContext) -> tuple[str, StatusCode]:
    """The note, or the state if there is none. The state also gives the code of an unknown note."""
    state, note = _require_text(document, "Status_State"), _read_text(document, "Status_Notes")
    code = context.words.status(note)
    return note if note is not None else state, code if code is not StatusCode.UNKNOWN else context.words.status(state)


def _find_home(document: CbrDocument, register: Jurisdiction, source: str) -> tuple[str | None, str | None]:
    """The home jurisdiction of an extraprovincial business, and its number there."""
    word = next(iter(_read_texts(document, "HJ_ID")), None)
    if word is None:
        stated = _read_text(document, "Jurisdiction")
        word = stated if stated != source else None
    home = parse_home_jurisdiction(word, register)
    return home, next(iter(_read_texts(document, "HJ_entity_ID")), None) if home is not None else None


OFFICE_LABEL = str(Message("Registered office"))


def _build_addresses(document: CbrDocument) -> tuple[Address, ...]:
    """City and province of the registered office; nothing else is published."""
    address = build_postal_address(
        street=None,
        city=_read_text(document, "Reg_office_city"),
        province=_normalize_province(_read_text(document, "Reg_office_province")),
        postal_code=None,
        country=None,
        label=OFFICE_LABEL,
    )
    return (address,) if address is not None else ()


def _normalize_province(word: str | None) -> str | None:
    """The two-letter code of a province; any other place unchanged."""
    try:
        return Jurisdiction.parse(word).value if word is not None else None
    except ValueError:
        return word


def _read_day(document: CbrDocument, field: str) -> date | None:
    text = _read_text(document, field)
    try:
        return date.fromisoformat(text[:10]) if text is not None else None
    except ValueError as error:
        raise ParseFailed(Message("{field} of a document is not a date: '{text}'", field=field, text=str(text))) from error


# ------------------------------------------------------------------------------------------------------------ fields


def _require_text(document: CbrDocument, field: str) -> str:
    text = _read_text(document, field)
    if text is None:
        raise ParseFailed(Message("a document has no {field}", field=field))
    return text


def _read_text(document: CbrDocument, field: str) -> str | None:
    value = document.get(field)
    if value is None or isinstance(value, str):
        return normalize_whitespace(value)
    raise ParseFailed(Message("{field} of a document is not text", field=field))


def _read_texts(document: CbrDocument, field: str) -> list[str]:
    """A list of texts, which may be absent."""
    values = document.get(field)
    if values is None:
        return []
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ParseFailed(Message("{field} of a document is not a list of texts", field=field))
    return [text for text in map(normalize_whitespace, values) if text is not None]
