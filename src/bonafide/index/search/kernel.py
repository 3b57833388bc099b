"""The inner loops of a search behind one interface, so that a compiled kernel can replace the NumPy one.

A kernel works on numbers: word ids, name numbers and weights. The layers above it choose the word variants and their
weights, and format names.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.deletion_index import DeletionIndex
from bonafide.index.format.documents import DocumentFilter
from bonafide.index.format.postings import NameIds, NamePostings, NameTable
from bonafide.index.format.segment_files import Arrays
from bonafide.index.format.vocabulary import SegmentVocabulary
from bonafide.index.search.candidates import CandidateCollector
from bonafide.index.search.query_plan import QueryPlan
from bonafide.index.search.scoring import SCORE_FLOOR, TopK
from bonafide.index.search.spelling import NearWords, SpellingMatcher


@dataclass(frozen=True, slots=True)
class ScoredNames:
    """Names with their rough scores, unordered."""

    names: NameIds
    scores: NDArray[np.float64]

    @property
    def best(self) -> float:
        """The highest score; 0 when there is none."""
        return float(self.scores.max()) if len(self.scores) > 0 else 0.0


class SearchKernel(Protocol):
    """Queries over an opened field's arrays. Safe for any number of threads."""

    def near(self, words: Sequence[str], edits: Sequence[int]) -> NearWords:
        """The words within so many slips of each of these."""

    def best(
        self,
        plan: QueryPlan,
        admission: DocumentFilter,
        limit: int,
        earlier: ScoredNames | None = None,
        *,
        floor: float = SCORE_FLOOR,
    ) -> ScoredNames:
        """The best names of at least `limit` admitted documents that reach `floor`, with ties.

        `earlier` is the result of a plan with the same slot weights and fewer variants: names with only frequent words are not
        searched again.
        """


class NumpyKernel:
    """A kernel in NumPy, over mapped arrays."""

    def __init__(self, arrays: Arrays) -> None:
        self._names = NameTable.read(arrays)
        self._postings = NamePostings.read(arrays)
        self._speller = SpellingMatcher(SegmentVocabulary.read(arrays), DeletionIndex(arrays))

    def near(self, words: Sequence[str], edits: Sequence[int]) -> NearWords:
        """The words within so many slips of each of these."""
        return self._speller.near(words, edits)

    def best(
        self,
        plan: QueryPlan,
        admission: DocumentFilter,
        limit: int,
        earlier: ScoredNames | None = None,
        *,
        floor: float = SCORE_FLOOR,
    ) -> ScoredNames:
        """The best names of at least `limit` admitted documents that reach `floor`, with ties."""
        leaders = TopK(self._names, admission, limit, floor)
        if earlier is not None:
            leaders.add(earlier.names, earlier.scores)
        CandidateCollector(plan, self._postings, self._names, leaders).run(frequent=earlier is None)
        return ScoredNames(leaders.found, leaders.scores)
