"""Sort many millions of texts lexically without making strings of them.

Texts are compared eight bytes at a time, as numbers. Each pass sorts only those that all passes before have left equal, by the
number of their group and as many bytes more as fit beside it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.typed_forms import TypedForms

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
    """Of sorted keys the places of those that are shared and that go on, and the group of each, counted from 0."""
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
    """Reads eight bytes from any place; `words[i]` are those from byte `i` on."""

    words: NDArray[np.uint64]
    starts: NDArray[np.unsignedinteger]
    lengths: NDArray[np.uint16]

    @classmethod
    def from_forms(cls, forms: TypedForms) -> "_TextReader":
        padded = np.concatenate((forms.content, np.zeros(_WORD_BYTES, np.uint8)))
        words = np.ndarray((len(forms.content) + 1,), ">u8", padded, strides=(1,))
        return cls(words, forms.starts, forms.lengths)

    def after(self, rows: NDArray[np.integer], read: int, width: int) -> PrefixKeys:
        """The `width` bytes of each text after those that were read, as a number; zeros stand after its end."""
        lengths = self.lengths[rows]
        ended = lengths <= read
        values = self.words[np.where(ended, 0, self.starts[rows] + read)].astype(np.uint64)
        kept = np.clip(lengths.astype(np.int64) - read, 1, width).astype(np.uint64)
        values >>= (_WORD_BYTES - kept) * np.uint64(8)
        values <<= (width - kept) * np.uint64(8)
        values[ended] = 0
        return values
