"""Index of words by their deletions, to find misspelled words (symmetric delete spelling correction).

Two words within k edits have a common string after at most k deletions from each. So the segment stores the deletion variants of
every word, and a query looks up those of its own words.

    deletion_starts, deletion_marks, deletion_ids    words by the hash of a deletion variant (see `hash_table`)

Only the first letters of a word are used, which keeps the table small; the property holds for prefixes of words too. Words with
digits are excluded: they are as many as all other words, and all their single edits can be enumerated instead. Results are
candidates; `spelling` compares the words.
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
    """A column for each set of at most `deletions` deleted letters: the factor of each remaining letter in the hash."""
    ways = [kept for count in range(min(deletions, letters) + 1) for kept in combinations(range(letters), letters - count)]
    factors = np.zeros((letters, len(ways)), np.uint64)
    for column, kept in enumerate(ways):
        factors[list(kept), column] = _PLACE_FACTORS[: len(kept)]
    return factors


def _hash_deletions(starts: NDArray[np.uint32], deletions: int) -> Hashes:
    """The hashes of the deletion variants of word starts: a row for each start, given as a row of code points."""
    return mix_bits(mix_bits(starts.astype(np.uint64) + np.uint64(1)) @ _compute_deletion_factors(starts.shape[1], deletions))


@lru_cache(maxsize=_CACHED_WORDS)
def _hash_word_deletions(word: str, deletions: int) -> Hashes:
    start = np.frombuffer(word[:_PREFIX_LETTERS].encode("utf-32-le"), "<u4").reshape(1, -1)
    return np.unique(_hash_deletions(start, deletions))


@lru_cache(maxsize=_CACHED_WORDS)
def _hash_number_edits(number: str) -> Hashes:
    return hash_texts(generate_number_edits(number))


def _count_stored_deletions(letters: int) -> int:
    """The deletions to store for a word of this length: two only for words that may be the target of two edits."""
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
        """Candidate words within the given number of edits, as pairs of (place in `words`, id); pairs may be duplicated."""
        numbers = [place for place, (word, edits) in enumerate(words) if edits > 0 and is_number(word)]
        slips = [_hash_number_edits(words[place][0]) for place in numbers]
        others = [place for place, (word, edits) in enumerate(words) if edits > 0 and not is_number(word)]
        left = [_hash_word_deletions(*words[place]) for place in others]
        return _concatenate_pairs(
            _find_owned(numbers, slips, self._words),
            _find_owned(others, left, self._left),
        )


def _find_owned(owners: Sequence[int], hashes: Sequence[Hashes], table: HashTable) -> TokenPairs:
    """Look up hashes; returns pairs of the hash's owner and the id found."""
    if not owners:
        return _NO_PAIRS
    places, ids = table.find(np.concatenate(hashes))
    return np.repeat(np.array(owners, np.int64), list(map(len, hashes)))[places], ids


def _concatenate_pairs(some: TokenPairs, more: TokenPairs) -> TokenPairs:
    return np.concatenate((some[0], more[0])), np.concatenate((some[1], more[1]))
