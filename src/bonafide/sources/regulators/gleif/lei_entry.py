"""Build the entry of an entity: its names, its two addresses, its legal form, and the number that joins it to a register.

The status of an entry is that of the LEI; the status of the entity itself is in the details.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import cache

from pydantic import JsonValue

from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_matching import is_lei
from bonafide.model.entity import Address
from bonafide.model.entry import JoinNumber, RegulatoryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.package_data import read_yaml
from bonafide.sources.formats.delimited_text import build_postal_address
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.regulators.gleif.golden_copy import AUTHORITY, JURISDICTION

MAX_NUMBERED = 5
"""The number of columns that the golden copy has for other names."""
PREVIOUS = "PREVIOUS_LEGAL_NAME"
NOT_IN_THE_LIST = "8888"
"""The code of a legal form that is not in the code list; the form itself is in another column."""
_ADDRESSES = {
    "Entity.LegalAddress": str(Message("Legal address")),
    "Entity.HeadquartersAddress": str(Message("Headquarters")),
}
_NUMBER = "Entity.RegistrationAuthority.RegistrationAuthorityEntityID"
_FORM_CODE = "Entity.LegalForm.EntityLegalFormCode"
_FORM = "Entity.LegalForm.OtherLegalForm"
_OTHER_NAMES = (
    "Entity.OtherEntityNames.OtherEntityName",
    "Entity.TransliteratedOtherEntityNames.TransliteratedOtherEntityName",
)
_TEXTS = {
    "entityStatus": "Entity.EntityStatus",
    "jurisdiction": JURISDICTION,
    "category": "Entity.EntityCategory",
    "registeredAt": AUTHORITY,
    "registeredAs": _NUMBER,
    "expirationReason": "Entity.EntityExpirationReason",
    "managingLou": "Registration.ManagingLOU",
    "corroborationLevel": "Registration.ValidationSources",
}
_DATES = {
    "creationDate": "Entity.EntityCreationDate",
    "expirationDate": "Entity.EntityExpirationDate",
    "initialRegistrationDate": "Registration.InitialRegistrationDate",
    "lastUpdateDate": "Registration.LastUpdateDate",
    "nextRenewalDate": "Registration.NextRenewalDate",
}
_SUCCESSORS = tuple(
    f"Entity.SuccessorEntity.{position}{name}" for name in ("SuccessorLEI", "SuccessorEntityName") for position in ("1.", "")
)
Cells = Mapping[str, str]
"""An entity by the golden copy's column names, without blank cells."""


def build_entry(cells: Cells, context: ParseContext) -> RegulatoryEntry:
    """Build the entry. Raises `ValueError` for a record without a name, or with an invalid LEI or date."""
    lei, name = cells.get("LEI", ""), cells.get("Entity.LegalName")
    if not is_lei(lei):
        raise ValueError(Message("the LEI is invalid"))
    if name is None:
        raise ValueError(Message("{column} is empty", column="Entity.LegalName"))
    names = dict(_read_other_names(cells))
    names.pop(name, None)
    status = cells.get("Registration.RegistrationStatus")
    return RegulatoryEntry(
        entry_id=lei,
        source_url=str(context.metadata.entry_url).format(number=lei),
        legal_name=name,
        alternate_names=tuple(names),
        registration_number=lei,
        join_numbers=_build_join_numbers(cells, context),
        status=status,
        status_code=context.status(status),
        addresses=tuple(_merge_labels(_build_addresses(cells))),
        details=_build_details(cells, [other for other, kind in names.items() if kind == PREVIOUS], context),
    )


def _read_other_names(cells: Cells) -> Iterator[tuple[str, str]]:
    """Yield every other name with its type, former names included, so that the entity is found by them too."""
    for column in _OTHER_NAMES:
        for position in range(1, MAX_NUMBERED + 1):
            name = cells.get(f"{column}.{position}")
            if name is not None:
                yield name, cells.get(f"{column}.{position}.type", "")


def _find_register(cells: Cells, context: ParseContext) -> Jurisdiction | None:
    """Return the one of the fourteen registers with which the entity is registered, if any."""
    code = context.metadata.terms.get(cells.get(AUTHORITY, ""))
    return Jurisdiction(code) if code is not None else None


def _build_join_numbers(cells: Cells, context: ParseContext) -> tuple[JoinNumber, ...]:
    register, number = _find_register(cells, context), cells.get(_NUMBER)
    if register is None or number is None:
        return ()
    return (JoinNumber(label=context.term(register), value=number, jurisdiction=register),)


def _build_addresses(cells: Cells) -> Iterator[Address]:
    """Yield the legal address and that of the headquarters."""
    for kind, label in _ADDRESSES.items():
        lines = [cells.get(f"{kind}.FirstAddressLine")]
        lines += [cells.get(f"{kind}.AdditionalAddressLine.{position}") for position in range(1, 4)]
        country, region = cells.get(f"{kind}.Country"), cells.get(f"{kind}.Region")
        address = build_postal_address(
            street=", ".join(line for line in lines if line is not None) or None,
            city=cells.get(f"{kind}.City"),
            # `CA-ON`
            province=region.removeprefix(f"{country}-") if region is not None else None,
            postal_code=cells.get(f"{kind}.PostalCode"),
            country=country,
            label=label,
        )
        if address is not None:
            yield address


def _merge_labels(addresses: Iterable[Address]) -> Iterator[Address]:
    """Yield each address once; one that is both has both labels."""
    labels: dict[Address, list[str]] = {}
    for address in addresses:
        labels.setdefault(address.model_copy(update={"label": None}), []).append(str(address.label))
    for address, found in labels.items():
        yield address.model_copy(update={"label": ", ".join(found)})


def _build_details(cells: Cells, previous: list[str], context: ParseContext) -> dict[str, JsonValue]:
    code = cells.get(_FORM_CODE)
    details: dict[str, JsonValue] = {key: cells.get(column) for key, column in _TEXTS.items()}
    details |= {key: _parse_day(cells.get(column), column) for key, column in _DATES.items()}
    details |= {
        "legalFormCode": code if code != NOT_IN_THE_LIST else None,
        "legalForm": _load_legal_forms().get(code or "") or cells.get(_FORM),
        "registeredIn": _find_register(cells, context),
        "previousNames": list[JsonValue](previous) or None,
        "successor": next((cells[column] for column in _SUCCESSORS if column in cells), None),
    }
    return {key: value for key, value in details.items() if value is not None}


def _parse_day(text: str | None, column: str) -> str | None:
    """Return the date of an instant as text. Raises `ValueError`."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        raise ValueError(Message("{column} is not a date", column=column)) from None


@cache
def _load_legal_forms() -> dict[str, str]:
    """Load the names of Canadian legal forms by code."""
    return dict(read_yaml(__package__, "legal_forms.yml"))
