"""Pairs of business names, labelled as the same business or not.

The rules follow how people and registers write names, not how the score reads them, and they stay as they are when the score is
bad at one. The same count makes the same pairs on every machine.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random

from bonafide_bench.datasets import different_pairs, same_pairs

PAIRS_PER_CATEGORY = 150


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two names, whether they mean the same business, and the rule that made them."""

    a: str
    b: str
    same: bool
    category: str


def create_labelled_pairs(of_a_category: int = PAIRS_PER_CATEGORY) -> list[LabelledPair]:
    """Pairs of every category, as many of each; two names that are written alike make no pair."""
    return [
        LabelledPair(a, b, same, category)
        for same, rules in ((True, same_pairs.RULES), (False, different_pairs.RULES))
        for category, rule in rules.items()
        for a, b in islice(_skip_equal(rule(Random(f"{category} pairs"))), of_a_category)  # noqa: S311 - a sample, not a secret
    ]


def _skip_equal(pairs: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    return ((a, b) for a, b in pairs if a != b)
