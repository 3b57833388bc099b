"""Weighted choice from several tables at once, using a single search over all of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from bonafide_sandbox.generator.seeded_random import FloatArray, IntArray

# 13 + 0.9999999999999999 rounds to 14, which belongs to the next table, so values are clipped below the end.
_LAST_UNIT = 1 - 1e-12


@dataclass(frozen=True, slots=True)
class CumulativeWeights:
    """The cumulative weights of tables 0, 1, 2 …. Those of table `t` lie between `t` and `t + 1`."""

    cumulated: FloatArray

    @classmethod
    def of(cls, tables: Iterable[Sequence[float]]) -> Self:
        """Build from one sequence of weights per table. The weights of each table must sum to more than zero."""
        laid_out = [np.cumsum(weights) / np.sum(weights) + number for number, weights in enumerate(tables)]
        return cls(np.concatenate(laid_out))

    def pick(self, table: int | IntArray, units: FloatArray) -> IntArray:
        """Return the global entry index chosen for each row, given its table and a number in [0, 1)."""
        return np.searchsorted(self.cumulated, table + np.minimum(units, _LAST_UNIT), side="right").astype(np.int64)
