"""The typed forms of a field's texts, which typeahead compares, by name number; and their lexical order.

    typed_bytes      all typed forms in UTF-8, in the order of collection (u1)
    typed_starts     the offset of each name's form (u4; u8 above four gigabytes)
    typed_lengths    the length of each in bytes (u2)

Names are renumbered without moving the bytes. `matching` defines the typed form of a name. Sorting many millions creates no
strings: texts are compared eight bytes at a time as numbers, and each pass sorts only the ties of earlier passes, by the number
of their group and as many further bytes as fit beside it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.jagged_arrays import compute_offsets
from bonafide.index.format.segment_files import Arrays, FieldWriter

_FOUR_GIGABYTES = 2**32


@dataclass(frozen=True, slots=True)
class TypedForms:
    """The typed form of each name, as bytes of one buffer."""

    content: NDArray[np.uint8]
    starts: NDArray[np.uint32] | NDArray[np.uint64]
    lengths: NDArray[np.uint16]

    @classmethod
    def from_collected(cls, content: NDArray[np.uint8], lengths: NDArray[np.uint16], order: NDArray[np.integer]) -> "TypedForms":
        """Create from concatenated forms; `order` is the position of each name's form, by name number."""
        width = np.uint32 if len(content) < _FOUR_GIGABYTES else np.uint64
        return cls(content, compute_offsets(lengths)[:-1].astype(width)[order], lengths[order])

    @classmethod
    def read(cls, arrays: Arrays) -> "TypedForms":
        """The forms over mapped arrays."""
        return cls(arrays["typed_bytes"], arrays["typed_starts"], arrays["typed_lengths"])

    def write(self, writer: FieldWriter) -> None:
        """Write the arrays."""
        writer.save("typed_bytes", self.content, "<u1")
        writer.save("typed_starts", self.starts, f"<u{self.starts.itemsize}")
        writer.save("typed_lengths", self.lengths, "<u2")

    def __len__(self) -> int:
        return len(self.starts)

    def encoded(self, name: int) -> bytes:
        """The typed form of a name in UTF-8."""
        start = int(self.starts[name])
        return self.content[start : start + int(self.lengths[name])].tobytes()

    def decode(self, names: NDArray[np.uint32]) -> list[str]:
        """The typed forms of names."""
        starts = self.starts[names].astype(np.int64)
        stops, content = starts + self.lengths[names], self.content.data
        return [str(content[start:stop], "utf-8") for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)]


_WORD_BYTES = 8
_WORD_BITS = 64
PrefixKeys = NDArray[np.uint64]


def compute_prefix_keys(forms: TypedForms) -> PrefixKeys:
    """The first eight bytes of each text as a big-endian number, which sorts as the texts do."""
    return _TextReader.from_forms(forms).after(np.arange(len(forms)), 0, _WORD_BYTES)


def sort_lexically(forms: TypedForms) -> NDArray[np.uint32]:
    """The numbers of the texts in the order of their bytes. Texts must not hold the byte 0."""
    reader = _TextReader.from_forms(forms)
    heads = reader.after(np.arange(len(forms)), 0, _WORD_BYTES)
    order = np.argsort(heads).astype(np.uint32)
    places, groups = _find_ties(np.arange(len(order)), heads[order])
    read = _WORD_BYTES
    while len(places) > 0:
        width = (_WORD_BITS - int(groups[-1]).bit_length()) // 8
        rows = order[places]
        keys = groups << np.uint64(8 * width) | reader.after(rows, read, width)
        sorting = np.argsort(keys)
        order[places] = rows[sorting]
        places, groups = _find_ties(places, keys[sorting])
        read += width
    return order


def _find_ties(places: NDArray[np.int64], keys: PrefixKeys) -> tuple[NDArray[np.int64], PrefixKeys]:
    """The positions of sorted keys that are tied and have further bytes, and the group of each, counted from 0."""
    same = keys[1:] == keys[:-1]
    tied = np.zeros(len(keys), np.bool_)
    tied[:-1] = same
    tied[1:] |= same
    tied &= keys & np.uint64(0xFF) != 0  # a text that ended is padded with zeros
    held = keys[tied]
    fresh = np.zeros(len(held), np.uint64)
    fresh[1:] = held[1:] != held[:-1]
    return places[tied], np.cumsum(fresh, dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class _TextReader:
    """Reads eight bytes at any offset; `words[i]` are those from byte `i` on."""

    words: NDArray[np.uint64]
    starts: NDArray[np.unsignedinteger]
    lengths: NDArray[np.uint16]

    @classmethod
    def from_forms(cls, forms: TypedForms) -> "_TextReader":
        padded = np.concatenate((forms.content, np.zeros(_WORD_BYTES, np.uint8)))
        words = np.ndarray((len(forms.content) + 1,), ">u8", padded, strides=(1,))
        return cls(words, forms.starts, forms.lengths)

    def after(self, rows: NDArray[np.integer], read: int, width: int) -> PrefixKeys:
        """The next `width` bytes of each text after the first `read` ones, as a number, padded with zeros."""
        lengths = self.lengths[rows]
        ended = lengths <= read
        values = self.words[np.where(ended, 0, self.starts[rows] + read)].astype(np.uint64)
        kept = np.clip(lengths.astype(np.int64) - read, 1, width).astype(np.uint64)
        values >>= (_WORD_BYTES - kept) * np.uint64(8)
        values <<= (width - kept) * np.uint64(8)
        values[ended] = 0
        return values
