"""All distinct words of a segment in lexical order; a word's place in it is its id.

    token_bytes, token_offsets    the words in UTF-8, end to end, and where each starts (u1, i8)
    token_heads                   the first eight bytes of each word as a big-endian number: it sorts as the words do (u8)
    token_lengths                 characters of each word (u1)
    token_letters                 which letters each word has, one bit for all with the same low five bits (u4)
    token_weights                 information of each word in thousandths of a nat, at least 1 (u2)

Weights are whole numbers so that sums don't depend on their order, and equal names score exactly 1. Spelling mistakes are the
business of `deletions`.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bonafide.index.files import Arrays, SegmentWriter
from bonafide.index.ragged import Positions, offsets_of

_HEAD_BYTES = 8
_WEIGHT_UNIT = 1000


def weigh(frequencies: NDArray[np.int64], names: int) -> NDArray[np.int64]:
    """How much a word that stands in so many of all names tells: ln(1 + names / frequency), in thousandths."""
    weights: NDArray[np.int64] = np.rint(np.log1p(names / frequencies) * _WEIGHT_UNIT).astype(np.int64)
    return weights


def weight_of_rarest(names: int) -> int:
    """The weight of a word that stands in one of so many names."""
    return round(math.log1p(names) * _WEIGHT_UNIT)


def letters_of(word: str) -> int:
    """The set of a word's letters as bits: one edit changes at most two of them."""
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) & 31)
    return bits


def write_vocabulary(writer: SegmentWriter, words: Sequence[str], weights: NDArray[np.int64]) -> None:
    """Write the vocabulary; `words` in lexical order."""
    encoded = [word.encode() for word in words]
    writer.save("token_bytes", np.frombuffer(b"".join(encoded), np.uint8), "<u1")
    writer.save("token_offsets", offsets_of(np.fromiter(map(len, encoded), np.int64)), "<i8")
    writer.save("token_heads", np.fromiter(map(_head, encoded), np.uint64), "<u8")
    writer.save("token_lengths", np.fromiter(map(len, words), np.uint8), "<u1")
    writer.save("token_letters", np.fromiter(map(letters_of, words), np.uint32), "<u4")
    writer.save("token_weights", weights, "<u2")


def _head(encoded: bytes) -> int:
    return int.from_bytes(encoded[:_HEAD_BYTES].ljust(_HEAD_BYTES, b"\0"), "big")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of an opened segment."""

    content: NDArray[np.uint8]
    offsets: Positions
    heads: NDArray[np.uint64]
    lengths: NDArray[np.uint8]
    letters: NDArray[np.uint32]
    weights: NDArray[np.uint16]

    @classmethod
    def read(cls, arrays: Arrays) -> "Vocabulary":
        """The vocabulary over mapped arrays."""
        names = ("token_bytes", "token_offsets", "token_heads", "token_lengths", "token_letters", "token_weights")
        return cls(*(arrays[name] for name in names))

    def __len__(self) -> int:
        return len(self.heads)

    def text(self, token: int) -> str:
        """The word of an id."""
        return self._encoded(token).decode()

    def find(self, words: Sequence[str]) -> dict[str, int]:
        """The ids of those of the words that the segment knows."""
        if len(self) == 0 or len(words) == 0:
            return {}
        encoded = [word.encode() for word in words]
        heads = np.array([_head(word) for word in encoded], np.uint64)
        places = self.heads.searchsorted(heads)
        # Most of what is asked for does not exist, and nearly all of that has a head that does not exist.
        likely = np.flatnonzero(self.heads[np.minimum(places, len(self) - 1)] == heads)
        found = {}
        for asked, place in zip(likely.tolist(), places[likely].tolist(), strict=True):
            token = place if len(encoded[asked]) <= _HEAD_BYTES else self._bisect(encoded[asked], place)
            if token < len(self) and self._encoded(token) == encoded[asked]:
                found[words[asked]] = token
        return found

    def starting_with(self, prefixes: Sequence[str]) -> list[range]:
        """For each prefix the ids of all words that start with it."""
        encoded = [prefix.encode() for prefix in prefixes]
        lows = self.heads.searchsorted(np.array([_head(prefix) for prefix in encoded], np.uint64)).tolist()
        highs = self.heads.searchsorted(np.array([_head_above(prefix) for prefix in encoded], np.uint64), "right").tolist()
        return [
            range(low, high) if len(prefix) <= _HEAD_BYTES else self._narrow(prefix, low, high)
            for prefix, low, high in zip(encoded, lows, highs, strict=True)
        ]

    def _narrow(self, prefix: bytes, low: int, high: int) -> range:
        start = bisect_left(range(low, high), prefix, key=self._encoded) + low
        stop = bisect_left(range(start, high), 1, key=lambda token: not self._encoded(token).startswith(prefix)) + start
        return range(start, stop)

    def _bisect(self, target: bytes, start: int) -> int:
        """The first id from `start` on whose word is not before the target."""
        return bisect_left(range(len(self)), target, lo=start, key=self._encoded)

    def _encoded(self, token: int) -> bytes:
        return self.content[self.offsets[token] : self.offsets[token + 1]].tobytes()


def _head_above(prefix: bytes) -> int:
    """The highest head of a word that starts with the prefix."""
    return int.from_bytes(prefix[:_HEAD_BYTES].ljust(_HEAD_BYTES, b"\xff"), "big")
