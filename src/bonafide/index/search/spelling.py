"""Find words of the segment within one or two edits of a query's words.

The number of allowed edits depends on the word. `query_plan` weights the results.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA
from rapidfuzz.process import cpdist

from bonafide.index.format.deletion_index import DeletionIndex
from bonafide.index.format.jagged_arrays import sort_unique
from bonafide.index.format.vocabulary import SegmentVocabulary, encode_letters
from bonafide.index.format.word_list import is_number

_EDIT_FROM = 3
_TWO_EDITS_FROM = 5
_NUMBER_EDIT_FROM = 5
"""The minimum length of numbers for which edits are allowed; shorter ones are years and counts."""
COMPARED_BUDGET = 3_000
"""The maximum number of words compared per query, divided evenly among its words."""
MAX_EDITS = 2
RARE_BELOW = 1_000
"""A word in more names than this is never treated as a typo."""
_TOKEN_BITS = 32
_CACHED_QUERIES = 256
"""The number of cached queries; a few run at a time, each on about forty segments."""


@dataclass(frozen=True, slots=True)
class NearWords:
    """Similar words, as parallel arrays.

    `places` are positions of the query words, `tokens` the similar words, and `slips` the edit distances. `frugal` flags pairs in
    which letters were only omitted or swapped. There are few such edits of a word and many replacements of a letter, so these words
    are likelier to be meant than others at the same distance.
    """

    places: list[int]
    tokens: list[int]
    slips: list[int]
    omission_or_swap: list[bool]


_NO_NEAR_WORDS = NearWords([], [], [], [])


class SearchDepth(Enum):
    """Where typos are searched: where they are likely, or wherever they are possible."""

    LIKELY = "likely"
    DEEP = "deep"


def count_allowed_edits(word: str, frequency: int, depth: SearchDepth) -> int:
    """The allowed edits of a word with this frequency: a letter replaced, omitted, added, or swapped with the next.

    An existing word is likely to be correct, an existing number even more so.
    """
    believed = frequency > (0 if depth is SearchDepth.LIKELY else RARE_BELOW)
    if is_number(word):
        return 0 if believed or len(word) < _NUMBER_EDIT_FROM else 1
    if len(word) >= _TWO_EDITS_FROM and not believed:
        return MAX_EDITS
    return 1 if len(word) >= _EDIT_FROM else 0


class SpellingMatcher:
    """Finds similar words in one opened segment."""

    def __init__(self, vocabulary: SegmentVocabulary, deletions: DeletionIndex) -> None:
        self._vocabulary = vocabulary
        self._deletions = deletions

    def near(self, words: Sequence[str], edits: Sequence[int]) -> NearWords:
        """The words within `edits` of each word, without the word itself; a number matches only numbers."""
        places, tokens = self._alike(words, edits)
        if len(places) == 0:
            return _NO_NEAR_WORDS
        others = self._vocabulary.texts(tokens)
        asked = [words[place] for place in places.tolist()]
        distances = cpdist(asked, others, scorer=OSA.distance, score_cutoff=MAX_EDITS, dtype=np.uint8)
        near = np.flatnonzero((distances > 0) & (distances <= np.array(edits)[places])).tolist()
        near = [place for place in near if is_number(asked[place]) == is_number(others[place])]
        return NearWords(
            places[near].tolist(),
            tokens[near].tolist(),
            distances[near].tolist(),
            [_is_omission_or_swap(asked[place], others[place]) for place in near],
        )

    def _alike(self, words: Sequence[str], edits: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Pairs of (place in `words`, id) with a common deletion variant, a similar length and similar letters."""
        places, tokens = self._deletions.near(list(zip(words, edits, strict=True)))
        allowed = np.array(edits)[places]
        lengths, letters = _compute_shapes(tuple(words))
        alike = (np.abs(self._vocabulary.lengths[tokens] - lengths[places]) <= allowed) & (
            np.bitwise_count(self._vocabulary.letters[tokens] ^ letters[places]) <= 2 * allowed
        )
        pairs: NDArray[np.int64] = sort_unique(places[alike] << _TOKEN_BITS | tokens[alike])
        places = pairs >> _TOKEN_BITS
        if len(pairs) > COMPARED_BUDGET:
            turn = np.arange(len(pairs)) - places.searchsorted(places)
            kept = turn < COMPARED_BUDGET // len(words)
            pairs, places = pairs[kept], places[kept]
        return places, pairs & (1 << _TOKEN_BITS) - 1


@lru_cache(maxsize=_CACHED_QUERIES)
def _compute_shapes(words: tuple[str, ...]) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """The length and the letter set of each query word, cached for all segments."""
    return np.array([len(word) for word in words]), np.array([encode_letters(word) for word in words], np.uint32)


def _is_omission_or_swap(asked: str, meant: str) -> bool:
    return len(meant) > len(asked) or sorted(meant) == sorted(asked)
