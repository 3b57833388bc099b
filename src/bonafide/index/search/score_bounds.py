"""Bounds on the scores of names, computed before any name is read.

Let Q be the weight of the query, M the weight that a name shares with it, and H the total weight of the name. For a score of at
least `t`:

    M / (0.6 Q + 0.4 H) >= t    and    H >= M
    so    H >= M >= 0.6 t Q / (1 - 0.4 t)    and    H <= (M / t - 0.6 Q) / 0.4

For names that contain only certain words of the query, M is at most the sum of the gains of these words. This gives a maximum
score and a range of weights; as names are numbered by weight, that is a window of numbers.
"""

from collections.abc import Sequence

from bonafide.index.format.postings import NameTable
from bonafide.index.search.query_plan import QueryPlan
from bonafide.index.search.scoring import TopK, compute_best_score, compute_max_held, compute_min_shared

MIN_REACHABLE_SCORE = 0.5
"""Names with only frequent words of the query are searched if they can reach this score …"""
MIN_SHARE_OF_BEST = 0.6
"""… and this share of the best score found."""

NameRange = tuple[int, int]
"""A half-open range of name numbers."""


class ScoreBounds:
    """Bounds for names with only frequent words of a query. They tighten as better names are found."""

    def __init__(self, plan: QueryPlan, frequent: Sequence[int], names: NameTable, leaders: TopK) -> None:
        self._plan = plan
        self._names = names
        self._leaders = leaders
        self._excess = plan.compute_max_excess(frequent)

    @property
    def threshold(self) -> float:
        """The minimum score of interest."""
        return max(self._leaders.threshold, MIN_REACHABLE_SCORE, MIN_SHARE_OF_BEST * self._leaders.best)

    def is_reachable(self, columns: Sequence[int]) -> bool:
        """Whether any name with words of these columns only can reach the threshold."""
        return bool(compute_best_score(self._plan.compute_max_shared(columns), self._plan.total) >= self.threshold)

    def window(self, columns: Sequence[int]) -> NameRange:
        """The range of names that can reach the threshold with words of these columns only, by their weights.

        A name's own weight may exceed its weight in this comparison by the excess of its words.
        """
        threshold, total = self.threshold, self._plan.total
        heaviest = compute_max_held(self._plan.compute_max_shared(columns), threshold, total) + self._excess
        return self._names.between(compute_min_shared(threshold, total), heaviest)

    def compute_min_words(self, columns: Sequence[int]) -> int:
        """The minimum number of words of these columns that a name must contain to reach the threshold with them only."""
        return self._plan.compute_min_words(columns, compute_min_shared(self.threshold, self._plan.total))
