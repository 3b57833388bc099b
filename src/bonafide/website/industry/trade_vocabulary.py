"""Translate a site's words into those of the classification: everyday words, French ones, schema.org types.

The tables (`trade_words.yml`) are this project's own and no part of the classification; nothing of them is shown as official.
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
"""What the classification's name for an everyday word counts beside the word itself."""
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
"""A folded word to search by, and the word of the site that it stands for."""


@dataclass(frozen=True, slots=True)
class WeightedWords:
    """A text in words that an index may hold; `share` is what it counts beside the text that it is from."""

    spoken: tuple[WordWithSource, ...]
    share: float

    @property
    def words(self) -> tuple[str, ...]:
        """The words to search by."""
        return tuple(word for word, _ in self.spoken)


def translate_text(text: SiteText, languages: frozenset[Language]) -> Iterator[WeightedWords]:
    """The text, and what its words are in the classification's; `languages` are those that the index holds."""
    spoken = _select_words(text)
    translated = spoken
    if text.language is Language.FRENCH:
        translated = tuple(_replace_words(spoken))
        if text.language in languages:
            yield WeightedWords(spoken, 1.0)
    if text.language not in languages or translated == spoken:
        yield WeightedWords(translated, 1.0)
    if text.place is not TextPosition.ACTIVITY:
        yield from (WeightedWords(found, EVERYDAY_SHARE) for found in _translate_everyday(translated))


def _select_words(text: SiteText) -> tuple[WordWithSource, ...]:
    """The words of a text less those that any site has; all of a stated activity; of a type those that it stands for."""
    told = text.text
    if text.place is TextPosition.TYPE:
        told = "" if told in _EMPTY_TYPES else _TYPES.get(told, _CAMEL.sub(" ", told))
    empty = {TextPosition.ACTIVITY: _NONE, TextPosition.LINK: _EMPTY_IN_LINKS}.get(text.place, _EMPTY)
    shown = {fold(word): word for word in _SHOWN.findall(told)}
    return tuple((word, shown.get(word, word)) for word in split_words(told) if word not in empty)


def _translate_everyday(spoken: Sequence[WordWithSource]) -> Iterator[tuple[WordWithSource, ...]]:
    """What the table of everyday words says of each word, and of each two that stand side by side."""
    stems = [stem_word(word) for word, _ in spoken]
    for place in range(len(stems)):
        for end in (place + 1, place + 2):
            found = _EVERYDAY.get(tuple(stems[place:end])) if end <= len(stems) else None
            if found is not None:
                said = " ".join(word for _, word in spoken[place:end])
                yield tuple((word, said) for word in found)


def _replace_words(spoken: Sequence[WordWithSource]) -> Iterator[WordWithSource]:
    """The words with those that the table has replaced. One that it lacks stays: many are the same in both languages."""
    for word, said in spoken:
        yield from ((found, said) for found in _FRENCH.get((stem_word(word),), [word]))
