"""Addresses compared part by part: streets, units, towns, provinces, postal codes, countries."""

import pytest

from bonafide.matching.addresses.address_comparison import AddressRow, compare_addresses, compare_streets, parse_address
from bonafide.matching.addresses.street_parsing import parse_street
from bonafide.model.entity import Address
from bonafide.model.search.match import FieldStatus


@pytest.mark.parametrize(
    ("one", "other", "score"),
    [
        ("1-123 rue Principale", "123 rue Principale, app. 1", 1.0),
        ("12 Saint-Orlov Blvd", "12 boul. St-Orlov", 1.0),
        ("12 Second Ave", "12 2nd Avenue", 1.0),
        ("12 4e Avenue", "12 Fourth Ave.", 1.0),
        ("Hwy #7 E", "Highway 7 East", 1.0),
        ("PO Box 12", "C.P. 12", 1.0),
        ("PO Box 12", "C.P. 13", 0.3),
        ("RR 2", "Rural Route #2", 1.0),
        ("RR 2", "RR 3", 0.3),
        ("LSD 5-12-34-6-W4", "LSD 5 Sec 12 Twp 34 Rge 6 W4M", 1.0),
        ("123 Main St", "123 Main Street, Suite 800", 1.0),
        ("123 King St W", "123 King St E", 0.5),
        ("123 King St W", "123 King St", 0.97),
        ("123 Main St", "123 Main Ave", 0.8),
        ("123 Main St", "125 Main St", 0.3),
        ("123 Main St", "123A Main St", 0.97),
        ("123B Main St", "123A Main St", 0.85),
        ("1124 Main St", "1120-1130 Main St", 0.97),
        ("1125 Main St", "1120-1130 Main St", 0.3),
        ("Main St", "125 Main St", 0.8),
        ("123 Main St", "123 Orlov St", 0.0),
        ("123 Main St", "P.O. Box 9", 0.0),
    ],
)
def test_street_lines_compared(one: str, other: str, score: float) -> None:
    left, right = parse_street(one), parse_street(other)
    assert compare_streets(left, right).score == score == compare_streets(right, left).score


def test_a_street_says_what_differs() -> None:
    reason = compare_streets(parse_street("123 King St W"), parse_street("125 King St")).reason
    assert reason == "street number 125 instead of 123; direction west missing"


def rows(a: Address, b: Address) -> dict[str, AddressRow]:
    return {row.field: row for row in compare_addresses(a, b).rows}


def test_only_parts_that_both_have_are_compared() -> None:
    found = rows(Address(city="Orlov", postal_code="M5V 2T6"), Address(street="5-1 Main St", postal_code="m5v2t6"))
    assert {field: row.status for field, row in found.items()} == {
        "street": FieldStatus.NOT_PROVIDED,
        "unit": FieldStatus.NOT_PROVIDED,
        "city": FieldStatus.NOT_PUBLISHED,
        "province": FieldStatus.NOT_PROVIDED,
        "postalCode": FieldStatus.MATCHED,
        "country": FieldStatus.NOT_PROVIDED,
    }
    assert found["city"].score is None


def test_addresses_without_a_common_part_have_no_score() -> None:
    comparison = compare_addresses(Address(city="Orlov"), Address(postal_code="M5V 2T6"))
    assert comparison.score is None
    assert comparison.reason == "no part of the addresses can be compared"


@pytest.mark.parametrize(
    ("one", "other", "status", "score"),
    [
        ("100 King St, Suite 200", "200-100 King St", FieldStatus.MATCHED, 1.0),
        ("100 King St, Suite 200", "100 King St, bureau 201", FieldStatus.MISMATCHED, 0.0),
        ("100 King St, Suite 200", "100 King St", FieldStatus.NOT_PUBLISHED, None),
        ("100 King St", "100 King St, Suite 200", FieldStatus.NOT_PROVIDED, None),
        ("100 King St, 2nd Floor", "2e étage, 100 King St", FieldStatus.MATCHED, 1.0),
        ("100 King St, Unit #05", "5-100 King St", FieldStatus.MATCHED, 1.0),
        ("100B King St", "B-100 King St", FieldStatus.MATCHED, 1.0),
        ("200 100 King St", "100 King St, unit 200", FieldStatus.MATCHED, 1.0),
    ],
)
def test_units_are_compared_where_both_have_one(one: str, other: str, status: FieldStatus, score: float | None) -> None:
    found = rows(Address(street=one, city="Orlov"), Address(street=other, city="Orlov"))
    assert (found["unit"].status, found["unit"].score) == (status, score)
    assert found["street"].score == 1


def test_street_and_unit_are_shown_apart() -> None:
    found = rows(
        Address(street="100b King St W, Suite 200", city="Orlov"), Address(street="C.P. 9, 200-100 King St W", city="Orlov")
    )
    assert (found["street"].submitted, found["street"].found) == ("100B King St W", "C.P. 9, 200-100 King St W")
    assert (found["unit"].submitted, found["unit"].found) == ("200", "200")
    assert rows(Address(street="2e étage", city="Orlov"), Address(street="1 Main St", city="Orlov"))["street"].submitted is None


