"""64-bit hashes of many texts at a time, the same on every machine and in every process.

A row's hash is a polynomial of its bytes, each replaced by a random number, modulo 2**64, stirred at the end. It spreads texts that
look alike, such as consecutive numbers, as chance would. It is no defence against someone who seeks two texts with one hash.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.jagged_arrays import Positions, concatenate_texts

Hashes = NDArray[np.uint64]

_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 2**64)
_MIXERS = (np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53))
"""Of the last step of MurmurHash3 (Austin Appleby, public domain)."""
_HALF = np.uint64(33)
_BLOCK = 2**15
"""Bytes that are hashed at a time, with those of the last row."""


def mix_bits(values: Hashes) -> Hashes:
    """Each number with every bit of it spread over all 64, one to one."""
    values = (values ^ values >> _HALF) * _MIXERS[0]
    values = (values ^ values >> _HALF) * _MIXERS[1]
    return values ^ values >> _HALF


_BYTE_VALUES = mix_bits(np.arange(1, 257, dtype=np.uint64))


def hash_texts(texts: Sequence[str]) -> Hashes:
    """The hash of each text."""
    return hash_rows(*concatenate_texts(texts))


def hash_rows(content: NDArray[np.uint8], offsets: Positions) -> Hashes:
    """The hash of each row of ragged bytes; of as many rows at a time as fit into the processor's cache."""
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
    # Sums wrap around at 2**64, so that what stands before a row is taken away exactly, and so is the power that it starts with.
    polynomials = (sums[stops] - sums[starts]) * _powers(_INVERSE, len(sums).bit_length())[starts]
    return mix_bits(polynomials + (stops - starts).astype(np.uint64))


@lru_cache(maxsize=2 * _BLOCK.bit_length())
def _powers(base: int, bits: int) -> Hashes:
    """The powers of a number with exponents of at most so many bits."""
    powers = np.full(1 << bits, base, np.uint64)
    powers[0] = 1
    return np.cumprod(powers, dtype=np.uint64)
