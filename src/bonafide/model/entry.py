"""An entry: one thing as one source states it, in one of four kinds.

Entries hold only what the source states. When it was fetched and how old it is belong to the load (`model/loading`) and are
added when a match is built.
"""

from datetime import date
from enum import StrEnum
from typing import Literal

from pydantic import Field, JsonValue
from typing_extensions import override

from bonafide.model.base import Document
from bonafide.model.entity import (
    Address,
    NaicsClass,
    NameHistoryItem,
    Person,
    RegistrationNumber,
    StatusCode,
    StatusHistoryItem,
    VisibleName,
)
from bonafide.model.jurisdiction import Jurisdiction


class SourceKind(StrEnum):
    """What a source is; each kind yields its own entries."""

    REGISTRY = "registry"
    REGULATOR = "regulator"
    SANCTIONS = "sanctions"
    LISTING = "listing"
    """Lists businesses by the names over their doors; weak evidence, and never proof of a registration."""
    RELATIONSHIPS = "relationships"
    """States who controls a business. It is read with the ownership of a business and never searched."""


class EntityKind(StrEnum):
    """What a sanctions list lists."""

    PERSON = "person"
    ORGANIZATION = "organization"
    VESSEL = "vessel"
    AIRCRAFT = "aircraft"


class Entry(Document):
    """What the kinds share."""

    entry_id: str = Field(min_length=1)
    """Stable within the source, from the fewest natural-key fields."""
    source_url: str | None = None
    """The publisher's page for this entry, when it has one of its own."""

    def list_search_names(self) -> list[str]:
        """Every name under which the entry should be found, the main one first."""
        raise NotImplementedError

    def list_search_numbers(self) -> list[str]:
        """Every number under which the entry should be found, as the source spells it."""
        raise NotImplementedError


class RegistryEntry(Entry):
    """A business as a register states it."""

    kind: Literal[SourceKind.REGISTRY] = SourceKind.REGISTRY
    jurisdiction: Jurisdiction
    legal_name: VisibleName = Field(min_length=1)
    alternate_names: tuple[VisibleName, ...] = ()
    """Names in use beside the legal one: the other language's form, assumed and trade names."""
    name_history: tuple[NameHistoryItem, ...] = ()
    status_history: tuple[StatusHistoryItem, ...] = ()
    """Earlier statuses, where the register dates them."""
    registration_numbers: tuple[RegistrationNumber, ...] = ()
    entity_type: str | None = None
    status: str | None = None
    status_code: StatusCode = StatusCode.UNKNOWN
    good_standing: bool | None = None
    """By the rule of the register; null where it can't be known."""
    incorporation_date: date | None = None
    addresses: tuple[Address, ...] = ()
    people: tuple[Person, ...] = ()
    naics_classification: tuple[NaicsClass, ...] = ()
    home_jurisdiction: str | None = None
    """Where a business from elsewhere was formed: a code of `Jurisdiction`, or outside Canada the register's own word. None for one
    that was formed here, and where the register doesn't say."""
    home_number: str | None = None
    """Its number there, as this register gives it."""

    @override
    def list_search_names(self) -> list[str]:
        return [self.legal_name, *self.alternate_names, *(item.name for item in self.name_history)]

    @override
    def list_search_numbers(self) -> list[str]:
        return [number.value for number in self.registration_numbers]


class JoinNumber(RegistrationNumber):
    """A number of another register that a list carries, where the list says whose it is."""

    jurisdiction: Jurisdiction


class BusinessEntry(Entry):
    """A business as somebody else than its register states it: what regulators' lists and other listings share."""

    legal_name: VisibleName = Field(min_length=1)
    alternate_names: tuple[VisibleName, ...] = ()
    status: str | None = None
    status_code: StatusCode = StatusCode.UNKNOWN
    addresses: tuple[Address, ...] = ()
    details: dict[str, JsonValue] = Field(default_factory=dict)
    """Keys declared in the source's metadata, camelCase."""

    @override
    def list_search_names(self) -> list[str]:
        return [self.legal_name, *self.alternate_names]


