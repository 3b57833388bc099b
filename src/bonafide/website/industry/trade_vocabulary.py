"""Translate a site's words into those of the classification: everyday words, French words, schema.org types.

The tables (`trade_words.yml`) are this project's own, not part of the classification, and never shown as official.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bonafide.i18n.language import Language
from bonafide.matching.text.folding import fold
from bonafide.website.industry.site_texts import SiteText, TextPosition
from bonafide.website.industry.text_features import split_words, stem_word
from bonafide.website.tables import read_website_table

EVERYDAY_SHARE = 0.7
"""The weight of the classification's term for an everyday word, relative to the word itself."""
_TABLES = read_website_table("trade_words.yml")
_SHOWN = re.compile(r"[^\W\d_]{2,}")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def _index_by_stems(table: Mapping[str, str]) -> dict[tuple[str, ...], list[str]]:
    return {tuple(stem_word(word) for word in split_words(key)): split_words(value) for key, value in table.items()}


_EVERYDAY = _index_by_stems(_TABLES["everyday"])
_FRENCH = _index_by_stems(_TABLES["french"])
_TYPES: Mapping[str, str] = _TABLES["types"]
_EMPTY_TYPES = frozenset(_TABLES["empty_types"])
_NONE = frozenset[str]()
_EMPTY = frozenset(_TABLES["empty_words"].split())
_EMPTY_IN_LINKS = _EMPTY | frozenset(_TABLES["link_words"].split())


WordWithSource = tuple[str, str]
"""A folded word to search for, and the word of the site that it was derived from."""


@dataclass(frozen=True, slots=True)
class WeightedWords:
    """The words of a text for the index. `share` is their weight relative to the original text."""

    sourced: tuple[WordWithSource, ...]
    share: float

    @property
    def words(self) -> tuple[str, ...]:
        """The words to search for."""
        return tuple(word for word, _ in self.sourced)


def translate_text(text: SiteText, languages: frozenset[Language]) -> Iterator[WeightedWords]:
    """Yield the words of the text, and their terms in the classification. `languages` are those of the index."""
    selected = _select_words(text)
    translated = selected
    if text.language is Language.FRENCH:
        translated = tuple(_replace_words(selected))
        if text.language in languages:
            yield WeightedWords(selected, 1.0)
    if text.language not in languages or translated == selected:
        yield WeightedWords(translated, 1.0)
    if text.place is not TextPosition.ACTIVITY:
        yield from (WeightedWords(found, EVERYDAY_SHARE) for found in _translate_everyday(translated))


def _select_words(text: SiteText) -> tuple[WordWithSource, ...]:
    """Return the words of a text without those of any site; all words of an activity; the words of a schema.org type."""
    content = text.text
    if text.place is TextPosition.TYPE:
        content = "" if content in _EMPTY_TYPES else _TYPES.get(content, _CAMEL.sub(" ", content))
    empty = {TextPosition.ACTIVITY: _NONE, TextPosition.LINK: _EMPTY_IN_LINKS}.get(text.place, _EMPTY)
    shown = {fold(word): word for word in _SHOWN.findall(content)}
    return tuple((word, shown.get(word, word)) for word in split_words(content) if word not in empty)


def _translate_everyday(words: Sequence[WordWithSource]) -> Iterator[tuple[WordWithSource, ...]]:
    """Yield the terms for each word, and each two adjacent words, in the table of everyday words."""
    stems = [stem_word(word) for word, _ in words]
    for start in range(len(stems)):
        for end in (start + 1, start + 2):
            found = _EVERYDAY.get(tuple(stems[start:end])) if end <= len(stems) else None
            if found is not None:
                source = " ".join(word for _, word in words[start:end])
                yield tuple((word, source) for word in found)


def _replace_words(words: Sequence[WordWithSource]) -> Iterator[WordWithSource]:
    """Translate the words with the table. Missing words are kept, because many are the same in both languages."""
    for word, source in words:
        yield from ((found, source) for found in _FRENCH.get((stem_word(word),), [word]))
