"""A site's statements against a registry match."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from bonafide.model.entity import Address, Person, RegistrationNumber, StatusCode
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import Route
from bonafide.model.search.match import BusinessMatch, FieldMatch, FieldStatus, MatchExplanation, ScoredName
from bonafide.model.search.website import Extracted, WebsitePerson
from bonafide.website.match_comparison import NOT_PUBLISHED, NOT_STATED, compare_with_match

ID = UUID(int=7)
ELM = Address(street="12 Elm Rd", city="Guelph", province="ON", postal_code="N1H 1A1")
MATCH = BusinessMatch(
    legal_name=ScoredName(name="Maple Bakery Ltd.", match_score=1.0),
    match=MatchExplanation(score=1.0, fields=()),
    registration_numbers=(
        RegistrationNumber(label="Corporation Number", value="426160-7"),
        RegistrationNumber(label="Business Number (BN)", value="123456782RC0001"),
    ),
    match_id=ID,
    entity_type=None,
    jurisdiction=Jurisdiction.FED,
    jurisdiction_label="Federal",
    status="Active",
    status_code=StatusCode.ACTIVE,
    incorporation_date=None,
    addresses=(ELM,),
    alternate_names=("Boulangerie Érable",),
    people=(Person(name="ROE, Jane", roles=("Director",)), Person(name="Li, Bob", roles=("Director",))),
    source_url=None,
    business_report=None,
    source="federal",
    route=Route.LIVE,
    as_of=None,
    retrieved_at=datetime(2026, 11, 20, tzinfo=UTC),
)
BARE = MATCH.model_copy(update={"registration_numbers": (), "addresses": (), "people": ()})


def _rows(extracted: Extracted, match: BusinessMatch = MATCH) -> dict[str, FieldMatch]:
    comparison = compare_with_match(extracted, match)
    assert comparison.match_id == str(ID)
    return {row.field: row for row in comparison.fields}


def test_a_site_that_says_nothing_is_compared_in_no_field() -> None:
    rows = _rows(Extracted())
    assert set(rows) == {"legalName", "registrationNumber", "address", "people"}
    assert {(row.status, row.reason, row.score) for row in rows.values()} == {(FieldStatus.NOT_PROVIDED, NOT_STATED, None)}


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("Maple Bakery Ltd.", FieldStatus.MATCHED),
        ("MAPLE BAKERY LIMITED", FieldStatus.MATCHED),
        ("Boulangerie Érable", FieldStatus.MATCHED),
        ("Zephyr Trucking Inc.", FieldStatus.MISMATCHED),
    ],
)
def test_the_legal_name_is_compared_with_every_name_of_the_match(name: str, status: FieldStatus) -> None:
    row = _rows(Extracted(legal_name=name))["legalName"]
    assert (row.status, row.submitted) == (status, name)
    assert row.reason
    assert row.breakdown is not None


@pytest.mark.parametrize(
    ("numbers", "status"),
    [
        ([("GST/HST number", "123456782 RT0001")], FieldStatus.MATCHED),
        ([("RBQ licence", "1234-5678-01"), ("Corporation Number", "4261607")], FieldStatus.MATCHED),
        ([("Charitable registration number", "123456782 RR0001")], FieldStatus.MATCHED),
        ([("GST/HST number", "987654324 RT0001")], FieldStatus.MISMATCHED),
        ([("GST/HST number", "987654324 RT0001"), ("Corporation Number", "4261607")], FieldStatus.MATCHED),
        ([("RBQ licence", "1234-5678-01")], FieldStatus.NOT_PROVIDED),
    ],
)
def test_of_the_numbers_the_one_that_agrees_best_counts(numbers: list[tuple[str, str]], status: FieldStatus) -> None:
    stated = tuple(RegistrationNumber(label=label, value=value) for label, value in numbers)
    row = _rows(Extracted(registrations=stated))["registrationNumber"]
    assert row.status is status
    assert row.reason


def test_the_address_that_agrees_best_counts() -> None:
    elsewhere = Address(street="9 Oak Ave", city="Halifax", province="NS", postal_code="B3H 1A1")
    same = Address(street="12 Elm Road", city="Guelph", province="Ontario", postal_code="N1H1A1")
    assert _rows(Extracted(addresses=(elsewhere, same)))["address"].status is FieldStatus.MATCHED
    assert _rows(Extracted(addresses=(elsewhere,)))["address"].status is FieldStatus.MISMATCHED


@pytest.mark.parametrize(
    ("names", "status", "reason"),
    [
        (["Jane Roe"], FieldStatus.MATCHED, "The register names all people on the website."),
        (["Jane Roe", "Ada Poe"], FieldStatus.PARTIAL, "The register names 1 of 2 people on the website: Jane Roe"),
        (["Ada Poe"], FieldStatus.MISMATCHED, "The register names none of the people on the website."),
    ],
)
def test_people_are_compared_by_name(names: list[str], status: FieldStatus, reason: str) -> None:
    row = _rows(Extracted(people=tuple(WebsitePerson(name=name, roles=("Baker",)) for name in names)))["people"]
    assert (row.status, row.reason) == (status, reason)


def test_what_the_register_does_not_publish_is_no_discrepancy() -> None:
    stated = Extracted(
        people=(WebsitePerson(name="Jane Roe", roles=("Owner",)),),
        addresses=(ELM,),
        registrations=(RegistrationNumber(label="NEQ", value="1171234567"),),
    )
    rows = _rows(stated, BARE)
    assert {rows[field].status for field in ("people", "address", "registrationNumber")} == {FieldStatus.NOT_PUBLISHED}
    assert rows["people"].reason == rows["address"].reason == NOT_PUBLISHED
