"""Words by their deletions, to find a word in spite of slips in its spelling (symmetric deletion).

Two words within k edits share a string that is left of each when at most k letters are deleted. So the segment holds what is left
of every word, and a query looks up what is left of its own.

    deletion_keys      CRC-32 of what is left of a word, in rising order (u4)
    deletion_tokens    the word's id (u4)

Only the first letters of a word are treated so, which keeps the table small: the first letters of two words within k edits share
such a string too. A key is a hint, also because two strings may have the same CRC-32: comparing the words is left to `spelling`.
"""

from array import array
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, combinations
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from bonafide.index.files import Arrays, SegmentWriter
from bonafide.index.ragged import Positions, spread
from bonafide.index.tokens import is_number

_WORD_START = 7
_NUMBER_START = 12
"""Registers issue numbers in sequence, so that only the last digits tell them apart."""
_TWO_DELETIONS_FROM = 5
_ONE_DELETION_FROM = 3
_CACHED_WORDS = 4096


@lru_cache(maxsize=_CACHED_WORDS)
def deletion_keys(word: str, deletions: int) -> tuple[int, ...]:
    """The keys of what is left of a word when at most so many of its first letters are deleted."""
    start = word[: _NUMBER_START if is_number(word) else _WORD_START]
    left = (combinations(start, len(start) - count) for count in range(deletions + 1))
    return tuple({crc32("".join(letters).encode()) for letters in chain.from_iterable(left)})


def _stored_deletions(word: str) -> int:
    """As many as any query may need; only one of five letters or more is allowed two edits, and is then not the shorter word."""
    if len(word) < _ONE_DELETION_FROM:
        return 0
    return 1 if len(word) < _TWO_DELETIONS_FROM or is_number(word) else 2


def write_deletions(writer: SegmentWriter, words: Sequence[str]) -> None:
    """Write the table; `words` in the order of their ids."""
    keys, counts = array("I"), array("I")
    for word in words:
        own = deletion_keys.__wrapped__(word, _stored_deletions(word))
        keys.extend(own)
        counts.append(len(own))
    joined = np.array(keys, np.uint32)
    tokens = np.repeat(np.arange(len(words), dtype=np.uint32), np.array(counts, np.int64))
    order = np.argsort(joined, kind="stable")
    writer.save("deletion_keys", joined[order], "<u4")
    writer.save("deletion_tokens", tokens[order], "<u4")


class Deletions:
    """The table of an opened segment."""

    def __init__(self, arrays: Arrays) -> None:
        self._keys: NDArray[np.uint32] = arrays["deletion_keys"]
        self._tokens: NDArray[np.uint32] = arrays["deletion_tokens"]

    def near(self, words: Sequence[tuple[str, int]]) -> tuple[Positions, NDArray[np.uint32]]:
        """Words that may be within so many edits of the given ones, as pairs of (place in `words`, id); some pairs occur twice."""
        own = [deletion_keys(word, edits) for word, edits in words]
        keys = np.fromiter(chain.from_iterable(own), np.uint32)
        starts, stops = self._keys.searchsorted(keys), self._keys.searchsorted(keys, "right")
        places = np.repeat(np.arange(len(own)), [len(keys) for keys in own])
        return np.repeat(places, stops - starts), self._tokens[spread(starts, stops)]
