"""Pronounceable words that no dictionary has, one for each rank; the frequent ones are short.

It does not say how often a rank occurs: whoever draws does.
"""

from itertools import product

import numpy as np

from bonafide.sandbox.draws import Bits, Integers, mix
from bonafide.sandbox.tables import Words, read_table

SHORT_RANKS = 2_000
"""Ranks below this get a single syllable and an ending."""

_PARTS = read_table("coined")


def _syllables(onsets: str, codas: list[str]) -> Words:
    joined = ["".join(parts) for parts in product(_PARTS[onsets].split(), _PARTS["nuclei"].split(), codas)]
    return np.array(joined, dtype=object)


_FIRST = np.array(
    [syllable.capitalize() for syllable in _syllables("onsets", _PARTS["codas"]) if syllable not in _PARTS["avoided"]], dtype=object
)
_SECOND = _syllables("second_onsets", _PARTS["second_codas"])
_BRAND_ENDINGS = np.array(_PARTS["brand_endings"], dtype=object)
_SURNAME_ENDINGS = np.array(_PARTS["surname_endings"], dtype=object)


def brands(ranks: Integers) -> Words:
    """Coined names of firms, capitalised."""
    return _compose(ranks, _BRAND_ENDINGS, np.uint64(0xB5AD4ECEDA1CE2A9))


def surnames(ranks: Integers) -> Words:
    """Coined surnames, capitalised."""
    return _compose(ranks, _SURNAME_ENDINGS, np.uint64(0x2545F4914F6CDD1D))


def _compose(ranks: Integers, endings: Words, salt: np.uint64) -> Words:
    bits = mix(ranks.astype(np.uint64) ^ salt)
    first = _FIRST[_take(bits, 0, len(_FIRST))]
    second = np.where(ranks < SHORT_RANKS, "", _SECOND[_take(bits, 20, len(_SECOND))])
    composed: Words = first + second + endings[_take(bits, 40, len(endings))]
    return composed


def _take(bits: Bits, shift: int, count: int) -> Integers:
    return ((bits >> np.uint64(shift)) % np.uint64(1 << 20) % np.uint64(count)).astype(np.int64)
