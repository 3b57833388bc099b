"""The result of comparing two names: a score from 0 to 1, its features and an explanation.

These are values only; what the numbers are made of stands in `features`. Explanations are put into words when they are asked for:
most candidates of a search are scored, found wanting and never shown.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from bonafide.model.search.match import NameBreakdown


@dataclass(frozen=True, slots=True)
class FeatureResult:
    """What one feature found: its score (0 to 1), and `tell`, which says why."""

    feature: str
    score: float
    tell: Callable[[], str] = field(compare=False)

    @property
    def reason(self) -> str:
        """Why, in a few words."""
        return self.tell()


def to_reason(reason: str) -> Callable[[], str]:
    """The explanation where it is in words already."""
    return lambda: reason


@dataclass(frozen=True, slots=True)
class NameComparison:
    """How alike two names are: 1 is equality after normalisation, from 0.95 the same name to a reader, below 0.7 another.

    The score is the product of the `factors`, limited by the lowest of the `caps`. `verdict` says what no feature does.
    """

    score: float
    factors: tuple[FeatureResult, ...]
    caps: tuple[FeatureResult, ...]
    verdict: str
    breakdown: Callable[[], NameBreakdown] = field(compare=False)

    @property
    def features(self) -> tuple[FeatureResult, ...]:
        """Every feature that found a difference, the limiting ones first."""
        return *self.caps, *self.factors

    @property
    def reason(self) -> str:
        """One sentence for a person."""
        said = [feature.reason for feature in self.features]
        return "; ".join([self.verdict, *said] if self.verdict else said)
