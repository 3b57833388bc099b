"""Convert a record of GLEIF's API into cells under the golden copy's column names, so that both become entries by the same code.

It checks types only; `lei_entry` interprets the cells.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.regulators.gleif.golden_copy import AUTHORITY, JURISDICTION
from bonafide.sources.regulators.gleif.lei_entry import Cells

_NAMES = {
    "otherNames": "Entity.OtherEntityNames.OtherEntityName",
    "transliteratedOtherNames": "Entity.TransliteratedOtherEntityNames.TransliteratedOtherEntityName",
}
_ADDRESSES = {"legalAddress": "Entity.LegalAddress", "headquartersAddress": "Entity.HeadquartersAddress"}
_ADDRESS_PARTS = {"city": "City", "region": "Region", "country": "Country", "postalCode": "PostalCode"}
_ENTITY = {
    "legalName.name": "Entity.LegalName",
    "registeredAt.id": AUTHORITY,
    "registeredAs": "Entity.RegistrationAuthority.RegistrationAuthorityEntityID",
    "jurisdiction": JURISDICTION,
    "category": "Entity.EntityCategory",
    "legalForm.id": "Entity.LegalForm.EntityLegalFormCode",
    "legalForm.other": "Entity.LegalForm.OtherLegalForm",
    "status": "Entity.EntityStatus",
    "creationDate": "Entity.EntityCreationDate",
    "expiration.date": "Entity.EntityExpirationDate",
    "expiration.reason": "Entity.EntityExpirationReason",
    "successorEntity.lei": "Entity.SuccessorEntity.SuccessorLEI",
    "successorEntity.name": "Entity.SuccessorEntity.SuccessorEntityName",
}
_REGISTRATION = {
    "status": "Registration.RegistrationStatus",
    "initialRegistrationDate": "Registration.InitialRegistrationDate",
    "lastUpdateDate": "Registration.LastUpdateDate",
    "nextRenewalDate": "Registration.NextRenewalDate",
    "managingLou": "Registration.ManagingLOU",
    "corroborationLevel": "Registration.ValidationSources",
}


def to_cells(record: Any) -> Cells:
    """Return the cells of one element of `data`, without blank ones. Raises `ParseFailed` for a field of an unexpected type."""
    attributes = _check_object(_check_object(record, "data[]").get("attributes"), "attributes")
    entity, registration = (_check_object(attributes.get(name), name) for name in ("entity", "registration"))
    found = {"LEI": _read_text(attributes, "lei")}
    found |= {column: _read_text(entity, path) for path, column in _ENTITY.items()}
    found |= {column: _read_text(registration, path) for path, column in _REGISTRATION.items()}
    for name, prefix in _ADDRESSES.items():
        found |= _read_address(_check_object(entity.get(name), name), prefix)
    for name, prefix in _NAMES.items():
        found |= _number_names(_check_list(entity.get(name), name), prefix)
    return {column: text for column, text in found.items() if text is not None}


def _read_address(address: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str | None]]:
    """Yield the parts of an address, and its lines, by column."""
    for part, column in _ADDRESS_PARTS.items():
        yield f"{prefix}.{column}", _read_text(address, part)
    for position, line in enumerate(_check_list(address.get("addressLines"), "addressLines")):
        column = f"AdditionalAddressLine.{position}" if position > 0 else "FirstAddressLine"
        yield f"{prefix}.{column}", _check_text(line, "addressLines")


def _number_names(names: list[Any], prefix: str) -> Iterator[tuple[str, str | None]]:
    """Yield other names with their types, numbered as in the golden copy."""
    for position, name in enumerate(names, start=1):
        parts = _check_object(name, "otherNames[]")
        yield f"{prefix}.{position}", _read_text(parts, "name")
        yield f"{prefix}.{position}.type", _read_text(parts, "type")


def _read_text(parts: Mapping[str, Any], path: str) -> str | None:
    """Return the text at a path of keys; None if one of them is absent or null."""
    *parents, last = path.split(".")
    for key in parents:
        parts = _check_object(parts.get(key) or {}, key)
    return _check_text(parts.get(last), path)


def _check_text(value: Any, field: str) -> str | None:
    if value is None or isinstance(value, str):
        return normalize_whitespace(value)
    raise ParseFailed(Message("unexpected API response: {field} is not text", field=field))


def _check_object(value: Any, field: str) -> Mapping[str, Any]:
    if isinstance(value, dict):
        return value
    raise ParseFailed(Message("unexpected API response: {field} is missing or not an object", field=field))


def _check_list(value: Any, field: str) -> list[Any]:
    """Return the list; an absent one is empty."""
    if value is None:
        return []
    if isinstance(value, list):
        return value
    raise ParseFailed(Message("unexpected API response: {field} is not a list", field=field))
