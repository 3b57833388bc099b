"""One document of the joint search as an entry of the register that it comes from.

What it calls a business number is, for Quebec, the NEQ once more. Good standing can't be known from it.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any
from urllib.parse import quote

from bonafide.errors import ParseFailed
from bonafide.matching.entries.home_jurisdiction import parse_home_jurisdiction
from bonafide.model.entity import Address, RegistrationNumber, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.live import LiveContext
from bonafide.sources.parse import postal_address, squeeze

BN_LABEL = "Business Number (BN)"
_BUSINESS_NUMBER = re.compile(r"\d{9}([A-Z]{2}\d{4})?")
Document = Mapping[str, Any]


def entry_of(document: Any, context: LiveContext) -> RegistryEntry:
    """Raises `ParseFailed` that names what the document lacks, or has in another shape."""
    if not isinstance(document, dict):
        raise ParseFailed("an element of docs is no object")
    source = _need(document, "Registry_Source")
    register = register_of(source, context)
    number = _number(document, source)
    status, code = _status(document, context)
    names = [*_texts(document, "Alternate_Name"), *_texts(document, "HJ_entity_name")]
    legal_name = _need(document, "Company_Name")
    home, home_number = _home(document, register, source)
    return RegistryEntry(
        entry_id=f"{source}_{number}",
        source_url=str(context.metadata.entry_url).format(number=quote(number)),
        jurisdiction=register,
        legal_name=legal_name,
        alternate_names=tuple(name for name in dict.fromkeys(names) if name.casefold() != legal_name.casefold()),
        registration_numbers=tuple(_numbers(document, register, number, context)),
        entity_type=_text(document, "Entity_Type"),
        status=status,
        status_code=code,
        incorporation_date=_day(document, "Date_Incorporated"),
        addresses=_addresses(document),
        home_jurisdiction=home,
        home_number=home_number,
    )


def registers(context: LiveContext) -> dict[str, Jurisdiction]:
    """The registers that are really there, by what `Registry_Source` calls them."""
    terms = context.metadata.terms
    return {word.removeprefix("source "): Jurisdiction(code) for word, code in terms.items() if word.startswith("source ")}


def register_of(source: str, context: LiveContext) -> Jurisdiction:
    """The register of a `Registry_Source`. Raises `ParseFailed` for one that was never seen: what its fields mean isn't known."""
    known = registers(context).get(source)
    if known is None:
        raise ParseFailed(f"a document is of the register {source!r}, which is not known here")
    return known


def _number(document: Document, source: str) -> str:
    """The register's own number; it stands in the document's id too."""
    own = _text(document, "Juri_ID")
    if own is None:
        own = _need(document, "MRAS_ID").removeprefix(f"{source}_")
    return own


def _numbers(document: Document, register: Jurisdiction, number: str, context: LiveContext) -> Iterator[RegistrationNumber]:
    yield RegistrationNumber(label=_label(register, number, context), value=number)
    business_number = _text(document, "BN")
    if business_number is None:
        return
    if register is not Jurisdiction.QC or _BUSINESS_NUMBER.fullmatch(business_number) is not None:
        yield RegistrationNumber(label=BN_LABEL, value=business_number)


def _label(register: Jurisdiction, number: str, context: LiveContext) -> str:
    """What a register calls its numbers; some call those of a certain length otherwise."""
    by_length = context.metadata.terms.get(f"number {register} of {len(number)}")
    return by_length if by_length is not None else context.words.term(f"number {register}")


def _status(document: Document, context: LiveContext) -> tuple[str, StatusCode]:
    """The note where there is one, else the plain state; where the note's meaning isn't known the state decides."""
    state, note = _need(document, "Status_State"), _text(document, "Status_Notes")
    code = context.words.status(note)
    return note if note is not None else state, code if code is not StatusCode.UNKNOWN else context.words.status(state)


def _home(document: Document, register: Jurisdiction, source: str) -> tuple[str | None, str | None]:
    """Where a business from elsewhere was formed, and its number there."""
    word = next(iter(_texts(document, "HJ_ID")), None)
    if word is None:
        stated = _text(document, "Jurisdiction")
        word = stated if stated != source else None
    home = parse_home_jurisdiction(word, register)
    return home, next(iter(_texts(document, "HJ_entity_ID")), None) if home is not None else None


def _addresses(document: Document) -> tuple[Address, ...]:
    """The city and the province of the registered office: more is not shown."""
    address = postal_address(
        street=None,
        city=_text(document, "Reg_office_city"),
        province=_province(_text(document, "Reg_office_province")),
        postal_code=None,
        country=None,
    )
    return (address,) if address is not None else ()


def _province(word: str | None) -> str | None:
    """The post's two letters for a full name; a place elsewhere as it is."""
    try:
        return Jurisdiction.parse(word).value if word is not None else None
    except ValueError:
        return word


def _day(document: Document, field: str) -> date | None:
    text = _text(document, field)
    try:
        return date.fromisoformat(text[:10]) if text is not None else None
    except ValueError as error:
        raise ParseFailed(f"{field} of a document is {text!r}, which is not a date") from error


# ------------------------------------------------------------------------------------------------------------ fields


def _need(document: Document, field: str) -> str:
    text = _text(document, field)
    if text is None:
        raise ParseFailed(f"a document has no {field}")
    return text


def _text(document: Document, field: str) -> str | None:
    value = document.get(field)
    if value is None or isinstance(value, str):
        return squeeze(value)
    raise ParseFailed(f"{field} of a document is no text")


def _texts(document: Document, field: str) -> list[str]:
    """A list of texts, which may be absent."""
    values = document.get(field)
    if values is None:
        return []
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ParseFailed(f"{field} of a document is no list of texts")
    return [text for text in map(squeeze, values) if text is not None]
