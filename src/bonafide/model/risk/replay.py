"""What a version of the risk rules would have made of past results, beside the active version."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from bonafide.model.base import Document, Instant


class RiskReplayRequest(Document):
    """Which results to replay rules on."""

    since: Annotated[Instant | None, Field(examples=["2026-10-01T00:00:00Z"])] = None
    """Replay searches that were made at this time or later; null for the newest ones, whenever they were made."""


class ReplayedBand(Document):
    """How many results are in a band, by both versions."""

    name: Annotated[str, Field(examples=["medium"])]
    """Name of the band. Bands that only the active version has come last."""
    before: Annotated[int | None, Field(examples=[12])]
    """Number of results by the active rules; null without active rules."""
    after: Annotated[int, Field(examples=[15])]
    """Number of results by the replayed rules."""


class ReplayedRating(Document):
    """The rating of a result in short."""

    band: Annotated[str, Field(examples=["low"])]
    """Name of the band."""
    points: Annotated[int, Field(examples=[15])]
    """Sum of the points of all rules."""
    is_complete: Annotated[bool, Field(examples=[True])]
    """Whether every rule could be evaluated."""
    rule_ids: Annotated[tuple[str, ...], Field(examples=[["business-new"]])]
    """IDs of the rules that give points, including those that could not be evaluated."""


class ReplayedResult(Document):
    """A result that would be in another band."""

    search_id: Annotated[UUID, Field(examples=["0a9b7e54-3f1c-4f0e-8a57-5d2f6f4b8f33"])]
    """ID of the search."""
    name: Annotated[str | None, Field(examples=["Sandbox Bakery Inc."])]
    """Name that was searched."""
    searched_at: Annotated[Instant, Field(examples=["2026-11-20T14:33:00.125Z"])]
    """When the search was made."""
    before: ReplayedRating | None
    """Rating by the active rules; null without active rules."""
    after: ReplayedRating
    """Rating by the replayed rules."""


class RiskReplay(Document):
    """The same past results by the active and by the replayed rules. Nothing is changed."""

    version: Annotated[int, Field(examples=[4])]
    """Version of the replayed rules."""
    active_version: Annotated[int | None, Field(examples=[3])]
    """Version of the active rules; null without active rules."""
    results: Annotated[int, Field(examples=[200])]
    """Number of results: the newest searches with a result, up to 200."""
    changed: Annotated[int, Field(examples=[4])]
    """Number of results in another band."""
    incomplete: Annotated[int, Field(examples=[30])]
    """Number of results for which the replayed rules could not all be evaluated."""
    bands: tuple[ReplayedBand, ...]
    """Number of results by band, in the order of the replayed rules."""
    examples: tuple[ReplayedResult, ...]
    """Results that would be in another band, those with the largest difference of points first, up to 10."""
