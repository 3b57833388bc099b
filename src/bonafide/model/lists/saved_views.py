"""Saved views: named filters of a list, of one person or shared in the organization."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from bonafide.model.base import Document
from bonafide.model.query import Text

MAX_VIEW_NAME_CHARACTERS = 80
MAX_VIEW_QUERY_CHARACTERS = 2000


class ListName(StrEnum):
    """The lists that have views."""

    SEARCHES = "searches"
    VERIFICATIONS = "verifications"
    SCREENINGS = "screenings"
    DISMISSALS = "dismissals"
    BUSINESSES = "businesses"
    ALERTS = "alerts"
    CASES = "cases"


@dataclass(frozen=True, slots=True)
class SavedView:
    """A named filter. `query` is the filter as the query of an address; `user_id` is None for a shared view.

    A default view is the one that the list opens with; a person's own comes before the shared one.
    """

    id: UUID
    list: ListName
    user_id: UUID | None
    name: str
    query: str
    is_default: bool
    created_at: datetime
    created_by: str


class SavedViewForm(Document):
    """The form that saves the current filter of a list."""

    name: Annotated[Text, Field(max_length=MAX_VIEW_NAME_CHARACTERS)]
    is_shared: bool = False
    is_default: bool = False
