"""A hash table on disk from 64-bit hashes to ids; a look-up reads two places of memory, whatever its size.

    <name>_starts    where each bucket starts; a hash's first bits are the number of its bucket (u4)
    <name>_marks     the eight bits after those, of each entry; within a bucket in rising order (u1)
    <name>_ids       the id of each entry (u4)

A mark is not the hash: some ids that are found belong to other hashes. To tell them is left to the caller.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.hashing import Hashes
from bonafide.index.format.jagged_arrays import Positions, expand_slices
from bonafide.index.format.segment_files import Arrays, FieldWriter

_MAX_BUCKET_ENTRIES = 16
"""Of a bucket, at most on the average: their marks share a line or two of the processor's cache."""
_MARK_BITS = 8
_ID_BITS = 32
_HASH_BITS = 64


def write_hash_table(
    writer: FieldWriter, name: str, size: int, entries: Iterable[tuple[Hashes, NDArray[np.unsignedinteger]]]
) -> None:
    """Write a table of at most `size` pairs of hash and id, given in pieces; equal pairs become one."""
    bits = (size // _MAX_BUCKET_ENTRIES).bit_length()
    packed, end = np.empty(size, np.uint64), 0
    for hashes, ids in entries:
        start, end = end, end + len(ids)
        packed[start:end] = hashes >> np.uint64(_HASH_BITS - bits - _MARK_BITS) << np.uint64(_ID_BITS) | ids
    packed = packed[:end]
    # Sorting single numbers is many times as fast as sorting pairs.
    packed.sort()
    packed = np.concatenate((packed[:1], packed[1:][packed[1:] != packed[:-1]]))
    bounds = np.arange(2**bits + 1, dtype=np.uint64) << np.uint64(_ID_BITS + _MARK_BITS)
    writer.save(f"{name}_starts", packed.searchsorted(bounds), "<u4")
    writer.save(f"{name}_marks", (packed >> np.uint64(_ID_BITS)).astype(np.uint8), "<u1")
    writer.save(f"{name}_ids", packed.astype(np.uint32), "<u4")


class HashTable:
    """A table of an opened segment."""

    def __init__(self, arrays: Arrays, name: str) -> None:
        self._starts: NDArray[np.uint32] = arrays[f"{name}_starts"]
        self._marks: NDArray[np.uint8] = arrays[f"{name}_marks"]
        self._ids: NDArray[np.uint32] = arrays[f"{name}_ids"]
        bits = (len(self._starts) - 1).bit_length() - 1
        self._shift = np.uint64(_HASH_BITS - bits - _MARK_BITS)

    def find(self, hashes: Hashes) -> tuple[Positions, NDArray[np.uint32]]:
        """The ids of each hash, and some others, as pairs of (place in `hashes`, id)."""
        found = hashes >> self._shift
        buckets = (found >> np.uint64(_MARK_BITS)).astype(np.int64)
        starts, stops = self._starts[buckets].astype(np.int64), self._starts[buckets + 1].astype(np.int64)
        entries, counts = expand_slices(starts, stops), stops - starts
        # Places are told for the few entries that fit, not for all.
        fitting = np.flatnonzero(self._marks[entries] == found.astype(np.uint8).repeat(counts))
        return counts.cumsum().searchsorted(fitting, "right"), self._ids[entries[fitting]]
