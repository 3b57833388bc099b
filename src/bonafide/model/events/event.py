"""One event: a fact about something that changed, as it is stored and sent."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field, JsonValue

from bonafide.model.base import Document, Instant
from bonafide.model.events.severity import EventSeverity as EventSeverity  # noqa: PLC0414 - part of this module's interface
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_record import BusinessRecord, Cursor, FeedPagination

EXAMPLE_EVENT_ID = "4b1d9c5e-7a2f-4c3d-8e6b-1f0a9d8c7b6e"
EXAMPLE_BUSINESS_ID = "6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"


class EventType(StrEnum):
    """What happened. `event_types` describes each type."""

    SEARCH_COMPLETED = "search.completed"
    SEARCH_MATCH_SELECTED = "search.match_selected"
    VERIFICATION_COMPLETED = "verification.completed"
    VERIFICATION_FAILED = "verification.failed"
    ACCEPTANCE_CREATED = "acceptance.created"
    ACCEPTANCE_REVOKED = "acceptance.revoked"
    MANUAL_CHECK_OPENED = "manual_check.opened"
    MANUAL_CHECK_COMPLETED = "manual_check.completed"
    MANUAL_CHECK_CANCELLED = "manual_check.cancelled"
    BUSINESS_CREATED = "business.created"
    BUSINESS_UPDATED = "business.updated"
    BUSINESS_ARCHIVED = "business.archived"
    SCREENING_HIT_FOUND = "screening.hit_found"
    SCREENING_HIT_CHANGED = "screening.hit_changed"
    SCREENING_HIT_CLEARED = "screening.hit_cleared"
    DISMISSAL_CREATED = "dismissal.created"
    DISMISSAL_EXPIRED = "dismissal.expired"
    DISMISSAL_REVOKED = "dismissal.revoked"
    OWNERSHIP_CHANGED = "ownership.changed"
    DISCREPANCY_OPENED = "discrepancy.opened"
    DISCREPANCY_DUE = "discrepancy.due"
    DISCREPANCY_RESOLVED = "discrepancy.resolved"
    CASE_OPENED = "case.opened"
    CASE_ASSIGNED = "case.assigned"
    CASE_DECIDED = "case.decided"
    CASE_DUE = "case.due"
    RISK_BAND_CHANGED = "risk.band_changed"
    REPORT_READY = "report.ready"
    PACK_READY = "pack.ready"
    BATCH_COMPLETED = "batch.completed"
    BATCH_FAILED = "batch.failed"
    REGISTRY_STATUS_CHANGED = "registry.status_changed"
    REGISTRY_NAME_CHANGED = "registry.name_changed"
    REGISTRY_ADDRESS_CHANGED = "registry.address_changed"
    REGISTRY_PEOPLE_CHANGED = "registry.people_changed"
    REGISTRY_ENTRY_GONE = "registry.entry_gone"
    LICENCE_GRANTED = "licence.granted"
    LICENCE_CHANGED = "licence.changed"
    LICENCE_LAPSED = "licence.lapsed"
    WEBSITE_CHANGED = "website.changed"
    MONITORING_EVALUATION_OVERDUE = "monitoring.evaluation_overdue"
    WEBHOOK_TEST = "webhook.test"
    WEBHOOK_FAILING = "webhook.failing"
    WEBHOOK_DISABLED = "webhook.disabled"
    SOURCE_FAILED = "source.failed"
    SOURCE_STALE = "source.stale"
    SOURCE_DRIFTED = "source.drifted"
    SOURCE_RECOVERED = "source.recovered"
    CHANGELOG_BREAKING = "changelog.breaking"
    CHANGELOG_DEPRECATED = "changelog.deprecated"
    DATA_ERASED = "data.erased"


class EventSubjectKind(StrEnum):
    """The kind of thing that an event is about."""

    SEARCH = "search"
    VERIFICATION = "verification"
    MANUAL_CHECK = "manualCheck"
    BUSINESS = "business"
    LISTED_PARTY = "listedParty"
    OWNERSHIP = "ownership"
    DISCREPANCY = "discrepancy"
    CASE = "case"
    PACK = "pack"
    BATCH = "batch"
    REGISTRY_ENTRY = "registryEntry"
    LICENCE = "licence"
    WEBSITE = "website"
    WEBHOOK_ENDPOINT = "webhookEndpoint"
    SOURCE = "source"
    CHANGELOG_ENTRY = "changelogEntry"
    ERASURE = "erasure"


class EventBusiness(Document):
    """The business record that an event concerns, as it was then."""

    id: Annotated[UUID, Field(examples=[EXAMPLE_BUSINESS_ID])]
    """ID of the record."""
    external_id: Annotated[str | None, Field(examples=["crm-1042"])]
    """Your own ID of the business."""
    name: Annotated[str | None, Field(examples=["Sandbox Bakery Inc."])]
    """Name of the business."""

    @classmethod
    def from_record(cls, record: BusinessRecord) -> "EventBusiness":
        """The reference to a record."""
        return cls(id=record.id, external_id=record.external_id, name=record.name)


class EventSubject(Document):
    """What an event is about. Fields that its kind does not have are null."""

    kind: Annotated[EventSubjectKind, Field(examples=["listedParty"])]
    """Kind of the subject."""
    id: Annotated[UUID | None, Field(examples=[None])] = None
    """ID of the search, verification, business record, discrepancy or case."""
    name: Annotated[str | None, Field(examples=["Northgate Shipping Limited"])] = None
    """Name of the business, of the listed party, of the source, or of the search; the domain of a website."""
    jurisdiction: Annotated[Jurisdiction | None, Field(examples=[None])] = None
    """Jurisdiction of a registration."""
    registration_number: Annotated[str | None, Field(examples=[None])] = None
    """Registration number in that jurisdiction."""
    source: Annotated[str | None, Field(examples=["ca-sanctions-autonomous"])] = None
    """Key of a source, or of the list of a listed party."""
    entry_id: Annotated[str | None, Field(examples=["BY-1-12"])] = None
    """ID of a listed party in its list."""


class EventChange(Document):
    """One field before and after the change."""

    field: Annotated[str, Field(examples=["score"])]
    """Path of the field."""
    from_: Annotated[JsonValue, Field(alias="from", examples=[0.93])]
    """Value before the change."""
    to: Annotated[JsonValue, Field(examples=[0.97])]
    """Value after the change."""


class EventSource(Document):
    """The source according to which something changed, and the age of its data."""

    key: Annotated[str, Field(examples=["ca-sanctions-autonomous"])]
    """Key of the source."""
    as_of: Annotated[date | None, Field(examples=["2026-11-20"])]
    """Date of its data; null if the source does not publish one."""
    retrieved_at: Instant
    """When the data was retrieved."""


class EventLinks(Document):
    """Paths of what an event refers to."""

    self_: Annotated[str, Field(alias="self", examples=[f"/v1/events/{EXAMPLE_EVENT_ID}"])]
    """Path of the event."""
    business: Annotated[str | None, Field(examples=[f"/v1/businesses/{EXAMPLE_BUSINESS_ID}"])]
    """Path of the business record; null without one."""
    resource: Annotated[str | None, Field(examples=["/v1/sanctions/7e2f9c1b-3a4d-4e5f-8a6b-0c1d2e3f4a5b"])]
    """Path of the document from which the event was made, with all details."""


class AlertStatus(StrEnum):
    """Whether a person has acknowledged an alert."""

    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"


class EventAlert(Document):
    """Whether somebody has acknowledged the event, who and when."""

    status: Annotated[AlertStatus, Field(examples=["acknowledged"])]
    """Whether the alert is open."""
    acknowledged_at: Annotated[Instant | None, Field(examples=["2026-11-21T10:02:00.000Z"])] = None
    """When it was acknowledged; null for an open alert."""
    acknowledged_by: Annotated[str | None, Field(examples=["analyst@north.example"])] = None
    """Who acknowledged it; null for an open alert."""
    note: Annotated[str | None, Field(examples=["Another person: the date of birth differs."])] = None
    """Note of that person."""


class Event(Document):
    """An event. Only its `alert` changes."""

    id: Annotated[UUID, Field(examples=[EXAMPLE_EVENT_ID])]
    """ID of the event. A repeated delivery has the same ID."""
    type: Annotated[EventType, Field(examples=["screening.hit_changed"])]
    """Type of the event."""
    sequence: Annotated[int, Field(examples=[1841])]
    """Number of the event in the organization: events are committed in this order. Only deleted events leave gaps."""
    occurred_at: Instant
    """When the change was stored. Never earlier than that of the event before it."""
    severity: Annotated[EventSeverity, Field(examples=["medium"])]
    """Urgency of the event."""
    business: EventBusiness | None
    """The business record; null for an event without one."""
    subject: EventSubject
    """What the event is about."""
    changes: tuple[EventChange, ...]
    """Changed fields; empty for an event that reports a result."""
    source: EventSource | None
    """The source according to which it changed; null if no source is involved, or several."""
    data: Annotated[dict[str, JsonValue], Field(examples=[{"previousScore": 0.93, "score": 0.97}])]
    """Details, as the schema of the type describes (`GET /v1/event-types`)."""
    alert: EventAlert | None
    """State of the alert; null for an event that nobody has to acknowledge."""
    links: EventLinks
    """Paths of what the event refers to."""


class EventPage(Document):
    """A page of the feed of events, oldest first."""

    events: tuple[Event, ...]
    """Events, oldest first."""
    cursor: Cursor
    """Position in the feed."""
    pagination: FeedPagination
    """Size of the page."""


class StoredEventBody(Document):
    """The part of an event that is stored as one text, beside its columns."""

    business: EventBusiness | None
    subject: EventSubject
    changes: tuple[EventChange, ...]
    source: EventSource | None
    data: dict[str, JsonValue]
    resource: str | None


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to record. Without a severity it has that of its type."""

    type: EventType
    subject: EventSubject
    data: Document
    business: EventBusiness | None = None
    changes: tuple[EventChange, ...] = ()
    source: EventSource | None = None
    resource: str | None = None
    """Path of the document from which the event is made."""
    severity: EventSeverity | None = None
    opens_alert: bool = True
    """Whether an event of a type that is an alert opens one."""

    def to_body(self) -> StoredEventBody:
        """The text part of the event."""
        return StoredEventBody(
            business=self.business,
            subject=self.subject,
            changes=self.changes,
            source=self.source,
            data=self.data.model_dump(mode="json", by_alias=True),
            resource=self.resource,
        )
