"""Classify single words for the comparison of names: empty, common, opposite or equivalent ones.

The classes are defined in `words.yml`, translations in `translations.txt`, and the frequent words of English and French in
`frequent_words.txt`. `word_rarity` also uses the frequency of words in the loaded registers.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple

from rapidfuzz.distance import OSA

from bonafide.matching.text.inflection import find_lemma
from bonafide.matching.text.tables import read_table, read_word_list


class WordClass(StrEnum):
    """The classes of words, from the least to the most distinctive."""

    FUNCTION = "function"
    SHAPE = "shape"
    PLACE = "place"
    TRADE = "trade"
    LETTER = "letter"
    ORDINARY = "ordinary"
    NUMBER = "number"
    RARE = "rare"


_TABLE = read_table("words")

CONNECTORS = frozenset[str](_TABLE["connectors"])
EMPTY_WORDS = CONNECTORS | frozenset[str](_TABLE["articles"])
"""Articles and connectors: they never distinguish a name."""
CANADIAN_PLACES = frozenset[str](_TABLE["canadian_places"].split())
"""Words that name a city or province of Canada and that stand behind the name of a business."""
_SHORT_FORMS = frozenset[str](_TABLE["short_forms"].split())
_FORM_WORDS = tuple[str, ...](_TABLE["form_words"].split())


def _index_classes(classes: Mapping[str, str]) -> dict[str, WordClass]:
    found: dict[str, WordClass] = {}
    for name, words in classes.items():
        for word in words.split():
            # A word in two lists has the class of the first; the lists are ordered from the least to the most distinctive.
            found.setdefault(word, WordClass(name))
    return found


def _index_opposites(rows: Iterable[Iterable[str]]) -> dict[str, tuple[int, int]]:
    return {
        word: (row, member)
        for row, members in enumerate(rows)
        for member, spellings in enumerate(members)
        for word in spellings.split("=")
    }


def _index_equivalents(rows: Iterable[Iterable[str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for row in rows:
        for word in row:
            found.setdefault(word, set()).update(row)
    return found


_CLASSES: dict[str, WordClass] = _index_classes(_TABLE["classes"]) | dict.fromkeys(_TABLE["roman_numerals"], WordClass.NUMBER)
_OPPOSITES = _index_opposites(_TABLE["opposites"])
_TRANSLATIONS = ((english, word) for english, *french in read_word_list("translations") for word in french)
_INFLECTED = (*_TABLE["equivalents"], *_TRANSLATIONS)
_EQUIVALENTS = _index_equivalents((*_INFLECTED, *_TABLE["public_bodies"]))
_FREQUENT = frozenset[str](word for line in read_word_list("frequent_words") for word in line)
_NONE = frozenset[str]()
_KNOWN = _CLASSES.keys() | _OPPOSITES.keys()


@lru_cache(maxsize=2**14)
def classify_word(word: str) -> WordClass:
    """The class of a normalised word. A word with a digit is a number; a word in no list is rare."""
    listed = _CLASSES.get(word)
    if listed is not None:
        return listed
    if word.isalpha():
        return WordClass.LETTER if len(word) == 1 and word.isascii() else _classify_unlisted(word)
    return WordClass.NUMBER if any(map(str.isdecimal, word)) else WordClass.RARE


def _classify_unlisted(word: str) -> WordClass:
    slipped = any(OSA.distance(word, form, score_cutoff=1) <= 1 for form in _FORM_WORDS)
    return WordClass.SHAPE if slipped else WordClass.RARE


def is_listed(word: str) -> bool:
    """Whether the word is listed, so that a similar listed word is a different word rather than a typo."""
    return word in _KNOWN


@lru_cache(maxsize=2**15)
def is_frequent(word: str) -> bool:
    """Whether the word is frequent in English or French, or listed, so that it is hardly another word's misspelling."""
    return word in _KNOWN or word in _FREQUENT or (word[-1:] == "s" and (word[:-1] in _FREQUENT or word[:-1] in _KNOWN))


def is_short_form(word: str) -> bool:
    """Whether the word is known as a short form of several words ("tech", "dev")."""
    return word in _SHORT_FORMS


def has_opposite(word: str) -> bool:
    """Whether some other word excludes this one."""
    return word in _OPPOSITES


def are_opposites(one: str, other: str) -> bool:
    """Whether the words exclude each other, as "east" and "west" do."""
    left, right = _OPPOSITES.get(one), _OPPOSITES.get(other)
    return left is not None and right is not None and left[0] == right[0] and left[1] != right[1]


@lru_cache(maxsize=2**15)
def find_equivalents(word: str) -> frozenset[str]:
    """The word in the other language or in another spelling, in the forms that are listed: "groupe" for "group"; usually none."""
    inflected, found = _index_inflected(), set(_EQUIVALENTS.get(word, _NONE))
    for lemma in inflected.equivalents.get(find_lemma(word), _NONE):
        found |= inflected.forms[lemma]
    return frozenset(found - {word})


@lru_cache(maxsize=2**15)
def are_equivalent(one: str, other: str) -> bool:
    """Whether the words are the same in the other language or in another spelling, in any form: "forest" and "forestiers"."""
    if other in _EQUIVALENTS.get(one, _NONE):
        return True
    lemmas = _index_inflected().equivalents.get(find_lemma(one))
    return lemmas is not None and find_lemma(other) in lemmas


class _InflectedWords(NamedTuple):
    """The listed forms of each word, and its equivalents without their endings, both by the word's lemma."""

    forms: dict[str, set[str]]
    equivalents: dict[str, set[str]]


@cache
def _index_inflected() -> _InflectedWords:
    # Built when the first words are compared: it takes a third of the time in which the tables are read.
    found = _InflectedWords({}, {})
    for row in _INFLECTED:
        lemmas = {word: find_lemma(word) for word in row}
        for word, lemma in lemmas.items():
            found.forms.setdefault(lemma, set()).add(word)
            found.equivalents.setdefault(lemma, set()).update(other for other in lemmas.values() if other != lemma)
    return found
