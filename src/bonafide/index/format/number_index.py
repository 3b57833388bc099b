"""Index of registration numbers, found in any spelling that `matching` considers equivalent.

    number_hashes, number_documents    64-bit hashes of the numbers' keys in rising order, and the document (u8, u4)

The keys themselves are not stored: the probability of a hash collision among ten million is one in 300,000, and callers compare the
numbers. Numbers with a wrong digit are not found.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.hash_table import Hashes, hash_texts
from bonafide.index.format.jagged_arrays import expand_slices, sort_unique
from bonafide.index.format.segment_files import Arrays, SegmentWriter
from bonafide.matching.identifiers.number_matching import build_number_keys

_CACHED_NUMBERS = 256
"""The number of cached queries; each number is looked up in about forty segments in sequence."""


def write_numbers(writer: SegmentWriter, hashes: NDArray[np.uint64], documents: NDArray[np.uint32]) -> None:
    """Write the table from pairs in the order of documents."""
    order = np.argsort(hashes, kind="stable")
    writer.save("number_hashes", hashes[order], "<u8")
    writer.save("number_documents", documents[order], "<u4")


@lru_cache(maxsize=_CACHED_NUMBERS)
def _hash_number_keys(number: str) -> Hashes:
    """The hashes under which a number is looked up in any segment."""
    return hash_texts(list(build_number_keys(number)))


class NumberIndex:
    """The numbers of an opened segment."""

    def __init__(self, arrays: Arrays) -> None:
        self._hashes: NDArray[np.uint64] = arrays["number_hashes"]
        self._documents: NDArray[np.uint32] = arrays["number_documents"]

    def lookup(self, number: str) -> list[int]:
        """The documents that bear a number, in rising order."""
        keys = _hash_number_keys(number)
        starts = self._hashes.searchsorted(keys)
        stops = self._hashes.searchsorted(keys, "right")
        if (starts == stops).all():
            return []  # as in nearly every segment
        documents: list[int] = sort_unique(self._documents[expand_slices(starts, stops)]).tolist()
        return documents
