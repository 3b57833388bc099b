"""Search the names of one field of a segment with the extension in C.

What depends on the query only, such as a word's equivalents, is prepared here once for all segments; the rest is done by the
extension without Python's global lock. `numpy_kernel` is the reference.
"""

from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bonafide.errors import SegmentCorrupt
from bonafide.i18n.message import Message
from bonafide.index.format.documents import DocumentFilter, IndexHit, ScoreHints
from bonafide.index.format.segment_files import Arrays
from bonafide.index.search.query import QueryReading
from bonafide.index.search.query_plan import find_rarest_weight, has_form_weight
from bonafide.matching.text.scanned_words import list_scan_corrections, read_digits_as_letters
from bonafide.matching.text.word_classes import find_equivalents

if TYPE_CHECKING:
    from bonafide.native import _search

_CACHED_QUERIES = 256
"""The number of cached queries; a few run at a time, each on about forty segments."""
_ASCII, _CODES = 0x80, 0x110000
_SURROGATES = (0xD800, 0xE000)


class CompiledKernel:
    """Searches an opened field with the extension, over mapped arrays."""

    name = "compiled"

    def __init__(self, arrays: Arrays, extension: ModuleType) -> None:
        rarest = find_rarest_weight(arrays["token_weights"], len(arrays["name_documents"]))
        self._extension = extension
        self._field: _search.Field = extension.Field(dict(arrays), rarest, find_digits())

    def search(self, reading: QueryReading, limit: int, admission: DocumentFilter, marks: ScoreHints) -> list[IndexHit]:
        """The documents with the most similar names, best first; ties by activity, then by number.

        Raises `SegmentCorrupt` when the arrays contradict each other.
        """
        if limit < 1 or len(reading.words) == 0:
            return []
        try:
            return self._search(reading, limit, admission, marks)
        except IndexError as error:
            raise SegmentCorrupt(Message("The arrays of an index contradict each other.")) from error

    def _search(self, reading: QueryReading, limit: int, admission: DocumentFilter, marks: ScoreHints) -> list[IndexHit]:
        query = prepare_query(self._extension, reading.words, 0)
        unknown = self._field.find_unknown_words(query)
        if unknown:
            query = prepare_query(self._extension, reading.words, unknown)
        found = self._field.search(
            query, reading.typed, limit, marks.best, marks.floor, admission.facets, admission.allowed, admission.dead
        )
        return list(map(IndexHit._make, found))


@lru_cache(maxsize=_CACHED_QUERIES)
def prepare_query(extension: ModuleType, words: tuple[str, ...], misread: int) -> "_search.Query":
    """The words of a query with their other spellings; those with a bit in `misread` also as they may have been printed."""
    slots = tuple(
        (
            word,
            read_digits_as_letters(word),
            # Sorted, because the order of a set differs between processes.
            tuple(sorted(find_equivalents(word))),
            list_scan_corrections(word) if misread >> slot & 1 else (),
            has_form_weight(word),
        )
        for slot, word in enumerate(words)
    )
    query: _search.Query = extension.Query(slots, find_digits().tobytes())
    return query


@lru_cache(maxsize=1)
def find_digits() -> NDArray[np.uint32]:
    """The code points beyond ASCII that are digits as `str.isdigit` has it, in ascending order."""
    codes = np.concatenate((np.arange(_ASCII, _SURROGATES[0]), np.arange(_SURROGATES[1], _CODES))).astype(np.uint32)
    return codes[np.strings.isdigit(codes.view("U1"))]
