"""The rough score of names: the formula and its bounds, the accumulator of matched weights, and the top k.

    score = matched / (0.6 query + 0.4 held)

All three are sums of weights; `held` is what the name holds, with each word that stands for one of the query's weighing no more
than that. Words of a name that stand for the same slot add up to no more than its weight. As a name cannot share more than it
holds, a bound on the score bounds what must be shared and what may be held; the two bounds are here too.

Word order, legal forms and spelling are left to `likeness` and to `matching`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.documents import DocumentFilter
from bonafide.index.format.jagged_arrays import Flags
from bonafide.index.format.postings import NameIds, NameTable
from bonafide.index.search.query_plan import QueryPlan

SCORE_FLOOR = 0.3
"""Below this a name shares so little with the query that it isn't worth reporting."""
QUERY_SHARE = 0.6
"""A name that says more than the query is likelier meant than one that says less."""
_NAME_SHARE = 1 - QUERY_SHARE


def compute_scores(matched: NDArray[np.float64], held: NDArray[np.float64], query: int) -> NDArray[np.float64]:
    """The scores of names."""
    # Written so that equal weights give exactly 1 in floating point.
    scores: NDArray[np.float64] = np.minimum(matched, held) / (held + QUERY_SHARE * (query - held))
    return scores


def compute_best_score(shared: Any, query: float) -> Any:
    """The score of a name that holds only words shared with the query; of an array of them, too."""
    return shared / (shared + QUERY_SHARE * (query - shared))


def compute_min_shared(score: float, query: float) -> float:
    """What a name must share with the query to score so much; it holds at least that.

    `compute_best_score` solved for what is shared.
    """
    return QUERY_SHARE * score * query / (1 - _NAME_SHARE * score)


def compute_max_held(shared: float, score: float, query: float) -> float:
    """The most that a name may hold which shares so much and is to score so much."""
    return (shared / score - QUERY_SHARE * query) / _NAME_SHARE


_NAMES_PER_DOCUMENT = 4
"""Documents have few names: among so many times as many names as documents are wanted, there are mostly enough documents."""


class TopK:
    """The names that are among the best of at least `limit` documents; `threshold` is the score of the last of these."""

    def __init__(self, names: NameTable, admission: DocumentFilter, limit: int, floor: float = SCORE_FLOOR) -> None:
        self._names = names
        self._admission = admission
        self._limit = limit
        self.threshold = max(SCORE_FLOOR, floor)
        self.found: NameIds = np.zeros(0, np.uint32)
        self.scores: NDArray[np.float64] = np.zeros(0)

    @property
    def best(self) -> float:
        """The highest score so far; 0 when there is none."""
        return float(self.scores[0]) if len(self.scores) > 0 else 0.0

    def admit(self, names: NameIds) -> NameIds:
        """Those of the names whose documents may be found."""
        admitted = self._admission.select(self._names.documents[names])
        return names if admitted is None else names[admitted]

    def add(self, names: NameIds, scores: NDArray[np.float64]) -> None:
        """Take in those of the names, each given once, that are admitted and reach the threshold; of one known the best counts."""
        enough = scores >= self.threshold
        names, scores = names[enough], scores[enough]
        admitted = self._admission.select(self._names.documents[names])
        if admitted is not None:
            names, scores = names[admitted], scores[admitted]
        if len(names) == 0:
            return
        repeats = len(self.found) > 0
        names, scores = np.concatenate((self.found, names)), np.concatenate((self.scores, scores))
        order = np.argsort(-scores, kind="stable")
        self.found, self.scores = names[order], scores[order]
        if repeats:
            self._drop_repeated()
        if len(self.found) >= self._limit:
            self._raise_threshold()

    def _drop_repeated(self) -> None:
        _, first = np.unique(self.found, return_index=True)
        if len(first) < len(self.found):
            first.sort()
            self.found, self.scores = self.found[first], self.scores[first]

    def _raise_threshold(self) -> None:
        last = self._last_wanted(self._limit * _NAMES_PER_DOCUMENT)
        if last is None:
            last = self._last_wanted(len(self.found))
        if last is not None:
            self.threshold = float(self.scores[last])
            stop = int((-self.scores).searchsorted(-self.threshold, "right"))
            self.found, self.scores = self.found[:stop], self.scores[:stop]

    def _last_wanted(self, contenders: int) -> int | None:
        """The place of the last document wanted, if it is among so many names; the best stand first."""
        _, first = np.unique(self._names.documents[self.found[:contenders]], return_index=True)
        return None if len(first) < self._limit else int(np.partition(first, self._limit - 1)[self._limit - 1])


Amounts = NDArray[np.float64]
_COLUMN_BITS = np.uint64(16)
_COLUMN_MASK = np.uint64(2**16 - 1)


class ScoreAccumulator:
    """Names in rising order; `earned` in each slot, and `excess`, by which their words weigh more than what they stand for."""

    def __init__(self, plan: QueryPlan, names: NameIds, earned: list[Amounts], excess: Amounts) -> None:
        self.names = names
        self._plan = plan
        self._earned = earned
        self._excess = excess

    @classmethod
    def empty(cls, plan: QueryPlan, names: NameIds) -> "ScoreAccumulator":
        """Names of which nothing is known yet."""
        return cls(plan, names, [np.zeros(len(names)) for _ in plan.gains], np.zeros(len(names)))

    @classmethod
    def from_columns(cls, plan: QueryPlan, columns: Sequence[int], holders: Sequence[NameIds]) -> "ScoreAccumulator":
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
        return compute_scores(self._matched(), table.weights[self.names] - self._excess, self._plan.total)

    def select_reaching(self, threshold: float, columns: Sequence[int], table: NameTable) -> "ScoreAccumulator":
        """Those of the names that can still reach a score with the words of these columns."""
        shared = np.minimum(self._matched() + self._plan.compute_max_shared(columns), self._plan.total)
        held = np.maximum(table.weights[self.names] - self._excess - self._plan.compute_max_excess(columns), shared)
        worth = np.flatnonzero(compute_scores(shared, held, self._plan.total) >= threshold)
        if len(worth) == len(self.names):
            return self
        return ScoreAccumulator(self._plan, self.names[worth], [earned[worth] for earned in self._earned], self._excess[worth])
