"""The types of registrations: all of them, and the legal forms as types below it."""

from dataclasses import dataclass

from bonafide.i18n.message import Message
from bonafide.model.entity import EntityTypeCode
from bonafide.model.risk.wording import VALUE_LABEL


@dataclass(frozen=True, slots=True)
class EntityTypeOption:
    """A type that a query may ask for."""

    id: str
    name: Message


REGISTRATION = EntityTypeOption("registration", Message("Registered business"))
"""The type of all entities."""
LEGAL_FORMS = tuple(EntityTypeOption(code, label) for code, label in VALUE_LABEL["registry.entityType"].items())
"""The types below it, by the common code of the legal form."""
ALL_TYPES = (REGISTRATION, *LEGAL_FORMS)
TYPES_BY_ID = {option.id: option for option in ALL_TYPES}


def list_entity_types(code: EntityTypeCode | None) -> list[EntityTypeOption]:
    """The types of an entity with this legal form, the narrower first."""
    return [*([TYPES_BY_ID[code]] if code is not None and code in TYPES_BY_ID else []), REGISTRATION]
