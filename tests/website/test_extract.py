"""A whole site: values once, with all places where they were found, and nothing of others."""

import pytest

from bonafide.matching.entries.evidence import format_one_line
from bonafide.model.search.website import Extracted, FoundBy
from bonafide.website.extraction.extractor import MAX_DESCRIPTIONS, MAX_EVIDENCE, extract_statements
from bonafide.website.extraction.page_statement import MAX_SNIPPET
from tests.support.website.html_pages import HOME, json_ld, page

FOOTER = "<footer>© 2024 Maple Bakery Ltd. GST: 123456782 RT0001 <br>Site by Webco Inc.</footer>"
BIG = 2**18


def test_a_site_that_says_nothing_gives_nothing() -> None:
    assert extract_statements([]) == Extracted()
    assert extract_statements([page("<p></p>"), page("Hello world")]) == Extracted()


def test_a_value_of_several_pages_is_there_once_with_evidence_of_each() -> None:
    found = extract_statements([page(FOOTER), page(FOOTER, f"{HOME}about")])
    assert found.legal_name == "Maple Bakery Ltd."
    assert [number.value for number in found.registrations] == ["123456782 RT0001"]
    rows = [row for row in found.evidence if row.field == "legalName"]
    assert [(row.page, row.value, row.found_by) for row in rows] == [
        (HOME, "Maple Bakery Ltd.", FoundBy.TEXT),
        (f"{HOME}about", "Maple Bakery Ltd.", FoundBy.TEXT),
    ]
    assert all("© 2024 Maple Bakery Ltd." in row.snippet for row in rows)


def test_every_value_has_evidence_and_no_row_is_without_its_value() -> None:
    body = f"""<p>12 Elm Rd, Guelph ON N1H 1A1</p><p>Jane Roe, Owner</p><p>hi@maple.ca</p><p>Tel 519-555-0123</p>{FOOTER}"""
    found = extract_statements([page(body, head='<meta name="description" content="Fresh bread and pastry every day.">')])
    values: dict[str, list[str | None]] = {
        "legalName": [found.legal_name],
        "descriptions": list(found.descriptions),
        "addresses": [format_one_line(address) for address in found.addresses],
        "people": [", ".join((person.name, *person.roles)) for person in found.people],
        "registrations": [number.value for number in found.registrations],
        "emails": list(found.contact_info.emails),
        "phoneNumbers": list(found.contact_info.phone_numbers),
    }
    assert all(len(listed) == 1 for listed in values.values())
    assert {field: list(dict.fromkeys(row.value for row in found.evidence if row.field == field)) for field in values} == values
    assert all(0 < len(row.snippet) <= MAX_SNIPPET and row.page == HOME for row in found.evidence)


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (["© 2024 Alpha Inc.", "operated by Beta Inc."], "Alpha Inc."),
        (["operated by Beta Inc.", "© 2024 Alpha Inc."], "Alpha Inc."),
        (["© 2024 Alpha Inc.", "Raison sociale : Gamma inc."], "Gamma inc."),
        (["© 2024 Boulangerie Zéphyr enr.", "operated by Beta Inc."], "Beta Inc."),
        (["© 2024 ALPHA BAKERY INC.", "operated by Alpha Bakery Inc."], "ALPHA BAKERY INC."),
        (["© 2024 Alpha Inc.", "© 2024 Beta Inc.", "© 2023 Beta Inc."], "Alpha Inc."),
    ],
)
def test_of_several_names_the_surest_is_chosen(parts: list[str], name: str) -> None:
    assert extract_statements([page("".join(f"<p>{part}</p>" for part in parts))]).legal_name == name


def test_among_equally_sure_names_the_one_on_more_pages_is_chosen() -> None:
    pages = [page("<p>© 2024 Alpha Inc.</p><p>© 2024 Beta Inc.</p>"), page("© 2024 Beta Inc.", f"{HOME}about")]
    assert extract_statements(pages).legal_name == "Beta Inc."


def test_a_structured_legal_name_goes_before_all_others() -> None:
    head = json_ld('{"@type": "Corporation", "legalName": "Delta Ltd."}')
    assert extract_statements([page("© 2024 Alpha Inc.", head=head)]).legal_name == "Delta Ltd."


@pytest.mark.parametrize(
    ("head", "url"),
    [
        ("<title>About us | Maple Bakery</title>", HOME),
        ('<meta property="og:site_name" content="Maple Bakery">', HOME),
        (json_ld('{"@type": "Bakery", "name": "Maple Bakery"}'), HOME),
        ("", "https://www.maplebakery.example/"),
    ],
)
def test_the_name_that_the_site_goes_by_is_known_in_the_text_by_its_legal_form(head: str, url: str) -> None:
    body = "At Maple Bakery Ltd. we buy from Prairie Mill Inc. and Maple Bakery Supplies Ltd."
    assert extract_statements([page(body, url, head)]).legal_name == "Maple Bakery Ltd."


def test_a_name_in_the_text_that_the_site_does_not_go_by_is_nobody_s() -> None:
    assert extract_statements([page("We buy from Prairie Mill Inc.", head="<title>Maple Bakery</title>")]).legal_name is None


