"""Search the names of one field of a segment: plan the words, collect candidates, rank the best as strings.

Where nothing like enough is found, slips are sought where they are less likely. How names are found is the business of a kernel.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.fuzz import ratio, token_sort_ratio
from rapidfuzz.process import cdist

from bonafide.index.format.documents import DocumentFilter, IndexHit, ScoreHints
from bonafide.index.format.postings import NamePostings, NameTable
from bonafide.index.format.segment_files import Arrays
from bonafide.index.format.typed_forms import TypedForms
from bonafide.index.format.vocabulary import SegmentVocabulary
from bonafide.index.search.kernel import NumpyKernel, ScoredNames, SearchKernel
from bonafide.index.search.query import QueryReading
from bonafide.index.search.query_expansion import QueryExpander
from bonafide.index.search.query_plan import QueryPlanner

LIKELY_VARIANTS, DEEP_VARIANTS = 24, 96
"""Senses of a word of the query that are followed, the likeliest: at first, and when nothing like enough was found."""
MAX_VARIANTS = 160
"""Senses of all words together: those of a query of many words, which is known by fewer of them, are shared out."""
SUFFICIENT_SCORE = 0.9
"""The score from which a search looks no deeper."""
MIN_RERANKED_NAMES = 100
"""Names at least that are compared with what was typed, the best by their words. A name that has one rare word more than the query
is far behind by its words, and is mostly the one that was meant when it has all the others."""
NAMES_PER_DOCUMENT = 2
"""Names for each document that is wanted: some documents have several that are like the query."""
_WORDS_SHARE, _TYPED_SHARE = 0.7, 0.15
_MAX_TYPED_SCORE = 2 * _TYPED_SHARE
_PERCENT = 100


class NameFinder:
    """Finds names in an opened field."""

    def __init__(self, arrays: Arrays) -> None:
        vocabulary, postings = SegmentVocabulary.read(arrays), NamePostings.read(arrays)
        self._names = NameTable.read(arrays)
        self._forms = TypedForms.read(arrays)
        self._kernel: SearchKernel = NumpyKernel(arrays)
        self._expander = QueryExpander(vocabulary, self._kernel, postings)
        self._planner = QueryPlanner(vocabulary, postings, len(self._names))

    def search(self, reading: QueryReading, limit: int, admission: DocumentFilter, marks: ScoreHints) -> list[IndexHit]:
        """The documents with the names most like this one, best first; equals by activity, then in their order."""
        if limit < 1 or len(reading.words) == 0:
            return []
        found = self._find(reading.words, max(limit, MIN_RERANKED_NAMES), admission, marks)
        return self._ranked(reading.typed, found, limit, marks.floor)

    def _find(self, words: Sequence[str], limit: int, admission: DocumentFilter, marks: ScoreHints) -> ScoredNames:
        # What has less could not reach the floor by being typed alike either.
        floor = (marks.floor - _MAX_TYPED_SCORE) / _WORDS_SHARE
        senses = self._expander.expand_likely(words)
        most = min(LIKELY_VARIANTS, MAX_VARIANTS // len(words))
        plan = self._planner.plan(words, senses, most)
        found = self._kernel.best(plan, admission, limit, floor=floor)
        if max(found.best, marks.best) >= SUFFICIENT_SCORE:
            return found
        more = self._expander.expand_further(words)
        if not more and len(senses) <= most:
            return found  # for it would be the same plan
        deeper = self._planner.plan(words, senses + more, min(DEEP_VARIANTS, MAX_VARIANTS // len(words)))
        if deeper.is_within(plan):
            return found
        return self._kernel.best(deeper, admission, limit, found if deeper.has_same_weights(plan) else None, floor=floor)

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
    """How alike what was typed is to each of these, from 0 to 2: as it stands, and with its words in the order of the alphabet."""
    as_it_stands, sorted_ = (cdist([typed], forms, scorer=scorer, dtype=np.float64)[0] for scorer in (ratio, token_sort_ratio))
    likeness: NDArray[np.float64] = (as_it_stands + sorted_) / _PERCENT
    return likeness
