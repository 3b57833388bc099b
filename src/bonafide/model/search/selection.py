"""What a caller may change about a stored search: which match stands for the business, and whether the search is archived.

Which changes are allowed is the service's business; these values only say what was asked and how it came out.
"""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints, model_validator

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant, create_field_error
from bonafide.model.records.business_input import ProseText
from bonafide.model.search.result import MatchSelection, SelectionStatus

MAX_MATCH_ID_CHARACTERS = 100
"""A match id has 36; a longer text is not one."""


class MatchChoice(Document):
    """The body of `POST /search/{id}/selection`: one of the search's matches, or that none is to be used."""

    match_id: Annotated[str, StringConstraints(min_length=1, max_length=MAX_MATCH_ID_CHARACTERS)] | None = None
    """A `matchId` of the search's `businesses`. Give either this or `status`."""
    status: Annotated[Literal["no_match_found", "no_selection"] | None, Field(examples=["no_match_found"])] = None
    """`no_match_found` if no match is the business, `no_selection` to close the search."""
    note: Annotated[ProseText | None, Field(examples=["The director confirmed the registration number by phone."])] = None
    """Why, for the audit log. It isn't part of the search's document."""

    @model_validator(mode="after")
    def _exactly_one(self) -> "MatchChoice":
        if (self.match_id is None) == (self.status is None):
            raise create_field_error("matchId", Message("give either matchId or status, not both"))
        return self


class RecordedChoice(Document):
    """A person's choice as the audit log has it."""

    at: Instant
    """When it was made."""
    by: str
    """Who made it."""
    status: SelectionStatus | None
    """The new status; null if it was not changed."""
    note: str | None
    """Why; null without a note."""


class SelectionOutcome(Document):
    """Which match is selected after a choice; null for the two outcomes without one."""

    status: SelectionStatus
    """The new status."""
    selected_match_id: UUID | None
    """ID of the selected match; null without one."""


class MatchSelectionOutcome(Document):
    """The answer of `POST /search/{id}/selection`."""

    match_selection: SelectionOutcome
    """The new selection."""

    @classmethod
    def of(cls, selection: MatchSelection) -> "MatchSelectionOutcome":
        """The outcome as the search's own document states it."""
        outcome = SelectionOutcome(status=selection.status, selected_match_id=selection.selected_match_id)
        return cls(match_selection=outcome)


class SearchUpdate(Document):
    """The body of `PATCH /search/{id}`."""

    archived: bool
    """Whether the search is archived."""
