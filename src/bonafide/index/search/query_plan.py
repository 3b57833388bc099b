"""A query as one segment sees it: the term variants of each word, and what a name earns by holding them.

It says what each word is worth, and bounds what several can be worth together; how it comes to that is told in `planner`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.postings import TokenIds


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """A query against one segment: S slots, and T words of the segment that stand for them.

    `weights` (S): what a slot weighs; `total`: what all slots weigh. `gains` (S by T): how much of a slot's weight a name earns by
    holding a word. `excess` (T): how much heavier the word is than what it stands for here. `slots` (T): the slots it stands for.
    `frequencies` (T): its names.
    """

    weights: NDArray[np.int64]
    tokens: TokenIds
    gains: NDArray[np.float64]
    excess: NDArray[np.float64]
    slots: list[list[int]]
    frequencies: NDArray[np.int64]
    total: int

    def is_within(self, other: "QueryPlan") -> bool:
        """Whether all words of this plan are in another."""
        return set(self.tokens.tolist()) <= set(other.tokens.tolist())

    def has_same_weights(self, other: "QueryPlan") -> bool:
        """Whether the slots of another plan weigh the same."""
        return bool(np.array_equal(self.weights, other.weights))

    def compute_max_shared(self, columns: Sequence[int]) -> float:
        """The most that a name earns that holds words of these columns only."""
        return float(np.minimum(self.gains[:, columns].sum(axis=1), self.weights).sum())

    def compute_max_excess(self, columns: Sequence[int]) -> float:
        """The most by which a name's words of these columns weigh more than what they stand for, with one word for each slot."""
        most: dict[int, float] = {}
        for column in columns:
            slot = self.slots[column][0]
            most[slot] = max(most.get(slot, 0.0), float(self.excess[column]))
        return sum(most.values())

    def select_best_per_slot(self, columns: Sequence[int]) -> list[int]:
        """Of these columns those that earn most in any slot, in the order given."""
        gains = self.gains[:, columns]
        places = gains.argmax(axis=1)[gains.any(axis=1)]
        return [columns[place] for place in sorted(set(places.tolist()))]

    def compute_min_words(self, columns: Sequence[int], shared: float) -> int:
        """How many words of these columns a name must hold at least to earn so much."""
        most = np.sort(np.minimum(self.gains[:, columns].sum(axis=1), self.weights))[::-1]
        slots = int(np.cumsum(most).searchsorted(shared)) + 1
        return -(-slots // max(len(self.slots[column]) for column in columns))


class TermVariant(NamedTuple):
    """A word of the segment (`token`) that one slot, or two neighbours run together (`slots`), may stand for.

    `similarity` is 0 to 1; `odds` say how likely the word is meant, before its frequency is considered. `other_half` is the other
    word where a slot is read as two.
    """

    token: int
    slots: tuple[int, ...]
    similarity: float
    odds: float
    other_half: int | None = None
