"""A risk rating in words, as pages and printed documents show it."""

from datetime import date

from bonafide.i18n.message import Message
from bonafide.model.base import Document
from bonafide.model.risk.rating import RiskLevel


class ExplainedFact(Document):
    """A known fact. Exactly one of `text`, `count` and `score` is not None."""

    label: Message
    path: str
    text: Message | None = None
    count: int | None = None
    score: float | None = None
    """A score from 0 to 1."""
    source: Message
    as_of: date | None


class ExplainedRule(Document):
    """A rule that gives points, or that could not be evaluated."""

    title: Message
    points: int
    reason: Message | None
    """Why the rule gives points; None for a rule that could not be evaluated."""
    facts: tuple[ExplainedFact, ...]
    missing: tuple[Message, ...] = ()
    """Labels of the facts that are not known."""
    error: Message | None = None


class ExplainedRating(Document):
    """A rating with its rules in words."""

    band: Message
    level: RiskLevel
    points: int
    version: int
    is_complete: bool
    contributions: tuple[ExplainedRule, ...]
    unknown: tuple[ExplainedRule, ...]
