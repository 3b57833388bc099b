"""What names earn with the words of a query: kept for many names at once, word by word, and summed up as scores."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bonafide.index.plan import Plan
from bonafide.index.postings import Flags, Names, NameTable
from bonafide.index.score import score

Amounts = NDArray[np.float64]
_COLUMN_BITS = np.uint64(16)
_COLUMN_MASK = np.uint64(2**16 - 1)


class Tally:
    """Names in rising order; `earned` in each slot, and `excess`, by which their words weigh more than what they stand for."""

    def __init__(self, plan: Plan, names: Names, earned: list[Amounts], excess: Amounts) -> None:
        self.names = names
        self._plan = plan
        self._earned = earned
        self._excess = excess

    @classmethod
    def empty(cls, plan: Plan, names: Names) -> "Tally":
        """Names of which nothing is known yet."""
        return cls(plan, names, [np.zeros(len(names)) for _ in plan.gains], np.zeros(len(names)))

    @classmethod
    def of_columns(cls, plan: Plan, columns: Sequence[int], holders: Sequence[Names]) -> "Tally":
        """All names that are given as holders of the words of these columns, with what they earn by them."""
        owners = np.repeat(np.array(columns, np.uint64), list(map(len, holders)))
        pairs = np.concatenate(holders).astype(np.uint64) << _COLUMN_BITS | owners
        pairs.sort()
        names, held = pairs >> _COLUMN_BITS, (pairs & _COLUMN_MASK).astype(np.intp)
        starts = np.flatnonzero(np.concatenate((np.ones(min(1, len(names)), np.bool_), names[1:] != names[:-1])))
        earned = [np.add.reduceat(gains[held], starts) for gains in plan.gains]
        return cls(plan, names[starts].astype(np.uint32), earned, np.add.reduceat(plan.excess[held], starts))

    def __len__(self) -> int:
        return len(self.names)

    def add(self, column: int, held: Flags) -> None:
        """Tally what the word of a column earns those of the names that hold it."""
        plan = self._plan
        for slot in plan.slots[column]:
            self._earned[slot] += plan.gains[slot, column] * held
        if plan.excess[column] > 0:
            self._excess += plan.excess[column] * held

    def _matched(self) -> Amounts:
        matched = np.zeros(len(self.names))
        for earned, weight in zip(self._earned, self._plan.weights.tolist(), strict=True):
            matched += np.minimum(earned, weight)
        return matched

    def scores(self, table: NameTable) -> Amounts:
        """The scores of the names by what was tallied so far."""
        return score(self._matched(), table.weights[self.names] - self._excess, self._plan.total)

    def worth(self, threshold: float, columns: Sequence[int], table: NameTable) -> "Tally":
        """Those of the names that can still reach a score with the words of these columns."""
        shared = np.minimum(self._matched() + self._plan.most_shared(columns), self._plan.total)
        held = np.maximum(table.weights[self.names] - self._excess - self._plan.most_excess(columns), shared)
        worth = np.flatnonzero(score(shared, held, self._plan.total) >= threshold)
        if len(worth) == len(self.names):
            return self
        return Tally(self._plan, self.names[worth], [earned[worth] for earned in self._earned], self._excess[worth])
