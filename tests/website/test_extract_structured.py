"""Structured data: JSON-LD in any shape, microdata, and which of its things are the site's own business."""

import json

import pytest

from bonafide.model.search.website import Extracted, FoundBy
from bonafide.website.extraction.extractor import extract_statements
from bonafide.website.page_content.structured_data import MAX_DEPTH, MAX_THINGS
from tests.support.website.html_pages import HOME, json_ld, page

BUSINESS = {
    "@context": "https://schema.org",
    "@type": "Bakery",
    "name": "Maple Bakery",
    "legalName": "Maple Bakery Ltd.",
    "description": "Fresh bread and pastry in Guelph.",
    "telephone": 5195550123,
    "faxNumber": "519-555-0199",
    "email": "mailto:hi@maple.example",
    "address": {
        "@type": "PostalAddress",
        "streetAddress": "12 Elm Rd",
        "addressLocality": "Guelph",
        "addressRegion": "Ontario",
        "postalCode": "n1h1a1",
        "addressCountry": {"@type": "Country", "name": "CA"},
    },
    "founder": [{"@type": "Person", "name": "Jane Roe, CPA", "jobTitle": "Head Baker"}],
    "employee": {"@type": "Person", "givenName": "Bob", "familyName": "Li", "jobTitle": ["Manager", "Buyer"]},
    "identifier": {"@type": "PropertyValue", "propertyID": "NEQ", "value": "1171234567"},
    "vatID": "123456782RT0001",
}


def _of(head: str, body: str = "") -> Extracted:
    return extract_statements([page(body or "<p>Hello</p>", head=head)])


def _is_whole(found: Extracted) -> bool:
    (address,) = found.addresses
    return (
        found.legal_name == "Maple Bakery Ltd."
        and found.descriptions == ("Fresh bread and pastry in Guelph.",)
        and (address.street, address.city, address.province, address.postal_code) == ("12 Elm Rd", "Guelph", "ON", "N1H 1A1")
        and [(person.name, person.roles) for person in found.people]
        == [("Jane Roe", ("Head Baker",)), ("Bob Li", ("Manager", "Buyer"))]
        and {(number.label, number.value) for number in found.registrations}
        == {("GST/HST number", "123456782RT0001"), ("NEQ", "1171234567")}
        and found.contact_info.emails == ("hi@maple.example",)
        and found.contact_info.phone_numbers == ("+15195550123",)
    )


TEXT = json.dumps(BUSINESS)
PREFIXED = json.dumps({(key if key.startswith("@") else f"schema:{key}"): value for key, value in BUSINESS.items()})


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"[{TEXT}]",
        json.dumps({"@graph": [BUSINESS]}),
        json.dumps({"@graph": [{"@type": "WebSite", "publisher": {"@id": "#us"}}, {**BUSINESS, "@id": "#us"}]}),
        json.dumps({"@type": "ContactPage", "about": BUSINESS}),
        json.dumps({**BUSINESS, "@type": ["Organization", "https://schema.org/Bakery"]}),
        json.dumps({**BUSINESS, "url": HOME}),
        json.dumps({**BUSINESS, "name": {"@value": "Maple Bakery", "@language": "en"}}),
        PREFIXED,
        f"<!-- {TEXT} -->",
        f"/* <![CDATA[ */ {TEXT} /* ]]> */",
        TEXT.replace('"1171234567"}', '"1171234567",}'),
        TEXT.replace('"', "&quot;"),
        TEXT.replace("Fresh bread and pastry", "Fresh\n bread &amp;#32;and pastry").replace("&amp;#32;", ""),
        f"{TEXT} {TEXT}",
        f"\ufeff{TEXT}",
    ],
)
def test_json_ld_is_read_in_any_shape(text: str) -> None:
    assert _is_whole(_of(json_ld(text)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "3",
        '"text"',
        "[[[]]]",
        '{"@type": 3, "name": null, "address": 7, "founder": [[]], "identifier": true}',
        '{"@type": "Bakery", "address": {"@id": "#x"}, "@id": "#x"}',
        '{"@type": "Bakery", "url": "http://[broken"}',
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"@type": "Bakery", "telephone": ' + "9" * 100_000 + "}",
        '{"@type": "Bakery", "x": NaN, "y": 1e999999}',
    ],
)
def test_broken_structured_data_say_nothing(text: str) -> None:
    assert _of(json_ld(text)) == Extracted()


