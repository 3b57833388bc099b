"""An opened segment and its searchable text fields: the documents of one build of one source, in mapped files.

A segment is immutable after it is opened, so any number of threads can read it without locks. There is no `close`: the mappings
are released with the last reference. All fields are searched in the same way; `matching` defines the words of
their texts. A document may have several texts in a field; its score is that of the most similar one.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bonafide.errors import SegmentCorrupt
from bonafide.i18n.message import Message
from bonafide.index.format.acronym_index import AcronymIndex
from bonafide.index.format.documents import (
    ANY_FACETS,
    NO_SCORE_HINTS,
    DocumentFilter,
    FacetColumn,
    FacetFilter,
    FieldName,
    IndexHit,
    ScoreHints,
)
from bonafide.index.format.hash_table import Hashes
from bonafide.index.format.jagged_arrays import Flags
from bonafide.index.format.number_index import NumberIndex
from bonafide.index.format.postings import NamePostings, NameTable
from bonafide.index.format.segment_files import Arrays, SegmentFiles, open_segment_files, select_field_arrays
from bonafide.index.format.vocabulary import SegmentVocabulary
from bonafide.index.search.kernel import open_kernel
from bonafide.index.search.query import IndexQuery, QueryReading
from bonafide.index.search.query_expansion import hash_texts_cached
from bonafide.index.search.typeahead import Typeahead, has_typeahead
from bonafide.matching.entries.index_terms import QueryAcronym


class SegmentField:
    """A field of an opened segment."""

    def __init__(self, arrays: Arrays) -> None:
        self.vocabulary = SegmentVocabulary.read(arrays)
        self._postings = NamePostings.read(arrays)
        self._names = NameTable.read(arrays)
        self._kernel = open_kernel(arrays)
        self._typeahead = Typeahead(arrays, self.vocabulary, self._postings, self._names) if has_typeahead(arrays) else None

    def __len__(self) -> int:
        """The number of texts."""
        return len(self._names)

    def search(
        self, reading: QueryReading, limit: int, admission: DocumentFilter, marks: ScoreHints = NO_SCORE_HINTS
    ) -> list[IndexHit]:
        """The admitted documents with the most similar texts, best first; ties by activity, then by number.

        Unlikely typos are not searched if another segment already has a sufficiently similar document.
        """
        return self._kernel.search(reading, limit, admission, marks)

    def complete(self, prefix: str, limit: int, admission: DocumentFilter) -> list[IndexHit]:
        """Admitted documents with a text that matches the typed prefix, best first; none for less than two characters."""
        return self._typeahead.complete(prefix, limit, admission) if self._typeahead is not None else []

    def common_words(self, at_least: int) -> dict[str, int]:
        """The words in at least `at_least` texts, with the number of these texts."""
        counts = self._postings.frequencies_of_range(range(len(self.vocabulary)))
        tokens = np.flatnonzero(counts >= at_least)
        return dict(zip(self.vocabulary.texts(tokens), counts[tokens].tolist(), strict=True))


ACRONYM_SCORE = 0.7
"""The rough score of a document with the requested acronym. The score of most is lower, and that of a body known by it higher."""
MAX_ACRONYM_HITS = 20
"""The maximum number of documents that are found by an acronym: one of more businesses identifies none of them."""
MAX_READINGS = 4
"""The maximum number of readings of a query, each a separate search: the whole text, and the first names in it."""


class IndexSegment:
    """A segment open for reading. Documents are numbered from 0 in the order in which they were built."""

    def __init__(self, files: SegmentFiles) -> None:
        self.size = len(files.payload) + sum(array.nbytes for array in files.arrays.values())
        """The mapped size in bytes."""
        self._payload = files.payload
        self._payload_offsets = files.arrays["payload_offsets"]
        self._numbers = NumberIndex(files.arrays)
        self._acronyms = AcronymIndex(files.arrays)
        self._active: NDArray[np.uint8] = files.arrays["document_active"]
        self._facets = FacetColumn(files.arrays)
        self.document_keys: Hashes = files.arrays["document_keys"]
        """The hashes of the keys of all documents, in their order."""
        self.document_digests: Hashes = files.arrays["document_digests"]
        """The hashes of their contents."""
        shared = {"document_active": files.arrays["document_active"]}
        self.fields = {
            name: SegmentField({**arrays, **shared})
            for name in FieldName
            if (arrays := select_field_arrays(files.arrays, name.value))
        }

    @classmethod
    def open(cls, folder: Path, *, verify: bool = True) -> "IndexSegment":
        """Verify and map a segment. Raises `SegmentCorrupt` when it is damaged, incomplete or of another version.

        `verify` is that of `open_segment_files`.
        """
        files = open_segment_files(folder, verify=verify)
        try:
            return cls(files)
        except (KeyError, ValueError, BufferError) as error:
            # Arrays are missing, or do not fit together.
            raise SegmentCorrupt(Message("{name}: {error}", name=folder.name, error=error)) from error

    def __len__(self) -> int:
        """The number of documents."""
        return len(self._payload_offsets) - 1

    def search(
        self,
        asked: IndexQuery,
        limit: int,
        where: FacetFilter = ANY_FACETS,
        dead: Flags | None = None,
        marks: ScoreHints = NO_SCORE_HINTS,
    ) -> list[IndexHit]:
        """The documents most similar to the query, best first; ties by activity, then by number.

        `dead` flags the documents to exclude.
        """
        field = self.fields.get(asked.field)
        if field is None:
            return []
        admission = self._facets.create_filter(where, dead)
        found = [field.search(reading, limit, admission, marks) for reading in asked.readings[:MAX_READINGS]]
        if asked.acronym is not None and marks.floor <= ACRONYM_SCORE and _may_be_acronym(asked.acronym, field):
            found.append(self._find_by_acronym(asked.acronym.letters, limit, admission))
        return _merge_hits(found, limit)

    def _find_by_acronym(self, acronym: str, limit: int, admission: DocumentFilter) -> list[IndexHit]:
        """Admitted documents with a name of this acronym, active ones first."""
        documents = self._acronyms.find(acronym)
        admitted = admission.select(documents)
        if admitted is not None:
            documents = documents[admitted]
        active = self._active[documents] == 1
        order = np.argsort(~active, kind="stable")[: min(limit, MAX_ACRONYM_HITS)]
        found = zip(documents[order].tolist(), active[order].tolist(), strict=True)
        return [IndexHit(document, ACRONYM_SCORE, active=own) for document, own in found]

    def lookup(self, number: str) -> list[int]:
        """The documents with this number, in any spelling, in ascending order."""
        return self._numbers.lookup(number)

    def complete(self, prefix: str, limit: int, where: FacetFilter = ANY_FACETS, dead: Flags | None = None) -> list[IndexHit]:
        """Documents with a business name that matches the typed prefix, best first; none for less than two characters."""
        field = self.fields.get(FieldName.NAMES)
        return [] if field is None else field.complete(prefix, limit, self._facets.create_filter(where, dead))

    def payload(self, document: int) -> bytes:
        """The unchanged payload. Raises `IndexError` for an unknown document number."""
        if not 0 <= document < len(self):
            raise IndexError(f"document {document} of {len(self)}")
        return self._payload[self._payload_offsets[document] : self._payload_offsets[document + 1]]


def _may_be_acronym(acronym: QueryAcronym, field: SegmentField) -> bool:
    """Whether a word is written as an acronym, or is no word of any name."""
    return acronym.is_written or not field.vocabulary.find((acronym.letters,), hash_texts_cached((acronym.letters,)))


def _merge_hits(lists: list[list[IndexHit]], limit: int) -> list[IndexHit]:
    """Merge lists of hits, each document with its best score, best first; ties by activity, then by number."""
    if len(lists) == 1:
        return lists[0]
    best: dict[int, IndexHit] = {}
    for hit in (hit for hits in lists for hit in hits):
        known = best.get(hit.document)
        if known is None or hit.score > known.score:
            best[hit.document] = hit
    return sorted(best.values(), key=lambda hit: (-hit.score, not hit.active, hit.document))[:limit]
