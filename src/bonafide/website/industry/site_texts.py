"""Collect the texts of a site that describe its trade, with weights: title, headings, structured types, lists.

It also detects the language of each text. `classifier` determines the industry.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from selectolax.lexbor import LexborNode

from bonafide.i18n.language import Language
from bonafide.matching.text.folding import fold
from bonafide.website.page_content.markup import SitePage, parse_markup
from bonafide.website.tables import read_website_table

MAX_TEXTS = 120
MAX_TEXT = 300
"""The maximum number of characters of one text."""
MAX_PARAGRAPHS = 6
"""The first paragraphs of a page; later ones are news and legal notices."""
MAX_ITEMS = 20
MIN_PARAGRAPH = 30
MAX_TYPE_DEPTH = 6
"""The depth of nested JSON-LD."""
PERSON = "Person"
"""The type of things whose names do not describe a trade."""
_LEGAL = re.compile(r"privacy|terms|legal|polic|cookie|confidentialite|conditions|mentions|juridique", re.IGNORECASE)
"""Addresses of pages that do not depend on the trade."""
_SMALL = {Language(code): frozenset(words.split()) for code, words in read_website_table("trade_words.yml")["small_words"].items()}
"""Function words that identify a language."""


class TextPosition(StrEnum):
    """The position of a text on a site."""

    ACTIVITY = "activity"
    """An explicit activity of the business, as in a list of activities; never used for texts of a page."""
    NAME = "name"
    TITLE = "title"
    DESCRIPTION = "description"
    TYPE = "type"
    """A type of schema.org's vocabulary, in JSON-LD or microdata."""
    HEADING = "heading"
    LINK = "link"
    """A link in the navigation."""
    ITEM = "item"
    PARAGRAPH = "paragraph"


WEIGHTS = {
    TextPosition.ACTIVITY: 1.0,
    TextPosition.NAME: 2.0,
    TextPosition.TITLE: 2.0,
    TextPosition.DESCRIPTION: 2.0,
    TextPosition.TYPE: 3.0,
    TextPosition.HEADING: 1.5,
    TextPosition.LINK: 0.5,
    TextPosition.ITEM: 0.5,
    TextPosition.PARAGRAPH: 1.0,
}
"""The weight of a text by its position."""


@dataclass(frozen=True, slots=True)
class SiteText:
    """One text of a site."""

    place: TextPosition
    text: str
    language: Language = Language.ENGLISH


@dataclass(frozen=True, slots=True)
class SiteWords:
    """The texts that describe the trade, without duplicates."""

    texts: tuple[SiteText, ...]

    @property
    def language(self) -> Language:
        """The language of most of the text; English if there is none."""
        counted: Counter[Language] = Counter()
        for text in self.texts:
            counted[text.language] += len(text.text)
        return max(Language, key=lambda language: counted[language])


def collect_site_texts(pages: Sequence[SitePage]) -> SiteWords:
    """Collect the texts of pages, without those of terms and privacy. Never raises for the content of a page."""
    texts: dict[tuple[TextPosition, str], SiteText] = {}
    for page in pages:
        if _LEGAL.search(urlsplit(page.url).path) is None:
            tree = parse_markup(page.html)
            if tree is None:
                continue
            declared = _read_declared_language(tree)
            for place, text in _list_page_texts(tree):
                shown = " ".join(text.split())[:MAX_TEXT]
                if shown != "":
                    texts.setdefault((place, fold(shown)), SiteText(place, shown, detect_language(shown, declared)))
    return SiteWords(tuple(texts.values())[:MAX_TEXTS])


def detect_language(text: str, declared: Language | None) -> Language:
    """Return the language with the most function words in the text; for a short text that of its page."""
    words = fold(text).split()
    counted = {language: sum(word in small for word in words) for language, small in _SMALL.items()}
    if len(set(counted.values())) == 1:
        return declared if declared is not None else Language.ENGLISH
    return max(counted, key=lambda language: counted[language])


def _read_declared_language(tree: LexborNode) -> Language | None:
    """Return the declared language of a page, or else the detected one."""
    root = tree.css_first("html")
    declared = (root.attributes.get("lang") or "")[:2].lower() if root is not None else ""
    if declared in set(Language):
        return Language(declared)
    body = tree.css_first("body")
    return detect_language(body.text(separator=" ")[:2000], None) if body is not None else None


def _list_page_texts(tree: LexborNode) -> Iterator[tuple[TextPosition, str]]:
    """Yield the texts of a page by decreasing weight."""
    yield from _list_structured_texts(tree)
    yield from _list_attributes(tree, "meta[property='og:site_name']", TextPosition.NAME)
    yield from ((TextPosition.TITLE, node.text()) for node in tree.css("head > title")[:1])
    for name in ("meta[name='description']", "meta[property='og:description']"):
        yield from _list_attributes(tree, name, TextPosition.DESCRIPTION)
    for node in tree.css("script, style, noscript, template, footer"):
        node.decompose()
    yield from ((TextPosition.HEADING, node.text(separator=" ")) for node in tree.css("h1, h2, h3")[:MAX_ITEMS])
    navigation = [node.text(separator=" ") for node in tree.css("nav a, header a")[:MAX_ITEMS]]
    yield from ((TextPosition.LINK, text) for text in navigation)
    for node in tree.css("nav, header"):
        node.decompose()
    yield from ((TextPosition.ITEM, text) for text in _list_long_texts(tree.css("li, dt"), 1)[:MAX_ITEMS])
    yield from ((TextPosition.PARAGRAPH, text) for text in _list_long_texts(tree.css("p"), MIN_PARAGRAPH)[:MAX_PARAGRAPHS])


def _list_attributes(tree: LexborNode, selector: str, place: TextPosition) -> Iterator[tuple[TextPosition, str]]:
    for node in tree.css(selector)[:1]:
        yield place, node.attributes.get("content") or ""


def _list_long_texts(nodes: Iterable[LexborNode], least: int) -> list[str]:
    return [text for node in nodes if len(text := node.text(separator=" ").strip()) >= least]


def _list_structured_texts(tree: LexborNode) -> Iterator[tuple[TextPosition, str]]:
    """Yield the names, types and descriptions in structured data."""
    for node in tree.css("script[type='application/ld+json']"):
        try:
            yield from _walk_things(json.loads(node.text()), 0)
        except (ValueError, RecursionError):
            # Invalid JSON is ignored here.
            continue
    for node in tree.css("[itemtype]"):
        yield TextPosition.TYPE, (node.attributes.get("itemtype") or "").rpartition("/")[2]


def _walk_things(value: Any, depth: int) -> Iterator[tuple[TextPosition, str]]:
    if depth > MAX_TYPE_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from _walk_things(item, depth + 1)
    elif isinstance(value, dict):
        yield from _list_thing_texts(value)
        for key in ("@graph", "mainEntity", "publisher", "makesOffer", "itemOffered"):
            yield from _walk_things(value.get(key), depth + 1)


def _list_thing_texts(thing: dict[str, Any]) -> Iterator[tuple[TextPosition, str]]:
    types = thing.get("@type")
    names = [name.rpartition("/")[2] for name in (types if isinstance(types, list) else [types]) if isinstance(name, str)]
    yield from ((TextPosition.TYPE, name) for name in names)
    if PERSON in names:
        return
    for key, place in (("name", TextPosition.NAME), ("description", TextPosition.DESCRIPTION), ("knowsAbout", TextPosition.ITEM)):
        if isinstance(thing.get(key), str):
            yield place, thing[key]
