"""Precomputed results for the short prefixes that match most names.

    short_<what>_keys     the prefixes of two and three bytes with a stored result, as sorted big-endian numbers (u4)
    short_<what>_names    for each of them the best names of different documents, best first (u4, one row each)

`what` is `starts` for prefixes of names and `words` for prefixes of words. Only prefixes that match many names have a stored
result; for others, computing it is as fast.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.documents import DocumentFilter
from bonafide.index.format.jagged_arrays import Positions
from bonafide.index.format.postings import NameIds
from bonafide.index.format.segment_files import Arrays, FieldWriter
from bonafide.index.search.ranked_names import OfferedNames, RankedNames

NAMES_PER_PREFIX = 64
"""Names stored per prefix: enough for a page of twenty after a filter that rejects two thirds."""
MIN_MATCHING_NAMES = 8192
"""The minimum number of matching names of a stored prefix."""
_BYTES = 3
_WIDTHS = (2, 3)
_HEAD_BITS = 64


def write_short_prefixes(
    writer: FieldWriter, what: str, heads: NDArray[np.uint64], offsets: Positions, ranked: RankedNames
) -> None:
    """Write the results for the prefixes of texts in lexical order.

    `heads` are the first eight bytes of each text; the names of text `i` are `offsets[i]:offsets[i + 1]` of the ranked names.
    """
    everything = OfferedNames(DocumentFilter(np.zeros(0, np.uint16), None, None), ranked.ranking.documents)
    answers = {}
    for width in _WIDTHS:
        for key, start, stop in _list_frequent_prefixes(heads, offsets, width):
            best = ranked.best(start, stop, NAMES_PER_PREFIX, everything)
            if len(best) == NAMES_PER_PREFIX:
                answers[key] = best
    keys = sorted(answers)
    writer.save(f"short_{what}_keys", np.array(keys, np.uint32), "<u4")
    writer.save(f"short_{what}_names", np.array([answers[key] for key in keys], np.uint32).reshape(-1, NAMES_PER_PREFIX), "<u4")


def _list_frequent_prefixes(heads: NDArray[np.uint64], offsets: Positions, width: int) -> list[tuple[int, int, int]]:
    """The prefixes of `width` bytes that match many names: the key of each, and the range of its names."""
    beginnings = heads >> np.uint64(_HEAD_BITS - 8 * width)
    firsts = np.flatnonzero(np.concatenate((np.ones(min(1, len(heads)), np.bool_), beginnings[1:] != beginnings[:-1])))
    bounds = offsets[np.append(firsts, len(heads))]
    return [
        (beginning << 8 * (_BYTES - width), start, stop)
        for beginning, (start, stop) in zip(beginnings[firsts].tolist(), pairwise(bounds.tolist()), strict=True)
        if stop - start >= MIN_MATCHING_NAMES and beginning & 0xFF
    ]


class ShortPrefixes:
    """The precomputed results of an opened segment."""

    def __init__(self, arrays: Arrays, what: str) -> None:
        self._rows = {key: row for row, key in enumerate(arrays[f"short_{what}_keys"].tolist())}
        self._names: NameIds = arrays[f"short_{what}_names"]

    def best(self, prefix: bytes, limit: int, wanted: OfferedNames) -> NameIds | None:
        """The best admitted names of different documents; None if no result, or none of that length, is stored."""
        row = self._rows.get(int.from_bytes(prefix.ljust(_BYTES, b"\0"))) if len(prefix) <= _BYTES else None
        if row is None:
            return None
        names = self._names[row]
        admitted = wanted.select(names)
        offered = names if admitted is None else names[admitted]
        return offered[:limit] if len(offered) >= limit else None
