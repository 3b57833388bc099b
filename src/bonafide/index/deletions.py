"""Words by their deletions, to find a word in spite of slips in its spelling (symmetric deletion).

Two words within k edits share a string that is left of each when at most k letters are deleted. So the segment holds what is left
of every word, and a query looks up what is left of its own.

    deletion_starts, deletion_marks, deletion_ids    words by the hash of what is left of them (see `buckets`)

Only the first letters of a word are treated so, which keeps the table small: the first letters of two words within k edits share
such a string too. Words with digits are not in it: there are as many of them as of all others, and every slip in one can be tried.
A pair is a hint: comparing the words is left to `spelling`.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bonafide.index.buckets import Buckets, write_buckets
from bonafide.index.digits import number_slips
from bonafide.index.files import Arrays, FieldWriter
from bonafide.index.hashing import Hashes, hash_texts, stirred
from bonafide.index.ragged import Positions
from bonafide.index.tokens import is_number
from bonafide.index.vocabulary import WORD_TABLE
from bonafide.index.word_list import WordList

Pairs = tuple[Positions, NDArray[np.uint32]]
_NO_PAIRS: Pairs = (np.zeros(0, np.int64), np.zeros(0, np.uint32))

_TABLE = "deletion"
_WORD_START = 7
_TWO_DELETIONS_FROM = 5
_ONE_DELETION_FROM = 3
_CACHED_WORDS = 4096
_WORDS_AT_ONCE = 50_000
_PLACE_FACTORS = stirred(np.arange(1, _WORD_START + 1, dtype=np.uint64)) | np.uint64(1)


@lru_cache(maxsize=_WORD_START * 3)
def _deletions(letters: int, deletions: int) -> NDArray[np.uint64]:
    """A column for each way to delete at most so many of some letters: what each letter that is left is multiplied by."""
    ways = [kept for count in range(min(deletions, letters) + 1) for kept in combinations(range(letters), letters - count)]
    factors = np.zeros((letters, len(ways)), np.uint64)
    for column, kept in enumerate(ways):
        factors[list(kept), column] = _PLACE_FACTORS[: len(kept)]
    return factors


def _left(starts: NDArray[np.uint32], deletions: int) -> Hashes:
    """The hashes of what is left of the starts of words: a row for each start, given as a row of code points."""
    return stirred(stirred(starts.astype(np.uint64) + np.uint64(1)) @ _deletions(starts.shape[1], deletions))


@lru_cache(maxsize=_CACHED_WORDS)
def _left_of(word: str, deletions: int) -> Hashes:
    start = np.frombuffer(word[:_WORD_START].encode("utf-32-le"), "<u4").reshape(1, -1)
    return np.unique(_left(start, deletions))


@lru_cache(maxsize=_CACHED_WORDS)
def _slips_of(number: str) -> Hashes:
    return hash_texts(number_slips(number))


def _stored_deletions(letters: int) -> int:
    """As many as any query may need; only a word of five letters or more is allowed two edits, and is then not the shorter one."""
    if letters < _ONE_DELETION_FROM:
        return 0
    return 1 if letters < _TWO_DELETIONS_FROM else 2


def write_deletions(writer: FieldWriter, words: WordList) -> None:
    """Write the table."""
    lengths = np.minimum(words.lengths, _WORD_START)
    lengths[words.numeric()] = 0
    counts = np.bincount(lengths, minlength=_WORD_START + 1).tolist()
    size = sum(counts[letters] * _deletions(letters, _stored_deletions(letters)).shape[1] for letters in range(1, _WORD_START + 1))
    write_buckets(writer, _TABLE, size, _entries(words, lengths))


def _entries(words: WordList, lengths: NDArray[np.int64]) -> Iterator[tuple[Hashes, NDArray[np.uint32]]]:
    for letters in range(1, _WORD_START + 1):
        ids = np.flatnonzero(lengths == letters)
        for place in range(0, len(ids), _WORDS_AT_ONCE):
            own = ids[place : place + _WORDS_AT_ONCE]
            left = _left(words.characters[words.starts[own, None] + np.arange(letters)], _stored_deletions(letters))
            yield left.ravel(), np.repeat(own.astype(np.uint32), left.shape[1])


class Deletions:
    """The table of an opened segment."""

    def __init__(self, arrays: Arrays) -> None:
        self._left = Buckets(arrays, _TABLE)
        self._words = Buckets(arrays, WORD_TABLE)

    def near(self, words: Sequence[tuple[str, int]]) -> Pairs:
        """Words that may be within so many edits of the given ones, as pairs of (place in `words`, id); some pairs occur twice."""
        numbers = [place for place, (word, edits) in enumerate(words) if edits > 0 and is_number(word)]
        slips = [_slips_of(words[place][0]) for place in numbers]
        others = [place for place, (word, edits) in enumerate(words) if edits > 0 and not is_number(word)]
        left = [_left_of(*words[place]) for place in others]
        return _joined(
            _owned(numbers, slips, self._words),
            _owned(others, left, self._left),
        )


def _owned(owners: Sequence[int], hashes: Sequence[Hashes], table: Buckets) -> Pairs:
    """What a table has under these hashes, as found by the owners of the hashes."""
    if not owners:
        return _NO_PAIRS
    places, ids = table.find(np.concatenate(hashes))
    return np.repeat(np.array(owners, np.int64), list(map(len, hashes)))[places], ids


def _joined(some: Pairs, more: Pairs) -> Pairs:
    return np.concatenate((some[0], more[0])), np.concatenate((some[1], more[1]))
