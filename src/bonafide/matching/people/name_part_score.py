"""The score of the parts of two names of people without their alignment, where few parts differ.

Most names that share a part with a requested one have too few of its parts, which this shows sooner than an alignment.
"""

from collections.abc import Sequence
from math import fsum

from bonafide.matching.people.name_part_similarity import weigh_name_part
from bonafide.matching.scoring.alignment import WordComparator, Words
from bonafide.matching.scoring.tolerance import SHORTEST_TYPO

_MAX_PARTS = 8
"""The time that finding equal parts takes grows with the square of their number."""


def rate_parts(
    left: Words, right: Words, compare: WordComparator, *, one_sided: float, conflict: float, extra: float
) -> float | None:
    """What `AlignedNames.rate_words` returns for the alignment of these parts; None where only the alignment shows it.

    That is the case if no part differs, if a name has more than eight parts, and if parts that differ may be paired: a single part
    of each name that is short, or others that are similar, joined or short.
    """
    if len(left) > _MAX_PARTS or len(right) > _MAX_PARTS:
        return None
    weights: list[float] = []
    alone, others = list(left), []
    for part in right:
        if part in alone:
            alone.remove(part)
            weights.append(weigh_name_part(part))
        else:
            others.append(part)
    if not alone and not others:
        # Equal names have no first factor, even those that consist of titles.
        return None
    agreed = fsum(weights)
    if len(alone) == len(others) == 1 and (similarity := compare(alone[0], others[0])) is not None:
        weight = max(weigh_name_part(alone[0]), weigh_name_part(others[0]))
        total = fsum([*weights, weight])
        return fsum([*weights, similarity.score * weight]) / total if total > 0 else 0.0
    if _may_be_paired(alone, others, compare):
        return None
    missing, added = fsum(map(weigh_name_part, alone)), fsum(map(weigh_name_part, others))
    replaced = min(missing, added)
    against = (one_sided if replaced > 0 else extra) * (missing + added) + conflict * replaced
    total = agreed + against
    return agreed / total if total > 0 else 0.0


def _may_be_paired(alone: Sequence[str], others: Sequence[str], compare: WordComparator) -> bool:
    """Whether an alignment may pair some of the parts that are not equal."""
    if any(len(part) < SHORTEST_TYPO for part in alone) and any(len(part) < SHORTEST_TYPO for part in others):
        return True
    if len(alone) == len(others) == 1:
        return False
    if alone and others and abs(sum(map(len, alone)) - sum(map(len, others))) <= 1:
        return True
    return any(
        part.startswith(other) or other.startswith(part) or compare(part, other) is not None for part in alone for other in others
    )
