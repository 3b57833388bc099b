"""The search of the documentation: what it finds, in which order, and that a query is shown as text."""

import httpx2
import pytest

from bonafide.docs_site.search import MAX_RESULTS, search_pages
from bonafide.i18n.language import Language
from tests.support.served_pages import ServedPage

pytestmark = pytest.mark.anyio


def find_addresses(query: str) -> list[str]:
    return [result.address for result in search_pages(query)]


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("back up", "/docs/howto/back-up-and-restore"),
        ("BONAFIDE_PORT", "/docs/reference/settings"),
        ("RATE_LIMITED", "/docs/reference/errors"),
        ("postgresql", "/docs/adr/0002-sqlite-and-postgresql"),
        ("démarrage", "/docs/quickstart.fr"),
        ("demarrage", "/docs/quickstart.fr"),
        ("écarter un résultat", "/docs/howto/analysts-manual.fr"),
        ("deuxieme examen", "/docs/howto/cases-console.fr"),
        ("propriétaires ultimes", "/docs/howto/ownership-console.fr"),
        ("dénomination sociale", "/docs/glossary.fr"),
        ("POST /v1/verify", "/docs/api/verifications"),
        ("canonical layout", "/docs/reference/canonical-layout"),
    ],
)
def test_a_query_finds_the_page_about_it(query: str, address: str) -> None:
    assert address in {found.partition("#")[0] for found in find_addresses(query)[:5]}


def test_the_version_in_the_readers_language_comes_first() -> None:
    versions = ["/docs/glossary", "/docs/glossary.fr"]
    for language, expected in ((Language.ENGLISH, versions), (Language.FRENCH, versions[::-1])):
        found = [result.address for result in search_pages("NEQ", language)]
        assert [address for address in found if address in versions] == expected


def test_a_section_is_found_at_its_heading() -> None:
    assert find_addresses("rotate key")[0].startswith("/docs/howto/api-keys#")


def test_a_section_with_all_words_comes_before_one_with_some() -> None:
    (first, *_) = search_pages("canonical layout mapping file")
    assert first.address == "/docs/reference/canonical-layout#mapping-file"


@pytest.mark.parametrize("query", ["", "  ", "…", "xyzzyplugh"])
def test_a_query_without_a_known_word_finds_nothing(query: str) -> None:
    assert search_pages(query) == []


def test_results_are_limited() -> None:
    assert len(search_pages("the a of search")) == MAX_RESULTS


async def test_results_are_a_page_with_a_form_that_needs_no_script(reader: httpx2.AsyncClient) -> None:
    document = ServedPage((await reader.get("/docs/search", params={"q": "back up"})).text)
    assert document.select_texts("//form[@role='search' and @action='/docs/search']//input[@name='q']/@value") == ["back up"]
    assert "/docs/howto/back-up-and-restore" in document.select_texts("//main//a/@href")
    assert document.count("//main//mark")
    assert document.count("//label[@for='docs-search']")


async def test_every_page_has_the_search_form(reader: httpx2.AsyncClient) -> None:
    for path in ("/docs", "/docs/quickstart", "/changelog", "/docs/nothing"):
        document = ServedPage((await reader.get(path)).text)
        assert document.count("//form[@role='search']") == 1, path


async def test_a_query_is_shown_as_text(reader: httpx2.AsyncClient) -> None:
    answer = await reader.get("/docs/search", params={"q": "<script>alert(1)</script> settings"})
    assert "<script>alert" not in answer.text
    assert "Content-Security-Policy" in answer.headers


async def test_decisions_are_served_but_not_in_the_menu(reader: httpx2.AsyncClient) -> None:
    document = ServedPage((await reader.get("/docs/quickstart")).text)
    menu = document.select_texts("//nav//a/@href")
    assert [address for address in menu if address.startswith("/docs/adr/")] == []
    assert "/docs/contributors" in menu
    assert (await reader.get("/docs/adr/0001-own-name-index")).is_success


async def test_a_translated_page_states_its_language(reader: httpx2.AsyncClient) -> None:
    document = ServedPage((await reader.get("/docs/quickstart.fr")).text)
    assert document.select_texts("//main/div/@lang") == ["fr"]
    assert document.select_texts("//nav//a[@href='/docs/quickstart.fr']/@lang") == ["fr"]
