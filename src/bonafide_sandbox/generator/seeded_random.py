"""Random numbers that depend only on the seed, the index of a business and the purpose of the draw.

Each number is a hash of these three, computed for a whole column of indices at once. There is no generator state, so business 7 is
the same in a world of a thousand and in one of ten million, and adding a purpose does not change other draws. Not suitable for
secrets.
"""

import zlib
from dataclasses import dataclass
from functools import cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
BitsArray = NDArray[np.uint64]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

_MASK = (1 << 64) - 1
_UNIT = 1.0 / (1 << 53)


def mix_bits(bits: BitsArray) -> BitsArray:
    """Mix every input bit into all 64 output bits (the MurmurHash3 finalizer, public domain)."""
    bits = bits ^ (bits >> np.uint64(33))
    bits *= np.uint64(0xFF51AFD7ED558CCD)
    bits ^= bits >> np.uint64(33)
    bits *= np.uint64(0xC4CEB9FE1A85EC53)
    bits ^= bits >> np.uint64(33)
    return bits


@cache
def _key(purpose: str) -> np.uint64:
    return np.uint64((zlib.crc32(purpose.encode()) * 0x9E3779B97F4A7C15 + len(purpose)) & _MASK)


@dataclass(frozen=True, slots=True)
class SeededRandom:
    """The draws of a column of businesses."""

    base: BitsArray

    @classmethod
    def of(cls, seed: int, indices: IntArray) -> Self:
        """Create the draws for these indices in the world with this seed."""
        start = np.uint64((seed * 0xD1B54A32D192ED03 + 0x632BE59BD9B4E019) & _MASK)
        return cls(mix_bits(mix_bits(indices.astype(np.uint64)) ^ start))

    def __len__(self) -> int:
        return len(self.base)

    def at(self, rows: IntArray) -> Self:
        """Select a subset of the rows."""
        return type(self)(self.base[rows])

    def stream(self, purpose: str) -> Self:
        """Return an independent stream of draws for the same rows, for example for a second name."""
        return type(self)(self.bits(purpose))

    def repeat(self, counts: IntArray) -> Self:
        """Expand each row to several rows with independent draws."""
        owners = np.repeat(self.base, counts)
        places = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
        return type(self)(mix_bits(owners ^ mix_bits(places.astype(np.uint64) + np.uint64(1))))

    def bits(self, purpose: str) -> BitsArray:
        """Return 64 random bits per row."""
        return mix_bits(self.base ^ _key(purpose))

    def unit(self, purpose: str) -> FloatArray:
        """Return a float in [0, 1) per row."""
        return (self.bits(purpose) >> np.uint64(11)).astype(np.float64) * _UNIT

    def chance(self, purpose: str, share: float | FloatArray) -> BoolArray:
        """Return a mask that is True for approximately this share of the rows."""
        return self.unit(purpose) < share

    def below(self, purpose: str, bound: int | IntArray) -> IntArray:
        """Return an integer in [0, bound) per row."""
        return (self.unit(purpose) * bound).astype(np.int64)

    def zipf(self, purpose: str, count: int, flattening: float) -> IntArray:
        """Return a rank below `count` with frequency 1 / (rank + flattening), by inverting the Zipf-Mandelbrot sum."""
        ranks = flattening * (np.power(1 + count / flattening, self.unit(purpose)) - 1)
        return np.minimum(ranks.astype(np.int64), count - 1)
