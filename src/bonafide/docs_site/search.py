"""Search the documentation: pages by section, and the operations of the API.

A section scores by the words of the query that it contains: rare words count more than frequent ones, and the title and the heading
count more than the text. The index is built in memory from the pages at the first search.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from markupsafe import Markup, escape

from bonafide.docs_site.api_reference import load_reference
from bonafide.docs_site.doc_pages import list_sections, list_versions
from bonafide.docs_site.markdown_rendering import PageSection, split_sections
from bonafide.i18n.language import Language
from bonafide.matching.text.folding import fold

MAX_QUERY_CHARACTERS = 200
MAX_RESULTS = 20
_MAX_RESULTS_OF_A_PAGE = 3
_MIN_PREFIX_CHARACTERS = 3
"""Shorter words match whole words only; longer ones match the beginnings of words, too."""
_TITLE_WEIGHT, _HEADING_WEIGHT = 6.0, 4.0
_PREFIX_WEIGHT = 0.5
_OTHER_LANGUAGE_WEIGHT = 0.5
"""Of pages that have a version in the reader's language."""
_HIDDEN_WEIGHT = 0.5
"""Of pages that the menu does not list (decisions): they come after guides that say the same."""
_EXCERPT_CHARACTERS = 220
_MAX_CACHED_WORDS = 20_000
"""Distinct words of all pages, of which there are some eight thousand, and of queries."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class DocsSearchResult:
    """A section that matches: its address, page title, heading, and an excerpt in which matching words are marked."""

    address: str
    title: str
    heading: str
    excerpt: Markup
    language: Language
    score: float


@dataclass(frozen=True, slots=True)
class _IndexedSection:
    address: str
    title: str
    heading: str
    text: str
    language: Language
    languages: frozenset[Language]
    """The languages in which there is a version of the page."""
    weight: float
    title_words: frozenset[str]
    heading_words: frozenset[str]
    word_counts: Counter[str]


@dataclass(frozen=True, slots=True)
class _SearchIndex:
    sections: tuple[_IndexedSection, ...]
    document_counts: Counter[str]
    """In how many sections each word occurs."""


def search_pages(query: str, language: Language = Language.ENGLISH) -> list[DocsSearchResult]:
    """The best sections for the query, best first. Sections with all words of the query come before those with some.

    All languages are searched. A version in the reader's language counts more than one in another.
    """
    words = list(dict.fromkeys(_split_words(query[:MAX_QUERY_CHARACTERS])))
    if not words:
        return []
    index = _load_index()
    variants = {word: _find_variants(index, word) for word in words}
    results = []
    for section in index.sections:
        scores = [_score_word(index, section, variants[word]) for word in words]
        found = sum(score > 0 for score in scores)
        if found > 0:
            is_second_choice = section.language != language and language in section.languages
            weight = section.weight * (_OTHER_LANGUAGE_WEIGHT if is_second_choice else 1)
            results.append((found, weight * sum(scores) * (found / len(words)) ** 2, section))
    results.sort(key=lambda row: (-row[0], -row[1], row[2].address))
    marked = frozenset(variant for found in variants.values() for variant in found)
    return [_build_result(section, score, marked) for _, score, section in _limit_pages(results)]


def _limit_pages(results: Sequence[tuple[int, float, _IndexedSection]]) -> list[tuple[int, float, _IndexedSection]]:
    """The first results, with at most a few sections of one page."""
    taken: Counter[str] = Counter()
    kept = []
    for row in results:
        page = row[2].address.partition("#")[0]
        taken[page] += 1
        if taken[page] <= _MAX_RESULTS_OF_A_PAGE:
            kept.append(row)
    return kept[:MAX_RESULTS]


def _find_variants(index: _SearchIndex, word: str) -> dict[str, float]:
    """The indexed words that a word of the query matches, each with its weight."""
    variants = {word: 1.0} if word in index.document_counts else {}
    if len(word) >= _MIN_PREFIX_CHARACTERS:
        longer = (other for other in index.document_counts if other != word and other.startswith(word))
        variants |= dict.fromkeys(longer, _PREFIX_WEIGHT)
    return variants


def _score_word(index: _SearchIndex, section: _IndexedSection, variants: dict[str, float]) -> float:
    """What one word of the query adds: its best variant counts."""
    return max((_score_variant(index, section, word) * weight for word, weight in variants.items()), default=0.0)


def _score_variant(index: _SearchIndex, section: _IndexedSection, word: str) -> float:
    rarity = math.log(1 + len(index.sections) / index.document_counts[word])
    places = math.log1p(section.word_counts[word])
    places += _TITLE_WEIGHT * (word in section.title_words) + _HEADING_WEIGHT * (word in section.heading_words)
    return rarity * places


def _build_result(section: _IndexedSection, score: float, marked: frozenset[str]) -> DocsSearchResult:
    return DocsSearchResult(
        section.address, section.title, section.heading, _build_excerpt(section.text, marked), section.language, score
    )


def _build_excerpt(text: str, marked: frozenset[str]) -> Markup:
    """The part of the text around its first matching word."""
    first = next((match.start() for match in _WORD.finditer(text) if not marked.isdisjoint(_fold_word(match[0]))), 0)
    start = text.rfind(" ", 0, max(0, first - _EXCERPT_CHARACTERS // 4)) + 1
    end = text.find(" ", start + _EXCERPT_CHARACTERS)
    end = end if end != -1 else len(text)
    parts, position = [Markup("… ") if start > 0 else Markup("")], start
    for match in _WORD.finditer(text, start, end):
        if not marked.isdisjoint(_fold_word(match[0])):
            parts += [escape(text[position : match.start()]), Markup("<mark>{}</mark>").format(match[0])]
            position = match.end()
    return Markup("").join([*parts, escape(text[position:end]), Markup(" …") if end < len(text) else Markup("")])


@cache
def _load_index() -> _SearchIndex:
    sections = (*_index_pages(), *_index_operations())
    counts = Counter(
        word for section in sections for word in section.word_counts.keys() | section.title_words | section.heading_words
    )
    return _SearchIndex(sections, counts)


def _index_pages() -> Iterator[_IndexedSection]:
    for shelf in list_sections():
        weight = 1.0 if shelf.in_menu else _HIDDEN_WEIGHT
        for page in shelf.pages:
            languages = frozenset(version.language for version in list_versions(page))
            for part in split_sections(page):
                address = f"{page.address}#{part.anchor}" if part.anchor != "" else page.address
                yield _index_section(address, page.title, part, page.language, languages, weight)


def _index_operations() -> Iterator[_IndexedSection]:
    for group in load_reference().groups:
        for operation in group.operations:
            address = f"{group.address}#{operation.operation_id}"
            heading = f"{operation.method} {operation.path}"
            part = PageSection(operation.operation_id, heading, f"{operation.summary} {operation.description}")
            yield _index_section(address, group.name, part, Language.ENGLISH, frozenset({Language.ENGLISH}), 1.0)


def _index_section(
    address: str, title: str, part: PageSection, language: Language, languages: frozenset[Language], weight: float
) -> _IndexedSection:
    return _IndexedSection(
        address,
        title,
        part.heading,
        part.text,
        language,
        languages,
        weight,
        frozenset(_split_words(title)),
        frozenset(_split_words(part.heading)),
        Counter(_split_words(part.text)),
    )


def _split_words(text: str) -> list[str]:
    """The words without case and accents. A name like `BONAFIDE_PORT` is one word, and its parts are words, too."""
    return [word for match in _WORD.finditer(text) for word in _fold_word(match[0])]


@lru_cache(maxsize=_MAX_CACHED_WORDS)
def _fold_word(text: str) -> tuple[str, ...]:
    parts = ["".join(filter(str.isalnum, fold(part))) for part in text.split("_")]
    words = ["_".join(parts), *parts] if len(parts) > 1 else parts
    return tuple(word for word in words if word.strip("_") != "")