class RegulatoryEntry(BusinessEntry):
    """A licence, registration or listing as a regulator states it."""

    kind: Literal[SourceKind.REGULATOR] = SourceKind.REGULATOR
    registration_number: str | None = None
    join_numbers: tuple[RegistrationNumber | JoinNumber, ...] = ()
    """Numbers of other registers that the list carries (business number, NEQ): they join it to a registry entry."""

    @override
    def list_search_numbers(self) -> list[str]:
        own = [self.registration_number] if self.registration_number is not None else []
        return [*own, *(number.value for number in self.join_numbers)]


class ListingEntry(BusinessEntry):
    """A business as a list of trade names has it. `legal_name` is the name that is listed, seldom the legal one.

    It has no number: a list made of many lists mixes their numbering, so that an equal number would say nothing.
    """

    kind: Literal[SourceKind.LISTING] = SourceKind.LISTING

    @override
    def list_search_numbers(self) -> list[str]:
        return []


class ListedEntity(Entry):
    """A person, organization or ship on a sanctions list."""

    kind: Literal[SourceKind.SANCTIONS] = SourceKind.SANCTIONS
    entity_type: EntityKind
    name: VisibleName = Field(min_length=1)
    aliases: tuple[VisibleName, ...] = ()
    weak_aliases: tuple[VisibleName, ...] = ()
    programs: tuple[str, ...] = ()
    """The regulations under which it is listed; never a nationality."""
    countries: tuple[str, ...] = ()
    """Nationalities, citizenships, flags, places of business, as ISO 3166-1 alpha-2 codes; what is no country stands as it is."""
    identifiers: tuple[RegistrationNumber, ...] = ()
    listing_date: str | None = None
    date_of_birth: str | None = None
    """As the list prints it: lists carry ranges and words here."""
    birth_dates: tuple[str, ...] = ()
    """The same to compare with, one for each that the list gives: `1958`, `1958-05`, `1958-05-12`, or `1956/1958` for years from
    and to. What can't be read is not among them."""
    remarks: str | None = None
    topics: tuple[str, ...] = ()
    legal_form: str | None = None

    @override
    def list_search_names(self) -> list[str]:
        return [self.name, *self.aliases, *self.weak_aliases]

    @override
    def list_search_numbers(self) -> list[str]:
        return [identifier.value for identifier in self.identifiers]


class RelationshipEntry(Entry):
    """What a source states about the parent of a legal entity: the parent, or why it is not reported."""

    kind: Literal[SourceKind.RELATIONSHIPS] = SourceKind.RELATIONSHIPS
    lei: str
    """The entity."""
    relationship: str
    """What the entity is to its parent, or which parent is not reported: a code of the source."""
    parent_lei: str | None = None
    """The parent; None if it is not reported."""
    reasons: tuple[str, ...] = ()
    """Why the parent is not reported: codes of the source."""
    is_active: bool = True
    """Whether the source says that the relationship exists."""
    since: str | None = None
    """The first day of the relationship."""
    until: str | None = None
    """The last day of the relationship."""
    status: str | None = None
    """The status of the record."""
    status_code: StatusCode = StatusCode.UNKNOWN
    updated: str | None = None
    """The day of the record's last change."""

    @override
    def list_search_names(self) -> list[str]:
        return []

    @override
    def list_search_numbers(self) -> list[str]:
        return [self.lei]


AnyEntry = RegistryEntry | RegulatoryEntry | ListedEntity | ListingEntry | RelationshipEntry
ENTRY_TYPES: dict[SourceKind, type[AnyEntry]] = {
    SourceKind.REGISTRY: RegistryEntry,
    SourceKind.REGULATOR: RegulatoryEntry,
    SourceKind.SANCTIONS: ListedEntity,
    SourceKind.LISTING: ListingEntry,
    SourceKind.RELATIONSHIPS: RelationshipEntry,
}
