"""Words of the segment that differ from a query's words by a slip or two of the pen.

How many slips are allowed depends on the word; whether a near word is meant is weighed elsewhere.
"""

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA

from bonafide.index.deletions import Deletions
from bonafide.index.ragged import distinct
from bonafide.index.tokens import is_number
from bonafide.index.vocabulary import Vocabulary, letters_of

_EDIT_FROM = 3
_TWO_EDITS_FROM = 8
_TWO_EDITS_IF_UNKNOWN_FROM = 5
_NUMBER_EDIT_FROM = 5
"""Shorter numbers are years and counts, in which every digit is meant."""
COMPARED_BUDGET = 3_000
"""Words of the segment whose spelling is compared for one query, shared evenly among its words."""
_TOKEN_BITS = 32


def allowed_edits(word: str, *, known: bool) -> int:
    """Slips allowed in a word (one is a letter wrong, missing, added, or swapped with the next); none in a number that exists."""
    if is_number(word):
        return 0 if known or len(word) < _NUMBER_EDIT_FROM else 1
    if len(word) >= _TWO_EDITS_FROM or (len(word) >= _TWO_EDITS_IF_UNKNOWN_FROM and not known):
        return 2
    return 1 if len(word) >= _EDIT_FROM else 0


class Speller:
    """Finds near words in one opened segment."""

    def __init__(self, vocabulary: Vocabulary, deletions: Deletions) -> None:
        self._vocabulary = vocabulary
        self._deletions = deletions

    def near(self, words: Sequence[str], known: Collection[str]) -> Iterator[tuple[int, int, int]]:
        """Near words, never the word itself, as (place in `words`, id, slips)."""
        edits = [allowed_edits(word, known=word in known) for word in words]
        for place, token in self._alike(words, edits):
            word, other = words[place], self._vocabulary.text(token)
            distance = OSA.distance(word, other, score_cutoff=edits[place])
            if 0 < distance <= edits[place] and is_number(word) == is_number(other):
                yield place, token, distance

    def _alike(self, words: Sequence[str], edits: Sequence[int]) -> list[tuple[int, int]]:
        """Pairs of (place in `words`, id) that share a deletion, have nearly the same length, and nearly the same letters."""
        places, tokens = self._deletions.near([(word, count) for word, count in zip(words, edits, strict=True)])
        allowed = np.array(edits)[places]
        lengths = np.array([len(word) for word in words])[places]
        letters = np.array([letters_of(word) for word in words], np.uint32)[places]
        alike = (np.abs(self._vocabulary.lengths[tokens] - lengths) <= allowed) & (
            np.bitwise_count(self._vocabulary.letters[tokens] ^ letters) <= 2 * allowed
        )
        pairs: NDArray[np.int64] = distinct(places[alike] << _TOKEN_BITS | tokens[alike])
        places = pairs >> _TOKEN_BITS
        if len(pairs) > COMPARED_BUDGET:
            turn = np.arange(len(pairs)) - places.searchsorted(places)
            kept = turn < COMPARED_BUDGET // len(words)
            pairs, places = pairs[kept], places[kept]
        return list(zip(places.tolist(), (pairs & (1 << _TOKEN_BITS) - 1).tolist(), strict=True))
