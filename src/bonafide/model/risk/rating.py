"""A risk rating: the band and the points of a business, each point traced to a rule and the facts that the rule read."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from bonafide.i18n.message import Message
from bonafide.model.base import Document
from bonafide.model.risk.facts import RiskFact


class RiskLevel(StrEnum):
    """The place of a band among those of its version, whatever the bands are called."""

    LOWEST = "lowest"
    MIDDLE = "middle"
    HIGHEST = "highest"
    """The last of at least two bands."""


class RiskContribution(Document):
    """The points of a rule whose condition is true."""

    rule_id: Annotated[str, Field(examples=["registry-inactive"])]
    """ID of the rule."""
    title: Annotated[str, Field(examples=["The business is not active"])]
    """Title of the rule."""
    points: Annotated[int, Field(examples=[40])]
    """Points that the rule gives."""
    reason: Annotated[str, Field(examples=["The register states that the business is dissolved, cancelled or otherwise inactive."])]
    """Reason of the rule."""
    facts: tuple[RiskFact, ...]
    """Facts that the rule reads, as far as they are known."""


class UnknownRisk(Document):
    """A rule that could not be evaluated. It is neither true nor false, and never counts as clean."""

    rule_id: Annotated[str, Field(examples=["domain-new"])]
    """ID of the rule."""
    title: Annotated[str, Field(examples=["The domain is new"])]
    """Title of the rule."""
    points: Annotated[int, Field(examples=[5])]
    """Points that the rule gives because it could not be evaluated."""
    missing: Annotated[tuple[str, ...], Field(examples=[["website.domainAgeDays"]])]
    """Paths of the facts that are not known."""
    facts: tuple[RiskFact, ...]
    """Facts that the rule reads, as far as they are known."""
    error: Annotated[Message | None, Field(examples=[None])] = None
    """Why the rule failed although all of its facts are known, such as a division by zero; null otherwise."""


class RiskAssessment(Document):
    """The rating of a business by one version of the organization's rules."""

    band: Annotated[str, Field(examples=["medium"])]
    """Name of the band."""
    level: Annotated[RiskLevel, Field(examples=["middle"])]
    """Place of the band among those of the version."""
    points: Annotated[int, Field(examples=[45])]
    """Sum of the points of all rules."""
    version: Annotated[int, Field(examples=[3])]
    """Version of the rules."""
    is_complete: Annotated[bool, Field(examples=[False])]
    """Whether every rule could be evaluated. If not, the band is not a clean result, even if it is the lowest."""
    contributions: tuple[RiskContribution, ...]
    """Rules that are true, with most points first."""
    unknown: tuple[UnknownRisk, ...]
    """Rules that could not be evaluated, with most points first."""

    @property
    def rule_ids(self) -> tuple[str, ...]:
        """IDs of the rules that give points, including those that could not be evaluated."""
        given = [(one.rule_id, one.points) for one in self.contributions]
        given += [(one.rule_id, one.points) for one in self.unknown]
        return tuple(rule_id for rule_id, points in given if points != 0)
