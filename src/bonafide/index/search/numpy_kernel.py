"""Search the names of one field of a segment: plan the words, collect candidates, rank the best as strings.

If no similar name is found, less likely typos are searched too. This kernel is the reference: the compiled one gives the same
answers, to the last bit of a score.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.fuzz import ratio, token_sort_ratio
from rapidfuzz.process import cdist

from bonafide.index.format.deletion_index import DeletionIndex
from bonafide.index.format.documents import DocumentFilter, IndexHit, ScoreHints
from bonafide.index.format.postings import NamePostings, NameTable
from bonafide.index.format.segment_files import Arrays
from bonafide.index.format.typed_forms import TypedForms
from bonafide.index.format.vocabulary import SegmentVocabulary
from bonafide.index.search.candidates import CandidateCollector
from bonafide.index.search.query import QueryReading
from bonafide.index.search.query_expansion import QueryExpander
from bonafide.index.search.query_plan import QueryPlan, QueryPlanner
from bonafide.index.search.scoring import SCORE_FLOOR, ScoredNames, TopK
from bonafide.index.search.spelling import SpellingMatcher

LIKELY_VARIANTS, DEEP_VARIANTS = 24, 96
"""The maximum number of variants per query word: at first, and in the deep search."""
MAX_VARIANTS = 160
"""The maximum number of variants of all words together; long queries get fewer per word."""
SUFFICIENT_SCORE = 0.9
"""The score from which the deep search is skipped."""
MIN_RERANKED_NAMES = 100
"""The minimum number of names that are reranked by string similarity.

A name with one more rare word than the query has a low score by words, but is usually the intended one if it has all the others.
"""
NAMES_PER_DOCUMENT = 2
"""Names to find per requested document, because a document may have several similar names."""
_WORDS_SHARE, _TYPED_SHARE = 0.7, 0.15
_MAX_TYPED_SCORE = 2 * _TYPED_SHARE
_PERCENT = 100


class NumpyKernel:
    """Searches an opened field with NumPy, over mapped arrays."""

    name = "numpy"

    def __init__(self, arrays: Arrays) -> None:
        vocabulary = SegmentVocabulary.read(arrays)
        self._postings = NamePostings.read(arrays)
        self._names = NameTable.read(arrays)
        self._forms = TypedForms.read(arrays)
        self._expander = QueryExpander(vocabulary, SpellingMatcher(vocabulary, DeletionIndex(arrays)), self._postings)
        self._planner = QueryPlanner(vocabulary, self._postings, len(self._names))

    def search(self, reading: QueryReading, limit: int, admission: DocumentFilter, marks: ScoreHints) -> list[IndexHit]:
        """The documents with the most similar names, best first; ties by activity, then by number."""
        if limit < 1 or len(reading.words) == 0:
            return []
        found = self._find(reading.words, max(limit, MIN_RERANKED_NAMES), admission, marks)
        return self._ranked(reading.typed, found, limit, marks.floor)

    def _find(self, words: Sequence[str], limit: int, admission: DocumentFilter, marks: ScoreHints) -> ScoredNames:
        # Names below this cannot reach the floor even with identical typed forms.
        floor = (marks.floor - _MAX_TYPED_SCORE) / _WORDS_SHARE
        senses = self._expander.expand_likely(words)
        most = min(LIKELY_VARIANTS, MAX_VARIANTS // len(words))
        plan = self._planner.plan(words, senses, most)
        found = self._find_best(plan, admission, limit, floor=floor)
        if max(found.best, marks.best) >= SUFFICIENT_SCORE:
            return found
        more = self._expander.expand_further(words)
        if not more and len(senses) <= most:
            return found  # the plan would be the same
        deeper = self._planner.plan(words, senses + more, min(DEEP_VARIANTS, MAX_VARIANTS // len(words)))
        if deeper.is_within(plan):
            return found
        return self._find_best(deeper, admission, limit, found if deeper.has_same_weights(plan) else None, floor=floor)

    def _find_best(
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
        leaders = TopK(self._names, admission, limit, floor)
        if earlier is not None:
            leaders.add(earlier.names, earlier.scores)
        CandidateCollector(plan, self._postings, self._names, leaders).run(frequent=earlier is None)
        return ScoredNames(leaders.found, leaders.scores)

    def _ranked(self, typed: str, found: ScoredNames, limit: int, floor: float) -> list[IndexHit]:
        documents = self._names.documents[found.names]
        inactive = self._names.active[documents] == 0
        order = np.lexsort((documents, inactive, -found.scores))[: max(NAMES_PER_DOCUMENT * limit, MIN_RERANKED_NAMES)]
        scores, likeness = found.scores[order], _compute_text_similarity(typed, self._forms.decode(found.names[order]))
        blended = np.where(scores < 1, _WORDS_SHARE * scores + _TYPED_SHARE * likeness, 1.0)
        documents, inactive = documents[order], inactive[order]
        order = np.lexsort((documents, -likeness, inactive, -blended))
        order = order[: int(np.count_nonzero(blended >= floor))]
        best: dict[int, IndexHit] = {}
        for document, score, idle in zip(documents[order].tolist(), blended[order].tolist(), inactive[order].tolist(), strict=True):
            if document not in best:
                best[document] = IndexHit(document, score, active=not idle)
        return list(best.values())[:limit]


def _compute_text_similarity(typed: str, forms: Sequence[str]) -> NDArray[np.float64]:
    """The similarity of the query to each form, 0 to 2: the sum of the ratios as typed and with words in alphabetical order."""
    as_written, sorted_ = (cdist([typed], forms, scorer=scorer, dtype=np.float64)[0] for scorer in (ratio, token_sort_ratio))
    likeness: NDArray[np.float64] = (as_written + sorted_) / _PERCENT
    return likeness
