"""The rough score of names: the formula and its bounds, the accumulator of matched weights, and the top k.

    score = matched / (0.6 query + 0.4 held)

All three are sums of weights. `held` is the weight of the name, in which a word that matches a slot weighs at most as much as the
slot. Words of a name that match the same slot add up to at most its weight. As a name cannot share more than its weight, a bound on
the score gives a minimum of the shared weight and a maximum of the name's weight; both bounds are defined here.

Word order, legal forms and spelling are compared by `numpy_kernel` and `matching`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.documents import DocumentFilter
from bonafide.index.format.jagged_arrays import Flags
from bonafide.index.format.postings import NameIds, NameTable
from bonafide.index.search.query_plan import QueryPlan

SCORE_FLOOR = 0.3
"""The minimum score of a result."""
QUERY_SHARE = 0.6
"""More than half, because a name with more words than the query is a likelier match than one with fewer."""
_NAME_SHARE = 1 - QUERY_SHARE


def compute_scores(matched: NDArray[np.float64], held: NDArray[np.float64], query: int) -> NDArray[np.float64]:
    """The scores of names."""
    # This order of operations gives exactly 1 for equal weights.
    scores: NDArray[np.float64] = np.minimum(matched, held) / (held + QUERY_SHARE * (query - held))
    return scores


def compute_best_score(shared: Any, query: float) -> Any:
    """The score of a name with only words shared with the query; accepts arrays."""
    return shared / (shared + QUERY_SHARE * (query - shared))


def compute_min_shared(score: float, query: float) -> float:
    """The minimum weight that a name must share with the query to reach a score.

    The inverse of `compute_best_score`.
    """
    return QUERY_SHARE * score * query / (1 - _NAME_SHARE * score)


def compute_max_held(shared: float, score: float, query: float) -> float:
    """The maximum weight of a name that shares `shared` and reaches `score`."""
    return (shared / score - QUERY_SHARE * query) / _NAME_SHARE


@dataclass(frozen=True, slots=True)
class ScoredNames:
    """Names with their rough scores, unordered."""

    names: NameIds
    scores: NDArray[np.float64]

    @property
    def best(self) -> float:
        """The highest score; 0 when there is none."""
        return float(self.scores.max()) if len(self.scores) > 0 else 0.0


_NAMES_PER_DOCUMENT = 4
"""Names considered per requested document: documents have few names, so these usually cover enough documents."""


class TopK:
    """The best names of at least `limit` documents; `threshold` is the score of the last of them."""

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
        """The names whose documents are admitted."""
        admitted = self._admission.select(self._names.documents[names])
        return names if admitted is None else names[admitted]

    def add(self, names: NameIds, scores: NDArray[np.float64]) -> None:
        """Add the distinct names that are admitted and reach the threshold; a known name keeps its best score."""
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
        """The position of the last requested document, if it is among the best `contenders` names."""
        _, first = np.unique(self._names.documents[self.found[:contenders]], return_index=True)
        return None if len(first) < self._limit else int(np.partition(first, self._limit - 1)[self._limit - 1])


Amounts = NDArray[np.float64]
_COLUMN_BITS = np.uint64(16)
_COLUMN_MASK = np.uint64(2**16 - 1)


class ScoreAccumulator:
    """Names in ascending order, with the weight `earned` in each slot and the `excess` of their words."""

    def __init__(self, plan: QueryPlan, names: NameIds, earned: list[Amounts], excess: Amounts) -> None:
        self.names = names
        self._plan = plan
        self._earned = earned
        self._excess = excess

    @classmethod
    def empty(cls, plan: QueryPlan, names: NameIds) -> "ScoreAccumulator":
        """An accumulator without any weights."""
        return cls(plan, names, [np.zeros(len(names)) for _ in plan.gains], np.zeros(len(names)))

    @classmethod
    def from_columns(cls, plan: QueryPlan, columns: Sequence[int], holders: Sequence[NameIds]) -> "ScoreAccumulator":
        """An accumulator of all `holders` of the words of these columns, with the weights they gain."""
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
        """Add the gain of a column's word to the names that contain it."""
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
        """The scores of the names from the accumulated weights."""
        return compute_scores(self._matched(), table.weights[self.names] - self._excess, self._plan.total)

    def select_reaching(self, threshold: float, columns: Sequence[int], table: NameTable) -> "ScoreAccumulator":
        """The names that can still reach a score with the words of these columns."""
        shared = np.minimum(self._matched() + self._plan.compute_max_shared(columns), self._plan.total)
        held = np.maximum(table.weights[self.names] - self._excess - self._plan.compute_max_excess(columns), shared)
        worth = np.flatnonzero(compute_scores(shared, held, self._plan.total) >= threshold)
        if len(worth) == len(self.names):
            return self
        return ScoreAccumulator(self._plan, self.names[worth], [earned[worth] for earned in self._earned], self._excess[worth])
