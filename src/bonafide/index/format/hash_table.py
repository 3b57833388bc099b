"""64-bit hashes of many texts at a time, the same on every machine, and a hash table on disk from them to ids.

    <name>_starts    where each bucket starts; a hash's first bits are the number of its bucket (u4)
    <name>_marks     the eight bits after those, of each entry; within a bucket in rising order (u1)
    <name>_ids       the id of each entry (u4)

A row's hash is a polynomial of its bytes, each replaced by a random number, modulo 2**64, followed by a mixing step. It distributes
similar texts, such as consecutive numbers, evenly. It is not collision resistant against an attacker. A lookup reads two memory
locations, whatever the size of the table. A mark is only part of the hash, so lookups return false positives that the caller
must reject.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.jagged_arrays import Positions, concatenate_texts, expand_slices
from bonafide.index.format.segment_files import Arrays, FieldWriter

Hashes = NDArray[np.uint64]

_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 2**64)
_MIXERS = (np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53))
"""The multipliers of the finalizer of MurmurHash3 (Austin Appleby, public domain)."""
_HALF = np.uint64(33)
_BLOCK = 2**15
"""The number of bytes hashed at a time, rounded up to whole rows."""


def mix_bits(values: Hashes) -> Hashes:
    """Mix the bits of each number; a bijection of 64-bit numbers."""
    values = (values ^ values >> _HALF) * _MIXERS[0]
    values = (values ^ values >> _HALF) * _MIXERS[1]
    return values ^ values >> _HALF


_BYTE_VALUES = mix_bits(np.arange(1, 257, dtype=np.uint64))


def hash_texts(texts: Sequence[str]) -> Hashes:
    """The hash of each text."""
    return hash_rows(*concatenate_texts(texts))


def hash_rows(content: NDArray[np.uint8], offsets: Positions) -> Hashes:
    """The hash of each row of a jagged array of bytes; processes as many rows at a time as fit into the CPU cache."""
    hashes = np.empty(len(offsets) - 1, np.uint64)
    cuts = offsets.searchsorted(np.arange(0, offsets[-1], _BLOCK))
    for first, last in pairwise(np.unique([0, *cuts.tolist(), len(hashes)]).tolist()):
        own = offsets[first : last + 1]
        hashes[first:last] = _hash_block(_BYTE_VALUES[content[own[0] : own[-1]]], own - own[0])
    return hashes


def _hash_block(values: Hashes, offsets: Positions) -> Hashes:
    sums = np.zeros(len(values) + 1, np.uint64)
    values *= _powers(_BASE, len(values).bit_length())[: len(values)]
    np.cumsum(values, out=sums[1:])
    starts, stops = offsets[:-1], offsets[1:]
    # Sums wrap around at 2**64, so subtracting the sum before a row and dividing by its first power are exact.
    polynomials = (sums[stops] - sums[starts]) * _powers(_INVERSE, len(sums).bit_length())[starts]
    return mix_bits(polynomials + (stops - starts).astype(np.uint64))


@lru_cache(maxsize=2 * _BLOCK.bit_length())
def _powers(base: int, bits: int) -> Hashes:
    """The powers of a number with exponents of at most `bits` bits."""
    powers = np.full(1 << bits, base, np.uint64)
    powers[0] = 1
    return np.cumprod(powers, dtype=np.uint64)


_MAX_BUCKET_ENTRIES = 16
"""The maximum average size of a bucket: its marks fit in one or two CPU cache lines."""
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
        # Positions are computed for the matching entries only.
        fitting = np.flatnonzero(self._marks[entries] == found.astype(np.uint8).repeat(counts))
        return counts.cumsum().searchsorted(fitting, "right"), self._ids[entries[fitting]]
