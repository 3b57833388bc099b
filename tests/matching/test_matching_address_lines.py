"""Whole addresses in one line taken apart, with and without commas, in English and French."""

import pytest

from bonafide.matching.addresses.line_parsing import ParsedAddressLine, parse_address_line


def shown(found: ParsedAddressLine) -> tuple[str | None, ...]:
    """What stands before the town, the town, province, postal code and country, as written."""
    return found.line, found.city, found.province, found.postal_code, found.country


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("123 Main St, Suite 5, Orlov, ON M5V 2T6, Canada", ("123 Main St, Suite 5", "Orlov", "ON", "M5V 2T6", "Canada")),
        ("123 Main St, Orlov, Ontario, m5v2t6, CA", ("123 Main St", "Orlov", "Ontario", "m5v2t6", "CA")),
        ("123 Main St\nOrlov ON  M5V 2T6", ("123 Main St", "Orlov", "ON", "M5V 2T6", None)),
        ("123, rue Orlov, bureau 5, Laval (Québec) H7T 1A1", ("123, rue Orlov, bureau 5", "Laval", "Québec", "H7T 1A1", None)),
        ("12 rue Orlov, Québec (Québec) G1R 1A1", ("12 rue Orlov", "Québec", "Québec", "G1R 1A1", None)),
        ("12 rue Orlov, Québec G1R 1A1", ("12 rue Orlov", "Québec", "Québec", "G1R 1A1", None)),
        ("12 rue Orlov, Québec H7T 1A1", ("12 rue Orlov", None, "Québec", "H7T 1A1", None)),
        ("12 Orlov St, St. John's, NL A1C 1A1", ("12 Orlov St", "St. John's", "NL", "A1C 1A1", None)),
        ("12 Orlov St, Moncton, N.-B.", ("12 Orlov St", "Moncton", "N.-B.", None, None)),
        ("12 Orlov St, Gander, Newfoundland and Labrador", ("12 Orlov St", "Gander", "Newfoundland and Labrador", None, None)),
        ("12 Orlov St NE, Calgary", ("12 Orlov St NE", "Calgary", None, None, None)),
        ("123 Orlov Ave, BLDG B, UNIT 17 TORONTO ON", ("123 Orlov Ave, BLDG B, UNIT 17", "TORONTO", "ON", None, None)),
        ("11 Orlov Terrace, LL01, Barrie, ON", ("11 Orlov Terrace, LL01", "Barrie", "ON", None, None)),
        ("Royal Orlov Plaza, P.O. Box 80, Toronto, ON", ("Royal Orlov Plaza, P.O. Box 80", "Toronto", "ON", None, None)),
        ("PO Box 12 Stn Main Whitehorse YT Y1A 5X9", ("PO Box 12 Stn Main", "Whitehorse", "YT", "Y1A 5X9", None)),
        ("Box 58, Station Main, St. Orlov, ON L2R 1A1", ("Box 58, Station Main", "St. Orlov", "ON", "L2R 1A1", None)),
        ("RR #2, St. Orlov, ON", ("RR #2", "St. Orlov", "ON", None, None)),
        ("RR #2, St-Zéphyrin NS", ("RR #2", "St-Zéphyrin", "NS", None, None)),
        ("General Delivery, Orlov NT X0E 1C0", ("General Delivery", "Orlov", "NT", "X0E 1C0", None)),
        ("LSD 5-12-34-6-W4, Lacombe County, AB", ("LSD 5-12-34-6-W4", "Lacombe County", "AB", None, None)),
        ("12 Orlov Rd, 100 Mile House, BC", ("12 Orlov Rd", "100 Mile House", "BC", None, None)),
        ("Box 9, Sandy Lake 88, ON P0V 1V0", ("Box 9", "Sandy Lake 88", "ON", "P0V 1V0", None)),
        ("1215 Fourth Avenue, Seattle, WA 98161, USA", ("1215 Fourth Avenue", "Seattle", "WA", "98161", "USA")),
        ("1215 Orlov Ave, Dover DE 19901-1234", ("1215 Orlov Ave", "Dover", "DE", "19901-1234", None)),
    ],
)
def test_a_line_with_commas(line: str, found: tuple[str | None, ...]) -> None:
    assert shown(parse_address_line(line)) == found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("123 Main St, Orlov, ON M5V 2TO", ("123 Main St", "Orlov", "ON", "M5V 2TO", None)),
        ("123 Main St, Orlov, ON M5V 2TO, Canada", ("123 Main St", "Orlov", "ON", "M5V 2TO", "Canada")),
        ("123 Main St Orlov ON MSV 2T6", ("123 Main St", "Orlov", "ON", "MSV 2T6", None)),
        ("123 Main St, Orlov, ON, M5V2T", ("123 Main St", "Orlov", "ON", "M5V2T", None)),
        ("123 Main St, Orlov ON 5V 2T6", ("123 Main St", "Orlov", "ON", "5V 2T6", None)),
        ("12 rue Orlov, Laval (Québec) H7T 1A", ("12 rue Orlov", "Laval", "Québec", "H7T 1A", None)),
        ("12 rue Orlov, H7T lA1 Laval, Québec", ("12 rue Orlov", "Laval", "Québec", "H7T lA1", None)),
        ("PO Box 5A1, Orlov, ON", ("PO Box 5A1", "Orlov", "ON", None, None)),
        ("Lot 4A2, Orlov, ON", ("Lot 4A2", "Orlov", "ON", None, None)),
        ("12 Orlov St, Unit 4B, Ottawa, ON", ("12 Orlov St, Unit 4B", "Ottawa", "ON", None, None)),
        ("12 Orlov St NW, Ottawa, Ontario", ("12 Orlov St NW", "Ottawa", "Ontario", None, None)),
    ],
)
def test_a_mistyped_postal_code_keeps_the_city_and_the_province(line: str, found: tuple[str | None, ...]) -> None:
    assert shown(parse_address_line(line)) == found


