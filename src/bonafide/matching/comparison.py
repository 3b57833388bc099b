"""What comparing two names yields: a score from 0 to 1, the features it was made from, and one sentence for a person.

These are values only; what the numbers are made of stands in `features`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FeatureResult:
    """What one feature found: its score (0 to 1), the parts of the two names that it looked at, and why."""

    feature: str
    score: float
    query: str
    candidate: str
    reason: str


@dataclass(frozen=True, slots=True)
class NameComparison:
    """How alike two names are: 1 is equality after normalisation, from 0.95 the same name to a reader, below 0.7 another."""

    score: float
    features: tuple[FeatureResult, ...]
    reason: str
