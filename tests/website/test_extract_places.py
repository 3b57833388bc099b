"""Canadian addresses in text, on one line and on several."""

import pytest

from bonafide.website.extraction.addresses import find_addresses
from tests.support.website.html_pages import read_page

ADDRESSES = [
    ("Visit us at 123 Main Street, Toronto, ON M5V 1A1", ("123 Main Street", "Toronto", "ON", "M5V 1A1")),
    ("Open 7 days a week at 200-123 Main Street, Toronto ON M5V1A1.", ("200-123 Main Street", "Toronto", "ON", "M5V 1A1")),
    ("Suite 200, 123 Main St., Ottawa ON K1P 5G4 Tel: 613-555-0100", ("Suite 200, 123 Main St", "Ottawa", "ON", "K1P 5G4")),
    ("Unit 5 - 123 Main St, Surrey, BC V3T 1A1", ("Unit 5 - 123 Main St", "Surrey", "BC", "V3T 1A1")),
    ("<p>123 Main Street<br>Suite 200<br>Toronto, ON<br>M5V 1A1</p>", ("123 Main Street, Suite 200", "Toronto", "ON", "M5V 1A1")),
    ("<p>1609 Oak Lane #1800<br>St. Catharines, ON<br>L2S 8E5</p>", ("1609 Oak Lane #1800", "St. Catharines", "ON", "L2S 8E5")),
    ("<p>Suite 200<br>123 Main Street<br>Toronto ON  M5V 1A1</p>", ("Suite 200, 123 Main Street", "Toronto", "ON", "M5V 1A1")),
    (
        "1234, rue Sainte-Catherine Ouest, bureau 300, Montréal (Québec) H3G 1P1",
        ("1234, rue Sainte-Catherine Ouest, bureau 300", "Montréal", "QC", "H3G 1P1"),
    ),
    ("4500 16 Avenue NW, Calgary, Alberta T3B 0M6", ("4500 16 Avenue NW", "Calgary", "AB", "T3B 0M6")),
    ("7500 Highway 7, Markham, ON L3R 1A1", ("7500 Highway 7", "Markham", "ON", "L3R 1A1")),
    ("P.O. Box 123, Station A, Fredericton NB E3B 4Y9", ("P.O. Box 123, Station A", "Fredericton", "NB", "E3B 4Y9")),
    ("C.P. 45, Rimouski (Québec) G5L 7B7", ("C.P. 45", "Rimouski", "QC", "G5L 7B7")),
    ("Toronto Office: 40 King St. W., Toronto, ON, Canada M5H 3Y2", ("40 King St. W", "Toronto", "ON", "M5H 3Y2")),
    ("Monday 9:00 - 5:00 123 Main Street, Toronto ON M5V 1A1", ("123 Main Street", "Toronto", "ON", "M5V 1A1")),
    ("Lot 12, Concession 3, Elora ON N0B 1S0", ("Lot 12, Concession 3", "Elora", "ON", "N0B 1S0")),
    ("Box 58, Station Main, St. John's, NL A1C 4C3", ("Box 58, Station Main", "St. John's", "NL", "A1C 4C3")),
    ("Box 5854, Station Main, St. Catharines, ON L2R 1A1", ("Box 5854, Station Main", "St. Catharines", "ON", "L2R 1A1")),
    ("3,200 sq ft at 12 Elm Street, Guelph, ON", ("12 Elm Street", "Guelph", "ON", None)),
    ("12 Elm Street, Guelph, ON N1H 1A1: an inn of 3 bedrooms", ("12 Elm Street", "Guelph", "ON", "N1H 1A1")),
    ("RR 2, Elora ON N0B 1S0", ("RR 2", "Elora", "ON", "N0B 1S0")),
    ("We are at 12 Bay Street, Halifax, Nova Scotia.", ("12 Bay Street", "Halifax", "NS", None)),
    ("<div>12 Elm Rd.</div><div>Guelph, Ontario</div>", ("12 Elm Rd", "Guelph", "ON", None)),
    (
        "<table><tr><td>12 Elm Rd</td></tr><tr><td>Guelph</td></tr><tr><td>ON N1H 1A1</td></tr></table>",
        ("12 Elm Rd", "Guelph", "ON", "N1H 1A1"),
    ),
    ("2e étage, 200 rue Saint-Paul, Québec QC G1K 3W2", ("2e étage, 200 rue Saint-Paul", "Québec", "QC", "G1K 3W2")),
]
NONE = [
    "Toronto ON M5V 1A1",
    "Saturday 9 to 5, Toronto, ON",
    "45 rue Principale, Gatineau",
    "Office of the Privacy Commissioner, 30 Victoria Street, Gatineau, Quebec K1A 1H3",
    "<p>Commissariat à la protection de la vie privée</p><p>30, rue Victoria, Gatineau (Québec) K1A 1H3</p>",
    "<h2>Our suppliers</h2><p>1 Mill Road, Guelph ON N1H 1A1</p>",
    "$1,249,900 418 Pinegrove Rd, Oakville, ON - 3 bed 2 bath",
    "<p>$749,000</p><p>12 Elm Street, Guelph, ON</p>",
    "Maison à vendre : 45 rue Principale, Gatineau, QC",
    "418 5th Ave, Oakville, ON L6L 1H1 MLS® #W5601234",
    "Agent for Blue Heron Freight Corp., 400 Dock Road, Saint John, NB E2L 3Z2.",
    "<h2>Recent projects</h2><ul><li>12 Elm Street, Guelph, ON</li></ul>",
    "1600 Garden Parkway, Mountain View, CA 94043",
]


@pytest.mark.parametrize(("text", "parts"), ADDRESSES)
def test_an_address_is_found_with_its_parts(text: str, parts: tuple[str | None, ...]) -> None:
    found = [stated.value.address for stated in find_addresses(read_page(text))]
    assert [(address.street, address.city, address.province, address.postal_code) for address in found] == [parts]


@pytest.mark.parametrize("text", NONE)
def test_what_has_no_door_or_is_somebody_else_s_is_no_address(text: str) -> None:
    assert list(find_addresses(read_page(text))) == []


def test_two_addresses_of_one_line_are_two() -> None:
    text = "Call 416-555-0123 or visit 5 Queen St E, Toronto, ON M5C 1R6 or 77 Bloor St W, Toronto, ON M5S 1M2"
    assert [stated.value.address.street for stated in find_addresses(read_page(text))] == ["5 Queen St E", "77 Bloor St W"]


def test_the_business_in_front_of_an_address_is_known() -> None:
    (stated,) = find_addresses(read_page("PayCo Inc., 1 Payment Way, Toronto ON M4B 1B3"))
    assert stated.value.owner == "PayCo Inc."
    assert stated.snippet == "PayCo Inc., 1 Payment Way, Toronto ON M4B 1B3"