@pytest.mark.parametrize(
    ("line", "street", "city"),
    [
        ("123 Main St SUITE Orlov ON", "Main St", "Orlov"),
        ("123 Main St, SUITE, Orlov, ON", "Main St", "Orlov"),
        ("123 Broadway Unit Orlov ON", "Broadway", "Orlov"),
        ("123, rue Orlov, bureau, Laval QC", "rue Orlov", "Laval"),
        ("12 Bureau Street Orlov ON", "Bureau Street", "Orlov"),
    ],
)
def test_a_word_for_a_unit_without_a_number_is_neither_street_nor_town(line: str, street: str, city: str) -> None:
    found = parse_address_line(line)
    assert (found.street.spelled, found.street.unit, found.city) == (street, None, city)


@pytest.mark.parametrize(
    ("line", "number", "street", "city"),
    [
        ("First Orlov Place, 100 King St W, Toronto, ON", "100", "King St W", "Toronto"),
        ("Royal Orlov Plaza, South Tower, 200 Bay St, Toronto, ON", "200", "Bay St", "Toronto"),
        ("Place Orlov, 1 Place Ville-Marie, bureau 300, Montréal (Québec) H3B 4Y1", "1", "Place Ville-Marie", "Montréal"),
        ("Building 5, 100 Orlov Dr, Winnipeg, MB", "100", "Orlov Dr", "Winnipeg"),
        ("km 102 Alaska Highway, Whitehorse, YT", "102", "Alaska Highway", "Whitehorse"),
        ("102 km Alaska Highway Whitehorse YT", "102", "Alaska Highway", "Whitehorse"),
        ("Km 1422.5 Alaska Hwy, Whitehorse, YT Y1A 0A1", "1422.5", "Alaska Hwy", "Whitehorse"),
        ("Mile 456 Alaska Hwy, Muncho Lake, BC", "456", "Alaska Hwy", "Muncho Lake"),
        ("12 Mile Road, Orlov, ON", "12", "Mile Road", "Orlov"),
        ("123 rang Saint-Joseph, Saint-Hyacinthe (Québec) J2R 1A1", "123", "rang Saint-Joseph", "Saint-Hyacinthe"),
        ("345 3e Rang O Saint-Simon QC J0H 1Y0", "345", "3e Rang O", "Saint-Simon"),
        ("12 côte du Passage, Lévis QC", "12", "côte du Passage", "Lévis"),
        ("5555 ch. de la Côte-des-Neiges, Montréal QC", "5555", "ch. de la Côte-des-Neiges", "Montréal"),
        ("1 Orlov Toronto ON", "1", "Orlov", "Toronto"),
        ("500 Kingsway, Burnaby, BC", "500", "Kingsway", "Burnaby"),
    ],
)
def test_rural_addresses_buildings_and_streets_without_a_type(line: str, number: str, street: str, city: str) -> None:
    found = parse_address_line(line)
    assert (found.street.number, found.street.spelled, found.city) == (number, street, city)


