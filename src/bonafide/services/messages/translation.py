"""Translate the sentences of a stored document that this service has written."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, TypeVar

from bonafide.model.base import Document
from bonafide.model.language import Language
from bonafide.package_data import read_yaml

_BLANK = re.compile(r"\{(\*?)([a-z0-9]+)\}")
_CLAUSE_SEPARATOR = "; "
CACHE_SIZE = 4096
"""Texts that are kept in French: one search repeats few of them many times."""
TRANSLATED_FIELDS = frozenset({"reason", "reasons", "note", "notes", "message", "error", "reasoning"})
"""Fields whose text this service writes. Paths in `_UNTRANSLATED_FIELDS` are excluded: a source or an organization writes them."""
_UNTRANSLATED_FIELDS = frozenset({"details", "dismissed"})
D = TypeVar("D", bound=Document)


@dataclass(frozen=True, slots=True)
class _Phrase:
    """One sentence or clause: what fits it, and what is said instead."""

    english: re.Pattern[str]
    french: str

    def said(self, text: str) -> str | None:
        found = self.english.fullmatch(text)
        if found is None:
            return None
        return _BLANK.sub(lambda blank: translate_to_french(found[blank[2]]) if blank[1] else found[blank[2]], self.french)


@lru_cache(CACHE_SIZE)
def translate_to_french(text: str) -> str:
    """The text in French, as far as this service has worded it."""
    exact, sentences, clauses = _load_phrases()
    plain = " ".join(text.split())
    known = exact.get(plain.rstrip("."))
    if known is not None:
        return known if plain.endswith(".") else known.rstrip(".")
    said = _translate_first(sentences, plain)
    if said is not None:
        return said
    return _CLAUSE_SEPARATOR.join(_translate_clause(clauses, part) for part in plain.split(_CLAUSE_SEPARATOR))


def _translate_clause(clauses: tuple[_Phrase, ...], text: str) -> str:
    said = _translate_first(clauses, text)
    return said if said is not None else text


def _translate_first(phrases: tuple[_Phrase, ...], text: str) -> str | None:
    return next(_find_translations(phrases, text), None)


def _find_translations(phrases: tuple[_Phrase, ...], text: str) -> Iterator[str]:
    return (said for said in (phrase.said(text) for phrase in phrases) if said is not None)


@cache
def _load_phrases() -> tuple[dict[str, str], tuple[_Phrase, ...], tuple[_Phrase, ...]]:
    """Whole texts of sources, then sentences and clauses in the order in which they are tried."""
    words, requests, sources = (
        read_yaml(__package__, "french.yml"),
        read_yaml(__package__, "french_requests.yml"),
        read_yaml(__package__, "french_sources.yml"),
    )
    exact = {" ".join(english.split()).rstrip("."): french for english, french in sources}
    sentences = tuple(_parse_phrase(*pair) for pair in (*words["sentences"], *requests))
    clauses = tuple(_parse_phrase(*pair) for pair in words["clauses"])
    return exact, sentences, clauses


def _parse_phrase(english: str, french: str) -> _Phrase:
    pattern, end = "", 0
    for blank in _BLANK.finditer(english):
        pattern += re.escape(english[end : blank.start()]) + f"(?P<{blank[2]}>.+?)"
        end = blank.end()
    return _Phrase(re.compile(pattern + re.escape(english[end:]), re.DOTALL), french)


def translate(text: str, language: Language) -> str:
    """A sentence of this service."""
    return translate_to_french(text) if language is Language.FRENCH else text


def translate_document(document: D, language: Language) -> D:
    """The document with its sentences in the language."""
    if language is Language.ENGLISH:
        return document
    return type(document).model_validate(_translate_value(document.model_dump()))


def _translate_value(value: Any, field: str = "") -> Any:
    if isinstance(value, str):
        # A member of a StrEnum is a code, whatever its field is called.
        return translate_to_french(value) if field in TRANSLATED_FIELDS and type(value) is str else value
    if isinstance(value, dict):
        return {name: item if name in _UNTRANSLATED_FIELDS else _translate_value(item, name) for name, item in value.items()}
    return [_translate_value(item, field) for item in value] if isinstance(value, (list, tuple)) else value
