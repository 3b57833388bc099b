"""The rough score of names against a query, on word ids alone: what both share, against what either holds.

    score = matched / (0.6 query + 0.4 held)

All three are sums of weights; `held` is what the name holds, with each word that stands for one of the query's weighing no more
than that. Words of a name that stand for the same slot add up to no more than its weight. As a name cannot share more than it
holds, a bound on the score bounds what must be shared and what may be held; the two bounds are here too.

Word order, legal forms and spelling are left to `likeness` and to `matching`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

SCORE_FLOOR = 0.3
"""Below this a name shares so little with the query that it isn't worth reporting."""
QUERY_SHARE = 0.6
"""A name that says more than the query is likelier meant than one that says less."""
_NAME_SHARE = 1 - QUERY_SHARE


def score(matched: NDArray[np.float64], held: NDArray[np.float64], query: int) -> NDArray[np.float64]:
    """The scores of names."""
    # Written so that equal weights give exactly 1 in floating point.
    scores: NDArray[np.float64] = np.minimum(matched, held) / (held + QUERY_SHARE * (query - held))
    return scores


def best_score(shared: Any, query: float) -> Any:
    """The score of a name that holds only words shared with the query; of an array of them, too."""
    return shared / (shared + QUERY_SHARE * (query - shared))


def least_shared(score: float, query: float) -> float:
    """What a name must share with the query to score so much; it holds at least that.

    `best_score` solved for what is shared.
    """
    return QUERY_SHARE * score * query / (1 - _NAME_SHARE * score)


def most_held(shared: float, score: float, query: float) -> float:
    """The most that a name may hold which shares so much and is to score so much."""
    return (shared / score - QUERY_SHARE * query) / _NAME_SHARE