@pytest.mark.parametrize(
    ("line", "street", "city"),
    [
        ("415 RUE LINDSAY DRUMMONDVILLE QC CANADA J2B 1G8", "415 RUE LINDSAY", "DRUMMONDVILLE"),
        ("68 BOUL ORLOV O LAVAL QC", "68 BOUL ORLOV O", "LAVAL"),
        ("12 rue Orlov Trois-Rivières QC", "12 rue Orlov", "Trois-Rivières"),
        ("12 rue Orlov Trois Rivières QC", "12 rue Orlov", "Trois Rivières"),
        ("12 avenue du Parc Saint-Jean-sur-Richelieu QC", "12 avenue du Parc", "Saint-Jean-sur-Richelieu"),
        ("534 ORLOV ST UNIT B BARRIE ON", "534 ORLOV ST UNIT B", "BARRIE"),
        ("534 Orlov St N Barrie ON", "534 Orlov St N", "Barrie"),
        ("100 Orlov St North Bay ON", "100 Orlov St", "North Bay"),
        ("12 Orlov St St. John's NL", "12 Orlov St", "St. John's"),
        ("12 Old St Orlov St Ottawa ON", "12 Old St Orlov St", "Ottawa"),
        ("12 Maple Grove Crescent Richmond Hill ON", "12 Maple Grove Crescent", "Richmond Hill"),
        ("10235 124 ST EDMONTON AB", "10235 124 ST", "EDMONTON"),
        ("400-1000 7 Ave SW Calgary Alberta", "400-1000 7 Ave SW", "Calgary"),
        ("4225 50 AVE ST PAUL AB", "4225 50 AVE", "ST PAUL"),
        ("3140 Old Hwy 69 N Orlov ON", "3140 Old Hwy 69 N", "Orlov"),
        ("123 Orlov Ave W F108 Toronto ON", "123 Orlov Ave W F108", "Toronto"),
        ("427 ORLOV OTTAWA ON", "427 ORLOV", "OTTAWA"),
        ("57 ORLOV NORTH HAMILTON ON", "57 ORLOV NORTH", "HAMILTON"),
        ("123 Orlov St Toronto, ON M5V 2T6", "123 Orlov St", "Toronto"),
        ("120 Orlov Walk Elliot Lake Ontario", "120 Orlov Walk", "Elliot Lake"),
        ("12 Orlov St Fort Saskatchewan", "12 Orlov St", "Fort Saskatchewan"),
    ],
)
def test_a_line_without_a_comma_before_the_town(line: str, street: str, city: str) -> None:
    found = parse_address_line(line)
    assert (found.line, found.city) == (street, city)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Ontario, Canada", (None, None, "Ontario", None, "Canada")),
        ("Nova Scotia", (None, None, "Nova Scotia", None, None)),
        ("Canada", (None, None, None, None, "Canada")),
        ("Toronto", (None, "Toronto", None, None, None)),
        ("Toronto, ON", (None, "Toronto", "ON", None, None)),
        ("Richmond Hill, Ontario", (None, "Richmond Hill", "Ontario", None, None)),
        ("Whitehorse, Yukon, Canada", (None, "Whitehorse", "Yukon", None, "Canada")),
        ("Québec, Québec", (None, "Québec", "Québec", None, None)),
        ("K1A 0B1", (None, None, None, "K1A 0B1", None)),
        ("", (None, None, None, None, None)),
        ("-, (", (None, None, None, None, None)),
    ],
)
def test_a_line_without_a_street_has_none(line: str, found: tuple[str | None, ...]) -> None:
    parts = parse_address_line(line)
    assert shown(parts) == found
    assert (parts.street.name, parts.street.number, parts.street.kind) == ((), None, None)


@pytest.mark.parametrize(
    "line", ["12 rue Orlov", "100 Ontario Street", "1200 rue Ontario", "rue Ontario Est", "123 Main St, Unit 4"]
)
def test_a_street_alone_has_no_town(line: str) -> None:
    assert shown(parse_address_line(line)) == (line, None, None, None, None)


def test_a_line_far_too_long_is_read_in_part() -> None:
    assert parse_address_line("12 Main St, " + "Orlov " * 100_000).street.number == "12"
