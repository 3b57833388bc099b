"""Split a text into the features of the industry index: stems, pairs of stems and character n-grams.

Both sides of a search go through it, the official phrases and the words of a site. It weighs nothing.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from bonafide.matching.text.folding import fold
from bonafide.website.tables import read_website_table

PAIR_WINDOW = 6
"""Two words are a pair when fewer than so many places lie between them."""
GRAM_LENGTHS = (4, 5)
"""Characters of a piece of a word, its beginning and end counted as one each."""
MAX_WORD = 30
"""Longer ones are no words."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_EMPTY = frozenset(read_website_table("trade_words.yml")["function_words"].split())
"""English and French words that every phrase has."""
_DENIED = re.compile(
    r"\((?:except|other than|excluding|not|sauf|excepté|autres? que)\b[^)]*\)|\b(?:without|except|sans)\b[^,;()]*", re.IGNORECASE
)
"""What a text says that something is not: "bakeries without baking on the premises" speaks of no baking."""
_KEEPS_S = ("ss", "us", "is")
_ENDINGS = ("ing", "er", "ed")
_SHORTEST = 4
"""A stem is not cut below so many letters."""


def split_words(text: str) -> list[str]:
    """The words that mean something, folded, in their order; none of what the text says that a thing is not."""
    return [word for word in _WORD.findall(fold(_DENIED.sub(" ", text))) if word not in _EMPTY and len(word) <= MAX_WORD]


@lru_cache(maxsize=2**16)
def stem_word(word: str) -> str:
    """A folded word without the commonest endings of both languages: `bakeries` and `bakery` are `bakeri`, `baker` is `bak`."""
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
    """All that the words of one text are searched by; of each sort as often as it occurs."""
    stems = [stem_word(word) for word in words]
    yield from stems
    yield from list_pairs(stems)
    for word in words:
        yield from _list_ngrams(word)


def list_pairs(stems: Sequence[str]) -> Iterator[str]:
    """Each two different stems that stand near each other, in either order."""
    for place, one in enumerate(stems):
        for other in stems[place + 1 : place + 1 + PAIR_WINDOW]:
            if one != other:
                yield f"{one} {other}" if one < other else f"{other} {one}"


@lru_cache(maxsize=2**16)
def _list_ngrams(word: str) -> tuple[str, ...]:
    """The pieces; a sign before each keeps them apart from words."""
    marked = f"^{word}$"
    return tuple(f"#{marked[i : i + n]}" for n in GRAM_LENGTHS for i in range(len(marked) - n + 1))


def is_pair(feature: str) -> bool:
    """Whether a feature is two words."""
    return " " in feature


def is_ngram(feature: str) -> bool:
    """Whether a feature is a piece of a word."""
    return feature.startswith("#")
