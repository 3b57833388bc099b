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

from bonafide.index.format.hash_table import Hashes, HashTable, hash_texts, mix_bits, write_hash_table
from bonafide.index.format.jagged_arrays import Positions
from bonafide.index.format.segment_files import Arrays, FieldWriter
from bonafide.index.format.vocabulary import WORD_TABLE
from bonafide.index.format.word_list import WordList, generate_number_edits, is_number

TokenPairs = tuple[Positions, NDArray[np.uint32]]
_NO_PAIRS: TokenPairs = (np.zeros(0, np.int64), np.zeros(0, np.uint32))

_TABLE = "deletion"
_PREFIX_LETTERS = 7
_TWO_DELETIONS_FROM = 5
_ONE_DELETION_FROM = 3
_CACHED_WORDS = 4096
_WORDS_AT_ONCE = 50_000
_PLACE_FACTORS = mix_bits(np.arange(1, _PREFIX_LETTERS + 1, dtype=np.uint64)) | np.uint64(1)


@lru_cache(maxsize=_PREFIX_LETTERS * 3)
def _compute_deletion_factors(letters: int, deletions: int) -> NDArray[np.uint64]:
    """A column for each way to delete at most so many of some letters: what each letter that is left is multiplied by."""
    ways = [kept for count in range(min(deletions, letters) + 1) for kept in combinations(range(letters), letters - count)]
    factors = np.zeros((letters, len(ways)), np.uint64)
    for column, kept in enumerate(ways):
        factors[list(kept), column] = _PLACE_FACTORS[: len(kept)]
    return factors


def _hash_deletions(starts: NDArray[np.uint32], deletions: int) -> Hashes:
    """The hashes of what is left of the starts of words: a row for each start, given as a row of code points."""
    return mix_bits(mix_bits(starts.astype(np.uint64) + np.uint64(1)) @ _compute_deletion_factors(starts.shape[1], deletions))


@lru_cache(maxsize=_CACHED_WORDS)
def _hash_word_deletions(word: str, deletions: int) -> Hashes:
    start = np.frombuffer(word[:_PREFIX_LETTERS].encode("utf-32-le"), "<u4").reshape(1, -1)
    return np.unique(_hash_deletions(start, deletions))


@lru_cache(maxsize=_CACHED_WORDS)
def _hash_number_edits(number: str) -> Hashes:
    return hash_texts(generate_number_edits(number))


def _count_stored_deletions(letters: int) -> int:
    """As many as any query may need; only a word of five letters or more is allowed two edits, and is then not the shorter one."""
    if letters < _ONE_DELETION_FROM:
        return 0
    return 1 if letters < _TWO_DELETIONS_FROM else 2


def write_deletions(writer: FieldWriter, words: WordList) -> None:
    """Write the table."""
    lengths = np.minimum(words.lengths, _PREFIX_LETTERS)
    lengths[words.numeric()] = 0
    counts = np.bincount(lengths, minlength=_PREFIX_LETTERS + 1).tolist()
    size = sum(
        counts[letters] * _compute_deletion_factors(letters, _count_stored_deletions(letters)).shape[1]
        for letters in range(1, _PREFIX_LETTERS + 1)
    )
    write_hash_table(writer, _TABLE, size, _iterate_entries(words, lengths))


def _iterate_entries(words: WordList, lengths: NDArray[np.int64]) -> Iterator[tuple[Hashes, NDArray[np.uint32]]]:
    for letters in range(1, _PREFIX_LETTERS + 1):
        ids = np.flatnonzero(lengths == letters)
        for place in range(0, len(ids), _WORDS_AT_ONCE):
            own = ids[place : place + _WORDS_AT_ONCE]
            left = _hash_deletions(words.characters[words.starts[own, None] + np.arange(letters)], _count_stored_deletions(letters))
            yield left.ravel(), np.repeat(own.astype(np.uint32), left.shape[1])


class DeletionIndex:
    """The table of an opened segment."""

    def __init__(self, arrays: Arrays) -> None:
        self._left = HashTable(arrays, _TABLE)
        self._words = HashTable(arrays, WORD_TABLE)

    def near(self, words: Sequence[tuple[str, int]]) -> TokenPairs:
        """Words that may be within so many edits of the given ones, as pairs of (place in `words`, id); some pairs occur twice."""
        numbers = [place for place, (word, edits) in enumerate(words) if edits > 0 and is_number(word)]
        slips = [_hash_number_edits(words[place][0]) for place in numbers]
        others = [place for place, (word, edits) in enumerate(words) if edits > 0 and not is_number(word)]
        left = [_hash_word_deletions(*words[place]) for place in others]
        return _concatenate_pairs(
            _find_owned(numbers, slips, self._words),
            _find_owned(others, left, self._left),
        )


def _find_owned(owners: Sequence[int], hashes: Sequence[Hashes], table: HashTable) -> TokenPairs:
    """What a table has under these hashes, as found by the owners of the hashes."""
    if not owners:
        return _NO_PAIRS
    places, ids = table.find(np.concatenate(hashes))
    return np.repeat(np.array(owners, np.int64), list(map(len, hashes)))[places], ids


def _concatenate_pairs(some: TokenPairs, more: TokenPairs) -> TokenPairs:
    return np.concatenate((some[0], more[0])), np.concatenate((some[1], more[1]))