def test_things_are_read_up_to_a_number_and_a_depth() -> None:
    deep: dict[str, object] = {"@type": "Bakery", "legalName": "Deep Bakery Ltd."}
    for _ in range(MAX_DEPTH + 1):
        deep = {"@type": "WebPage", "about": deep}
    assert _of(json_ld(json.dumps(deep))) == Extracted()
    many = {
        "@graph": [
            {"@id": f"#{key}", "@type": "Bakery", "founder": [{"@id": f"#{other}"} for other in range(60)]} for key in range(60)
        ]
    }
    assert _of(json_ld(json.dumps(many))) == Extracted()
    assert _of(json_ld(json.dumps([{"@type": "Thing"}] * (2 * MAX_THINGS) + [BUSINESS]))) == Extracted()


@pytest.mark.parametrize(
    "thing",
    [
        {"@type": "Review", "author": BUSINESS},
        {"@type": "Product", "brand": BUSINESS, "manufacturer": BUSINESS},
        {"@type": "Article", "publisher": BUSINESS, "author": {"@type": "Person", "name": "Jane Roe", "jobTitle": "Editor"}},
        {"@type": "ItemList", "itemListElement": [BUSINESS]},
        {**BUSINESS, "url": "https://www.other.example/"},
        {"@type": "WebPage", "about": {**BUSINESS, "url": "https://other.example"}},
        {"@type": "WebPage", "creator": BUSINESS},
        {**BUSINESS, "@type": "Recipe"},
    ],
)
def test_other_businesses_of_a_page_are_not_its_owner(thing: dict[str, object]) -> None:
    assert _of(json_ld(json.dumps(thing))) == Extracted()


def test_a_trade_name_alone_is_no_legal_name() -> None:
    assert _of(json_ld('{"@type": "Store", "name": "Maple Bakery"}')).legal_name is None
    assert _of(json_ld('{"@type": "Store", "name": "Maple Bakery Inc."}')).legal_name == "Maple Bakery Inc."


def test_a_branch_has_a_place_and_no_name() -> None:
    branch = {"@type": "Store", "legalName": "Branch Inc.", "address": "5 Queen St E, Toronto, ON M5C 1R6"}
    found = _of(json_ld(json.dumps({"@type": "Organization", "legalName": "Main Inc.", "department": branch})))
    assert found.legal_name == "Main Inc."
    assert [address.postal_code for address in found.addresses] == ["M5C 1R6"]


def test_microdata_are_read_with_their_items() -> None:
    body = """
    <div itemscope itemtype="https://schema.org/LocalBusiness">
      <span itemprop="legalName">Maple Bakery Ltd.</span> <a itemprop="url" href="/">here</a>
      <div itemprop="address" itemscope itemtype="http://schema.org/PostalAddress">
        <span itemprop="streetAddress">12 Elm Road</span>, <span itemprop="addressLocality">Guelph</span>
        <meta itemprop="addressRegion" content="ON"><span itemprop="postalCode">N1H 1A1</span>
      </div>
      <a itemprop="telephone" href="tel:+15195550123">call</a>
      <div itemprop="employee" itemscope itemtype="https://schema.org/Person">
        <b itemprop="name">Jane Roe</b> <i itemprop="jobTitle">Baker</i>
      </div>
      <div itemprop="review" itemscope itemtype="https://schema.org/Review">
        <div itemprop="author" itemscope itemtype="https://schema.org/Organization"><b itemprop="legalName">Other Inc.</b></div>
      </div>
    </div>
    """
    found = _of("", body)
    assert found.legal_name == "Maple Bakery Ltd."
    assert [(person.name, person.roles) for person in found.people] == [("Jane Roe", ("Baker",))]
    assert found.contact_info.phone_numbers == ("+15195550123",)
    assert [address.raw for address in found.addresses] == ["12 Elm Road, Guelph, ON N1H 1A1"]
    assert FoundBy.MICRODATA in {row.found_by for row in found.evidence}
