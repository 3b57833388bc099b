"""Which names a page states as legal ones, and which it doesn't."""

import pytest

from bonafide.website.extraction.legal_names import NameStrength, find_legal_names
from bonafide.website.extraction.name_boundaries import find_name_after, find_name_before, is_business_name
from bonafide.website.extraction.owner_names import choose_legal_name, find_brand_owners
from tests.support.website.html_pages import read_page

STATED = [
    ("© 2024 Acme Bakery Ltd. All rights reserved.", "Acme Bakery Ltd.", NameStrength.COPYRIGHT),
    ("Copyright © 2019-2024, Boulangerie Ébène inc. Tous droits réservés.", "Boulangerie Ébène inc.", NameStrength.COPYRIGHT),
    ("Acme Bakery Ltd. © 2024", "Acme Bakery Ltd.", NameStrength.COPYRIGHT),
    ("© 2024 <a href=/>Acme &amp; Sons Inc.</a> | Site by <a>Webco Inc.</a>", "Acme & Sons Inc.", NameStrength.COPYRIGHT),
    ("&copy; <span>2024</span> 9123-4567 Québec inc.", "9123-4567 Québec inc.", NameStrength.COPYRIGHT),
    ("ACME BAKERY LTD. ALL RIGHTS RESERVED 2024", "ACME BAKERY LTD.", NameStrength.COPYRIGHT),
    ("© 2024 Acme Bakery Ltd, Toronto. Privacy Policy", "Acme Bakery Ltd", NameStrength.COPYRIGHT),
    ("© 2026 518789 N.W.T. Ltd. All rights reserved.", "518789 N.W.T. Ltd.", NameStrength.COPYRIGHT),
    ("© 2026 Nordvik Trading Limited. Designed by Pixel Corp.", "Nordvik Trading Limited", NameStrength.COPYRIGHT),
    ("Content © its owners. Website © 2024 Acme Inc.", "Acme Inc.", NameStrength.COPYRIGHT),
    ("A Webco Inc. website © 2024 Maple Ltd.", "Maple Ltd.", NameStrength.COPYRIGHT),
    ('agreement between you and Acme Inc. (the "Company")', "Acme Inc.", NameStrength.OPERATOR),
    ("© acme widgets inc.", "acme widgets inc.", NameStrength.COPYRIGHT),
    ("This website is operated by Maple Holdings Inc., a subsidiary of X Ltd.", "Maple Holdings Inc.", NameStrength.OPERATOR),
    ("Ce site est exploité par Les Entreprises Tremblay ltée.", "Les Entreprises Tremblay ltée", NameStrength.OPERATOR),
    ("Le site appartient à 3672530 Canada Inc., responsable de tout.", "3672530 Canada Inc.", NameStrength.OPERATOR),
    ("Joe's is a division of Smith, Jones & Associates LLP.", "Smith, Jones & Associates LLP", NameStrength.OPERATOR),
    ("1234567 Ontario Inc. o/a Joe's Pizza", "1234567 Ontario Inc.", NameStrength.OPERATOR),
    ("Maple Auto Service is a trade name of 1857412 ONTARIO LIMITED.", "1857412 ONTARIO LIMITED", NameStrength.OPERATOR),
    ("Orla Foods Ltd., doing business as Orla's, welcomes you", "Orla Foods Ltd.", NameStrength.OPERATOR),
    ("9123-4567 Québec inc., faisant affaire sous le nom de Chez Lou", "9123-4567 Québec inc.", NameStrength.OPERATOR),
    ('This policy says how Acme Widgets Corp. ("we", "us") works.', "Acme Widgets Corp.", NameStrength.OPERATOR),
    (
        "Voici comment Clinique vétérinaire Boréal inc. (« nous ») vous sert",
        "Clinique vétérinaire Boréal inc.",
        NameStrength.OPERATOR,
    ),
    ("Maple Roofing (9106-3762 QUÉBEC INC.)", "9106-3762 QUÉBEC INC.", NameStrength.OPERATOR),
    ("Operated by Jane Doe.", "Jane Doe", NameStrength.OPERATOR_WITHOUT_FORM),
    ("Raison sociale : Les Délices d'Ève S.E.N.C.", "Les Délices d'Ève S.E.N.C.", NameStrength.LABELLED),
    ("Éditeur du site : Menuiserie Ouimet inc.", "Menuiserie Ouimet inc.", NameStrength.LABELLED),
    ("<dl><dt>Legal name</dt><dd>Foo Bar ULC</dd></dl>", "Foo Bar ULC", NameStrength.LABELLED),
    ("<p>Acme Holdings Ltd.<br>123 Main St<br>Toronto ON M5V 1A1</p>", "Acme Holdings Ltd.", NameStrength.BESIDE_ADDRESS),
    ("Acme Holdings Ltd.<br>Head Office<br>123 Main St<br>Toronto ON M5V 1A1", "Acme Holdings Ltd.", NameStrength.BESIDE_ADDRESS),
    ("Acme Ltd. | 90 Elm Ave. E., Suite 4, Toronto, Ont. M4P 2Y3 | © 2026", "Acme Ltd.", NameStrength.BESIDE_ADDRESS),
    ("Elm Mortgages Corp. BCFSA Licence #X301544.", "Elm Mortgages Corp.", NameStrength.BESIDE_ADDRESS),
    ("Elm & Oak Engineers Ltd. APEGS Permit to Practice No. C1184", "Elm & Oak Engineers Ltd.", NameStrength.BESIDE_ADDRESS),
    ("Elm Electric Inc. ECRA/ESA 7001234", "Elm Electric Inc.", NameStrength.BESIDE_ADDRESS),
    ("Elm Realty Inc., Brokerage", "Elm Realty Inc.", NameStrength.BESIDE_ADDRESS),
    ("This store is locally owned and operated by 1234567 Alberta Ltd.", "1234567 Alberta Ltd.", NameStrength.LOCATION),
    ("The otter is used under licence by 2714630 Ontario Inc., a franchisee.", "2714630 Ontario Inc.", NameStrength.LOCATION),
    ("Roe & Li LLP is a British Columbia limited liability partnership. © 2026", "Roe & Li LLP", NameStrength.OPERATOR),
    ("1234567 B.C. Ltd. (operating as Maple)", "1234567 B.C. Ltd.", NameStrength.OPERATOR),
    ("Maple, a division of Oak Foods Inc. © 2026", "Oak Foods Inc.", NameStrength.OPERATOR),
    ("Funds are offered through Big Fund Inc. Elm Wealth Ltd. © 2026", "Elm Wealth Ltd.", NameStrength.COPYRIGHT),
    ("© 2024 Tissus Zéphyr enr.", "Tissus Zéphyr enr.", NameStrength.OPERATOR_WITHOUT_FORM),
]
SILENT = [
    "© 2024 Corner Bakery",
    "We use Google Analytics, a service operated by Google LLC.",
    "Our payments are operated by Ledgerline Inc., a processor.",
    "Map data © Carto Maps Inc.",
    "© Photo by Lens Images Inc.",
    "Site by Webco Inc.",
    "Powered by Webco Inc. © 2024",
    "Our shelves hold Foo Inc. and Bar Ltd.",
    "operated by volunteers from Acme Inc. and others",
    "<h2>What our clients say</h2><p>© 2024 Foo Inc.</p>",
    "<blockquote>operated by Foo Inc.</blockquote>",
    '<div class="testimonial">operated by Foo Inc.</div>',
    "<p hidden>© 2024 Foo Inc.</p>",
    '<p style="display : none">© 2024 Foo Inc.</p>',
    "<!-- © 2024 Foo Inc. -->",
    "<noscript>© 2024 Foo Inc.</noscript>",
    "Certified by Prairie Inspectors Inc., certificate 2026-118.",
    "Foo Inc. was awarded a permit in 2020.",
    "Agent for Blue Heron Freight Corp., 400 Dock Road, Saint John, NB E2L 3Z2.",
    "<p>Distributed in Canada by</p><p>Foo Inc.</p><p>12 Elm Road</p>",
    "<ul><li>Foo Inc.</li><li>Bar Ltd.</li><li>12 Elm Road</li></ul>",
]


