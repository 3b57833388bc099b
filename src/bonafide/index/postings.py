"""Which names hold a word, and which words a name holds: the two directions of the same table.

posting_offsets, posting_names    for each word, the names that hold it, in rising order (i8, u4)
name_offsets, name_tokens         for each name, its words (i8, u4)
name_documents                    the document of each name; names stand in the order of documents (u4)
name_weights                      the sum of the weights of a name's words (u4)
document_active                   for each document 1 when active, else 0 (u1)
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bonafide.index.files import Arrays, SegmentWriter
from bonafide.index.ragged import Positions, offsets_of, spread

Tokens = NDArray[np.int64]
Names = NDArray[np.uint32]


def write_postings(writer: SegmentWriter, name_offsets: Positions, name_tokens: Tokens, vocabulary_size: int) -> None:
    """Write the names of each word."""
    names = np.repeat(np.arange(len(name_offsets) - 1), np.diff(name_offsets))
    # A stable sort by word leaves the names of each in rising order.
    order = np.argsort(name_tokens, kind="stable")
    writer.save("posting_offsets", offsets_of(np.bincount(name_tokens, minlength=vocabulary_size)), "<i8")
    writer.save("posting_names", names[order], "<u4")


def write_names(
    writer: SegmentWriter, name_offsets: Positions, name_tokens: Tokens, name_documents: Names, token_weights: NDArray[np.int64]
) -> None:
    """Write the words, document and weight of each name."""
    writer.save("name_offsets", name_offsets, "<i8")
    writer.save("name_tokens", name_tokens, "<u4")
    writer.save("name_documents", name_documents, "<u4")
    writer.save("name_weights", np.diff(offsets_of(token_weights[name_tokens])[name_offsets]), "<u4")


@dataclass(frozen=True, slots=True)
class Postings:
    """The names of each word of an opened segment."""

    offsets: Positions
    names: Names

    @classmethod
    def read(cls, arrays: Arrays) -> "Postings":
        """The postings over mapped arrays."""
        return cls(arrays["posting_offsets"], arrays["posting_names"])

    def frequencies(self, tokens: Tokens) -> NDArray[np.int64]:
        """How many names hold each of the words."""
        return self.offsets[tokens + 1] - self.offsets[tokens]

    def frequencies_of_range(self, tokens: range) -> NDArray[np.int64]:
        """How many names hold each of the words of consecutive ids."""
        return np.diff(self.offsets[tokens.start : tokens.stop + 1])

    def of(self, tokens: Tokens) -> Names:
        """The names that hold any of the words, one word after the other."""
        return self.names[spread(self.offsets[tokens], self.offsets[tokens + 1])]

    def of_range(self, tokens: range, limit: int) -> Names:
        """The first so many entries of the names that hold the words of consecutive ids."""
        start = int(self.offsets[tokens.start])
        return self.names[start : min(int(self.offsets[tokens.stop]), start + limit)]


@dataclass(frozen=True, slots=True)
class NameTable:
    """The words, weight and document of each name of an opened segment, and which documents are active."""

    offsets: Positions
    tokens: Names
    documents: Names
    weights: Names
    active: NDArray[np.uint8]

    @classmethod
    def read(cls, arrays: Arrays) -> "NameTable":
        """The names over mapped arrays."""
        return cls(*(arrays[name] for name in ("name_offsets", "name_tokens", "name_documents", "name_weights", "document_active")))

    def __len__(self) -> int:
        return len(self.documents)

    def words_of(self, names: Names) -> tuple[Positions, Names]:
        """All words of the given names, as pairs of (place in `names`, word)."""
        starts, stops = self.offsets[names], self.offsets[names.astype(np.int64) + 1]
        return np.repeat(np.arange(len(names)), stops - starts), self.tokens[spread(starts, stops)]
