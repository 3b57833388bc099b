"""A stored record against a register's entry: what counts as agreeing, field by field."""

from datetime import date
from typing import Any

import pytest

from bonafide.matching.entries.record_comparison import compare_record
from bonafide.model.entity import Address, Person, RegistrationNumber, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_record import CallerFields, MainAddress, RecordPerson
from bonafide.model.search.match import FieldMatch, FieldStatus

ENTRY = RegistryEntry(
    entry_id="1000017",
    jurisdiction=Jurisdiction.ON,
    legal_name="Sandbox Bakery Inc.",
    alternate_names=("Boulangerie Sandbox",),
    registration_numbers=(
        RegistrationNumber(label="Corporation Number", value="1000017"),
        RegistrationNumber(label="Business Number (BN)", value="100000009"),
    ),
    entity_type="Business Corporation",
    status="Actif",
    status_code=StatusCode.ACTIVE,
    incorporation_date=date(2011, 5, 12),
    addresses=(Address(street="1 King Street West", city="Toronto", province="ON", postal_code="M5H 1A1"),),
    people=(Person(name="LOVELACE, Ada"), Person(name="Grace Hopper")),
)
BARE = RegistryEntry(entry_id="1", jurisdiction=Jurisdiction.ON, legal_name="Sandbox Bakery Inc.")
ADA, GRACE, ALAN = (RecordPerson(name=name) for name in ("Ada Lovelace", "Grace Hopper", "Alan Turing"))


def compared(record: CallerFields, entry: RegistryEntry = ENTRY) -> dict[str, FieldMatch]:
    return {field.field: field for field in compare_record(record, entry)}


@pytest.mark.parametrize(
    ("field", "values", "expected"),
    [
        ("legalName", {"name": "SANDBOX BAKERY INC"}, FieldStatus.MATCHED),
        ("legalName", {"name": "Boulangerie Sandbox"}, FieldStatus.MATCHED),
        ("legalName", {"name": "Another Company Ltd."}, FieldStatus.MISMATCHED),
        ("registrationNumber", {"registration_number": "100-0017"}, FieldStatus.MATCHED),
        ("registrationNumber", {"registration_number": "1000018"}, FieldStatus.PARTIAL),
        ("businessNumber", {"business_number": "100000009 RC0001"}, FieldStatus.MATCHED),
        ("businessNumber", {"business_number": "835752437"}, FieldStatus.MISMATCHED),
        ("jurisdiction", {"jurisdiction": Jurisdiction.ON}, FieldStatus.MATCHED),
        ("jurisdiction", {"jurisdiction": Jurisdiction.BC}, FieldStatus.MISMATCHED),
        ("entityType", {"entity_type": "business corporation"}, FieldStatus.MATCHED),
        ("entityType", {"entity_type": "Limited Partnership"}, FieldStatus.MISMATCHED),
        ("registryStatus", {"registry_status": "actif"}, FieldStatus.MATCHED),
        ("registryStatus", {"registry_status": "Active"}, FieldStatus.MATCHED),
        ("registryStatus", {"registry_status": "Dissolved"}, FieldStatus.MISMATCHED),
        ("incorporationDate", {"incorporation_date": "2011-05-12"}, FieldStatus.MATCHED),
        ("incorporationDate", {"incorporation_date": "2011-05-12T00:00:00Z"}, FieldStatus.MATCHED),
        ("incorporationDate", {"incorporation_date": "2011-05"}, FieldStatus.MATCHED),
        ("incorporationDate", {"incorporation_year": 2011}, FieldStatus.MATCHED),
        ("incorporationDate", {"incorporation_date": "2011-05-13", "incorporation_year": 2011}, FieldStatus.MISMATCHED),
        ("address", {"address": MainAddress(street="1 King St W", city="Toronto")}, FieldStatus.MATCHED),
        ("address", {"address": MainAddress(street="99 Queen St E", city="Ottawa")}, FieldStatus.MISMATCHED),
        ("people", {"people": (ADA, GRACE)}, FieldStatus.MATCHED),
        ("people", {"people": (ADA, ALAN)}, FieldStatus.PARTIAL),
        ("people", {"people": (ALAN,)}, FieldStatus.MISMATCHED),
    ],
    ids=str,
)
def test_a_field_that_both_have_is_compared(field: str, values: dict[str, Any], expected: FieldStatus) -> None:
    found = compared(CallerFields(**values))[field]
    assert found.status is expected
    assert found.score is not None
    assert found.reason != ""


def test_what_the_record_does_not_have_is_not_provided() -> None:
    assert {field.status for field in compared(CallerFields()).values()} == {FieldStatus.NOT_PROVIDED}


def test_what_the_register_does_not_state_is_not_published() -> None:
    record = CallerFields(
        business_number="100000009",
        entity_type="Corporation",
        registry_status="Active",
        incorporation_year=2011,
        address=MainAddress(city="Toronto"),
        people=(ADA,),
    )
    found = compared(record, BARE)
    missing = {"businessNumber", "entityType", "registryStatus", "incorporationDate", "address", "people"}
    assert {name for name, field in found.items() if field.status is FieldStatus.NOT_PUBLISHED} == missing
    assert {field.score for field in found.values()} == {None}


def test_who_is_not_named_is_told() -> None:
    assert compared(CallerFields(people=(ADA, ALAN)))["people"].reason == "not named: Alan Turing"
