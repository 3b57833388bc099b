"""The result of comparing two names: a score from 0 to 1, its features and an explanation.

Explanations are put into words only when they are read: most candidates of a search are scored, dropped and never shown.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from bonafide.model.search.match import NameBreakdown

Explanation = str | Callable[[], str]


@dataclass(frozen=True, slots=True)
class FeatureResult:
    """What one feature found: its score (0 to 1), and why."""

    feature: str
    score: float
    explanation: Explanation = field(compare=False)

    @property
    def reason(self) -> str:
        """Why, in a few words."""
        return self.explanation if isinstance(self.explanation, str) else self.explanation()


@dataclass(frozen=True, slots=True)
class NameComparison:
    """How similar two names are: 1 is equality after normalisation, from 0.95 the same name to a reader, below 0.7 another.

    The score is the product of the `factors`, limited by the lowest of the `caps`. `verdict` states what no feature does.
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
        reasons = [feature.reason for feature in self.features]
        return "; ".join([self.verdict, *reasons] if self.verdict else reasons)


NOTHING_TO_COMPARE = NameComparison(
    0.0, (), (), "no letters or digits to compare", lambda: NameBreakdown(matched=(), missing=(), added=(), factors=(), caps=())
)
"""The result where one of the names has no words."""
