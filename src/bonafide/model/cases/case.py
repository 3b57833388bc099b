"""A case: what is open of one business, who works on it, and what was decided.

The parts of a case are rows of their own. Items, notes, attachments and decisions are added and never removed; only the status of
an item changes.
"""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant
from bonafide.model.cases.policy import CaseDecisionKind, CaseItemKind, CasePriority
from bonafide.model.events.event import EXAMPLE_EVENT_ID, EventBusiness
from bonafide.model.records.business_record import Cursor, FeedPagination
from bonafide.model.records.documents import BusinessDocument

MAX_LISTED_ITEMS = 100
"""Items in the document of a case. Further ones are listed by `GET /cases/{id}/items`."""
EXAMPLE_CASE_ID = "3f8a1c6e-5b2d-4e7f-9a0c-1d2e3f4a5b6c"
EXAMPLE_ITEM_ID = "8d7c6b5a-4f3e-4d2c-9b1a-0f1e2d3c4b5a"
EXAMPLE_DECISION_ID = "c4d5e6f7-1a2b-4c3d-8e4f-5a6b7c8d9e0f"


class CaseStatus(StrEnum):
    """Where a case is."""

    OPEN = "open"
    WAITING = "waiting"
    """Information was requested."""
    IN_SECOND_REVIEW = "in_second_review"
    DECIDED = "decided"


class CaseOutcome(StrEnum):
    """How a case ended."""

    APPROVED = "approved"
    REJECTED = "rejected"
    SETTLED = "settled"
    """Every item was settled before anybody had taken the case."""


class CaseItemStatus(StrEnum):
    """Whether an item is still to be looked at."""

    OPEN = "open"
    SETTLED = "settled"
    """The cause no longer exists: the hit is dismissed, the discrepancy resolved, the alert acknowledged, and so on."""
    DECIDED = "decided"
    """The decision about the case covers it."""


class CaseItemContent(Document):
    """What an item says. It never changes."""

    ref: Annotated[str, Field(examples=["/v1/sanctions/7e2f9c1b-3a4d-4e5f-8a6b-0c1d2e3f4a5b"])]
    """Path of the document that has the details."""
    event_id: Annotated[UUID, Field(examples=[EXAMPLE_EVENT_ID])]
    """ID of the event that opened the item."""
    summary: Annotated[Message, Field(examples=["“Northgate Shipping Ltd.” may be “Northgate Shipping Limited”."])]
    """What it is about."""


class CaseItem(CaseItemContent):
    """One thing that a person has to look at."""

    id: Annotated[UUID, Field(examples=[EXAMPLE_ITEM_ID])]
    """ID of the item."""
    kind: Annotated[CaseItemKind, Field(examples=["sanctions_hit"])]
    """Kind of the item."""
    status: Annotated[CaseItemStatus, Field(examples=["open"])]
    """Whether it is open."""
    opened_at: Instant
    """When it was opened."""
    settled_at: Annotated[Instant | None, Field(examples=[None])]
    """When it was settled or decided; null while it is open."""
    settled_by: Annotated[str | None, Field(examples=[None])]
    """Who settled or decided it; null while it is open."""


class CaseNote(Document):
    """A note about a case."""

    id: Annotated[UUID, Field(examples=["5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b2c1d"])]
    """ID of the note."""
    text: Annotated[str, Field(examples=["Asked the client for the director’s date of birth."])]
    """Text of the note."""
    created_at: Instant
    """When it was written."""
    created_by: Annotated[str, Field(examples=["analyst@north.example"])]
    """Who wrote it."""


class CaseAttachment(BusinessDocument):
    """A file that is attached to a case."""


class CaseDecision(Document):
    """A decision about a case."""

    id: Annotated[UUID, Field(examples=[EXAMPLE_DECISION_ID])]
    """ID of the decision."""
    decision: Annotated[CaseDecisionKind, Field(examples=["approve"])]
    """What was decided."""
    reason_code: Annotated[str, Field(examples=["false_positive"])]
    """Code of the reason."""
    reason_title: Annotated[Message, Field(examples=["The listed party is somebody else"])]
    """What the code meant at that time."""
    note: Annotated[str | None, Field(examples=["Another date of birth, see the attachment."])]
    """Note of that person."""
    decided_at: Instant
    """When it was decided."""
    decided_by: Annotated[str, Field(examples=["analyst@north.example"])]
    """Who decided."""
    reviews: Annotated[UUID | None, Field(examples=[None])]
    """ID of the decision of another person that this one confirms or returns; null for a first decision."""


class CaseRecord(Document):
    """A case without its parts."""

    id: Annotated[UUID, Field(examples=[EXAMPLE_CASE_ID])]
    """ID of the case."""
    number: Annotated[int, Field(examples=[42])]
    """Number of the case in the organization, in the order of opening."""
    business: EventBusiness | None
    """The business record, as it was when the case was opened; null for a case about one search, verification or screening without
    a record."""
    name: Annotated[str | None, Field(examples=["Sandbox Bakery Inc."])]
    """Name of the business, or the name that was searched for or screened."""
    status: Annotated[CaseStatus, Field(examples=["open"])]
    """Status of the case."""
    outcome: Annotated[CaseOutcome | None, Field(examples=[None])]
    """How the case ended; null until it has."""
    priority: Annotated[CasePriority, Field(examples=["high"])]
    """Priority of the case."""
    assignee: Annotated[str | None, Field(examples=["analyst@north.example"])]
    """E-mail of the member who works on it; null for nobody."""
    opened_at: Instant
    """When the case was opened."""
    due_at: Instant | None
    """When it is due; null without a due date."""
    decided_at: Annotated[Instant | None, Field(examples=[None])]
    """When it ended; null until it has."""
    updated_at: Instant
    """When the case or one of its parts last changed."""
    pending_decision_id: Annotated[UUID | None, Field(examples=[None])]
    """ID of the decision that another person has to confirm; null without one."""


class OpenItemCount(Document):
    """How many items of one kind are open."""

    kind: Annotated[CaseItemKind, Field(examples=["sanctions_hit"])]
    """Kind of the items."""
    count: Annotated[int, Field(examples=[2])]
    """Number of open items."""


class CaseListItem(CaseRecord):
    """A case in a list."""

    overdue: Annotated[bool, Field(examples=[False])]
    """Whether the due date has passed and the case has not ended."""
    open_items: tuple[OpenItemCount, ...]
    """Number of open items by kind; kinds without any are left out."""


class Case(CaseListItem):
    """A case with everything that belongs to it, each list oldest first."""

    items: tuple[CaseItem, ...]
    """What a person has to look at. At most 100 items are listed, of which open ones and then newer ones take precedence;
    `GET /cases/{id}/items` lists all."""
    item_count: Annotated[int, Field(examples=[3])]
    """Number of all items, open or not."""
    notes: tuple[CaseNote, ...]
    """Notes."""
    attachments: tuple[CaseAttachment, ...]
    """Attached files."""
    decisions: tuple[CaseDecision, ...]
    """Decisions."""


class CaseItemPage(Document):
    """A page of the items of a case, oldest first."""

    items: tuple[CaseItem, ...]
    """Items, oldest first."""
    cursor: Cursor
    """Position of the next page, which has newer items."""
    pagination: FeedPagination
    """Size of the page."""


class CasePage(Document):
    """A page of the feed of cases, oldest change first."""

    cases: tuple[CaseListItem, ...]
    """Cases, those that changed longest ago first."""
    cursor: Cursor
    """Position in the feed."""
    pagination: FeedPagination
    """Size of the page."""
