"""Bounds on what names can score, computed before any of them is read.

For a name to score at least `t` against a query that weighs Q, of which it shares M and holds H in all:

    M / (0.6 Q + 0.4 H) >= t    and    H >= M
    so    H >= M >= 0.6 t Q / (1 - 0.4 t)    and    H <= (M / t - 0.6 Q) / 0.4

The most that names can share which hold only certain words of the query is the sum of what these earn. So there is a best score
for such names, and a least and a most that they may weigh; as names are numbered by weight, that is a window of numbers.
"""

from collections.abc import Sequence

from bonafide.index.format.postings import NameTable
from bonafide.index.search.query_plan import QueryPlan
from bonafide.index.search.scoring import TopK, compute_best_score, compute_max_held, compute_min_shared

MIN_REACHABLE_SCORE = 0.5
"""Names that hold only frequent words of the query are sought if they could score so much …"""
MIN_SHARE_OF_BEST = 0.6
"""… and so much of the best score found."""

NameRange = tuple[int, int]
"""Numbers of names: from the first up to, not including, the second."""


class ScoreBounds:
    """The bounds for names that hold only frequent words of a query. They tighten as better names are found."""

    def __init__(self, plan: QueryPlan, frequent: Sequence[int], names: NameTable, leaders: TopK) -> None:
        self._plan = plan
        self._names = names
        self._leaders = leaders
        self._excess = plan.compute_max_excess(frequent)

    @property
    def threshold(self) -> float:
        """The least score that is wanted."""
        return max(self._leaders.threshold, MIN_REACHABLE_SCORE, MIN_SHARE_OF_BEST * self._leaders.best)

    def is_reachable(self, columns: Sequence[int]) -> bool:
        """Whether any name with words of these columns alone can be wanted."""
        return bool(compute_best_score(self._plan.compute_max_shared(columns), self._plan.total) >= self.threshold)

    def window(self, columns: Sequence[int]) -> NameRange:
        """The names that can be wanted for words of these columns alone, by their weights.

        A name's own weight may exceed what it holds in this comparison by as much as its words weigh more than what they stand for.
        """
        threshold, total = self.threshold, self._plan.total
        heaviest = compute_max_held(self._plan.compute_max_shared(columns), threshold, total) + self._excess
        return self._names.between(compute_min_shared(threshold, total), heaviest)

    def compute_min_words(self, columns: Sequence[int]) -> int:
        """How many words of these columns a name must hold at least to be wanted for them alone."""
        return self._plan.compute_min_words(columns, compute_min_shared(self.threshold, self._plan.total))
