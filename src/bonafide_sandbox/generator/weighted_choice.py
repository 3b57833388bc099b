"""Weighted choice from several tables at once, with one search over all of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from bonafide_sandbox.generator.seeded_random import FloatArray, IntArray

# 13 + 0.9999999999999999 rounds to 14, which is the next table: stay clear of the end.
_LAST_UNIT = 1 - 1e-12


@dataclass(frozen=True, slots=True)
class CumulativeWeights:
    """The cumulated weights of tables 0, 1, 2 …; those of table `t` lie between `t` and `t + 1`."""

    cumulated: FloatArray

    @classmethod
    def of(cls, tables: Iterable[Sequence[float]]) -> Self:
        """From one sequence of weights a table; each must sum to more than zero."""
        laid_out = [np.cumsum(weights) / np.sum(weights) + number for number, weights in enumerate(tables)]
        return cls(np.concatenate(laid_out))

    def pick(self, table: int | IntArray, units: FloatArray) -> IntArray:
        """For each row the chosen entry's place among all entries of all tables, from a number from 0 to 1."""
        return np.searchsorted(self.cumulated, table + np.minimum(units, _LAST_UNIT), side="right").astype(np.int64)
