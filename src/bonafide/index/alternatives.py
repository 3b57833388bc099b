"""What the words of a query may be written as, before any segment is asked: run together, split, cut short, in other forms.

It depends on the query alone, so it is made once, however many segments are asked in turn. Which of it a segment knows, and what
that is worth, is the business of `expand`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise

from bonafide.index.hashing import Hashes, hash_texts
from bonafide.index.tokens import is_number
from bonafide.matching.words import equivalents

_CUT_FROM, _SHORTEST_CUT = 6, 4
"""Letters from which a word may stand in the register cut short, and how many must be left of it."""
_SPLIT_FROM, _SHORTEST_PART = 5, 2
"""Letters from which a word is also taken for two run together, and how many each of them must have."""
_REMEMBERED = 256
"""Queries; a few are asked at a time, each of some forty segments."""


@dataclass(frozen=True, slots=True)
class Alternatives:
    """The words of a query, and by their places what each may be written as; `all` are the distinct ones, with their hashes."""

    words: tuple[str, ...]
    joins: tuple[str, ...]
    """The word run together with the next."""
    equivalents: tuple[tuple[str, ...], ...]
    cuts: tuple[tuple[str, ...], ...]
    splits: tuple[tuple[tuple[str, str], ...], ...]
    all: tuple[str, ...]
    hashes: Hashes


@lru_cache(maxsize=_REMEMBERED)
def alternatives_of(words: tuple[str, ...]) -> Alternatives:
    """The alternatives of a query's distinct words."""
    joins = tuple("".join(pair) for pair in pairwise(words))
    # In the alphabet's order: that of a set changes from process to process.
    others = tuple(tuple(sorted(equivalents(word))) for word in words)
    cuts, splits = tuple(map(_cuts, words)), tuple(map(_splits, words))
    halves = chain.from_iterable(chain.from_iterable(splits))
    distinct = tuple(dict.fromkeys(chain(words, joins, chain.from_iterable(others), chain.from_iterable(cuts), halves)))
    return Alternatives(words, joins, others, cuts, splits, distinct, _shared(hash_texts(distinct)))


@lru_cache(maxsize=_REMEMBERED)
def hashes_of(texts: tuple[str, ...]) -> Hashes:
    """The hashes of texts that several segments are asked for."""
    return _shared(hash_texts(texts))


def _shared(hashes: Hashes) -> Hashes:
    hashes.flags.writeable = False
    return hashes


def _cuts(word: str) -> tuple[str, ...]:
    """The shorter forms that a register may have cut a word to."""
    if len(word) < _CUT_FROM or is_number(word):
        return ()
    return tuple(word[:length] for length in range(max(_SHORTEST_CUT, len(word) // 2), len(word) - 1))


def _splits(word: str) -> tuple[tuple[str, str], ...]:
    """The ways to read a word as two that were run together."""
    if len(word) < _SPLIT_FROM:
        return ()
    return tuple((word[:place], word[place:]) for place in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1))


def places_and_words(alternatives: Sequence[Sequence[str]]) -> list[tuple[int, str]]:
    """Each alternative with the place of the word that it stands for."""
    return [(place, word) for place, words in enumerate(alternatives) for word in words]
