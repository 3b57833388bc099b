"""Alerts: events that a person should look at and acknowledge."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from bonafide.model.base import Document, Instant
from bonafide.model.events.event import EXAMPLE_EVENT_ID, EventType
from bonafide.model.records.business_input import ProseText

ALERT_TYPES = frozenset(
    {
        EventType.SCREENING_HIT_FOUND,
        EventType.SCREENING_HIT_CHANGED,
        EventType.SCREENING_HIT_CLEARED,
        EventType.DISMISSAL_EXPIRED,
        EventType.DISCREPANCY_DUE,
        EventType.CASE_DUE,
        EventType.REGISTRY_STATUS_CHANGED,
        EventType.REGISTRY_NAME_CHANGED,
        EventType.REGISTRY_ADDRESS_CHANGED,
        EventType.REGISTRY_PEOPLE_CHANGED,
        EventType.REGISTRY_ENTRY_GONE,
        EventType.LICENCE_CHANGED,
        EventType.LICENCE_LAPSED,
        EventType.WEBSITE_CHANGED,
        EventType.RISK_BAND_CHANGED,
        EventType.MONITORING_EVALUATION_OVERDUE,
        EventType.SOURCE_FAILED,
        EventType.SOURCE_STALE,
        EventType.SOURCE_DRIFTED,
        EventType.WEBHOOK_FAILING,
        EventType.WEBHOOK_DISABLED,
    }
)
"""The types whose events are alerts, unless an event states that it opens none (`opens_alert`)."""


class AlertAcknowledgementRequest(Document):
    """The body of `POST /events/{id}/acknowledge`."""

    note: Annotated[ProseText | None, Field(examples=["Another person: the date of birth differs."])] = None
    """What was found or done."""


class AlertAcknowledgement(Document):
    """By whom, when and with which note an alert was acknowledged."""

    event_id: Annotated[UUID, Field(examples=[EXAMPLE_EVENT_ID])]
    """ID of the event."""
    acknowledged_at: Annotated[Instant, Field(examples=["2026-11-21T10:02:00.000Z"])]
    """When it was acknowledged."""
    acknowledged_by: Annotated[str, Field(examples=["analyst@north.example"])]
    """Who acknowledged it."""
    note: Annotated[str | None, Field(examples=["Another person: the date of birth differs."])]
    """Note of that person."""
