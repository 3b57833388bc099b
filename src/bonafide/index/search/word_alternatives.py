"""The spellings under which the words of a query may be indexed; computed once for all segments.

It depends on the query alone, so it is made once, however many segments are asked in turn. Which of it a segment knows, and what
that is worth, is the business of `expand`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise

from bonafide.index.format.hashing import Hashes, hash_texts
from bonafide.index.format.number_edits import is_number
from bonafide.matching.text.word_classes import find_equivalents

_TRUNCATED_FROM, _SHORTEST_TRUNCATION = 6, 4
"""Letters from which a word may stand in the register cut short, and how many must be left of it."""
_SPLIT_FROM, _SHORTEST_PART = 5, 2
"""Letters from which a word is also taken for two run together, and how many each of them must have."""
_CACHED_QUERIES = 256
"""Queries; a few are asked at a time, each of some forty segments."""


@dataclass(frozen=True, slots=True)
class WordAlternatives:
    """The words of a query, and by their places what each may be written as; `all` are the distinct ones, with their hashes."""

    words: tuple[str, ...]
    joins: tuple[str, ...]
    """The word run together with the next."""
    equivalents: tuple[tuple[str, ...], ...]
    cuts: tuple[tuple[str, ...], ...]
    splits: tuple[tuple[tuple[str, str], ...], ...]
    all: tuple[str, ...]
    hashes: Hashes


@lru_cache(maxsize=_CACHED_QUERIES)
def find_alternatives(words: tuple[str, ...]) -> WordAlternatives:
    """The alternatives of a query's distinct words."""
    joins = tuple("".join(pair) for pair in pairwise(words))
    # In the alphabet's order: that of a set changes from process to process.
    others = tuple(tuple(sorted(find_equivalents(word))) for word in words)
    cuts, splits = tuple(map(_list_truncations, words)), tuple(map(_list_splits, words))
    halves = chain.from_iterable(chain.from_iterable(splits))
    distinct = tuple(dict.fromkeys(chain(words, joins, chain.from_iterable(others), chain.from_iterable(cuts), halves)))
    return WordAlternatives(words, joins, others, cuts, splits, distinct, _make_read_only(hash_texts(distinct)))


@lru_cache(maxsize=_CACHED_QUERIES)
def hash_texts_cached(texts: tuple[str, ...]) -> Hashes:
    """The hashes of texts that several segments are asked for."""
    return _make_read_only(hash_texts(texts))


def _make_read_only(hashes: Hashes) -> Hashes:
    hashes.flags.writeable = False
    return hashes


def _list_truncations(word: str) -> tuple[str, ...]:
    """The shorter forms that a register may have cut a word to."""
    if len(word) < _TRUNCATED_FROM or is_number(word):
        return ()
    return tuple(word[:length] for length in range(max(_SHORTEST_TRUNCATION, len(word) // 2), len(word) - 1))


def _list_splits(word: str) -> tuple[tuple[str, str], ...]:
    """The ways to read a word as two that were run together."""
    if len(word) < _SPLIT_FROM:
        return ()
    return tuple((word[:place], word[place:]) for place in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1))


def enumerate_alternatives(alternatives: Sequence[Sequence[str]]) -> list[tuple[int, str]]:
    """Each alternative with the place of the word that it stands for."""
    return [(place, word) for place, words in enumerate(alternatives) for word in words]
