"""One searchable text field of a segment: full-word search and typeahead.

Every field is of the same make and is asked in the same way; the words of its texts are chosen by `matching`. A document may have
several texts in a field; it is found by the one most like what is sought.
"""

import numpy as np

from bonafide.index.format.document_filter import DocumentFilter
from bonafide.index.format.documents import NO_SCORE_HINTS, IndexHit, ScoreHints
from bonafide.index.format.postings import NamePostings, NameTable
from bonafide.index.format.segment_files import Arrays
from bonafide.index.format.vocabulary import SegmentVocabulary
from bonafide.index.search.name_finder import NameFinder
from bonafide.index.search.query import QueryReading
from bonafide.index.search.typeahead import Typeahead, has_typeahead


class SegmentField:
    """A field of an opened segment."""

    def __init__(self, arrays: Arrays) -> None:
        self.vocabulary = SegmentVocabulary.read(arrays)
        self._postings = NamePostings.read(arrays)
        self._names = NameTable.read(arrays)
        self._finder = NameFinder(arrays)
        self._typeahead = Typeahead(arrays, self.vocabulary, self._postings, self._names) if has_typeahead(arrays) else None

    def __len__(self) -> int:
        """The number of texts."""
        return len(self._names)

    def search(
        self, reading: QueryReading, limit: int, admission: DocumentFilter, marks: ScoreHints = NO_SCORE_HINTS
    ) -> list[IndexHit]:
        """The admitted documents whose texts are most like this one, best first; equals by activity, then in their order.

        Where one is known from elsewhere that is like enough, unlikely slips are not sought.
        """
        return self._finder.search(reading, limit, admission, marks)

    def complete(self, prefix: str, limit: int, admission: DocumentFilter) -> list[IndexHit]:
        """Admitted documents with a text that fits what was typed so far, best first; none for less than two characters."""
        return self._typeahead.complete(prefix, limit, admission) if self._typeahead is not None else []

    def common_words(self, at_least: int) -> dict[str, int]:
        """The words that at least so many texts hold, and how many do."""
        counts = self._postings.frequencies_of_range(range(len(self.vocabulary)))
        tokens = np.flatnonzero(counts >= at_least)
        return dict(zip(self.vocabulary.texts(tokens), counts[tokens].tolist(), strict=True))
