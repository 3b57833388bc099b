"""Rows of differing length, laid end to end in one array with an array of offsets: row `i` is `values[offsets[i]:offsets[i + 1]]`.

Postings, the words of names and deletion buckets are all stored so; these functions read many rows in one step.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Positions = NDArray[np.int64]


def spread(starts: Positions, stops: Positions) -> Positions:
    """The positions of all slices `starts[i]:stops[i]`, one after the other."""
    counts = stops - starts
    ends = counts.cumsum()
    positions: Positions = (starts - ends + counts).repeat(counts)
    positions += np.arange(len(positions))
    return positions


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """The values in rising order, each once."""
    ordered = np.sort(values)
    if len(ordered) == 0:
        return ordered
    return ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))]


def counted(values: NDArray[Any]) -> tuple[NDArray[Any], Positions]:
    """The values in rising order, each once, and how often each occurs."""
    ordered = np.sort(values)
    starts = np.flatnonzero(np.concatenate((np.ones(min(1, len(ordered)), np.bool_), ordered[1:] != ordered[:-1])))
    return ordered[starts], np.diff(starts, append=len(ordered))


def offsets_of(lengths: NDArray[Any]) -> Positions:
    """The offsets of rows of these lengths: one more than there are rows."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))
