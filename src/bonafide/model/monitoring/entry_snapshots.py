"""What is watched of an entry of a register or a regulator, as it was last compared."""

from bonafide.model.base import Document
from bonafide.model.entity import Address, Person, StatusCode
from bonafide.model.entry import RegistryEntry, RegulatoryEntry
from bonafide.model.jurisdiction import Jurisdiction


class EntrySnapshot(Document):
    """The watched fields of an entry. Lists are sorted where their order means nothing."""

    entry_id: str
    jurisdiction: Jurisdiction | None = None
    registration_number: str | None = None
    registration_numbers: tuple[str, ...] = ()
    """All numbers of a register's entry, such as the business number."""
    legal_name: str
    alternate_names: tuple[str, ...] = ()
    entity_type: str | None = None
    status: str | None = None
    status_code: StatusCode = StatusCode.UNKNOWN
    good_standing: bool | None = None
    addresses: tuple[str, ...] = ()
    people: tuple[str, ...] = ()

    @classmethod
    def from_registry_entry(cls, entry: RegistryEntry) -> "EntrySnapshot":
        """The watched fields of a register's entry."""
        numbers = entry.registration_numbers
        return cls(
            entry_id=entry.entry_id,
            jurisdiction=entry.jurisdiction,
            registration_number=numbers[0].value if numbers else None,
            registration_numbers=tuple(sorted({number.value for number in numbers})),
            legal_name=entry.legal_name,
            alternate_names=tuple(sorted(set(entry.alternate_names))),
            entity_type=entry.entity_type,
            status=entry.status,
            status_code=entry.status_code,
            good_standing=entry.good_standing,
            addresses=_list_addresses(entry.addresses),
            people=_list_people(entry.people),
        )

    @classmethod
    def from_regulatory_entry(cls, entry: RegulatoryEntry) -> "EntrySnapshot":
        """The watched fields of a regulator's entry."""
        return cls(
            entry_id=entry.entry_id,
            registration_number=entry.registration_number,
            legal_name=entry.legal_name,
            alternate_names=tuple(sorted(set(entry.alternate_names))),
            status=entry.status,
            status_code=entry.status_code,
            addresses=_list_addresses(entry.addresses),
        )


def _list_addresses(addresses: tuple[Address, ...]) -> tuple[str, ...]:
    return tuple(sorted({line for line in map(_format_address, addresses) if line}))


def _format_address(address: Address) -> str:
    parts = (address.street, address.city, address.province, address.postal_code)
    return ", ".join(part for part in parts if part is not None) or address.raw or ""


def _list_people(people: tuple[Person, ...]) -> tuple[str, ...]:
    return tuple(sorted({f"{person.name} ({', '.join(person.roles)})" if person.roles else person.name for person in people}))
