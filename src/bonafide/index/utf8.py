"""Many texts as the bytes of one buffer, and back, without a step for each text. What the bytes mean is the caller's business."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bonafide.index.ragged import Positions, offsets_of

_CONTINUES_MASK, _CONTINUES = 0b1100_0000, 0b1000_0000
"""What tells the bytes of UTF-8 that don't begin a character."""


def end_to_end(texts: Sequence[str]) -> tuple[NDArray[np.uint8], Positions]:
    """The bytes of all texts, and where each starts; half a surrogate pair counts as a character."""
    joined = "".join(texts)
    offsets = offsets_of(np.fromiter(map(len, texts), np.int64, len(texts)))
    content = np.frombuffer(joined.encode(errors="surrogatepass"), np.uint8)
    if len(content) == len(joined):
        return content, offsets
    return content, np.append(np.flatnonzero(_begins(content)), len(content))[offsets]


def characters_of(content: NDArray[np.uint8], offsets: Positions) -> tuple[NDArray[np.uint32], Positions]:
    """The code points of all texts, and where among them each starts."""
    characters = np.frombuffer(content.tobytes().decode().encode("utf-32-le"), "<u4")
    if len(characters) == len(content):
        return characters, offsets
    return characters, offsets_of(_begins(content))[offsets]


def _begins(content: NDArray[np.uint8]) -> NDArray[np.bool_]:
    begins: NDArray[np.bool_] = content & _CONTINUES_MASK != _CONTINUES
    return begins
