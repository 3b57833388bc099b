"""Risk rules of an organization: conditions over facts with points, and the bands of their sum, in versions."""

import hashlib
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant, create_field_error
from bonafide.model.risk.facts import FactDescription

MAX_RULES = 100
MAX_BANDS = 10
MAX_CONDITION_CHARACTERS = 500
MAX_POINTS = 1_000
MAX_KEPT_VERSIONS = 50
"""The most versions that are listed, newest first."""
MAX_VERSION = 999_999_999
DEFAULT_VERSION = 0
"""The version of the built-in rules, which an organization may start from."""

RuleId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
Points = Annotated[int, Field(ge=-MAX_POINTS, le=MAX_POINTS, strict=True)]
_Line = StringConstraints(strip_whitespace=True, min_length=1, pattern=r"^[^\x00-\x1f\x7f]*$")


class RiskRulesStatus(StrEnum):
    """The state of a version of the rules."""

    DEFAULT = "default"
    """The built-in rules, which are not in use."""
    DRAFT = "draft"
    """Not in use, and may be changed."""
    ACTIVE = "active"
    """In use."""
    RETIRED = "retired"
    """No longer in use. It may be activated again."""


class RiskRule(Document):
    """One rule: a condition over facts, and the points that it gives."""

    id: Annotated[RuleId, Field(examples=["registry-inactive"])]
    """ID of the rule, unique in its version."""
    title: Annotated[str, StringConstraints(max_length=120), _Line, Field(examples=["The business is not active"])]
    """Title of the rule."""
    when: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_CONDITION_CHARACTERS),
        Field(examples=["!registry.active"]),
    ]
    """Condition in the Common Expression Language (CEL)."""
    points: Annotated[Points, Field(examples=[40])]
    """Points if the condition is true. Negative points lower the risk."""
    unknown_points: Annotated[Points | None, Field(examples=[20])] = None
    """Points if the condition can't be evaluated because facts are not known. By default the same as `points`, or 0 if these are
    negative, so that an unknown fact never counts as clean."""
    reason: Annotated[
        str,
        StringConstraints(max_length=300),
        _Line,
        Field(examples=["The register states that the business is dissolved, cancelled or otherwise inactive."]),
    ]
    """Reason that ratings state."""

    @property
    def digest(self) -> str:
        """SHA-256 of the rule in hexadecimal, by which a change of it is recognized."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    @property
    def points_if_unknown(self) -> int:
        """The points if the condition can't be evaluated."""
        return self.unknown_points if self.unknown_points is not None else max(self.points, 0)


class RiskBand(Document):
    """A range of points."""

    name: Annotated[str, StringConstraints(max_length=40), _Line, Field(examples=["medium"])]
    """Name of the band, unique in its version."""
    from_: Annotated[int, Field(alias="from", ge=-100_000, le=100_000, strict=True, examples=[30])]
    """Lowest number of points of the band. The first band also has all lower numbers."""


class RiskRulesInput(Document):
    """The rules and bands of a draft, as a caller sends them."""

    rules: Annotated[tuple[RiskRule, ...], Field(min_length=1, max_length=MAX_RULES)]
    """Rules."""
    bands: Annotated[tuple[RiskBand, ...], Field(min_length=1, max_length=MAX_BANDS)]
    """Bands, lowest first."""

    @model_validator(mode="after")
    def _check(self) -> "RiskRulesInput":
        repeated = _find_repeated([rule.id for rule in self.rules])
        if repeated is not None:
            raise create_field_error(f"rules.{repeated}.id", Message("is the ID of an earlier rule"))
        repeated = _find_repeated([band.name for band in self.bands])
        if repeated is not None:
            raise create_field_error(f"bands.{repeated}.name", Message("is the name of an earlier band"))
        for place in range(1, len(self.bands)):
            if self.bands[place].from_ <= self.bands[place - 1].from_:
                raise create_field_error(f"bands.{place}.from", Message("must be above `from` of the band before it"))
        return self

    @property
    def digest(self) -> str:
        """SHA-256 of the rules and bands in hexadecimal, by which a change of them is recognized."""
        return hashlib.sha256(self.model_dump_json(include={"rules", "bands"}, by_alias=True).encode()).hexdigest()

    def find_band(self, points: int) -> RiskBand:
        """The band of a number of points."""
        return next((band for band in reversed(self.bands) if band.from_ <= points), self.bands[0])

    def rank(self, band: str) -> int | None:
        """The place of a band, lowest first; None for the name of another version."""
        return next((place for place, known in enumerate(self.bands) if known.name == band), None)


def _find_repeated(names: Sequence[str]) -> int | None:
    return next((place for place, name in enumerate(names) if name in names[:place]), None)


class RiskRules(RiskRulesInput):
    """One version of an organization's rules."""

    version: Annotated[int, Field(examples=[3])]
    """Number of the version; 0 is the built-in one."""
    status: Annotated[RiskRulesStatus, Field(examples=["draft"])]
    """State of the version."""


class RiskRulesVersion(Document):
    """A version in the list of versions."""

    version: Annotated[int, Field(examples=[3])]
    """Number of the version."""
    status: Annotated[RiskRulesStatus, Field(examples=["draft"])]
    """State of the version."""
    saved_at: Instant
    """When the version was last saved."""
    saved_by: Annotated[str, Field(examples=["analyst@north.example"])]
    """Who last saved it."""
    activated_at: Annotated[Instant | None, Field(examples=[None])] = None
    """When it was last activated; null if it never was."""
    activated_by: Annotated[str | None, Field(examples=[None])] = None
    """Who last activated it; null if nobody did."""


class RiskRulesAnswer(RiskRules):
    """One version of the rules, the list of versions, and the facts that rules may read."""

    versions: tuple[RiskRulesVersion, ...]
    """The newest versions, newest first."""
    facts: tuple[FactDescription, ...]
    """Facts that rules may read."""
