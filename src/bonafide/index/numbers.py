"""Registration numbers of documents, found in any spelling that `matching` knows to be the same.

    number_hashes, number_documents    64-bit BLAKE2b hashes of the numbers' keys in rising order, and the document (u8, u4)

The keys themselves are not stored: among ten million, two share a hash with a chance of one in 300,000, and whoever asks compares
the numbers anyway. Numbers with a wrong digit are not found here.
"""

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from bonafide.index.files import Arrays, SegmentWriter
from bonafide.matching.identifiers import number_keys


def number_hashes(numbers: Iterable[str]) -> set[int]:
    """The hashes of all keys of these numbers."""
    keys = set().union(*map(number_keys, numbers))
    return {int.from_bytes(blake2b(key.encode(errors="surrogatepass"), digest_size=8).digest(), "little") for key in keys}


def write_numbers(writer: SegmentWriter, hashes: NDArray[np.uint64], documents: NDArray[np.uint32]) -> None:
    """Write the table from pairs in the order of documents."""
    order = np.argsort(hashes, kind="stable")
    writer.save("number_hashes", hashes[order], "<u8")
    writer.save("number_documents", documents[order], "<u4")


class Numbers:
    """The numbers of an opened segment."""

    def __init__(self, arrays: Arrays) -> None:
        self._hashes: NDArray[np.uint64] = arrays["number_hashes"]
        self._documents: NDArray[np.uint32] = arrays["number_documents"]

    def lookup(self, number: str) -> list[int]:
        """The documents that bear a number, in rising order."""
        found: set[int] = set()
        for value in number_hashes([number]):
            # A Python integer would be compared as a float, which holds only 53 bits.
            key = np.uint64(value)
            start, stop = np.searchsorted(self._hashes, key), np.searchsorted(self._hashes, key, "right")
            found.update(self._documents[start:stop].tolist())
        return sorted(found)
