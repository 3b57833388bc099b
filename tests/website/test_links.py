"""Which links of a page lead to telling pages of its own site."""

from datetime import UTC, datetime

import pytest

from bonafide.net.web_url import WebUrl
from bonafide.website.crawling.page_kinds import PageKind
from bonafide.website.crawling.page_links import MAX_LINKS, choose_links, filter_page_links, find_page_links, is_same_site
from bonafide.website.page_content.markup import SitePage

HOME = "https://www.shop.example/"


def links(html: str, url: str = HOME) -> dict[str, PageKind]:
    return {str(link.url): link.kind for link in find_page_links(SitePage(url, html, datetime(2026, 11, 20, tzinfo=UTC)))}


@pytest.mark.parametrize(
    ("link", "kind"),
    [
        ('<a href="/x">Contact us</a>', "contact"),
        ('<a href="/x">CONTACTEZ-NOUS</a>', "contact"),
        ('<a href="/x">Nous joindre</a>', "contact"),
        ('<a href="/contact.html">✉</a>', "contact"),
        ('<a href="/fr/coordonn%C3%A9es/">ici</a>', "contact"),
        ('<a href="/x"><span>About</span> <b>Us</b></a>', "about"),
        ('<a href="/x">Qui sommes-nous ?</a>', "about"),
        ('<a href="/x">À propos</a>', "about"),
        ('<a href="/our-story">Since 1962</a>', "about"),
        ('<a href="/x">Mentions légales</a>', "legal"),
        ('<a href="/imprint">i</a>', "legal"),
        ('<a href="/x">Terms &amp; Conditions</a>', "terms"),
        ("<a href='/x'>Conditions d’utilisation</a>", "terms"),
        ('<a href="/x">Privacy Policy</a>', "privacy"),
        ('<a href="/x">Politique de confidentialité</a>', "privacy"),
        ('<a href="/policies/privacy-policy">policies</a>', "privacy"),
        ('<a href="/x">Meet the team</a>', "team"),
        ('<a href="/x">Notre équipe</a>', "team"),
        ('<a href="/fr">Français</a>', "language"),
        ('<a href="/x" aria-label="Contact"><svg></svg></a>', "contact"),
        ('<map><area href="/x" alt="About us"></map>', "about"),
        ('<meta http-equiv="refresh" content="0; url=/home.php">', "language"),
        ('<link rel="alternate" hreflang="fr-CA" href="/accueil">', "language"),
    ],
)
def test_a_telling_page_is_known_by_its_links_words_or_its_path(link: str, kind: str) -> None:
    assert list(links(link).values()) == [kind]


@pytest.mark.parametrize(
    "link",
    [
        '<a href="/shop">Shop</a>',
        '<a href="/blog/ten-ways-in-which-a-contact-makes-your-business-grow">Read more</a>',
        '<a href="/x">We wrote a long story about how to contact the people of our town in winter</a>',
        '<a href="/terms.pdf">Terms</a>',
        '<a href="mailto:a@shop.example">Contact</a>',
        '<a href="tel:+14165550123">Contact</a>',
        '<a href="javascript:void(0)">Contact</a>',
        '<a href="#contact">Contact</a>',
        '<a href="">Contact</a>',
        '<a href="/">English</a>',
        '<a href="https://facebook.example/shop/about">About us</a>',
        '<a href="https://shop.example.evil.example/about">About us</a>',
        '<a href="https://notshop.example/about">About us</a>',
        '<a href="//127.0.0.1/about">About us</a>',
        '<a href="https://www.shop.example:8443/about">About us</a>',
        '<a href="https://me@www.shop.example/about">About us</a>',
        '<a href="http://[::1/about">About us</a>',
        '<a href="/about\\..\\x">About us</a>',
        "<a>About us</a>",
    ],
)
def test_other_links_are_passed_over(link: str) -> None:
    assert links(link) == {}


def test_addresses_are_read_as_the_page_means_them() -> None:
    html = '<base href="/fr/"><a href=" contact us#map ">Contact</a><a href="http://SHOP.example/about">About</a>'
    assert list(links(html)) == ["https://www.shop.example/fr/contact%20us", "http://shop.example/about"]
    assert list(links('<base href="http://127.0.0.1/"><a href="about">About</a>')) == ["https://www.shop.example/about"]


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("http://shop.example/", True),
        ("https://www.shop.example/", True),
        ("https://fr.shop.example/", True),
        ("https://example/", False),
        ("https://other.example/", False),
        ("https://myshop.example/", False),
    ],
)
def test_a_site_is_its_host_and_what_lies_under_it(other: str, same: bool) -> None:  # noqa: FBT001 - of a table
    url = WebUrl("https", other.split("/")[2], 443, "/")
    assert is_same_site(WebUrl.parse(HOME), url) is same


def test_the_clearest_page_of_each_kind_comes_first_then_the_second_of_each() -> None:
    addresses = ["/blog/about-bread", "/about", "/fr/a-propos", "/about-us", "/contact", "/fr/contact", "/privacy", "/products/1"]
    found = filter_page_links(WebUrl.parse(HOME), addresses)
    assert [link.url.target for link in choose_links(found, [], 5)] == [
        "/contact",
        "/about",
        "/privacy",
        "/fr/contact",
        "/about-us",
    ]
    asked = choose_links(found, [], 2)
    assert [link.url.target for link in choose_links(found, asked, 2)] == ["/privacy", "/fr/contact"]
    assert choose_links(found, asked, 0) == []


def test_one_page_in_two_spellings_is_one() -> None:
    addresses = ["https://shop.example/about", "http://www.shop.example/about/", "https://www.shop.example/about"]
    assert len(choose_links(filter_page_links(WebUrl.parse(HOME), addresses), [], 5)) == 1


@pytest.mark.parametrize(
    "html",
    [
        "",
        "\0" * 1000,
        '<a href="/about">About us</a>' * 60_000,
        "<a href='/x'><object>" * 2_000 + "contact " * 200_000,
        '<a href="' + "x" * 1_000_000 + '">Contact</a>',
        "<a href='" + "../" * 300_000 + "contact'>Contact</a>",
    ],
)
def test_a_hostile_page_is_got_through(html: str) -> None:
    # In square time the worst of them would take minutes.
    assert len(links(html)) <= MAX_LINKS
