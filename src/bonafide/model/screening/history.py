"""The history of stored screenings, and how a repeated screening differs from the one before it."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from bonafide.model.base import Document, Instant
from bonafide.model.records.business_record import Cursor, FeedPagination
from bonafide.model.search.match import Score

_EXAMPLE_LIST = "ca-sanctions-autonomous"


class ScreeningOutcome(StrEnum):
    """The outcome of a screening when it ran."""

    CLEAR = "clear"
    """Every subject was screened against every list, and there is no open hit."""
    HITS = "hits"
    """At least one hit is not dismissed."""
    INCOMPLETE = "incomplete"
    """There is no open hit, but a subject or a list could not be screened."""


class ScreeningItem(Document):
    """One stored screening in a list."""

    id: Annotated[UUID, Field(examples=["7e2f9c1b-3a4d-4e5f-8a6b-0c1d2e3f4a5b"])]
    """ID of the screening."""
    query: Annotated[str, Field(examples=["Northgate Shipping Ltd."])]
    """Name that was screened."""
    outcome: Annotated[ScreeningOutcome, Field(examples=["hits"])]
    """Outcome when the screening ran."""
    open_hits: Annotated[int, Field(examples=[1])]
    """Number of hits that were not dismissed when the screening ran."""
    subjects: Annotated[int, Field(examples=[1])]
    """Number of names and people that were screened."""
    screened_at: Annotated[Instant, Field(examples=["2026-11-20T14:33:00.125Z"])]
    """When the screening ran."""
    screened_by: Annotated[str, Field(examples=["analyst@north.example"])]
    """Who ran the screening."""
    business_id: Annotated[UUID | None, Field(examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"])]
    """ID of the business record that was screened; null without one."""


class ScreeningPage(Document):
    """A page of stored screenings, newest first."""

    screenings: tuple[ScreeningItem, ...]
    """Screenings, newest first."""
    cursor: Cursor
    """Position of the next page, which has older screenings."""
    pagination: FeedPagination
    """Size of the page."""


class HitChange(Document):
    """One hit that differs between two screenings of the same subject."""

    subject: Annotated[str, Field(examples=["Northgate Shipping Ltd."])]
    """Name that was screened."""
    source: Annotated[str, Field(examples=[_EXAMPLE_LIST])]
    """Key of the list."""
    entry_id: Annotated[str | None, Field(examples=["BY-1-12"])]
    """ID of the listed party in its list."""
    name: Annotated[str, Field(examples=["Northgate Shipping Limited"])]
    """Main name of the listed party; for a hit that is gone, the name it had."""
    score: Annotated[Score | None, Field(examples=[0.97])]
    """Score of the hit; null if it is gone."""
    previous_score: Annotated[Score | None, Field(examples=[0.93])]
    """Score in the previous screening; null if the hit is new."""


class ScreeningChanges(Document):
    """How a repeated screening differs from the previous one. Hits are compared by list and entry ID.

    A hit counts as gone only if its list was screened again, and as new only if its list was screened before.
    """

    previous_screening_id: Annotated[UUID, Field(examples=["7e2f9c1b-3a4d-4e5f-8a6b-0c1d2e3f4a5b"])]
    """ID of the previous screening."""
    previous_screened_at: Annotated[Instant, Field(examples=["2026-10-20T14:33:00.125Z"])]
    """When the previous screening ran."""
    new: tuple[HitChange, ...]
    """Hits that the previous screening did not have."""
    gone: tuple[HitChange, ...]
    """Hits of the previous screening that no longer exist."""
    changed: tuple[HitChange, ...]
    """Hits whose listing or score has changed."""
    lists_not_compared: Annotated[tuple[str, ...], Field(examples=[[_EXAMPLE_LIST]])]
    """Keys of lists that only one of the two screenings has screened."""
    subjects_not_compared: Annotated[tuple[str, ...], Field(examples=[["Northgate Shipping Ltd."]])]
    """Names of which only one of the two screenings has a complete result. Their hits are not compared."""
