"""The number asked for against those of an entry: equal, misread, another, or of another kind; and what the reason says of it."""

import pytest

from bonafide.matching.identifiers.number_evidence import (
    NumberOutcome,
    PublishedNumber,
    build_number_field,
    find_number_evidence,
    list_published_numbers,
)
from bonafide.matching.identifiers.number_labels import NumberType
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import RegistryEntry, RegulatoryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.match import FieldMatch, FieldStatus

EQUAL, MISREAD, OTHER, UNKNOWN = NumberOutcome.EQUAL, NumberOutcome.MISREAD, NumberOutcome.OTHER, NumberOutcome.UNKNOWN
FIRM, BUSINESS = NumberType.ONTARIO_FIRM, NumberType.BUSINESS_NUMBER
FEDERAL = NumberType.FEDERAL_CORPORATION


def entry(register: Jurisdiction, **numbers: str) -> RegistryEntry:
    stated = tuple(RegistrationNumber(label=label.replace("_", " "), value=value) for label, value in numbers.items())
    return RegistryEntry(entry_id="1", jurisdiction=register, legal_name="Sample Ltd.", registration_numbers=stated)


@pytest.mark.parametrize(
    ("asked", "kind", "outcome"),
    [
        ("100062991", FIRM, EQUAL),
        ("100062991", BUSINESS, EQUAL),
        ("BIN 100062991", FIRM, EQUAL),
        ("BIN 100062991", BUSINESS, UNKNOWN),
        ("BN 100062991", FIRM, UNKNOWN),
        ("BN 100062991", BUSINESS, EQUAL),
        ("100062991 RC0001", FIRM, UNKNOWN),
        ("ON 100062991", FIRM, EQUAL),
        ("100062991", None, EQUAL),
        ("BIN 100062991", None, EQUAL),
    ],
)
def test_a_firms_number_and_a_business_number_are_kept_apart_by_what_says_which_it_is(
    asked: str, kind: NumberType | None, outcome: NumberOutcome
) -> None:
    assert find_number_evidence(asked, [PublishedNumber("100062991", kind)]).outcome is outcome


def test_a_bare_business_number_says_nothing_against_a_firm_that_publishes_another_kind() -> None:
    assert find_number_evidence("123456782", [PublishedNumber("100062991", FIRM)]).outcome is UNKNOWN
    assert find_number_evidence("123456782", [PublishedNumber("990000010", BUSINESS)]).outcome is OTHER


@pytest.mark.parametrize("asked", ["ON 1000017", "OCN 1000017", "BC1000017"])
def test_a_number_of_another_register_with_the_same_digits_is_not_equal(asked: str) -> None:
    assert find_number_evidence(asked, [PublishedNumber("1000017", FEDERAL)]).outcome is UNKNOWN
    assert find_number_evidence("FED 1000017", [PublishedNumber("1000017", FEDERAL)]).outcome is EQUAL


def test_the_labels_of_an_entry_say_what_its_numbers_are() -> None:
    ontario = entry(Jurisdiction.ON, Business_Identification_Number="100062991", Business_Number="123456782")
    assert [number.type for number in list_published_numbers(ontario)] == [FIRM, BUSINESS]
    island = entry(Jurisdiction.PE, Registration_Number="123456782-141006")
    assert list(list_published_numbers(island)) == [PublishedNumber("123456782-141006")]
    assert find_number_evidence("BN 123456782", list_published_numbers(island)).outcome is EQUAL
    licence = RegulatoryEntry(
        entry_id="1",
        legal_name="Sample Ltd.",
        registration_number="R-77",
        join_numbers=(RegistrationNumber(label="NEQ", value="1160000017"),),
    )
    assert list(list_published_numbers(licence)) == [PublishedNumber("R-77"), PublishedNumber("1160000017", NumberType.NEQ)]


def explained(asked: str | None, *published: PublishedNumber) -> FieldMatch:
    return build_number_field(asked, find_number_evidence(asked, published))


def test_an_equal_number_says_of_which_kind_it_is_and_is_never_doubted() -> None:
    field = explained("1000058", PublishedNumber("1000058", FEDERAL))
    assert (field.status, field.score) == (FieldStatus.MATCHED, 1)
    assert field.reason == ("same number (federal corporation number), which identifies the business regardless of its name")


def test_a_misread_number_that_fails_its_check_says_so() -> None:
    field = explained("426160-8", PublishedNumber("4261607", FEDERAL))
    assert (field.status, field.found) == (FieldStatus.PARTIAL, "4261607")
    assert field.reason.startswith("one character differs, possibly a typo. 4261608 has an unusual check digit (federal")


def test_another_number_that_is_sound_is_not_doubted() -> None:
    field = explained("4261607", PublishedNumber("2276020", FEDERAL))
    assert (field.status, field.reason) == (FieldStatus.MISMATCHED, "different number of the same type")


def test_a_number_that_no_register_gives_is_doubted_where_nothing_is_found() -> None:
    field = explained("BN 123456789")
    assert (field.status, field.score, field.found) == (FieldStatus.NOT_PUBLISHED, None, None)
    assert field.reason.endswith("123456789 has an invalid check digit (business number). A digit may be wrong.")


def test_no_number_asked_for_is_not_provided() -> None:
    field = explained(None, PublishedNumber("4261607", FEDERAL))
    assert (field.status, field.found) == (FieldStatus.NOT_PROVIDED, "4261607")
