"""What a caller may change about a stored search: which match stands for the business, and whether the search is archived.

Which changes are allowed is the service's business; these values only say what was asked and how it came out.
"""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from bonafide.model.base import FIELD, Document
from bonafide.model.search.result import MatchSelection, SelectionStatus

MAX_MATCH_ID_CHARACTERS = 100
"""A match id has 36; a longer text is not one."""


def _build_exclusive_schema(given: str, absent: str) -> dict[str, Any]:
    """A JSON schema in which one of two fields has a value and the other has none."""
    return {"required": [given], "properties": {given: {"type": "string"}, absent: {"type": "null"}}}


class MatchChoice(Document):
    """The body of `POST /search/{id}/selection`: one of the search's matches, or that none is to be used."""

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [_build_exclusive_schema("matchId", "status"), _build_exclusive_schema("status", "matchId")]}
    )

    match_id: Annotated[str, StringConstraints(min_length=1, max_length=MAX_MATCH_ID_CHARACTERS)] | None = Field(
        None, description="A `matchId` of this search's `businesses`"
    )
    status: Literal["no_match_found", "no_selection"] | None = Field(
        None, description="That no match is the business, or that the search is not followed up"
    )

    @model_validator(mode="after")
    def _exactly_one(self) -> "MatchChoice":
        if (self.match_id is None) == (self.status is None):
            raise PydanticCustomError("one_of", "must be given, or else status, and not both", {FIELD: "matchId"})
        return self


class SelectionOutcome(Document):
    """Which match is selected after a choice; null for the two outcomes without one."""

    status: SelectionStatus
    selected_match_id: UUID | None


class MatchSelectionOutcome(Document):
    """The answer of `POST /search/{id}/selection`."""

    match_selection: SelectionOutcome

    @classmethod
    def of(cls, selection: MatchSelection) -> "MatchSelectionOutcome":
        """The outcome as the search's own document states it."""
        outcome = SelectionOutcome(status=selection.status, selected_match_id=selection.selected_match_id)
        return cls(match_selection=outcome)


class SearchUpdate(Document):
    """The body of `PATCH /search/{id}`."""

    archived: bool
