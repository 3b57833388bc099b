"""Index of acronyms: the documents with a name that has certain initials, apart from the words of names.

    acronym_hashes, acronym_documents    64-bit hashes of the acronyms in ascending order, and the document (u8, u4)

Acronyms are neither words nor names of the index, so they change no frequency of a word and no score of another query. `matching`
defines the acronyms of a name.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.documents import Documents
from bonafide.index.format.hash_table import Hashes, hash_texts
from bonafide.index.format.jagged_arrays import sort_unique
from bonafide.index.format.segment_files import Arrays, SegmentWriter

_CACHED_ACRONYMS = 256
"""The number of cached queries; each acronym is looked up in about forty segments in sequence."""


def write_acronyms(writer: SegmentWriter, hashes: Hashes, documents: Documents) -> None:
    """Write the table from pairs in the order of documents."""
    order = np.argsort(hashes, kind="stable")
    writer.save("acronym_hashes", hashes[order], "<u8")
    writer.save("acronym_documents", documents[order], "<u4")


@lru_cache(maxsize=_CACHED_ACRONYMS)
def _hash_acronym(acronym: str) -> np.uint64:
    return np.uint64(hash_texts([acronym])[0])


class AcronymIndex:
    """The acronyms of an opened segment."""

    def __init__(self, arrays: Arrays) -> None:
        self._hashes: NDArray[np.uint64] = arrays["acronym_hashes"]
        self._documents: NDArray[np.uint32] = arrays["acronym_documents"]

    def find(self, acronym: str) -> Documents:
        """The documents with a name of this acronym, in ascending order."""
        key = _hash_acronym(acronym)
        start, stop = self._hashes.searchsorted(key), self._hashes.searchsorted(key, "right")
        documents: Documents = sort_unique(self._documents[start:stop])
        return documents
