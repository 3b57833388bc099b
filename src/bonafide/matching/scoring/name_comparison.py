"""The result of comparing two names: a score from 0 to 1, its features and an explanation.

Explanations are worded only when they are read, because most candidates of a search are scored and discarded.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from bonafide.i18n.message import Message, join_messages
from bonafide.model.search.match import NameBreakdown

Explanation = Message | Callable[[], Message]


@dataclass(frozen=True, slots=True)
class FeatureResult:
    """The result of one feature: its score (0 to 1) and the reason."""

    feature: str
    score: float
    explanation: Explanation = field(compare=False)

    @property
    def reason(self) -> Message:
        """Why, in a few words."""
        return self.explanation if isinstance(self.explanation, Message) else self.explanation()


@dataclass(frozen=True, slots=True)
class NameComparison:
    """How similar two names are: 1 means equal after normalisation, 0.95 and above the same name, below 0.7 another name.

    The score is the product of the `factors`, limited by the lowest of the `caps`. `verdict` describes names without differences.
    """

    score: float
    factors: tuple[FeatureResult, ...]
    caps: tuple[FeatureResult, ...]
    verdict: Message | None
    breakdown: Callable[[], NameBreakdown] = field(compare=False)

    @property
    def features(self) -> tuple[FeatureResult, ...]:
        """Every feature that found a difference, caps first."""
        return *self.caps, *self.factors

    @property
    def reason(self) -> Message:
        """The explanation in one sentence."""
        reasons = [feature.reason for feature in self.features]
        return join_messages(reasons if self.verdict is None else [self.verdict, *reasons])


NOTHING_TO_COMPARE = NameComparison(
    0.0,
    (),
    (),
    Message("no letters or digits to compare"),
    lambda: NameBreakdown(matched=(), missing=(), added=(), factors=(), caps=()),
)
"""The result where one of the names has no words."""
