"""The catalogue of event types: what each reports, how urgent it is, the schema of its `data`, and an example.

A type is here if a change writes it. Tests record each of them through the service and validate it against its schema.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from pydantic import Field, JsonValue

from bonafide.i18n.message import Message
from bonafide.model.base import Document
from bonafide.model.events import event_data
from bonafide.model.events.alerts import ALERT_TYPES
from bonafide.model.events.event import (
    EXAMPLE_EVENT_ID,
    AlertStatus,
    Event,
    EventAlert,
    EventLinks,
    EventSeverity,
    EventType,
    StoredEventBody,
)
from bonafide.model.events.event_examples import EVENT_EXAMPLES, EXAMPLE_SEQUENCE, EXAMPLE_TIME

EVENTS_PATH = "/v1/events"


@dataclass(frozen=True, slots=True)
class EventTypeSpec:
    """One type of event. `severity` applies unless an event states its own."""

    severity: EventSeverity
    data: type[Document]
    description: Message


class EventTypeDescription(Document):
    """One type of event, as it is described to programs."""

    type: EventType
    """Type of the event."""
    severity: EventSeverity
    """Usual severity."""
    description: Message
    """When an event of the type is recorded."""
    data_schema: dict[str, JsonValue] = Field(alias="schema")
    """JSON schema (2020-12) of `data`."""
    example: Event
    """An example of the event."""


class EventTypeList(Document):
    """The types of events that the service records."""

    event_types: tuple[EventTypeDescription, ...]
    """Types of events."""


def build_event(  # noqa: PLR0913, PLR0917 - the columns of an event
    event_id: UUID,
    event_type: EventType,
    sequence: int,
    occurred_at: datetime,
    severity: EventSeverity,
    body: StoredEventBody,
    alert: EventAlert | None = None,
) -> Event:
    """An event from its columns, its stored text and the state of its alert."""
    business = body.business
    links = EventLinks(
        self_=f"{EVENTS_PATH}/{event_id}",
        business=f"/v1/businesses/{business.id}" if business is not None else None,
        resource=body.resource,
    )
    return Event(
        id=event_id,
        type=event_type,
        sequence=sequence,
        occurred_at=occurred_at,
        severity=severity,
        business=business,
        subject=body.subject,
        changes=body.changes,
        source=body.source,
        data=body.data,
        alert=alert,
        links=links,
    )


@cache
def describe_event_types() -> EventTypeList:
    """All types, in the order of the catalogue."""
    return EventTypeList(
        event_types=tuple(
            EventTypeDescription(
                type=event_type,
                severity=spec.severity,
                description=spec.description,
                data_schema=build_data_schema(spec.data),
                example=build_example(event_type),
            )
            for event_type, spec in EVENT_TYPES.items()
        )
    )


def build_data_schema(data: type[Document]) -> dict[str, JsonValue]:
    """The JSON schema of `data`. Like responses, it permits further fields, so that a field can be added later."""
    schema = data.model_json_schema(mode="serialization")
    cleaned: dict[str, JsonValue] = _clean_schema(schema, schema.pop("$defs", {}))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **cleaned}


def _clean_schema(schema: Any, definitions: Mapping[str, Any], *, is_mapping: bool = False) -> Any:
    """The schema with its definitions in place, without titles, which only repeat names, and without the ban on further fields."""
    if isinstance(schema, list):
        return [_clean_schema(item, definitions) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        target = definitions[schema["$ref"].rpartition("/")[2]]
        return _clean_schema({**target, **{name: value for name, value in schema.items() if name != "$ref"}}, definitions)
    return {
        name: _clean_schema(value, definitions, is_mapping=not is_mapping and name == "properties")
        for name, value in schema.items()
        if is_mapping or (name != "title" and (name, value) != ("additionalProperties", False))
    }


def build_example(event_type: EventType) -> Event:
    """The example of a type, as an event that was recorded."""
    example = EVENT_EXAMPLES[event_type]
    severity = example.severity if example.severity is not None else EVENT_TYPES[event_type].severity
    alert = EventAlert(status=AlertStatus.OPEN) if event_type in ALERT_TYPES else None
    return build_event(UUID(EXAMPLE_EVENT_ID), event_type, EXAMPLE_SEQUENCE, EXAMPLE_TIME, severity, example.to_body(), alert)


EVENT_TYPES: Mapping[EventType, EventTypeSpec] = {
    EventType.SEARCH_COMPLETED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.SearchCompletedData,
        Message("A search has ended, with or without errors."),
    ),
    EventType.SEARCH_MATCH_SELECTED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.MatchSelectedData,
        Message("A person has selected a match of a search, or none, or has reverted the choice."),
    ),
    EventType.VERIFICATION_COMPLETED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.VerificationCompletedData,
        Message("A verification has been completed. Its severity is `medium` unless everything agrees."),
    ),
    EventType.VERIFICATION_FAILED: EventTypeSpec(
        EventSeverity.MEDIUM,
        event_data.VerificationFailedData,
        Message("A verification could not be completed. The verification states the reason."),
    ),
    EventType.ACCEPTANCE_CREATED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.DiscrepancyAcceptedData,
        Message("A person has accepted a discrepancy of a verification, with a reason. The result of the verification stays."),
    ),
    EventType.ACCEPTANCE_REVOKED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.AcceptanceRevokedData,
        Message("A discrepancy of a verification is no longer accepted."),
    ),
    EventType.MANUAL_CHECK_OPENED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.ManualCheckOpenedData,
        Message("A person has to look at a register that no program could query."),
    ),
    EventType.MANUAL_CHECK_COMPLETED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.ManualCheckCompletedData,
        Message("A person has looked at a register and recorded what it states."),
    ),
    EventType.MANUAL_CHECK_CANCELLED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.ManualCheckCancelledData,
        Message("Nobody has to look at a register any more: the check was cancelled, or a program could query the register."),
    ),
    EventType.BUSINESS_CREATED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.BusinessChangedData,
        Message("A user or a program has created a business record."),
    ),
    EventType.BUSINESS_UPDATED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.BusinessChangedData,
        Message(
            "A user or a program has changed a business record. What searches, screenings and verifications update in it has no"
            " event of its own."
        ),
    ),
    EventType.BUSINESS_ARCHIVED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.BusinessChangedData,
        Message("A user or a program has archived a business record. Restoring it is an update."),
    ),
    EventType.SCREENING_HIT_FOUND: EventTypeSpec(
        EventSeverity.HIGH,
        event_data.ScreeningHitData,
        Message(
            "A stored screening, or a search or verification of a business record, has an open hit that was not known to be open."
        ),
    ),
    EventType.SCREENING_HIT_CHANGED: EventTypeSpec(
        EventSeverity.MEDIUM,
        event_data.ScreeningHitData,
        Message("The listing of an open hit, or its score, has changed since it was found."),
    ),
    EventType.SCREENING_HIT_CLEARED: EventTypeSpec(
        EventSeverity.LOW,
        event_data.ScreeningHitData,
        Message("An open hit no longer exists, although its name was screened against its list again."),
    ),
    EventType.DISMISSAL_CREATED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.DismissalCreatedData,
        Message("A person has dismissed a hit."),
    ),
    EventType.DISMISSAL_EXPIRED: EventTypeSpec(
        EventSeverity.MEDIUM,
        event_data.DismissalExpiredData,
        Message("The end of a dismissal has passed, so that its hit is open again."),
    ),
    EventType.DISMISSAL_REVOKED: EventTypeSpec(
        EventSeverity.MEDIUM,
        event_data.DismissalRevokedData,
        Message(
            "A person has revoked a dismissal, so that its hit is open again. One that another dismissal replaces has no event."
        ),
    ),
    EventType.OWNERSHIP_CHANGED: EventTypeSpec(
        EventSeverity.LOW,
        event_data.OwnershipChangedData,
        Message("A statement about the owners of a business has been recorded, replaced or withdrawn."),
    ),
    EventType.DISCREPANCY_OPENED: EventTypeSpec(
        EventSeverity.MEDIUM,
        event_data.DiscrepancyOpenedData,
        Message("A discrepancy in ownership has been found or reopened. Its severity is `high` if a report is due."),
    ),
    EventType.DISCREPANCY_DUE: EventTypeSpec(
        EventSeverity.HIGH,
        event_data.DiscrepancyDueData,
        Message(
            "An open discrepancy is due within a week, or its due date has passed. In the latter case its severity is `critical`."
        ),
    ),
    EventType.DISCREPANCY_RESOLVED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.DiscrepancyResolvedData,
        Message("A person has resolved a discrepancy in ownership, or recorded its report."),
    ),
    EventType.CASE_OPENED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.CaseOpenedData,
        Message("A person has to look at something of a business of which no case was open. What it is has an event of its own."),
    ),
    EventType.CASE_ASSIGNED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.CaseAssignedData,
        Message("A case was given to a member, or taken from one."),
    ),
    EventType.CASE_DECIDED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.CaseDecidedData,
        Message("A case has ended: it was decided, or all of its items were settled before anybody had taken it."),
    ),
    EventType.CASE_DUE: EventTypeSpec(
        EventSeverity.HIGH,
        event_data.CaseDueData,
        Message("The due date of a case has passed, and it has not ended."),
    ),
    EventType.RISK_BAND_CHANGED: EventTypeSpec(
        EventSeverity.MEDIUM,
        event_data.RiskBandChangedData,
        Message(
            "The risk rating of a business record has moved to another band, or its first rating is not in the lowest band."
            " Its severity is `high` for a rise to the highest band, `low` for a fall, and `info` for a first rating."
            " Only a rise is an alert."
        ),
    ),
    EventType.REPORT_READY: EventTypeSpec(
        EventSeverity.INFO,
        event_data.ReportReadyData,
        Message("A new business report has been stored, for a request or for a verification."),
    ),
    EventType.PACK_READY: EventTypeSpec(
        EventSeverity.INFO,
        event_data.PackReadyData,
        Message("An examiner’s pack is ready for download. Its files are deleted after some time."),
    ),
    EventType.BATCH_COMPLETED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.BatchCompletedData,
        Message("Every row of a batch is done. Its results are deleted after some time."),
    ),
    EventType.BATCH_FAILED: EventTypeSpec(
        EventSeverity.MEDIUM,
        event_data.BatchFailedData,
        Message("A batch could not be done. The results of the rows that were done can be downloaded."),
    ),
    EventType.REGISTRY_STATUS_CHANGED: EventTypeSpec(
        EventSeverity.HIGH,
        event_data.RegistryEntryData,
        Message(
            "The status of a monitored record in its register has changed. Its severity is `info` if the business is active now."
        ),
    ),
    EventType.REGISTRY_NAME_CHANGED: EventTypeSpec(
        EventSeverity.MEDIUM,
        event_data.RegistryEntryData,
        Message("The legal name, another name, the type or a number of a monitored record in its register has changed."),
    ),
    EventType.REGISTRY_ADDRESS_CHANGED: EventTypeSpec(
        EventSeverity.LOW,
        event_data.RegistryEntryData,
        Message("An address of a monitored record in its register has changed."),
    ),
    EventType.REGISTRY_PEOPLE_CHANGED: EventTypeSpec(
        EventSeverity.MEDIUM,
        event_data.RegistryEntryData,
        Message("The directors, officers or other people of a monitored record in its register have changed."),
    ),
    EventType.REGISTRY_ENTRY_GONE: EventTypeSpec(
        EventSeverity.HIGH,
        event_data.RegistryEntryData,
        Message(
            "The register of a monitored record no longer has its entry, although the whole register was loaded, or the register"
            " was queried for it."
        ),
    ),
    EventType.LICENCE_GRANTED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.LicenceData,
        Message("A regulator lists a monitored record that it did not list before."),
    ),
    EventType.LICENCE_CHANGED: EventTypeSpec(
        EventSeverity.LOW,
        event_data.LicenceData,
        Message("The entry of a regulator about a monitored record has changed. Its severity is `high` if it is no longer active."),
    ),
    EventType.LICENCE_LAPSED: EventTypeSpec(
        EventSeverity.HIGH,
        event_data.LicenceData,
        Message("A regulator no longer lists a monitored record, although its whole list was loaded."),
    ),
    EventType.WEBSITE_CHANGED: EventTypeSpec(
        EventSeverity.MEDIUM,
        event_data.WebsiteChangedData,
        Message(
            "The website of a monitored record is gone or back, leads to another domain, has a domain that was registered anew, or"
            " states another name, other numbers or other contact details. Its severity is `high` if it is gone or its domain was"
            " registered anew, and `low` if it is only back, states a name of the record, or has other contact details."
        ),
    ),
    EventType.MONITORING_EVALUATION_OVERDUE: EventTypeSpec(
        EventSeverity.MEDIUM,
        event_data.EvaluationOverdueData,
        Message(
            "The latest verification of a monitored record is older than the monitoring policy allows, a queued evaluation of the"
            " record has not been done for a day, or its register or its website could not be queried for twice the interval."
            " Recorded once until the record has been verified or evaluated."
        ),
    ),
    EventType.WEBHOOK_TEST: EventTypeSpec(
        EventSeverity.INFO,
        event_data.WebhookTestData,
        Message("A person or a program has sent a test event to a webhook endpoint."),
    ),
    EventType.WEBHOOK_FAILING: EventTypeSpec(
        EventSeverity.HIGH,
        event_data.WebhookFailingData,
        Message("Every delivery to a webhook endpoint has failed for two days. After four days the endpoint is disabled."),
    ),
    EventType.WEBHOOK_DISABLED: EventTypeSpec(
        EventSeverity.HIGH,
        event_data.WebhookDisabledData,
        Message(
            "The service has disabled a webhook endpoint, because every delivery has failed for four days or because the endpoint"
            " has returned 410."
        ),
    ),
    EventType.SOURCE_FAILED: EventTypeSpec(
        EventSeverity.MEDIUM,
        event_data.SourceConditionData,
        Message(
            "A source could not be loaded, for the first time since it was last loaded. Its last good data stays in use. Its"
            " severity is `high` if that data is older than it should be."
        ),
    ),
    EventType.SOURCE_STALE: EventTypeSpec(
        EventSeverity.HIGH,
        event_data.SourceConditionData,
        Message("The data of a source has become older than it should be. It stays in use."),
    ),
    EventType.SOURCE_DRIFTED: EventTypeSpec(
        EventSeverity.MEDIUM,
        event_data.SourceConditionData,
        Message(
            "The files of a source have another structure or size than expected, so that they were refused. Its last good data"
            " stays in use. Its severity is `high` if that data is older than it should be."
        ),
    ),
    EventType.SOURCE_RECOVERED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.SourceConditionData,
        Message("A source that could not be loaded, or whose data was too old, has been loaded, and its data is not too old."),
    ),
    EventType.CHANGELOG_BREAKING: EventTypeSpec(
        EventSeverity.HIGH,
        event_data.ChangelogEntryData,
        Message("This installation runs a release whose changelog has a breaking change. There is one event for each entry."),
    ),
    EventType.CHANGELOG_DEPRECATED: EventTypeSpec(
        EventSeverity.MEDIUM,
        event_data.ChangelogEntryData,
        Message("This installation runs a release whose changelog announces a deprecation. There is one event for each entry."),
    ),
    EventType.DATA_ERASED: EventTypeSpec(
        EventSeverity.INFO,
        event_data.DataErasedData,
        Message("Data has been erased on request. Its events, and their deliveries, no longer exist."),
    ),
}
"""The types, in the order of the documentation."""
