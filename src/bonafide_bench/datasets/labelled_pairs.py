"""Pairs of business names, labelled as the same business or not.

The rules model how people and registries write names, independently of how the score works. They are not adjusted when the score
performs badly on one. The same count gives the same pairs on every machine.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random

from bonafide_bench.datasets import different_pairs, same_pairs

PAIRS_PER_CATEGORY = 150


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two names, whether they belong to the same business, and the rule that generated them."""

    a: str
    b: str
    same: bool
    category: str


def create_labelled_pairs(of_a_category: int = PAIRS_PER_CATEGORY) -> list[LabelledPair]:
    """Generate the same number of pairs for every category, without pairs of identical names."""
    return [
        LabelledPair(a, b, same, category)
        for same, rules in ((True, same_pairs.RULES), (False, different_pairs.RULES))
        for category, rule in rules.items()
        for a, b in islice(_skip_equal(rule(Random(f"{category} pairs"))), of_a_category)  # noqa: S311 - a sample, not a secret
    ]


def _skip_equal(pairs: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    return ((a, b) for a, b in pairs if a != b)
