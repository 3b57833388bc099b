"""People with roles, in text."""

import pytest

from bonafide.website.extraction.owner_names import OwnerNames
from bonafide.website.extraction.people import find_people
from bonafide.website.extraction.person_recognition import is_role, parse_page_person_name
from tests.support.website.html_pages import read_page

OWN = OwnerNames(frozenset(), frozenset(), frozenset({"maplebakery"}))
PEOPLE = [
    ("Jane Roe, President", [("Jane Roe", "President")]),
    ("Président : Jean Tremblay", [("Jean Tremblay", "Président")]),
    ("Jane Roe - CEO &amp; Founder", [("Jane Roe", "CEO & Founder")]),
    ("<b>Jane Roe</b> <span>Founder</span>", [("Jane Roe", "Founder")]),
    ("Jane Roe (Owner)", [("Jane Roe", "Owner")]),
    ("Dr. Jane Roe, DDS, Dentist", [("Dr. Jane Roe", "Dentist")]),
    ("MARC LAVOIE, PROPRIÉTAIRE", [("MARC LAVOIE", "PROPRIÉTAIRE")]),
    ("Sophie Boulanger, Boulangère", [("Sophie Boulanger", "Boulangère")]),
    ("Al de la Cruz, Vice-President, Operations", [("Al de la Cruz", "Vice-President, Operations")]),
    ("Office Manager – Julie Punov", [("Julie Punov", "Office Manager")]),
    ("Jane Roe, President and Bob Li, Treasurer", [("Jane Roe", "President"), ("Bob Li", "Treasurer")]),
    ("Proprietor Jane Roe", [("Jane Roe", "Proprietor")]),
    ("Me Jean Tremblay, notaire", [("Me Jean Tremblay", "notaire")]),
    (
        "<h3>Jane Roe, CPA</h3><p>Head Baker</p><p>She bakes.</p><h3>Bob Li</h3><p>Owner</p>",
        [("Jane Roe", "Head Baker"), ("Bob Li", "Owner")],
    ),
    (
        "<dl><dt>Owner</dt><dd>Jane Roe</dd><dt>Manager</dt><dd>Sam O'Neil</dd></dl>",
        [("Jane Roe", "Owner"), ("Sam O'Neil", "Manager")],
    ),
    ("<h3>Marie-Ève Côté</h3><p>Présidente et fondatrice</p>", [("Marie-Ève Côté", "Présidente et fondatrice")]),
    (
        "<p>Fiona Baker</p><p>Founder</p><p>Mai Do</p><p>Artisan Baker</p>",
        [("Fiona Baker", "Founder"), ("Mai Do", "Artisan Baker")],
    ),
    ("<p>Annie Boucher</p><p>Managing Director</p>", [("Annie Boucher", "Managing Director")]),
    (
        "<h2>Directors</h2><p>Jane Roe</p><p>President</p><p>Bob Li</p><p>Treasurer</p>",
        [("Jane Roe", "President"), ("Bob Li", "Treasurer")],
    ),
    (
        "<table><tr><td>Jane Roe</td><td>President</td></tr><tr><td>Bob Li</td><td>Chair</td></tr></table>",
        [("Jane Roe", "President"), ("Bob Li", "Chair")],
    ),
    ("Founded by our owner Jane Roe in 1999.", [("Jane Roe", "owner")]),
    ("Jane Roe, our head baker, rises early.", [("Jane Roe", "head baker")]),
    ("Our director of operations, Gordon McAllister-Roy, answers.", [("Gordon McAllister-Roy", "director of operations")]),
    ("Susan Young, CPA, Owner &amp; Founder, still answers the phone.", [("Susan Young", "Owner & Founder")]),
    ("Notre directrice générale, Julie Gagnon, vous accueille.", [("Julie Gagnon", "directrice générale")]),
    ("Our general manager, Dr. William Smith, answers.", [("Dr. William Smith", "general manager")]),
    ("Hi, I'm Jane Roe, owner of Maple Bakery. I bake.", [("Jane Roe", "owner")]),
    ("Meet Jane Roe, founder and head baker.", [("Jane Roe", "founder and head baker")]),
    ("Je suis Julie Gagnon, ostéopathe et propriétaire.", [("Julie Gagnon", "ostéopathe et propriétaire")]),
    ("Jane Roe, CEO at Maple Bakery", [("Jane Roe", "CEO")]),
    ("Jane Roe, Director of Operations", [("Jane Roe", "Director of Operations")]),
    ("Board: Jane Roe (Chair), Bob Li (Treasurer) and others", [("Jane Roe", "Chair"), ("Bob Li", "Treasurer")]),
    ("<b>Jane Roe</b> – President", [("Jane Roe", "President")]),
    (
        "<a><img><span>Jane Roe</span><span>Partner</span></a> <a><span>Bob Li</span><span>Associate Lawyer</span></a>",
        [("Jane Roe", "Partner"), ("Bob Li", "Associate Lawyer")],
    ),
    ("<dt>Jane Roe</dt><dd>VP, Operations</dd>", [("Jane Roe", "VP, Operations")]),
    ("<h3>Marc Roe, P.Eng., FEC</h3><h4>Principal</h4>", [("Marc Roe", "Principal")]),
    ("<h3>Jane Roe</h3><h5>B.A., CIP</h5><p>Account Manager</p>", [("Jane Roe", "Account Manager")]),
    ("<h3>Jane Roe <small>(she/her)</small></h3><p>Executive Director</p>", [("Jane Roe", "Executive Director")]),
    ("Jane Roe | Partner | jroe@maple.ca | 416-555-0101", [("Jane Roe", "Partner")]),
    ("Bob Li is our CFO.", [("Bob Li", "CFO")]),
    ("Our privacy officer is Jane Roe", [("Jane Roe", "privacy officer")]),
]
NOBODY = [
    "<h2>Contact Us</h2><p>Manager</p>",
    "— Jane Roe, CEO of Clientco",
    "<blockquote>Great<p>Jane Roe, CEO</p></blockquote>",
    "<p>“Great bread!”</p><p>Bob Li, Manager</p>",
    "Jane Roe, CEO, Foo Inc.",
    "<h3>Wedding Cakes</h3><p>Pastry chef</p>",
    "Head Office, Toronto",
    "Real Estate Agent, Toronto",
    "Property Manager - King West",
    "Become a partner",
    "Jane Roe, Guelph",
    "<h2>Investors</h2><p>Jane Roe, Partner</p>",
    "Jane Roe, Partner at Foxglove Ventures",
    "The case was argued by Jane Roe, Partner at Foo LLP",
    "Agent for Blue Heron Freight Corp., 400 Dock Road",
    "Thanks to our lawyer, Bob Li of Li LLP.",
    "<p>King Street</p><p>Baker</p>",
    "Photography by Jane Roe, photographer",
    "<h2>Our Clients</h2><p>Jane Roe, President</p>",
    "Report that its director is Rex Mundy and that it is in good standing.",
]


