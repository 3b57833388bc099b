"""The rough score of names against a query, on word ids alone: what both share, against what either holds.

    score = matched / (0.6 query + 0.4 name)

where all three are sums of weights. Words of a name that stand for the same slot add up to no more than its weight. Word order,
legal forms and spelling are left to `matching`, which scores the best again with everything known about the entry.
"""

import numpy as np
from numpy.typing import NDArray

from bonafide.index.document import Hit
from bonafide.index.plan import Plan
from bonafide.index.postings import Names, NameTable

SCORE_FLOOR = 0.3
"""Below this a name shares so little with the query that it isn't worth reporting."""
_QUERY_SHARE = 0.6
"""A name that says more than the query is likelier meant than one that says less."""


def best_score(shared: float, query: float) -> float:
    """The score of a name that holds only words shared with the query."""
    return shared / (shared + _QUERY_SHARE * (query - shared))


def score(plan: Plan, found: Names, names: NameTable, vocabulary_size: int) -> NDArray[np.float64]:
    """The scores of the given names. Each of them must hold a word of the plan."""
    columns = np.zeros(vocabulary_size, np.uint16)
    columns[plan.tokens] = np.arange(1, len(plan.tokens) + 1)
    owners, words = names.words_of(found)
    own_columns = columns[words]
    shared = np.flatnonzero(own_columns)
    owners, own_columns = owners[shared], own_columns[shared] - 1
    matched = np.zeros(len(found))
    for weight, gains in zip(plan.weights, plan.gains, strict=True):
        matched += np.minimum(np.bincount(owners, gains[own_columns], len(found)), weight)
    held = names.weights[found] - np.bincount(owners, plan.excess[own_columns], len(found))
    # Written so that equal weights give exactly 1 in floating point.
    scores: NDArray[np.float64] = np.minimum(matched, held) / (held + _QUERY_SHARE * (plan.weights.sum() - held))
    return scores


def rank(found: Names, scores: NDArray[np.float64], names: NameTable, limit: int) -> list[Hit]:
    """The best documents, each by its best name; of equals the active first, then in the order of the source."""
    if len(found) == 0 or limit < 1:
        return []
    documents = names.documents[found]
    order = np.argsort(documents, kind="stable")
    documents, scores = documents[order], scores[order]
    first = np.flatnonzero(np.concatenate(([True], documents[1:] != documents[:-1])))
    documents, scores = documents[first], np.maximum.reduceat(scores, first)
    if len(scores) > limit:
        contenders = scores >= np.partition(scores, -limit)[-limit]
        documents, scores = documents[contenders], scores[contenders]
    best = np.lexsort((documents, names.active[documents] == 0, -scores))[:limit]
    return [Hit(document, value) for document, value in zip(documents[best].tolist(), scores[best].tolist(), strict=True)]
