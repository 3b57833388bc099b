"""A manual check: a register that no program can query, what to look for in it, and what a person has seen there."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from bonafide.model.base import Document, Instant
from bonafide.model.entity import Address, StatusCode
from bonafide.model.events.event import EXAMPLE_BUSINESS_ID, EventBusiness
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_record import Cursor, FeedPagination
from bonafide.model.records.documents import BusinessDocument

EXAMPLE_CHECK_ID = "5e8d3b7a-1c4f-4a6d-8b9e-2f0a1c3d5e7f"
EXAMPLE_ATTACHMENT_ID = "2b5c8e1f-4a6d-4f3b-9c7e-8d1a2b3c4d5e"


class ManualCheckStatus(StrEnum):
    """Whether a person still has to look."""

    OPEN = "open"
    DONE = "done"
    CANCELLED = "cancelled"
    """Nobody has to look any more: somebody cancelled it, or a program could query the register after all."""


class ManualCheckOrigin(StrEnum):
    """What a manual check was opened for."""

    SEARCH = "search"
    VERIFICATION = "verification"
    REQUEST = "request"
    """Somebody created it."""
    RENEWAL = "renewal"
    """The result of an earlier check has become too old."""


class SeenPerson(Document):
    """A person as the register names them."""

    name: Annotated[str, Field(examples=["Jordan Sample"])]
    """Full name."""
    roles: Annotated[tuple[str, ...], Field(examples=[["Director"]])] = ()
    """Roles in the register's own words."""


class ManualCheckAttachment(BusinessDocument):
    """A page or an extract of the register that was uploaded with a manual check."""


class ManualCheckResult(Document):
    """What a person has seen in the register."""

    found: Annotated[bool, Field(examples=[True])]
    """Whether the register has the business. False states that it was not in the register when the person looked."""
    name: Annotated[str | None, Field(examples=["Sandbox Bakery Inc."])]
    """Legal name; null if it was not found."""
    registration_number: Annotated[str | None, Field(examples=["1000017"])]
    """Registration number; null if it was not found."""
    status: Annotated[str | None, Field(examples=["Active"])]
    """Status in the register's own words; null if the person did not record one."""
    status_code: Annotated[StatusCode, Field(examples=["active"])]
    """Common code of the status."""
    people: tuple[SeenPerson, ...]
    """Directors, officers and other people."""
    address: Address | None
    """Registered address; null if the person did not record one."""
    record_type: Annotated[str | None, Field(examples=["Corporation profile report"])]
    """What was consulted; null for the search page of the register."""
    note: Annotated[str | None, Field(examples=["The register was searched by number and by name."])]
    """Note of that person."""
    retrieved_at: Instant
    """When the person looked."""
    seen_by: Annotated[str, Field(examples=["analyst@north.example"])]
    """Who looked."""
    recorded_at: Instant
    """When the result was recorded."""
    expires_at: Annotated[Instant | None, Field(examples=["2027-11-20T14:33:00.125Z"])]
    """When the result becomes too old to be used; null for never."""
    report_id: Annotated[UUID | None, Field(examples=["9d2b6c4e-7a1f-4e8b-b0c3-5f6a7d8e9f01"])]
    """ID of the business report that was made from the result; null if the business was not found."""
    attachment: ManualCheckAttachment | None
    """The page or extract that was uploaded; null without one."""


class ManualCheckEvidence(Document):
    """A manual check of which a verification uses the result."""

    id: Annotated[UUID, Field(examples=[EXAMPLE_CHECK_ID])]
    """ID of the manual check."""
    source: Annotated[str, Field(examples=["nl"])]
    """Key of the source."""
    url: Annotated[str, Field(examples=["https://cado.eservices.gov.nl.ca/"])]
    """Page of the register."""
    result: ManualCheckResult
    """What the person has seen."""


class ManualCheckContent(Document):
    """The part of a manual check that is stored as text."""

    business: EventBusiness | None
    """The business record, as it was when the check was opened; null for a check without one."""
    search_id: Annotated[UUID | None, Field(examples=["0a9b7e54-3f1c-4f0e-8a57-5d2f6f4b8f33"])]
    """ID of the search that needed the register; null without one."""
    verification_id: Annotated[UUID | None, Field(examples=["3c1f6d0b-7f5e-4a8e-9b58-0b8f2f6f1c22"])]
    """ID of the verification that needed the register; null without one."""
    url: Annotated[str, Field(examples=["https://cado.eservices.gov.nl.ca/"])]
    """Page on which a person can search the register."""
    name: Annotated[str | None, Field(examples=["Sandbox Bakery Inc."])]
    """Name to look for."""
    registration_number: Annotated[str | None, Field(examples=["1000017"])]
    """Registration number to look for."""
    origin: Annotated[ManualCheckOrigin, Field(examples=["verification"])]
    """What it was opened for."""
    opened_by: Annotated[str, Field(examples=["analyst@north.example"])]
    """Who opened it: who ran the search or the verification, or created the check."""
    result: ManualCheckResult | None = None
    """What the person has seen; null until somebody has looked."""
    cancelled_by: Annotated[str | None, Field(examples=[None])] = None
    """Who cancelled it; null for a check that was not cancelled."""
    cancel_note: Annotated[str | None, Field(examples=[None])] = None
    """Why it was cancelled; null without a reason."""


class ManualCheckListItem(ManualCheckContent):
    """A manual check in a list."""

    id: Annotated[UUID, Field(examples=[EXAMPLE_CHECK_ID])]
    """ID of the manual check."""
    business_id: Annotated[UUID | None, Field(examples=[EXAMPLE_BUSINESS_ID])]
    """ID of the business record; null for a check without one."""
    source: Annotated[str, Field(examples=["nl"])]
    """Key of the source."""
    jurisdiction: Annotated[Jurisdiction, Field(examples=["NL"])]
    """Jurisdiction of the register."""
    status: Annotated[ManualCheckStatus, Field(examples=["open"])]
    """Whether a person still has to look."""
    opened_at: Instant
    """When it was opened."""
    due_at: Annotated[Instant | None, Field(examples=["2026-11-30T14:33:00.125Z"])]
    """When it is due; null without a due date."""
    overdue: Annotated[bool, Field(examples=[False])]
    """Whether it is open and the due date has passed."""
    updated_at: Instant
    """When it last changed."""


class ManualCheck(ManualCheckListItem):
    """A manual check with the files that were uploaded."""

    attachments: tuple[ManualCheckAttachment, ...]
    """Uploaded files, oldest first."""


class ManualCheckPage(Document):
    """A page of the feed of manual checks, oldest change first."""

    manual_checks: tuple[ManualCheckListItem, ...]
    """Manual checks, those that changed longest ago first."""
    cursor: Cursor
    """Position in the feed."""
    pagination: FeedPagination
    """Size of the page."""