def test_of_several_names_above_addresses_none_is_the_owner_s() -> None:
    shops = "<p>Alpha Inc.<br>1 Elm Rd<br>Guelph ON N1H 1A1</p><p>Beta Inc.<br>2 Elm Rd<br>Guelph ON N1H 1A2</p>"
    assert extract_statements([page(shops)]).legal_name is None


def test_addresses_in_two_spellings_are_one_and_two_units_are_two() -> None:
    pages = [
        page("<p>12 Elm Rd, Guelph ON N1H 1A1</p><p>Unit 4, 12 Elm Road, Guelph, Ontario N1H1A1</p>"),
        page("<p>Unit 5 - 12 Elm Road, Guelph, Ontario N1H1A1</p><p>12 Elm Road, Guelph, ON</p>", f"{HOME}contact"),
    ]
    assert [address.street for address in extract_statements(pages).addresses] == ["Unit 4, 12 Elm Road", "Unit 5 - 12 Elm Road"]


def test_the_address_of_another_business_is_left_out() -> None:
    body = f"<p>12 Elm Rd, Guelph ON N1H 1A1</p><p>PayCo Inc., 1 Payment Way, Toronto ON M4B 1B3</p>{FOOTER}"
    assert [address.city for address in extract_statements([page(body)]).addresses] == ["Guelph"]
    own = f"<p>Maple Holdings Inc., 1 Payment Way, Toronto ON M4B 1B3</p>{FOOTER}"
    assert [address.city for address in extract_statements([page(own)]).addresses] == ["Toronto"]


def test_the_roles_of_one_person_are_together() -> None:
    pages = [page("Jane Roe, Owner"), page("<p>Dr. Jane Roe, Head Baker</p><p>Jane Roe - owner</p>", f"{HOME}team")]
    (person,) = extract_statements(pages).people
    assert person.name == "Jane Roe"
    assert person.roles == ("Owner", "Head Baker")


def test_a_number_with_its_account_says_more_than_one_without() -> None:
    found = extract_statements([page("GST 123456782"), page("GST 123456782 RT0001", f"{HOME}legal")])
    assert [number.value for number in found.registrations] == ["123456782 RT0001"]


def test_a_fax_is_no_phone_though_a_link_dials_it() -> None:
    body = "<p>Fax: <a href='tel:5195550199'>519-555-0199</a></p><p><a href='tel:519-555-0123'>Call</a></p>"
    assert extract_statements([page(body), page("<a href='tel:5195550199'>x</a>")]).contact_info.phone_numbers == ("+15195550123",)


def test_descriptions_are_those_of_the_home_page_and_of_pages_about_the_business() -> None:
    def head(text: str) -> str:
        return f'<meta name="description" content="{text}"><meta property="og:description" content="{text}">'

    pages = [
        page("x", head=head("Fresh bread and pastry every day.")),
        page("x", f"{HOME}about-us", head=head("Three generations of bakers in Guelph.")),
        page("x", f"{HOME}privacy", head=head("How we use what you tell us about you.")),
    ]
    assert extract_statements(pages).descriptions == ("Fresh bread and pastry every day.", "Three generations of bakers in Guelph.")
    many = "".join(head(f"Description of our bakery, number {number}.") for number in range(9))
    assert len(extract_statements([page("x", head=many)]).descriptions) == MAX_DESCRIPTIONS


def test_evidence_of_one_value_is_limited() -> None:
    found = extract_statements([page(FOOTER, f"{HOME}{number}") for number in range(9)])
    assert len([row for row in found.evidence if row.field == "legalName"]) == MAX_EVIDENCE


HOSTILE = [
    "1", "1 ", "© ", "© 2024 Acme Inc. ", "Acme Inc. o/a ", "1 Main St, ", "M5V 1A1 ", "1 Main St, Toronto, ON M5V 1A1 ",
    "a@", "a.a.a@b.b.", "Jane Roe, President, ", "Aa Bb Cc ", ", ", "(", '" ', '("we" ', "GST 123456782 RT0001 ",
    "corporation number no no ", "416-555-0123 ", "+1 2 3 4 5 6 ", "operated by Acme Inc. ", "raison sociale : Acme inc. ",
    "Suite 1, ", "P.O. Box 1 ", "a-b-", "S.E.N.C. ", ": ", "president director ", "<b>a</b>", "<a>a</a>",
    "<a href=mailto:a@b.ca>x</a>", "l'l'", "&amp;", "\xa0", "\x1e\x1f",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("piece", HOSTILE)
def test_a_lot_of_anything_comes_to_an_end(piece: str) -> None:
    flat = "<p>" + piece * (BIG // len(piece))
    lines = "".join(f"<p>{piece * max(1, 60 // len(piece))}" for _ in range(1_000))
    assert len(extract_statements([page(flat), page(lines)]).evidence) <= 1_000


def test_nothing_raises_for_a_page_of_any_address() -> None:
    for url in ("", "http://[", "https://x.ca/\ud800", "javascript:1"):
        assert extract_statements([page(FOOTER, url)]).legal_name == "Maple Bakery Ltd."