def test_a_unit_more_on_one_side_costs_nothing_and_another_one_little() -> None:
    plain = Address(street="100 King St", city="Orlov")
    one, other = (plain.model_copy(update={"street": f"{unit}-100 King St"}) for unit in (200, 300))
    assert compare_addresses(plain, one).score == 1
    assert 0.85 < (compare_addresses(one, other).score or 0) < 0.95
    assert compare_addresses(one, other).reason == "unit: 300 instead of 200"


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
        ("N.-B.", "New Brunswick"),
        ("B.C.", "Colombie-Britannique"),
        ("ont.", "On"),
    ],
)
def test_provinces_have_many_spellings(one: str, other: str) -> None:
    assert rows(Address(province=one), Address(province=other))["province"].status is FieldStatus.MATCHED


def test_another_province_is_a_mismatch() -> None:
    assert rows(Address(province="NB"), Address(province="NS"))["province"].status is FieldStatus.MISMATCHED


@pytest.mark.parametrize(
    ("one", "other", "score"),
    [
        ("Montréal", "MONTREAL", 1.0),
        ("St. John's", "Saint Johns", 1.0),
        ("L'Île-Bizard", "ile bizard", 1.0),
        ("Val-d'Or", "VAL D'OR", 1.0),
        ("Ville de Orlov", "Orlov", 1.0),
        ("North York", "Toronto", 0.95),
        ("Québec", "Sainte-Foy", 0.95),
        ("Scarborough", "Etobicoke", 0.0),
        ("Orlov", "Kwiatek", 0.0),
        ("-", "Orlov", 0.0),
    ],
)
def test_cities_compared(one: str, other: str, score: float) -> None:
    there, back = rows(Address(city=one), Address(city=other))["city"], rows(Address(city=other), Address(city=one))["city"]
    assert there.score == back.score == score


def test_a_slip_in_a_city_counts_little() -> None:
    assert rows(Address(city="Orlovstown"), Address(city="Orlovstwon"))["city"].status is FieldStatus.MATCHED


def test_a_former_municipality_says_of_which_city_it_is() -> None:
    assert rows(Address(city="North York"), Address(city="TORONTO"))["city"].reason == "North York is part of TORONTO"
    assert rows(Address(city="Toronto"), Address(city="North York"))["city"].reason == "North York is part of Toronto"


def test_countries_have_several_spellings() -> None:
    assert rows(Address(country="CA"), Address(country="Canada"))["country"].score == 1
    assert rows(Address(country="CA"), Address(country="États-Unis"))["country"].score == 0


def test_an_address_in_one_line_is_taken_apart() -> None:
    parts = parse_address(Address(raw="123 Main St, Suite 5, Orlov, ON M5V 2T6, Canada"))
    assert (parts.line, parts.city, parts.province, parts.postal_code, parts.country) == (
        "123 Main St, Suite 5",
        "Orlov",
        "ON",
        "M5V 2T6",
        "Canada",
    )


def test_a_whole_address_in_the_street_field_is_taken_apart() -> None:
    parts = parse_address(Address(street="12 rue Orlov, Québec (Québec) G1R 1A1"))
    assert (parts.line, parts.city, parts.province, parts.postal_code) == ("12 rue Orlov", "Québec", "Québec", "G1R 1A1")


def test_a_line_that_is_only_a_street_stays_a_street() -> None:
    assert parse_address(Address(raw="12 rue Orlov")).line == "12 rue Orlov"


def test_what_the_fields_say_goes_before_what_the_line_says() -> None:
    parts = parse_address(Address(city="Orlov", raw="12 RUE KWIATEK ORLOV-NORD QC CANADA J2B 1G8"))
    assert (parts.street.number, parts.street.name, parts.city) == ("12", ("kwiatek",), "Orlov")
    assert (parts.province, parts.postal_code, parts.country) == ("QC", "J2B 1G8", "CANADA")


def test_a_line_that_repeats_the_fields_makes_no_street_of_the_town() -> None:
    parts = parse_address(Address(city="Red Lake", province="ON", raw="Cochenour, Red Lake, ON"))
    assert parts.line is None
    assert rows(Address(street="1 Main St"), Address(city="Red Lake", raw="Cochenour, Red Lake, ON"))["street"].score is None


def test_an_address_agrees_with_itself_written_otherwise() -> None:
    comparison = compare_addresses(
        Address(raw="123 Main St, Suite 5, Orlov, ON M5V 2T6, Canada"),
        Address(street="5-123 Main Street", city="ORLOV", province="Ontario", postal_code="M5V2T6"),
    )
    assert comparison.score == 1
    assert comparison.reason == "same address"


def test_provinces_alone_are_compared_without_a_street() -> None:
    found = rows(Address(raw="Ontario, Canada"), Address(raw="ON, CA"))
    assert [field for field, row in found.items() if row.score is not None] == ["province", "country"]
