"""Jagged arrays: rows of different length in one array with offsets, such as texts as UTF-8 bytes or code points.

Postings, the words of names and deletion buckets are stored this way; these functions read many rows in one step.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Positions = NDArray[np.int64]


def expand_slices(starts: Positions, stops: Positions) -> Positions:
    """The positions of all slices `starts[i]:stops[i]`, one after the other."""
    counts = stops - starts
    ends = counts.cumsum()
    positions: Positions = (starts - ends + counts).repeat(counts)
    positions += np.arange(len(positions))
    return positions


def sort_unique(values: NDArray[Any]) -> NDArray[Any]:
    """The values in rising order, each once."""
    ordered = np.sort(values)
    if len(ordered) == 0:
        return ordered
    return ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))]


def count_unique(values: NDArray[Any]) -> tuple[NDArray[Any], Positions]:
    """The values in rising order, each once, and how often each occurs."""
    ordered = np.sort(values)
    starts = np.flatnonzero(np.concatenate((np.ones(min(1, len(ordered)), np.bool_), ordered[1:] != ordered[:-1])))
    return ordered[starts], np.diff(starts, append=len(ordered))


def compute_offsets(lengths: NDArray[Any]) -> Positions:
    """The offsets of rows of these lengths: one more than there are rows."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))


_CONTINUATION_MASK, _CONTINUATION = 0b1100_0000, 0b1000_0000
"""The mask and value of UTF-8 continuation bytes."""


def concatenate_texts(texts: Sequence[str]) -> tuple[NDArray[np.uint8], Positions]:
    """The bytes of all texts, and the offset of each; a lone surrogate counts as a character."""
    joined = "".join(texts)
    offsets = compute_offsets(np.fromiter(map(len, texts), np.int64, len(texts)))
    content = np.frombuffer(joined.encode(errors="surrogatepass"), np.uint8)
    if len(content) == len(joined):
        return content, offsets
    return content, np.append(np.flatnonzero(_find_character_starts(content)), len(content))[offsets]


def decode_characters(content: NDArray[np.uint8], offsets: Positions) -> tuple[NDArray[np.uint32], Positions]:
    """The code points of all texts, and where among them each starts."""
    characters = np.frombuffer(content.tobytes().decode().encode("utf-32-le"), "<u4")
    if len(characters) == len(content):
        return characters, offsets
    return characters, compute_offsets(_find_character_starts(content))[offsets]


def _find_character_starts(content: NDArray[np.uint8]) -> NDArray[np.bool_]:
    begins: NDArray[np.bool_] = content & _CONTINUATION_MASK != _CONTINUATION
    return begins
