"""The distinct words of a field during a build: sorted and split into characters with array operations.

`vocabulary` and `deletion_index` are written from it; it is not stored itself. Typos in numbers are handled separately: a number
has about two hundred single edits, which are enumerated and looked up. A deletion table for numbers would be larger than all
other data about words.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from string import digits as all_digits

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.jagged_arrays import Positions, compute_offsets, concatenate_texts, decode_characters, expand_slices
from bonafide.index.format.typed_forms import TypedForms, sort_lexically


def is_number(token: str) -> bool:
    """Whether a word contains a digit. An extra or missing digit usually makes another number; an extra letter may be a typo."""
    return any(map(str.isdigit, token))


_CACHED_NUMBERS = 256


@lru_cache(maxsize=_CACHED_NUMBERS)
def generate_number_edits(number: str) -> tuple[str, ...]:
    """The numbers with one digit wrong, added or missing, or two neighbours swapped."""
    cuts = [(number[:place], number[place:]) for place in range(len(number) + 1)]
    slips = {
        *(before + after[1:] for before, after in cuts),
        *(before + after[1::-1] + after[2:] for before, after in cuts),
        *(before + digit + after[skipped:] for before, after in cuts for digit in all_digits for skipped in (0, 1)),
    }
    return tuple(slip for slip in sorted(slips - {number}) if is_number(slip))


_ASCII = 128


@dataclass(frozen=True)
class WordList:
    """Words in lexical order, as concatenated UTF-8."""

    content: NDArray[np.uint8]
    offsets: Positions

    def __len__(self) -> int:
        """The number of items."""
        return len(self.offsets) - 1

    def strings(self) -> list[str]:
        """The words one by one."""
        content = self.content.tobytes()
        return [content[start:stop].decode() for start, stop in pairwise(self.offsets.tolist())]

    @cached_property
    def _characters(self) -> tuple[NDArray[np.uint32], Positions]:
        return decode_characters(self.content, self.offsets)

    @property
    def characters(self) -> NDArray[np.uint32]:
        """The code points of all words, end to end."""
        return self._characters[0]

    @property
    def starts(self) -> Positions:
        """Where in `characters` each word starts, and the last one ends."""
        return self._characters[1]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of characters of each word."""
        return np.diff(self.starts)

    def numeric(self) -> NDArray[np.bool_]:
        """Flags for the words that contain a digit of any script, as in `is_number`."""
        digits = (self.characters >= ord("0")) & (self.characters <= ord("9"))
        beyond = np.unique(self.characters[self.characters >= _ASCII])
        digits |= np.isin(self.characters, [code for code in beyond.tolist() if chr(code).isdigit()])
        return np.diff(compute_offsets(digits)[self.starts]) > 0


def sort_words(words: Collection[str]) -> tuple[WordList, NDArray[np.uint32]]:
    """Distinct words in lexical order, and for each of the given ones its place in that order."""
    content, offsets = concatenate_texts(tuple(words))
    lengths = np.diff(offsets)
    order = sort_lexically(TypedForms.from_collected(content, lengths.astype(np.uint16), np.arange(len(lengths))))
    places = np.empty(len(order), np.uint32)
    places[order] = np.arange(len(order), dtype=np.uint32)
    content = content[expand_slices(offsets[:-1][order], offsets[1:][order])]
    return WordList(content, compute_offsets(lengths[order])), places
