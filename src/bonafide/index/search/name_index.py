"""The segments of one generation as one index: a base, and deltas that replace and add documents.

Documents are numbered consecutively over all segments, starting with the base. A document that a later segment replaces or removes
is marked as dead. `manifest` stores which segments belong together.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.documents import ANY_FACETS, FacetFilter, FieldName, IndexHit, ScoreHints
from bonafide.index.format.hash_table import Hashes
from bonafide.index.format.jagged_arrays import Flags
from bonafide.index.search.query import IndexQuery
from bonafide.index.search.segment import IndexSegment, SegmentField


@dataclass(frozen=True, slots=True)
class LiveSegment:
    """A segment, and the flags of its dead documents; None if there are none."""

    segment: IndexSegment
    dead: Flags | None = None


@dataclass(frozen=True, slots=True)
class DocumentHashes:
    """The numbers of documents, and the hashes of their keys and contents in the same order."""

    documents: NDArray[np.int64]
    keys: Hashes
    contents: Hashes


class NameIndex:
    """Segments that are searched together, base first."""

    def __init__(self, segments: Sequence[LiveSegment]) -> None:
        self.segments = tuple(segments)
        *self._starts, self._end = accumulate((len(live.segment) for live in segments), initial=0)

    def __len__(self) -> int:
        """The number of live documents."""
        return self._end - sum(int(live.dead.sum()) for live in self.segments if live.dead is not None)

    @property
    def name_count(self) -> int:
        """The number of business names, including those of dead documents until compaction."""
        return sum(map(len, self._name_fields()))

    def common_words(self, at_least: int) -> dict[str, int]:
        """The words in at least `at_least` business names of one segment, with the number of these names."""
        counts: Counter[str] = Counter()
        for field in self._name_fields():
            counts.update(field.common_words(at_least))
        return counts

    def search(self, asked: IndexQuery, limit: int, where: FacetFilter = ANY_FACETS, floor: float = 0.0) -> list[IndexHit]:
        """The documents most similar to the query, best first; equals by activity, then by number.

        Documents below `floor` are left out; a higher floor makes the search faster.
        """
        return self._best(lambda live, best: live.segment.search(asked, limit, where, live.dead, ScoreHints(best, floor)), limit)

    def complete(self, prefix: str, limit: int, where: FacetFilter = ANY_FACETS) -> list[IndexHit]:
        """Documents with a business name that matches the typed prefix, best first; none for less than two characters."""
        return self._best(lambda live, _best: live.segment.complete(prefix, limit, where, live.dead), limit)

    def lookup(self, number: str) -> list[int]:
        """The documents with this number, in any spelling, in ascending order."""
        return [
            start + document
            for start, live in zip(self._starts, self.segments, strict=True)
            for document in live.segment.lookup(number)
            if live.dead is None or not live.dead[document]
        ]

    def payload(self, document: int) -> bytes:
        """The unchanged payload. Raises `IndexError` for an unknown document number."""
        for start, live in zip(reversed(self._starts), reversed(self.segments), strict=True):
            if document >= start:
                return live.segment.payload(document - start)
        raise IndexError(f"document {document} of {self._end}")

    def documents(self) -> Iterator[int]:
        """The numbers of all live documents, in ascending order."""
        for start, live in zip(self._starts, self.segments, strict=True):
            for document in range(len(live.segment)):
                if live.dead is None or not live.dead[document]:
                    yield start + document

    def document_hashes(self) -> DocumentHashes:
        """The hashes of the keys and contents of all live documents."""
        live = [np.flatnonzero(~one.dead) if one.dead is not None else np.arange(len(one.segment)) for one in self.segments]
        chosen = list(zip(self._starts, self.segments, live, strict=True))
        return DocumentHashes(
            np.concatenate([start + numbers for start, _, numbers in chosen]),
            np.concatenate([one.segment.document_keys[numbers] for _, one, numbers in chosen]),
            np.concatenate([one.segment.document_digests[numbers] for _, one, numbers in chosen]),
        )

    def _name_fields(self) -> list[SegmentField]:
        return [live.segment.fields[FieldName.NAMES] for live in self.segments if FieldName.NAMES in live.segment.fields]

    def _best(self, ask: Callable[[LiveSegment, float], list[IndexHit]], limit: int) -> list[IndexHit]:
        """The best hits of all segments. The best score so far is passed to each search; ties by activity, then by number."""
        hits = ask(self.segments[0], 0.0)
        for start, live in zip(self._starts[1:], self.segments[1:], strict=True):
            best = max((hit.score for hit in hits), default=0.0)
            hits = hits + [hit._replace(document=start + hit.document) for hit in ask(live, best)]
        if len(self.segments) > 1:
            hits.sort(key=lambda hit: (-hit.score, not hit.active, hit.document))
        return hits[:limit]