@pytest.mark.parametrize(("text", "people"), PEOPLE)
def test_people_are_found_with_their_roles(text: str, people: list[tuple[str, str]]) -> None:
    found = [stated.value for stated in find_people(read_page(text), OWN)]
    assert [(person.name, *person.roles) for person in found] == people


@pytest.mark.parametrize("text", NOBODY)
def test_headings_places_and_other_people_s_words_name_nobody(text: str) -> None:
    assert list(find_people(read_page(text), OWN)) == []


def test_the_business_s_own_name_is_nobody_s() -> None:
    read = read_page("<h1>Maison Lavoie</h1><p>Boulanger</p>")
    assert list(find_people(read, OwnerNames(frozenset({"maison lavoie"}), frozenset()))) == []


@pytest.mark.parametrize(
    "text", ["", "Jane", "Jane Roe Inc.", "Our Team", "Privacy Policy", "jane roe", "Jane 2", "The Bakery", "M5V 1A1"]
)
def test_what_is_no_person_s_name(text: str) -> None:
    assert parse_page_person_name(text) is None


@pytest.mark.parametrize(
    "text", ["", "We are looking for a manager", "Manager.", "CEO, Foo Inc.", "Our manager", "Manager since 1999"]
)
def test_what_is_no_role(text: str) -> None:
    assert not is_role(text)
