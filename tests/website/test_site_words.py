"""What of a site speaks of its trade: which texts are picked, how each stands on the page, and in which language it is."""

from datetime import UTC, datetime

import pytest

from bonafide.i18n.language import Language
from bonafide.website.industry.site_texts import MAX_TEXT, MAX_TEXTS, TextPosition, collect_site_texts
from bonafide.website.page_content.markup import SitePage

READ_AT = datetime(2026, 11, 20, tzinfo=UTC)
ENGLISH, FRENCH = Language.ENGLISH, Language.FRENCH


def page(html: str, url: str = "https://site.example/") -> SitePage:
    return SitePage(url, html, READ_AT)


def texts(*pages: SitePage) -> dict[TextPosition, list[str]]:
    found: dict[TextPosition, list[str]] = {}
    for text in collect_site_texts(pages).texts:
        found.setdefault(text.place, []).append(text.text)
    return found


def test_each_text_is_known_by_where_it_stands() -> None:
    found = texts(
        page(
            "<html lang='en'><head><title>Oak  Dental</title>"
            "<meta name='description' content='Gentle dentists'>"
            "<meta property='og:site_name' content='Oak'></head><body><nav><a href='/'>Home</a></nav><h1>Your smile</h1>"
            "<p>We look after the teeth of the whole family.</p><p>Short.</p><ul><li>Fillings</li></ul>"
            "<footer><p>A long line of small print in the footer.</p></footer><script>var x = 'never read'</script></body>"
        )
    )
    assert found == {
        TextPosition.NAME: ["Oak"],
        TextPosition.TITLE: ["Oak Dental"],
        TextPosition.DESCRIPTION: ["Gentle dentists"],
        TextPosition.HEADING: ["Your smile"],
        TextPosition.LINK: ["Home"],
        TextPosition.ITEM: ["Fillings"],
        TextPosition.PARAGRAPH: ["We look after the teeth of the whole family."],
    }


def test_structured_data_tells_types_names_and_descriptions() -> None:
    found = texts(
        page(
            '<script type="application/ld+json">{"@graph": [{"@type": ["Dentist", "LocalBusiness"], "name": "Oak Dental", '
            '"description": "Teeth"}]}</script><div itemscope itemtype="https://schema.org/AutoRepair"></div>'
        )
    )
    assert found == {
        TextPosition.TYPE: ["Dentist", "LocalBusiness", "AutoRepair"],
        TextPosition.NAME: ["Oak Dental"],
        TextPosition.DESCRIPTION: ["Teeth"],
    }


def test_people_of_structured_data_name_no_trade() -> None:
    found = texts(
        page('<script type="application/ld+json">{"@type": "Person", "name": "Rose Baker", "description": "cooks"}</script>')
    )
    assert found == {TextPosition.TYPE: ["Person"]}


@pytest.mark.parametrize("broken", ["{", "[[[[", '{"@graph": ' * 50, "null", "7", '{"@type": 7, "name": {}}'])
def test_broken_structured_data_is_passed_over(broken: str) -> None:
    assert texts(page(f'<title>Oak</title><script type="application/ld+json">{broken}</script>')) == {TextPosition.TITLE: ["Oak"]}


def test_pages_of_terms_and_privacy_are_passed_over() -> None:
    assert texts(page("<title>Terms</title>", "https://site.example/legal/terms-of-use")) == {}
    assert texts(page("<title>Avis</title>", "https://site.example/politique-de-confidentialite")) == {}


def test_what_every_page_repeats_counts_once() -> None:
    home, about = page("<title>Oak</title>"), page("<title>OAK</title>", "https://site.example/about")
    assert texts(home, about) == {TextPosition.TITLE: ["Oak"]}


def test_a_page_of_any_size_gives_a_bounded_number_of_short_texts() -> None:
    many = "".join(f"<h2>{'word ' * 100}{n}</h2><li>{n} item</li>" for n in range(500))
    words = collect_site_texts([page(many, f"https://site.example/{n}") for n in range(20)])
    assert len(words.texts) <= MAX_TEXTS
    assert max(len(text.text) for text in words.texts) <= MAX_TEXT


@pytest.mark.parametrize("html", ["", "<", "\x00", "<html><head></head></html>", "<p>" * 2000])
def test_a_page_that_is_hardly_one_has_no_words(html: str) -> None:
    assert collect_site_texts([page(html)]).texts == ()


def test_the_language_is_the_text_s_own_and_of_a_short_text_the_page_s() -> None:
    words = collect_site_texts(
        [page("<html lang='fr-CA'><title>Plomberie</title><p>We fix the pipes of the whole town for you.</p>")]
    )
    assert [text.language for text in words.texts] == [FRENCH, ENGLISH]


def test_a_page_that_does_not_say_its_language_is_judged_by_its_text() -> None:
    words = collect_site_texts(
        [page("<title>Plomberie</title><p>Nous réparons les tuyaux de la ville pour vous et vos voisins.</p>")]
    )
    assert words.language is FRENCH
    assert [text.language for text in words.texts] == [FRENCH, FRENCH]


def test_a_site_without_texts_is_taken_for_english() -> None:
    assert collect_site_texts([]).language is ENGLISH
