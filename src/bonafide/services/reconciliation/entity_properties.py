"""The properties of registrations: evidence that a query may add to a name, and values that tables can be extended with."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date

from bonafide.i18n.message import Message
from bonafide.model.entity import Address, Part
from bonafide.model.entry import RegistryEntry
from bonafide.services.lookup.registration_lookup import RegistrationResult

PropertyValues = Iterable[str | date | None]


@dataclass(frozen=True, slots=True)
class EntityProperty:
    """A property of a registration. `read` returns its values; empty ones are left out."""

    id: str
    name: Message
    read: Callable[[RegistrationResult], PropertyValues]
    is_evidence: bool = False
    """Whether a query may have it."""

    def list_values(self, registration: RegistrationResult) -> list[str | date]:
        """The values of a registration."""
        return [value for value in self.read(registration) if value is not None and value != ""]


def _read_entry(read: Callable[[RegistryEntry], PropertyValues]) -> Callable[[RegistrationResult], PropertyValues]:
    return lambda registration: read(registration.entry)


def _read_address(read: Callable[[Address], str | None]) -> Callable[[RegistrationResult], PropertyValues]:
    return lambda registration: [read(address) for address in registration.entry.addresses]


def _format_address(address: Address) -> str:
    parts = (address.street, address.city, address.province, address.postal_code, address.country)
    return address.raw or ", ".join(part for part in parts if part is not None)


def _list_unpublished(registration: RegistrationResult) -> list[str]:
    return [part.value for part in Part if part not in registration.source.metadata.publishes]


def _list_good_standing(entry: RegistryEntry) -> list[str]:
    return [] if entry.good_standing is None else [str(entry.good_standing).lower()]


REGISTRATION_NUMBER = "registrationNumber"
JURISDICTION = "jurisdiction"
ADDRESS = "address"
STREET = "street"
CITY = "city"
PROVINCE = "province"
POSTAL_CODE = "postalCode"
PROPERTIES = (
    EntityProperty(
        REGISTRATION_NUMBER,
        Message("Registration number"),
        _read_entry(lambda entry: [number.value for number in entry.registration_numbers[:1]]),
        is_evidence=True,
    ),
    EntityProperty(JURISDICTION, Message("Jurisdiction"), _read_entry(lambda entry: [entry.jurisdiction.value]), is_evidence=True),
    EntityProperty(ADDRESS, Message("Address"), _read_address(_format_address), is_evidence=True),
    EntityProperty(STREET, Message("Street"), _read_address(lambda address: address.street), is_evidence=True),
    EntityProperty(CITY, Message("City"), _read_address(lambda address: address.city), is_evidence=True),
    EntityProperty(PROVINCE, Message("Province"), _read_address(lambda address: address.province), is_evidence=True),
    EntityProperty(POSTAL_CODE, Message("Postal code"), _read_address(lambda address: address.postal_code), is_evidence=True),
    EntityProperty("legalName", Message("Legal name"), _read_entry(lambda entry: [entry.legal_name])),
    EntityProperty("alternateNames", Message("Other names"), _read_entry(lambda entry: entry.alternate_names)),
    EntityProperty("formerNames", Message("Former names"), _read_entry(lambda entry: [item.name for item in entry.name_history])),
    EntityProperty(
        "otherNumbers",
        Message("Other numbers"),
        _read_entry(lambda entry: [f"{number.label}: {number.value}" for number in entry.registration_numbers[1:]]),
    ),
    EntityProperty("status", Message("Status"), _read_entry(lambda entry: [entry.status])),
    EntityProperty("statusCode", Message("Status code"), _read_entry(lambda entry: [entry.status_code.value])),
    EntityProperty("goodStanding", Message("Good standing"), _read_entry(_list_good_standing)),
    EntityProperty("entityType", Message("Entity type"), _read_entry(lambda entry: [entry.entity_type])),
    EntityProperty("incorporationDate", Message("Date of incorporation"), _read_entry(lambda entry: [entry.incorporation_date])),
    EntityProperty("people", Message("People"), _read_entry(lambda entry: [person.name for person in entry.people])),
    EntityProperty("naicsCode", Message("NAICS code"), _read_entry(lambda entry: [one.code for one in entry.naics_classification])),
    EntityProperty("homeJurisdiction", Message("Home jurisdiction"), _read_entry(lambda entry: [entry.home_jurisdiction])),
    EntityProperty(
        "sourceUrl", Message("Page of the register"), lambda found: [found.entry.source_url or found.source.metadata.page]
    ),
    EntityProperty("source", Message("Source"), lambda found: [found.source.key]),
    EntityProperty("asOf", Message("Data as of"), lambda found: [found.origin.as_of or found.origin.retrieved_at.date()]),
    EntityProperty("notPublished", Message("Not published by the source"), _list_unpublished),
)
"""All properties. An empty value of a property that is in `notPublished` means that the source says nothing about it."""
PROPERTIES_BY_ID = {one.id: one for one in PROPERTIES}
EVIDENCE = tuple(one for one in PROPERTIES if one.is_evidence)
