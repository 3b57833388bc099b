"""Generate pronounceable invented words, one per rank. Lower ranks get shorter words.

The caller decides how often each rank occurs.
"""

from itertools import product

import numpy as np

from bonafide_sandbox.generator.data_tables import WordArray, read_table
from bonafide_sandbox.generator.seeded_random import BitsArray, IntArray, mix_bits

SHORT_RANKS = 2_000
"""Ranks below this get a single syllable and an ending."""

_PARTS = read_table("coined")


def _syllables(onsets: str, codas: list[str]) -> WordArray:
    joined = ["".join(parts) for parts in product(_PARTS[onsets].split(), _PARTS["nuclei"].split(), codas)]
    return np.array(joined, dtype=object)


_FIRST = np.array(
    [syllable.capitalize() for syllable in _syllables("onsets", _PARTS["codas"]) if syllable not in _PARTS["avoided"]], dtype=object
)
_SECOND = _syllables("second_onsets", _PARTS["second_codas"])
_BRAND_ENDINGS = np.array(_PARTS["brand_endings"], dtype=object)
_SURNAME_ENDINGS = np.array(_PARTS["surname_endings"], dtype=object)


def create_brands(ranks: IntArray) -> WordArray:
    """Return invented brand names, capitalized."""
    return _compose(ranks, _BRAND_ENDINGS, np.uint64(0xB5AD4ECEDA1CE2A9))


def create_surnames(ranks: IntArray) -> WordArray:
    """Return invented surnames, capitalized."""
    return _compose(ranks, _SURNAME_ENDINGS, np.uint64(0x2545F4914F6CDD1D))


def _compose(ranks: IntArray, endings: WordArray, salt: np.uint64) -> WordArray:
    bits = mix_bits(ranks.astype(np.uint64) ^ salt)
    first = _FIRST[_pick_indices(bits, 0, len(_FIRST))]
    second = np.where(ranks < SHORT_RANKS, "", _SECOND[_pick_indices(bits, 20, len(_SECOND))])
    composed: WordArray = first + second + endings[_pick_indices(bits, 40, len(endings))]
    return composed


def _pick_indices(bits: BitsArray, shift: int, count: int) -> IntArray:
    return ((bits >> np.uint64(shift)) % np.uint64(1 << 20) % np.uint64(count)).astype(np.int64)
