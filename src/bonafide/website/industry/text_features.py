"""Split a text into the features of the industry index: stems, pairs of stems and character n-grams.

Both the official phrases and the words of a site are split this way.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from bonafide.matching.text.folding import fold
from bonafide.website.tables import read_website_table

PAIR_WINDOW = 6
"""Two words within this distance are a pair."""
GRAM_LENGTHS = (4, 5)
"""The lengths of n-grams; the beginning and end of a word count as one character each."""
MAX_WORD = 30
"""Longer strings are not words."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_EMPTY = frozenset(read_website_table("trade_words.yml")["function_words"].split())
"""English and French stop words."""
_DENIED = re.compile(
    r"\((?:except|other than|excluding|not|sauf|excepté|autres? que)\b[^)]*\)|\b(?:without|except|sans)\b[^,;()]*", re.IGNORECASE
)
"""Negated text: "bakeries without baking on the premises" is not about baking."""
_KEEPS_S = ("ss", "us", "is")
_ENDINGS = ("ing", "er", "ed")
_SHORTEST = 4
"""The minimum length of a stem."""


def split_words(text: str) -> list[str]:
    """Return the folded words of the text in order, without stop words and negated text."""
    return [word for word in _WORD.findall(fold(_DENIED.sub(" ", text))) if word not in _EMPTY and len(word) <= MAX_WORD]


@lru_cache(maxsize=2**16)
def stem_word(word: str) -> str:
    """Remove common endings of both languages from a folded word: `bakeries` and `bakery` are `bakeri`, `baker` is `bak`."""
    if word.endswith(("s", "x")) and len(word) > _SHORTEST - 1 and not word.endswith(_KEEPS_S):
        word = word[:-1]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST - 1:
            word = word.removesuffix(ending)
            break
    if word.endswith("e") and len(word) > _SHORTEST:
        word = word[:-1]
    if word.endswith("y") and len(word) >= _SHORTEST:
        word = f"{word[:-1]}i"
    doubled = len(word) >= _SHORTEST and word[-1] == word[-2] and word[-1] not in "ls"
    return word[:-1] if doubled else word


def list_features(words: Sequence[str]) -> Iterator[str]:
    """Yield the stems, pairs and n-grams of the words of one text, as often as they occur."""
    stems = [stem_word(word) for word in words]
    yield from stems
    yield from list_pairs(stems)
    for word in words:
        yield from _list_ngrams(word)


def list_pairs(stems: Sequence[str]) -> Iterator[str]:
    """Yield each pair of different stems near each other, in alphabetical order."""
    for position, one in enumerate(stems):
        for other in stems[position + 1 : position + 1 + PAIR_WINDOW]:
            if one != other:
                yield f"{one} {other}" if one < other else f"{other} {one}"


@lru_cache(maxsize=2**16)
def _list_ngrams(word: str) -> tuple[str, ...]:
    """Return the n-grams, with a prefix that distinguishes them from words."""
    marked = f"^{word}$"
    return tuple(f"#{marked[i : i + n]}" for n in GRAM_LENGTHS for i in range(len(marked) - n + 1))


def is_pair(feature: str) -> bool:
    """Whether a feature is a pair of words."""
    return " " in feature


def is_ngram(feature: str) -> bool:
    """Whether a feature is an n-gram."""
    return feature.startswith("#")
