"""All distinct words of a segment in lexical order; a word's place in it is its id.

    token_bytes, token_offsets    the words in UTF-8, end to end, and where each starts (u1, i8)
    token_heads                   the first eight bytes of each word as a big-endian number: it sorts as the words do (u8)
    token_lengths                 characters of each word (u1)
    token_letters                 which letters each word has, one bit for all with the same low five bits (u4)
    token_starts, token_marks, token_ids    words by their hash (see `hash_table`)
    token_weights                 information of each word in thousandths of a nat, at least 1 (u2)

Weights are integers so that sums do not depend on their order, and equal names score exactly 1. `deletion_index` finds misspelled
words.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.hash_table import Hashes, HashTable, hash_rows, hash_texts, write_hash_table
from bonafide.index.format.jagged_arrays import Positions, expand_slices
from bonafide.index.format.segment_files import Arrays, FieldWriter
from bonafide.index.format.word_list import WordList

_PREFIX_KEY_BYTES = 8
_WEIGHT_UNIT = 1000
WORD_TABLE = "token"
_LETTER_BITS = 31


def compute_word_weights(frequencies: NDArray[np.int64], names: int) -> NDArray[np.int64]:
    """The information of a word that occurs in this many names: ln(1 + names / frequency), in thousandths."""
    weights: NDArray[np.int64] = np.rint(np.log1p(names / frequencies) * _WEIGHT_UNIT).astype(np.int64)
    return weights


def compute_rarest_weight(names: int) -> int:
    """The weight of a word that occurs in one of this many names."""
    return round(math.log1p(names) * _WEIGHT_UNIT)


def copy_word_weights(words: WordList, other: "SegmentVocabulary", names: int) -> NDArray[np.int64]:
    """The weights of words in another segment with `names` names; unknown words get the weight of its rarest words."""
    weights = np.full(len(words), compute_rarest_weight(names))
    strings = words.strings()
    known = other.find(strings)
    shared = np.fromiter((word in known for word in strings), np.bool_, len(strings))
    weights[shared] = other.weights[[known[word] for word in strings if word in known]]
    return weights


def encode_letters(word: str) -> int:
    """The set of a word's letters as bits: one edit changes at most two of them."""
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) & _LETTER_BITS)
    return bits


def write_vocabulary(writer: FieldWriter, words: WordList, weights: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Write the vocabulary with the weight of each word; returns the heads."""
    heads = _compute_prefix_keys(words)
    letters = np.left_shift(np.uint32(1), words.characters & _LETTER_BITS)
    writer.save("token_bytes", words.content, "<u1")
    writer.save("token_offsets", words.offsets, "<i8")
    writer.save("token_heads", heads, "<u8")
    writer.save("token_lengths", words.lengths, "<u1")
    writer.save("token_letters", np.bitwise_or.reduceat(letters, words.starts[:-1]), "<u4")
    writer.save("token_weights", weights, "<u2")
    hashes = hash_rows(words.content, words.offsets)
    write_hash_table(writer, WORD_TABLE, len(words), [(hashes, np.arange(len(words), dtype=np.uint32))])
    return heads


def _compute_prefix_keys(words: WordList) -> NDArray[np.uint64]:
    heads = np.zeros(len(words), np.uint64)
    for place in range(_PREFIX_KEY_BYTES):
        at = words.offsets[:-1] + place
        held = at < words.offsets[1:]
        heads <<= np.uint64(8)
        heads[held] |= words.content[at[held]]
    return heads


def _compute_prefix_key(encoded: bytes) -> int:
    return int.from_bytes(encoded[:_PREFIX_KEY_BYTES].ljust(_PREFIX_KEY_BYTES, b"\0"), "big")


@dataclass(frozen=True, slots=True)
class SegmentVocabulary:
    """The words of an opened segment."""

    table: HashTable
    content: NDArray[np.uint8]
    offsets: Positions
    heads: NDArray[np.uint64]
    lengths: NDArray[np.uint8]
    letters: NDArray[np.uint32]
    weights: NDArray[np.uint16]

    @classmethod
    def read(cls, arrays: Arrays) -> "SegmentVocabulary":
        """The vocabulary over mapped arrays."""
        names = ("token_bytes", "token_offsets", "token_heads", "token_lengths", "token_letters", "token_weights")
        return cls(HashTable(arrays, WORD_TABLE), *(arrays[name] for name in names))

    def __len__(self) -> int:
        return len(self.heads)

    def text(self, token: int) -> str:
        """The word of an id."""
        return self._encoded(token).decode()

    def texts(self, tokens: NDArray[np.integer[Any]]) -> list[str]:
        """The words of many ids."""
        ends = np.cumsum(self.offsets[tokens + 1] - self.offsets[tokens] + 1)
        # Copy each word with the following byte, which is then replaced by a line feed.
        places = expand_slices(self.offsets[tokens], self.offsets[tokens + 1] + 1)
        content = self.content[np.minimum(places, len(self.content) - 1)]
        content[ends - 1] = ord("\n")
        return content.tobytes().decode().split("\n")[:-1]

    def find(self, words: Sequence[str], hashes: Hashes | None = None) -> dict[str, int]:
        """The ids of the words that the segment contains; pass `hashes` if they are already computed."""
        places, tokens = self.table.find(hash_texts(words) if hashes is None else hashes)
        likely = ((words[place], token) for place, token in zip(places.tolist(), tokens.tolist(), strict=True))
        return {word: token for word, token in likely if self._encoded(token) == word.encode()}

    def starting_with(self, prefixes: Sequence[str]) -> list[range]:
        """For each prefix the ids of all words that start with it."""
        encoded = [prefix.encode() for prefix in prefixes]
        lows = self.heads.searchsorted(np.array([_compute_prefix_key(prefix) for prefix in encoded], np.uint64)).tolist()
        highs = self.heads.searchsorted(
            np.array([_compute_last_prefix_key(prefix) for prefix in encoded], np.uint64), "right"
        ).tolist()
        return [
            range(low, high) if len(prefix) <= _PREFIX_KEY_BYTES else self._narrow(prefix, low, high)
            for prefix, low, high in zip(encoded, lows, highs, strict=True)
        ]

    def _narrow(self, prefix: bytes, low: int, high: int) -> range:
        start = bisect_left(range(low, high), prefix, key=self._encoded) + low
        stop = bisect_left(range(start, high), 1, key=lambda token: not self._encoded(token).startswith(prefix)) + start
        return range(start, stop)

    def _encoded(self, token: int) -> bytes:
        return self.content[self.offsets[token] : self.offsets[token + 1]].tobytes()


def _compute_last_prefix_key(prefix: bytes) -> int:
    """The highest head of a word that starts with the prefix."""
    return int.from_bytes(prefix[:_PREFIX_KEY_BYTES].ljust(_PREFIX_KEY_BYTES, b"\xff"), "big")
