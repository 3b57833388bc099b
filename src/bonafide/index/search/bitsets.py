"""Set operations on names stored as bitsets, 64 names per number."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.postings import NameIds
from bonafide.index.search.score_bounds import NameRange

Bitset = NDArray[np.uint64]
_BITS = 64
_WORDS_AT_ONCE = 4_096


def intersect_bitsets(rows: Sequence[Bitset], window: NameRange) -> Bitset:
    """The names of a window (or next to it) that are in all of the sets."""
    low, high = _compute_word_range(window)
    found = rows[0][low:high].copy()
    for row in rows[1:]:
        found &= row[low:high]
    return found


def intersect_at_least(rows: Sequence[Bitset], window: NameRange) -> list[Bitset]:
    """The names of a window (or next to it) that are in at least one of the sets, in at least two, and so on to all of them."""
    low, high = _compute_word_range(window)
    reached = [rows[0][low:high].copy()]
    for row in rows[1:]:
        own = row[low:high]
        reached.append(reached[-1] & own)
        for place in range(len(reached) - 2, 0, -1):
            reached[place] |= reached[place - 1] & own
        reached[0] |= own
    return reached


def iterate_members(bits: Bitset, window: NameRange, limit: int) -> Iterator[NameIds]:
    """Yield about `limit` names of a set that starts with a window, in ascending order and in pieces."""
    places = np.flatnonzero(bits)
    seen = 0
    for start in range(0, len(places), _WORDS_AT_ONCE):
        at = places[start : start + _WORDS_AT_ONCE]
        hits = np.flatnonzero(np.unpackbits(bits[at].view(np.uint8), bitorder="little"))
        yield ((at[hits // _BITS] + _compute_word_range(window)[0]) * _BITS + hits % _BITS).astype(np.uint32)
        seen += len(hits)
        if seen >= limit:
            return


def _compute_word_range(window: NameRange) -> tuple[int, int]:
    """The half-open range of the numbers that contain the bits of a window."""
    return window[0] // _BITS, -(-window[1] // _BITS)
