"""Street lines taken apart, and addresses compared part by part."""

import pytest

from bonafide.matching.addresses import AddressRow, compare_addresses, parts_of
from bonafide.matching.streets import Street, compare_streets, parse_street
from bonafide.model.entity import Address
from bonafide.model.match import FieldStatus


@pytest.mark.parametrize(
    ("line", "street"),
    [
        ("1-123 rue Principale", Street("123", ("principale",), "street", None, "1", None)),
        ("123 Main St. W.", Street("123", ("main",), "street", "west", None, None)),
        ("123, rue Principale Ouest, bureau 2400", Street("123", ("principale",), "street", "west", "2400", None)),
        ("Suite 800, 123 Main Street", Street("123", ("main",), "street", None, "800", None)),
        ("unit B 123 King St", Street("123", ("king",), "street", None, "b", None)),
        ("800 123 Main St", Street("123", ("main",), "street", None, "800", None)),
        ("#5 - 123 Main St", Street("123", ("main",), "street", None, "5", None)),
        ("123 10 Ave SW", Street("123", ("10",), "avenue", "southwest", None, None)),
        ("100 - 5th Avenue", Street("100", ("5",), "avenue", None, None, None)),
        ("55 rue Ste-Catherine E", Street("55", ("sainte", "catherine"), "street", "east", None, None)),
        ("12 chemin d'Orlov", Street("12", ("orlov",), "road", None, None, None)),
        ("2e étage, 12 rue Orlov", Street("12", ("orlov",), "street", None, "2", None)),
        ("P.O. Box 123", Street(None, (), None, None, None, "123")),
        ("C.P. 45, succ. A", Street(None, (), None, None, None, "45")),
        ("R.R. 2", Street(None, (), None, None, None, "rr 2")),
        ("", Street(None, (), None, None, None, None)),
    ],
)
def test_a_street_line_is_taken_apart(line: str, street: Street) -> None:
    assert parse_street(line) == street


@pytest.mark.parametrize(
    ("one", "other", "score"),
    [
        ("1-123 rue Principale", "123 rue Principale, app. 1", 1.0),
        ("12 Saint-Orlov Blvd", "12 boul. St-Orlov", 1.0),
        ("PO Box 12", "C.P. 12", 1.0),
        ("PO Box 12", "C.P. 13", 0.3),
        ("123 Main St", "123 Main Street, Suite 800", 0.97),
        ("123 Main St, unit 2", "123 Main Street, unit 3", 0.85),
        ("123 King St W", "123 King St E", 0.5),
        ("123 Main St", "123 Main Ave", 0.8),
        ("123 Main St", "125 Main St", 0.3),
        ("Main St", "125 Main St", 0.8),
        ("123 Main St", "123 Orlov St", 0.0),
        ("123 Main St", "P.O. Box 9", 0.0),
    ],
)
def test_street_lines_compared(one: str, other: str, score: float) -> None:
    assert compare_streets(one, other).score == score == compare_streets(other, one).score


def test_a_street_says_what_differs() -> None:
    assert compare_streets("123 King St W", "125 King St").reason == "street number 125 instead of 123; direction west missing"


def rows(a: Address, b: Address) -> dict[str, AddressRow]:
    return {row.field: row for row in compare_addresses(a, b).rows}


def test_only_parts_that_both_have_are_compared() -> None:
    found = rows(Address(city="Orlov", postal_code="M5V 2T6"), Address(street="1 Main St", postal_code="m5v2t6"))
    assert {field: row.status for field, row in found.items()} == {
        "street": FieldStatus.NOT_PROVIDED,
        "postalCode": FieldStatus.MATCHED,
        "city": FieldStatus.NOT_PUBLISHED,
        "province": FieldStatus.NOT_PROVIDED,
        "country": FieldStatus.NOT_PROVIDED,
    }
    assert found["city"].score is None


def test_addresses_without_a_common_part_have_no_score() -> None:
    comparison = compare_addresses(Address(city="Orlov"), Address(postal_code="M5V 2T6"))
    assert comparison.score is None
    assert comparison.reason == "no part of the addresses can be compared"


def test_a_postal_code_of_the_same_area_agrees_in_part() -> None:
    row = rows(Address(postal_code="G1R 1A1"), Address(postal_code="G1R-2B2"))["postalCode"]
    assert (row.status, row.score) == (FieldStatus.PARTIAL, 0.7)
    assert rows(Address(postal_code="G1R 1A1"), Address(postal_code="H1R 1A1"))["postalCode"].status is FieldStatus.MISMATCHED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("QC", "PQ"),
        ("Québec", "QC"),
        ("NF", "Newfoundland and Labrador"),
        ("ON", "Ontario"),
        ("Nouvelle-Écosse", "NS"),
        ("ont.", "On"),
    ],
)
def test_provinces_have_many_spellings(one: str, other: str) -> None:
    assert rows(Address(province=one), Address(province=other))["province"].status is FieldStatus.MATCHED


def test_another_province_is_a_mismatch() -> None:
    assert rows(Address(province="NB"), Address(province="NS"))["province"].status is FieldStatus.MISMATCHED


@pytest.mark.parametrize(
    ("one", "other", "status"),
    [
        ("Montréal", "MONTREAL", FieldStatus.MATCHED),
        ("St. John's", "Saint Johns", FieldStatus.MATCHED),
        ("Orlovstown", "Orlovstwon", FieldStatus.MATCHED),
        ("Ville de Orlov", "Orlov", FieldStatus.MISMATCHED),
        ("Orlov", "Kwiatek", FieldStatus.MISMATCHED),
        ("-", "Orlov", FieldStatus.MISMATCHED),
    ],
)
def test_cities_compared(one: str, other: str, status: FieldStatus) -> None:
    assert rows(Address(city=one), Address(city=other))["city"].status is status


def test_an_address_in_one_line_is_taken_apart() -> None:
    parts = parts_of(Address(raw="123 Main St, Suite 5, Orlov, ON M5V 2T6, Canada"))
    assert (parts.street, parts.city, parts.province, parts.postal_code, parts.country) == (
        "123 Main St, Suite 5",
        "Orlov",
        "ON",
        "M5V 2T6",
        "Canada",
    )


def test_city_and_province_may_share_a_piece() -> None:
    parts = parts_of(Address(raw="12 rue Orlov, Québec QC  G1R 1A1"))
    assert (parts.street, parts.city, parts.province) == ("12 rue Orlov", "Québec", "QC")


def test_a_line_that_is_only_a_street_stays_a_street() -> None:
    assert parts_of(Address(raw="12 rue Orlov")).street == "12 rue Orlov"


def test_an_address_agrees_with_itself_written_otherwise() -> None:
    comparison = compare_addresses(
        Address(raw="123 Main St, Suite 5, Orlov, ON M5V 2T6, Canada"),
        Address(street="5-123 Main Street", city="ORLOV", province="Ontario", postal_code="M5V2T6"),
    )
    assert comparison.score == 1
    assert comparison.reason == "same address"
