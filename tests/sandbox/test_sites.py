"""Sites of the made-up businesses: they follow from the seed, show what their manifest says, and agree with the registers."""

import re
from collections import Counter
from html import unescape

import pytest
from selectolax.lexbor import LexborHTMLParser

from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.sites.catalog import SiteCatalog
from bonafide_sandbox.sites.handwritten import load_handwritten_sites
from bonafide_sandbox.sites.markup.dialects import DIALECTS
from bonafide_sandbox.sites.site import SandboxSite
from bonafide_sandbox.world.builder import DEFAULT_SEED

SAMPLE = 200
BAKERY = "bakery.sandbox.example"


@pytest.fixture(scope="module")
def town() -> SiteCatalog:
    return SiteCatalog(DEFAULT_SEED)


@pytest.fixture(scope="module")
def sample(town: SiteCatalog) -> list[SandboxSite]:
    return [site for host in town.hosts[:SAMPLE] if (site := town.site(host)) is not None]


def bodies(site: SandboxSite) -> list[str]:
    """Every page of a site as a browser decodes it."""
    sent = [site.page(leaf.path) for leaf in site.all_pages]
    return [page.body.decode("utf-8" if "utf-8" in page.media_type else "windows-1252") for page in sent if page is not None]


def shown(site: SandboxSite) -> str:
    """All that the pages hold, elements included, without entities and escapes."""
    text = unescape("\n".join(bodies(site))).replace("\N{NO-BREAK SPACE}", " ").replace("\\/", "/")
    return re.sub(r"\\u([0-9a-f]{4})", lambda escaped: chr(int(escaped[1], 16)), text)


def plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def test_a_seed_has_one_town(sample: list[SandboxSite]) -> None:
    again = SiteCatalog(DEFAULT_SEED)

    for site in sample[:20]:
        other = again.site(site.shop.host)
        assert other is not None
        assert other.facts == site.facts
        assert bodies(other) == bodies(site)


def test_another_seed_has_another_town(town: SiteCatalog) -> None:
    assert len(set(SiteCatalog(DEFAULT_SEED + 1).hosts) & set(town.hosts)) < len(town.hosts) / 5


def test_hosts_are_names_of_the_sandbox(town: SiteCatalog) -> None:
    assert len(town.hosts) > 250
    assert all(re.fullmatch(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?\.sandbox\.example", host) for host in town.hosts)


def test_every_planted_fact_is_on_a_page(sample: list[SandboxSite]) -> None:
    for site in sample:
        facts, text = site.facts, shown(site)
        letters = plain(text)
        digits = "".join(filter(str.isdigit, text))
        if facts.legal_name is not None:
            assert plain(facts.legal_name) in letters, facts.host
        for address in facts.addresses:
            assert plain(address.postal_code or "") in letters, facts.host
            assert plain(address.city) in letters, facts.host
        for name, role in facts.people:
            assert plain(name) in letters, facts.host
            assert plain(role) in letters, facts.host
        for _, number in facts.registrations:
            assert plain(number) in letters, facts.host
        for email in facts.emails:
            assert email in text or "data-cfemail" in text, facts.host
        assert all(phone.removeprefix("+1") in digits for phone in facts.phones), facts.host


def test_every_fact_of_a_site_written_by_hand_is_on_its_pages(town: SiteCatalog) -> None:
    assert len(town.written) >= 10
    for host, site in load_handwritten_sites().items():
        text = unescape("\n".join(site.pages.values())).replace("\N{NO-BREAK SPACE}", " ")
        letters, facts = plain(text), site.facts
        assert town.facts(host) == facts
        assert host not in town.hosts
        values = [facts.legal_name or "", facts.brand, *facts.emails, *(value for pair in facts.people for value in pair)]
        values += [number for _, number in facts.registrations]
        values += [
            part or "" for address in facts.addresses for part in (address.door, address.unit, address.city, address.postal_code)
        ]
        assert [value for value in values if plain(value) not in letters] == [], host
        assert all(phone.removeprefix("+1") in letters for phone in facts.phones), host


def test_a_legal_name_that_is_not_shown_is_on_no_page(sample: list[SandboxSite]) -> None:
    hiding = [site for site in sample if site.facts.legal_name is None and plain(site.shop.legal_name) != plain(site.shop.brand)]

    assert hiding
    assert all(plain(site.shop.legal_name) not in plain(shown(site)) for site in hiding)


def test_sites_are_of_many_kinds(sample: list[SandboxSite]) -> None:
    markups = Counter(type(site.markup) for site in sample)
    text = "\n".join(shown(site) for site in sample)

    assert set(DIALECTS) <= set(markups)
    assert {site.facts.language for site in sample} == {"en", "fr"}
    assert len({site.facts.naics for site in sample}) >= 15
    assert any(len(site.facts.addresses) == 2 for site in sample)
    assert any(address.street is None for site in sample for address in site.facts.addresses)
    assert all(
        word in text for word in ("application/ld+json", "itemprop=", "<TABLE", "data-cfemail", "OpenStreetMap contributors")
    )
    assert all(word in text for word in ("o/a ", "faisant affaire sous", "Privacy Commissioner", "Site by "))


def test_pages_link_to_one_another(sample: list[SandboxSite]) -> None:
    for site in sample[:40]:
        home = site.page("/")
        assert home is not None
        links = {node.attributes.get("href") for node in LexborHTMLParser(home.body).css("a")}
        assert {leaf.path for leaf in site.all_pages} <= links


def test_maps_of_sites_name_their_pages(sample: list[SandboxSite]) -> None:
    mapped = [site for site in sample if site.page("/sitemap.xml") is not None]

    assert 0 < len(mapped) < len(sample)
    for site in mapped[:10]:
        map_ = site.page("/sitemap.xml")
        assert map_ is not None
        assert all(f"<loc>https://{site.shop.host}{leaf.path}</loc>".encode() in map_.body for leaf in site.all_pages)


def test_a_page_of_2003_says_its_characters_itself(sample: list[SandboxSite]) -> None:
    old = [page for site in sample if site.markup.charset == "windows-1252" and (page := site.page("/")) is not None]
    accented = [page.body.decode("windows-1252") for page in old if b"\xe9" in page.body]

    assert accented
    assert all(page.media_type == "text/html" for page in old)
    assert all("charset=windows-1252" in text and "é" in text for text in accented)


def test_the_fixed_sites_agree_with_their_registers(town: SiteCatalog) -> None:
    for fixed in (fixed for fixed in KNOWN_BUSINESSES if fixed.website is not None):
        site = town.site((fixed.website or "").removeprefix("https://"))
        assert site is not None
        facts, business = site.facts, fixed.business
        assert facts.legal_name == business.name
        assert [(address.door, address.postal_code) for address in facts.addresses] == [
            (business.address.street_number, business.address.postal_code)
        ]
        assert [name for name, _ in facts.people] == [officer.name for officer in business.people]
        assert [number for _, number in facts.registrations] == [f"{business.business_number}RT0001"]


def test_the_bakery_has_the_pages_that_a_small_business_has(town: SiteCatalog) -> None:
    site = town.site(BAKERY)

    assert site is not None
    assert site.facts.naics == "311811"
    assert len(site.all_pages) >= 5
