"""The inverted and forward index: the names that contain each word, and the words of each name.

posting_offsets, posting_names    for each word, the names that contain it, in ascending order (i8, u4)
frequent_tokens, frequent_bits    very frequent words, and for each a bitset with one bit per name (u4, u1)
name_offsets, name_tokens         for each name, its words (i8, u4)
name_documents                    the document of each name (u4)
name_weights                      the sum of the weights of a name's words (u4)
document_active                   for each document 1 when active, else 0 (u1)

Names are numbered by weight, equal ones by document. So each posting list is sorted by weight, and the names between two weights
are contiguous in it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.jagged_arrays import Flags, Positions, compute_offsets, expand_slices
from bonafide.index.format.segment_files import Arrays, FieldWriter

TokenIds = NDArray[np.int64]
NameIds = NDArray[np.uint32]

FREQUENT_SHARE = 256
"""A word in more than one of this many names also has a bitset, which is then smaller than eight times its posting list."""
FREQUENT_FROM = 1024
"""The number of names below which a bitset saves nothing."""
_BITS_OF_WORD = 64
_LOW_HALF, _HIGH_HALF = np.uint64(2**32 - 1), np.uint64(32)


@dataclass(frozen=True, slots=True)
class NameRows:
    """The input: the distinct words of each name, and its document. Names are in document order."""

    offsets: Positions
    tokens: NameIds
    documents: NameIds

    def __len__(self) -> int:
        return len(self.documents)


def write_names(writer: FieldWriter, rows: NameRows, token_weights: NDArray[np.int64]) -> "WrittenNames":
    """Write both tables, with the names ordered by weight."""
    weights = np.diff(compute_offsets(token_weights[rows.tokens])[rows.offsets])
    order = _order_by_weight(weights)
    starts, lengths = rows.offsets[:-1][order], np.diff(rows.offsets)[order]
    offsets, tokens = compute_offsets(lengths), rows.tokens[expand_slices(starts, starts + lengths)]
    writer.save("name_offsets", offsets, "<i8")
    writer.save("name_tokens", tokens, "<u4")
    documents = rows.documents[order]
    writer.save("name_documents", documents, "<u4")
    writer.save("name_weights", weights[order], "<u4")
    return WrittenNames(order, documents, _write_postings(writer, lengths, tokens, len(token_weights)))


def _order_by_weight(weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """A stable sort order of names by weight. Sorting single numbers is several times as fast as `argsort`."""
    pairs = weights.astype(np.uint64) << _HIGH_HALF | np.arange(len(weights), dtype=np.uint64)
    pairs.sort()
    return (pairs & _LOW_HALF).astype(np.int64)


def _write_postings(writer: FieldWriter, lengths: NDArray[np.int64], tokens: NameIds, vocabulary_size: int) -> "NamePostings":
    # Sorting pairs of word and name as single numbers is several times as fast as sorting by word.
    pairs = tokens.astype(np.uint64)
    pairs <<= _HIGH_HALF
    pairs |= np.repeat(np.arange(len(lengths), dtype=np.uint32), lengths)
    pairs.sort()
    names = (pairs & _LOW_HALF).astype(np.uint32)
    offsets = compute_offsets(np.bincount(tokens, minlength=vocabulary_size))
    writer.save("posting_offsets", offsets, "<i8")
    writer.save("posting_names", names, "<u4")
    _write_bits(writer, offsets, names, len(lengths))
    return NamePostings(offsets, names, {})


def _write_bits(writer: FieldWriter, offsets: Positions, names: NameIds, name_count: int) -> None:
    frequent = np.flatnonzero(np.diff(offsets) > max(name_count // FREQUENT_SHARE, FREQUENT_FROM))
    width = -(-name_count // _BITS_OF_WORD) * _BITS_OF_WORD
    bits = np.zeros((len(frequent), width // 8), np.uint8)
    for row, token in enumerate(frequent.tolist()):
        flags = np.zeros(width, np.bool_)
        flags[names[offsets[token] : offsets[token + 1]]] = True
        bits[row] = np.packbits(flags, bitorder="little")
    writer.save("frequent_tokens", frequent, "<u4")
    writer.save("frequent_bits", bits, "<u1")


@dataclass(frozen=True, slots=True)
class NamePostings:
    """The names of each word of an opened segment. `bits` are the bitsets of frequent words, 64 names per number."""

    offsets: Positions
    names: NameIds
    bits: Mapping[int, NDArray[np.uint64]]

    @classmethod
    def read(cls, arrays: Arrays) -> "NamePostings":
        """The postings over mapped arrays."""
        rows = arrays["frequent_bits"].view("<u8")
        bits = {token: rows[row] for row, token in enumerate(arrays["frequent_tokens"].tolist())}
        return cls(arrays["posting_offsets"], arrays["posting_names"], bits)

    def frequencies(self, tokens: TokenIds) -> NDArray[np.int64]:
        """The number of names that contain each word."""
        return self.offsets[tokens + 1] - self.offsets[tokens]

    def frequency(self, token: int) -> int:
        """The number of names that contain a word."""
        return int(self.offsets[token + 1] - self.offsets[token])

    def frequencies_of_range(self, tokens: range) -> NDArray[np.int64]:
        """The number of names that contain each of the words with consecutive ids."""
        return np.diff(self.offsets[tokens.start : tokens.stop + 1])

    def find_in_range(self, tokens: range) -> NameIds:
        """The names that contain words with consecutive ids, concatenated word by word."""
        return self.names[self.offsets[tokens.start] : self.offsets[tokens.stop]]

    def find_by_token(self, token: int) -> NameIds:
        """The names that contain a word."""
        return self.names[self.offsets[token] : self.offsets[token + 1]]

    def has_token(self, token: int, names: NameIds) -> Flags:
        """Flags for the names, given in ascending order, that contain a word."""
        bits = self.bits.get(token)
        if bits is not None:
            flags: Flags = (bits.view(np.uint8)[names >> 3] >> (names & 7).astype(np.uint8) & 1).view(np.bool_)
            return flags
        holders = self.find_by_token(token)
        places = holders.searchsorted(names)
        places[places == len(holders)] = 0
        held: Flags = holders[places] == names
        return held


@dataclass(frozen=True, slots=True)
class WrittenNames:
    """The result of writing, by name number: `order` is the position of each in the given rows, `documents` its document."""

    order: NDArray[np.int64]
    documents: NameIds
    postings: NamePostings


@dataclass(frozen=True, slots=True)
class NameTable:
    """The words, weight and document of each name of an opened segment, and which documents are active."""

    offsets: Positions
    tokens: NameIds
    documents: NameIds
    weights: NameIds
    active: NDArray[np.uint8]

    @classmethod
    def read(cls, arrays: Arrays) -> "NameTable":
        """The names over mapped arrays."""
        return cls(*(arrays[name] for name in ("name_offsets", "name_tokens", "name_documents", "name_weights", "document_active")))

    def __len__(self) -> int:
        return len(self.documents)

    def list_words(self, names: NameIds) -> tuple[Positions, NameIds]:
        """All words of the given names, as pairs of (place in `names`, word)."""
        starts, stops = self.offsets[names], self.offsets[names.astype(np.int64) + 1]
        return np.repeat(np.arange(len(names)), stops - starts), self.tokens[expand_slices(starts, stops)]

    def between(self, lightest: float, heaviest: float) -> tuple[int, int]:
        """The half-open range of numbers of the names with these weights."""
        if heaviest < lightest:
            return 0, 0
        bounds = np.array([max(0.0, np.ceil(lightest)), min(np.floor(heaviest) + 1, 2**32 - 1)]).astype(np.uint32)
        start, stop = self.weights.searchsorted(bounds).tolist()
        return start, stop