@pytest.mark.parametrize(("text", "name", "strength"), STATED)
def test_a_name_is_found_where_the_page_says_whose_it_is(text: str, name: str, strength: NameStrength) -> None:
    assert (name, strength) in [(stated.value, stated.strength) for stated in find_legal_names(read_page(text))]


@pytest.mark.parametrize(("text", "name", "strength"), STATED)
def test_beside_it_no_other_name_is_found(text: str, name: str, strength: NameStrength) -> None:
    assert {stated.value for stated in find_legal_names(read_page(text))} == {name}


@pytest.mark.parametrize("text", SILENT)
def test_the_names_of_others_are_no_statement(text: str) -> None:
    assert [stated.value for stated in find_legal_names(read_page(text))] == []


MARKS = [
    ("Maple Bakery and its leaf are trademarks of Oak Holdings Ltd., registered.", ["Oak Holdings Ltd."]),
    ("Maple Bakery est une marque de commerce de 9481-2207 Québec inc.", ["9481-2207 Québec inc."]),
    ("MixMaster is a registered trademark of Whirl Corp.", []),
]


@pytest.mark.parametrize(("text", "names"), MARKS)
def test_the_owner_of_the_brand_s_mark_is_the_owner_of_the_site(text: str, names: list[str]) -> None:
    assert [stated.value for stated in find_brand_owners(read_page(text), frozenset({"maplebakery"}))] == names


def test_who_operates_this_place_goes_before_the_copyright_of_the_chain() -> None:
    text = "© 2026 Chain Canada Inc. This location is independently owned and operated by 1234567 Ontario Inc."
    name = choose_legal_name(find_legal_names(read_page(text)))
    assert name is not None
    assert name.best.value == "1234567 Ontario Inc."


def test_a_well_known_firm_is_the_owner_of_its_own_site() -> None:
    stated = list(find_legal_names(read_page("© 2024 Shopify Inc.", "https://www.shopify.example/")))
    assert [name.value for name in stated] == ["Shopify Inc."]
    assert list(find_legal_names(read_page("© 2024 Shopify Inc."))) == []


@pytest.mark.parametrize(
    ("text", "name", "has_form"),
    [
        ("Acme Inc. and its friends", "Acme Inc.", True),
        ("the Acme Group Limited, which", "Acme Group Limited", True),
        ("Acme (Canada) Inc.", "Acme (Canada) Inc.", True),
        ("L. & J. Roe Professional Corporation today", "L. & J. Roe Professional Corporation", True),
        ("Acme as everybody knows", "Acme", False),
        ("Bread and butter", "Bread", False),
    ],
)
def test_a_name_ends_at_its_legal_form(text: str, name: str, *, has_form: bool) -> None:
    found = find_name_after(text)
    assert found is not None
    assert (found.text, found.has_form) == (name, has_form)


def test_a_name_before_a_place_begins_where_the_sentence_has_no_capitals() -> None:
    found = find_name_before("These terms bind you and The Royal Plumbing Company Ltd.")
    assert found is not None
    assert found.text == "The Royal Plumbing Company Ltd."
    assert find_name_before("we bake bread") is None


def test_a_line_is_a_name_only_as_a_whole() -> None:
    assert is_business_name("Acme Inc.")
    assert not is_business_name("Acme Inc. bakes bread")
    assert not is_business_name("")
