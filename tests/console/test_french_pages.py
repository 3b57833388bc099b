"""Every page and every document of the console in French, with real data: no text of it is an English message.

The English messages are the templates of the catalogue that have another wording in French. A text that is marked `lang="en"` is a
publisher's own.
"""

import io
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path

import httpx2
import pytest
from babel.messages.pofile import read_po
from pypdf import PdfReader
from selectolax.lexbor import LexborHTMLParser, LexborNode

from bonafide.i18n.catalog import get_catalog_path
from bonafide.i18n.language import Language
from bonafide.model.accounts.users import Role
from bonafide_bench.seeding.console_pages import build_page_address
from tests.support.browser.members import LivedInBy
from tests.support.browser.page_addresses import every_template
from tests.support.browser.served_sandbox import lived_in_by, served_sandbox
from tests.support.console.sessions import send, signed_in_client
from tests.support.loaded_sandbox import copy_sandbox

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
PLACEHOLDER = re.compile(r"\{\w*(?::[^}]*)?\}")
WORD = re.compile(r"[^\W\d_]{2,}")
MIN_WORDS = 2
"""A single word can be the same in a name, a code or a publisher's data."""
ATTRIBUTES = ("aria-label", "alt", "data-label", "data-many", "data-none", "data-one", "data-text", "placeholder", "title")
INVISIBLE = frozenset({"script", "style"})
MIN_PHRASE = 4
"""Words of a message that is looked for within the text of a document, which has no marks between its texts."""
MAX_VALUE = 200
"""Characters of a value within such a message."""
CLAUSE = re.compile(r"(?<=[.;?!]) ")
TEMPLATES = [template for template in every_template() if template.startswith("/console")]
INVALID_FORMS = {
    "/console/search": {"name": "", "regulatoryRegistryThreshold": "7"},
    "/console/verifications": {"legalName": "", "maxAge": "-1"},
    "/console/businesses/new": {"website": "x" * 6000, "incorporationYear": "1"},
    "/console/businesses/import": {"clearEmpty": "true"},
    "/console/keys": {"label": "", "rateLimit": "0"},
    "/console/members/invite": {"email": "nobody", "role": "king"},
    "/console/settings": {"part": "searches", "matchSelection.autoSelectThreshold": "9"},
    "/console/profile/password": {"old": "x", "password": "short"},
    "/console/searches/archive": {"archive": "selected"},
}
"""Forms with invalid values, by the address that they are sent to."""
DOCUMENTS = (
    "/console/businesses/{business}/ownership.pdf",
    "/console/searches/{search}/report.pdf",
    "/console/searches/{search_to_review}/report.pdf",
    "/console/searches/{search_without_match}/report.pdf",
    "/console/verifications/{verification}/report.pdf",
    "/console/verifications/{verification}/register.pdf",
)


@pytest.fixture(scope="module")
async def lived_in(sandbox_data: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LivedInBy]:
    folder = copy_sandbox(sandbox_data, tmp_path_factory.mktemp("french") / "data")
    async with served_sandbox(folder) as runtime:
        yield await lived_in_by(runtime)


@pytest.fixture(scope="module")
async def owner(lived_in: LivedInBy) -> AsyncIterator[httpx2.AsyncClient]:
    people = lived_in.people
    async with await signed_in_client(people.runtime, Role.OWNER, people.organization) as client:
        client.headers["Accept-Language"] = "fr-CA"
        yield client


@cache
def english_templates() -> tuple[frozenset[str], tuple[re.Pattern[str], ...]]:
    """The English messages of at least `MIN_WORDS` words: those without placeholders as they are, the others as patterns."""
    with get_catalog_path(Language.FRENCH).open("rb") as file:
        catalog = read_po(file, locale=Language.FRENCH.value)
    french = {text for entry in catalog for text in _as_texts(entry.string)}
    english = {
        text
        for entry in catalog
        if entry.id
        for text in _as_texts(entry.id)
        if text not in french and len(WORD.findall(PLACEHOLDER.sub(" ", text))) >= MIN_WORDS
    }
    patterns = (PLACEHOLDER.split(text) for text in english if PLACEHOLDER.search(text))
    literal = frozenset(" ".join(text.split()) for text in english if not PLACEHOLDER.search(text))
    return literal, tuple(re.compile(".+?".join(re.escape(" ".join(part.split(" "))) for part in parts)) for parts in patterns)


def _as_texts(value: object) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, (list, tuple)) else ()


