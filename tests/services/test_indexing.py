"""Entries as the index takes them: what each is found by, and what it can be filtered by."""

import pytest

from bonafide.index import Facets
from bonafide.model.entity import Address, NameHistoryItem, RegistrationNumber, StatusCode
from bonafide.model.entry import EntityKind, ListedEntity, RegistryEntry, RegulatoryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.services.indexing.index_documents import build_index_document, format_address_line

ENTRY = RegistryEntry(
    entry_id="17",
    jurisdiction=Jurisdiction.QC,
    legal_name="Boulangerie Zéphyrine inc.",
    alternate_names=("Zephyrine Bakery Inc.",),
    name_history=(NameHistoryItem(name="9123-4567 Québec inc.", type="former"),),
    registration_numbers=(RegistrationNumber(label="NEQ", value="1160000017"),),
    status_code=StatusCode.PENDING_DISSOLUTION,
    addresses=(Address(street="7 Rue Principale", city="Gatineau", province="QC"), Address(raw="C.P. 12, Hull")),
)


def test_a_registered_business_is_found_by_all_its_names_numbers_and_addresses() -> None:
    document = build_index_document(ENTRY)
    assert document.names == ("Boulangerie Zéphyrine inc.", "Zephyrine Bakery Inc.", "9123-4567 Québec inc.")
    assert (document.people, document.numbers) == ((), ("1160000017",))
    assert document.addresses == ("7 Rue Principale, Gatineau, QC", "C.P. 12, Hull")
    assert (document.facets, document.active) == (Facets("QC", "pending_dissolution"), True)
    assert RegistryEntry.model_validate_json(document.payload) == ENTRY


@pytest.mark.parametrize("status", [StatusCode.DISSOLVED, StatusCode.CANCELLED, StatusCode.UNKNOWN])
def test_what_is_not_known_to_be_active_is_not(status: StatusCode) -> None:
    document = build_index_document(RegulatoryEntry(entry_id="1", legal_name="Acme", status_code=status))
    assert (document.active, document.facets) == (False, Facets(status=status))


@pytest.mark.parametrize("kind", EntityKind)
def test_a_listed_person_is_found_as_a_person_and_all_else_as_a_business(kind: EntityKind) -> None:
    document = build_index_document(ListedEntity(entry_id="1", entity_type=kind, name="Marigold", weak_aliases=("Goldie",)))
    names, people = ((), ("Marigold", "Goldie")) if kind is EntityKind.PERSON else (("Marigold", "Goldie"), ())
    assert (document.names, document.people, document.facets, document.active) == (names, people, Facets(kind=kind), True)


def test_an_address_without_anything_is_no_line() -> None:
    assert format_address_line(Address()) == ""
