"""Which names of a segment are worth scoring for a query: those with its rare words, and those with several of its frequent ones.

Everything here is bounded by named budgets, whatever the query; what falls outside is the least like the query. Nothing is scored.
"""

import numpy as np
from numpy.typing import NDArray

from bonafide.index.plan import Plan
from bonafide.index.postings import Names, NameTable, Postings
from bonafide.index.ragged import distinct, repeated
from bonafide.index.score import best_score

POSTINGS_BUDGET = 12_000
"""Entries of posting lists that are followed, those of the rarest words first."""
FREQUENT_BUDGET = 200_000
"""Entries of posting lists that are only compared with each other."""
WORTH_GATHERING = 0.5
"""Names that share only frequent words with the query are sought if they could still score so much."""


def gather(plan: Plan, postings: Postings, names: NameTable) -> Names:
    """Names that hold at least one word of the plan, in rising order."""
    order = np.argsort(plan.frequencies, kind="stable")
    rare = np.cumsum(plan.frequencies[order]) <= POSTINGS_BUDGET
    found = distinct(postings.of(plan.tokens[order[rare]]))
    if rare.all():
        return found
    return distinct(np.concatenate((found, _with_frequent_words(plan, order[~rare], postings, names))))


def _with_frequent_words(plan: Plan, columns: NDArray[np.int64], postings: Postings, names: NameTable) -> Names:
    """Names that hold frequent words of two slots; where that is no choice, those about as heavy as the query."""
    slots = distinct(plan.home[columns])
    total = int(plan.weights.sum())
    if best_score(int(plan.weights[slots].sum()), total) < WORTH_GATHERING:
        return np.zeros(0, np.uint32)
    within = np.cumsum(plan.frequencies[columns]) <= FREQUENT_BUDGET
    within[0] = True
    lists = [distinct(postings.of(plan.tokens[columns[within & (plan.home[columns] == slot)]])) for slot in slots.tolist()]
    found = repeated(np.concatenate(lists)) if len(lists) > 1 else lists[0]
    return _nearest_in_weight(found, names, total)


def _nearest_in_weight(found: Names, names: NameTable, weight: int) -> Names:
    if len(found) <= POSTINGS_BUDGET:
        return found
    distance = np.abs(names.weights[found].astype(np.int64) - weight)
    return found[np.argpartition(distance, POSTINGS_BUDGET)[:POSTINGS_BUDGET]]
