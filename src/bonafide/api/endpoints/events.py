"""Endpoints of events: the feed, one event, and the types that the service records."""

from datetime import datetime
from difflib import get_close_matches
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import DEFAULT_PAGE, MAX_PAGE, Since, build_author
from bonafide.api.protocol.dependencies import Caller, PathId, ResponseLanguage, ServedRuntime
from bonafide.api.protocol.idempotency import respond_once
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response
from bonafide.errors import Conflict, NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Scope
from bonafide.model.base import Document
from bonafide.model.events.alerts import AlertAcknowledgement, AlertAcknowledgementRequest
from bonafide.model.events.event import EXAMPLE_BUSINESS_ID, AlertStatus, Event, EventPage, EventType
from bonafide.model.events.event_examples import EXAMPLE_SEQUENCE
from bonafide.model.events.event_types import EventTypeList, describe_event_types
from bonafide.model.query import Text
from bonafide.services.cases import acknowledgement
from bonafide.services.events import feed
from bonafide.store.records.events import EventFilter

TAG = "Events"
EXAMPLE_CURSOR = feed.encode_position(EXAMPLE_SEQUENCE)
router = APIRouter(prefix="/v1")


class EventQuery(Document):
    """Which events to list, and from which position."""

    types: Annotated[
        Text | None,
        Field(
            description="Return only events of these types, separated by commas.",
            examples=["screening.hit_found,screening.hit_changed"],
        ),
    ] = None
    business_id: Annotated[
        UUID | None,
        Field(
            description="Return only events of this business record. Requires the scope `businesses:read`.",
            examples=[EXAMPLE_BUSINESS_ID],
        ),
    ] = None
    since: Annotated[
        Since | None,
        Field(description="Return only events after this time. Used on the first request only.", examples=["2026-11-01T00:00:00Z"]),
    ] = None
    cursor: Annotated[
        Text | None,
        Field(description="`cursor.next` of an earlier response. Takes precedence over `since`.", examples=[EXAMPLE_CURSOR]),
    ] = None
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="Maximum number of events to return.", examples=[25])] = DEFAULT_PAGE

    alert: Annotated[
        AlertStatus | None,
        Field(description="Return only alerts that are open, or only those that somebody has acknowledged.", examples=["open"]),
    ] = None

    @property
    def chosen(self) -> EventFilter:
        """The filters. Raises `ValidationFailed` for an unknown type."""
        types = frozenset(_parse_type(name.strip()) for name in self.types.split(",")) if self.types is not None else None
        return EventFilter(types, self.business_id, alerts=self.alert)

    @property
    def position(self) -> int | None:
        """The position to read from; None without a cursor. Raises `ValidationFailed` for an invalid one."""
        return feed.decode_position(self.cursor) if self.cursor is not None else None


def _parse_type(name: str) -> EventType:
    try:
        return EventType(name)
    except ValueError:
        near = get_close_matches(name, list(EventType), n=1)
    if near:
        raise ValidationFailed.of_field(
            "types", Message("“{type}” is not a type of event; did you mean “{near}”?", type=name, near=near[0])
        )
    raise ValidationFailed.of_field("types", Message("“{type}” is not a type of event", type=name))


@endpoint(
    router,
    "GET",
    ("/events",),
    OperationSpec(
        operation_id="listEvents",
        summary="List events",
        tag=TAG,
        scope=Scope.EVENTS_READ,
        further_scopes={"businessId": Scope.BUSINESSES_READ},
        query=EventQuery,
        answers={200: OperationResponse("A page of the feed, oldest event first", EventPage, "event_page")},
    ),
)
async def list_events(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    query: Annotated[EventQuery, Depends(create_query_parser(EventQuery))],
) -> Response:
    """List what has changed in the organization, in the order in which the changes were stored.

    Repeat the request with `cursor.next` until `pagination.hasMore` is false. Keep the last cursor and use it later to get what has
    happened since: no event is skipped, and none is returned twice. A cursor can be used with other filters too.
    """
    if query.business_id is not None:
        caller.check_scope(Scope.BUSINESSES_READ, "businessId")
    chosen, position = query.chosen, query.position
    since: datetime | None = query.since
    page = await feed.read_events(runtime, caller.organization_id, chosen, query.limit, position=position, since=since)
    return create_document_response(page, language)


@endpoint(
    router,
    "GET",
    ("/events/{id}",),
    OperationSpec(
        operation_id="readEvent",
        summary="Get an event",
        tag=TAG,
        scope=Scope.EVENTS_READ,
        path_id="EventId",
        answers={200: OperationResponse("The event", Event, "event")},
        errors=(NotFound,),
    ),
)
async def read_event(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, event_id: PathId) -> Response:
    """Return an event. Only its `alert` changes."""
    return create_document_response(await feed.read_event(runtime, caller.organization_id, event_id), language)


@endpoint(
    router,
    "POST",
    ("/events/{id}/acknowledge",),
    OperationSpec(
        operation_id="acknowledgeAlert",
        summary="Acknowledge an alert",
        tag=TAG,
        scope=Scope.BUSINESSES_WRITE,
        path_id="EventId",
        body=AlertAcknowledgementRequest,
        body_example="acknowledgement_request",
        answers={200: OperationResponse("The acknowledgement", AlertAcknowledgement, "acknowledgement")},
        errors=(NotFound, Conflict),
    ),
)
async def acknowledge_alert(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    event_id: PathId,
    sent: Annotated[AlertAcknowledgementRequest, Depends(create_body_parser(AlertAcknowledgementRequest))],
) -> Response:
    """State that somebody has looked at what the event reports. It is recorded in the audit log of the business record.

    `CONFLICT` means that the event is not an alert, or that it has been acknowledged already; the message says by whom and when.
    """
    author = build_author(request, caller)
    work = acknowledgement.acknowledge_alert(runtime, caller.organization_id, event_id, sent.note, author)
    return await respond_once(work, lambda done: create_document_response(done, language))


@endpoint(
    router,
    "GET",
    ("/event-types",),
    OperationSpec(
        operation_id="listEventTypes",
        summary="List the types of events",
        tag=TAG,
        scope=Scope.EVENTS_READ,
        answers={
            200: OperationResponse("All types, each with the schema of its data and an example", EventTypeList, "event_types")
        },
    ),
)
async def list_event_types(language: ResponseLanguage) -> Response:
    """Return every type of event with its usual severity, the JSON schema of its `data`, and an example.

    A new release may add types, fields of `data` and values: ignore those that you do not know.
    """
    return create_document_response(describe_event_types(), language)