def is_english(text: str) -> bool:
    """Whether the text, or one of its sentences or clauses, is a message in English."""
    literal, patterns = english_templates()
    return any(
        clause in literal or any(pattern.fullmatch(clause) for pattern in patterns)
        for clause in {text, *CLAUSE.split(text), *(part.rstrip(";") for part in CLAUSE.split(text))}
        if len(WORD.findall(clause)) >= MIN_WORDS
    )


def list_texts(node: LexborNode) -> Iterator[str]:
    """The texts and the labels of a part of a page, except those that are marked as English."""
    for child in node.iter(include_text=True):
        if child.tag == "-text":
            yield " ".join(child.text(deep=False).split())
        elif child.tag not in INVISIBLE and child.attributes.get("lang") != Language.ENGLISH.value:
            yield from (" ".join(value.split()) for name in ATTRIBUTES if (value := child.attributes.get(name)))
            yield from list_texts(child)


def find_english(page: str) -> list[str]:
    """The English messages of a French page."""
    root = LexborHTMLParser(page).root
    assert root is not None
    assert root.attributes["lang"] == Language.FRENCH.value
    return sorted({text for text in list_texts(root) if is_english(text)})


def _is_phrase(text: str) -> bool:
    return len(WORD.findall(text)) >= MIN_PHRASE


def find_english_phrases(text: str) -> list[str]:
    """The English messages of at least `MIN_PHRASE` words within the text of a French document."""
    literal, patterns = english_templates()
    phrases = (message for message in literal if _is_phrase(message) and message in text)
    templates = (
        pattern.pattern.replace(".+?", f".{{1,{MAX_VALUE}}}?")
        for pattern in patterns
        if _is_phrase(longest := max(pattern.pattern.split(".+?"), key=len)) and re.search(longest, text)
    )
    return sorted({*phrases, *(found[0] for template in templates if (found := re.search(template, text)))})


def test_an_english_message_is_found() -> None:
    english = "We couldn’t find this page."
    page = f'<html lang="fr"><body><p title="Accueil">Rien. <b>{{}}</b> <i lang="en">{english}</i></p></body></html>'
    assert find_english(page.format("Page introuvable.")) == []
    assert find_english(page.format(english)) == [english]


@pytest.mark.parametrize("template", TEMPLATES)
async def test_a_page_has_no_english(template: str, owner: httpx2.AsyncClient, lived_in: LivedInBy) -> None:
    page = await owner.get(build_page_address(template, lived_in.made))
    assert find_english(page.text) == []


@pytest.mark.parametrize("address", INVALID_FORMS)
async def test_the_errors_of_a_form_have_no_english(address: str, owner: httpx2.AsyncClient) -> None:
    page = await send(owner, "/console/sources", address, **INVALID_FORMS[address])
    assert page.status_code >= 400
    assert find_english(page.text) == []


async def test_the_errors_of_a_screening_have_no_english(owner: httpx2.AsyncClient) -> None:
    wrong = {"query": "x", "countries": "Canada", "dateOfBirth": "soon", "threshold": 7, "typoTolerance": 9}
    page = await send(owner, "/console/sanctions", **wrong)
    assert page.status_code == 422
    assert find_english(page.text) == []


async def test_the_pages_of_visitors_have_no_english(lived_in: LivedInBy) -> None:
    invitation = await lived_in.people.invitation("new@hautes-terres.example")
    async with httpx2.AsyncClient(
        base_url=lived_in.people.runtime.settings.base_url, headers={"Accept-Language": "fr"}, follow_redirects=True
    ) as visitor:
        for address in ("/console/sign-in", invitation, "/console/link?token=unknown"):
            assert find_english((await visitor.get(address)).text) == []


def test_an_english_phrase_is_found() -> None:
    literal = min(message for message in english_templates()[0] if _is_phrase(message))
    assert literal in find_english_phrases(f"Sommaire {literal} Page 1 de 2")
    assert find_english_phrases("Sommaire Aucune liste ne contient ce nom. Page 1 de 2") == []


@pytest.mark.parametrize("address", DOCUMENTS)
async def test_a_document_has_no_english(address: str, owner: httpx2.AsyncClient, lived_in: LivedInBy) -> None:
    path = address.format(**asdict(lived_in.made))
    assert find_english_phrases(await read_pdf(owner, path, Language.ENGLISH)) != []
    assert find_english_phrases(await read_pdf(owner, path, Language.FRENCH)) == []


async def read_pdf(client: httpx2.AsyncClient, path: str, language: Language) -> str:
    """The text of a document in a language."""
    document = await client.get(path, headers={"Accept-Language": language.value})
    assert document.status_code == 200
    reader = PdfReader(io.BytesIO(document.content))
    assert str(reader.root_object["/Lang"]).startswith(language.value)
    return " ".join(" ".join(page.extract_text() for page in reader.pages).split())
