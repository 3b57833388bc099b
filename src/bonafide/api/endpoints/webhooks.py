"""Endpoints of webhooks: create, read, change and delete webhook endpoints, rotate secrets, read and repeat deliveries.

Every operation parses, calls one service and renders. `services/webhooks` does the work.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import DEFAULT_PAGE, MAX_PAGE, build_author
from bonafide.api.protocol.dependencies import Caller, PathId, ResponseLanguage, ServedRuntime
from bonafide.api.protocol.idempotency import respond_once
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response
from bonafide.errors import Conflict, NotFound
from bonafide.model.accounts.organizations import Scope
from bonafide.model.base import Document
from bonafide.model.query import Text
from bonafide.model.webhooks import (
    CreatedWebhookEndpoint,
    DeliveryPage,
    DeliveryStatus,
    NewWebhookEndpoint,
    ReplayRequest,
    ReplayResult,
    RotatedSecret,
    SecretRotation,
    SentTestEvent,
    WebhookEndpoint,
    WebhookEndpointChange,
    WebhookEndpointList,
)
from bonafide.services.webhooks import deliveries, endpoints

TAG = "Webhooks"
EXAMPLE_CURSOR = "ZDEuMTI"
PATH = "/webhook-endpoints"
BUSINESS_IDS = "businessIds"
router = APIRouter(prefix="/v1")
URL = "url"
_FURTHER_SCOPES = {URL: Scope.EVENTS_READ, BUSINESS_IDS: Scope.BUSINESSES_READ}


@endpoint(
    router,
    "POST",
    (PATH,),
    OperationSpec(
        operation_id="createWebhookEndpoint",
        summary="Create a webhook endpoint",
        tag=TAG,
        scope=Scope.WEBHOOKS_WRITE,
        further_scopes=_FURTHER_SCOPES,
        body=NewWebhookEndpoint,
        body_example="webhook_endpoint_request",
        answers={201: OperationResponse("The endpoint and its secret", CreatedWebhookEndpoint, "webhook_endpoint_created")},
        errors=(NotFound, Conflict),
    ),
)
async def create_webhook_endpoint(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    new: Annotated[NewWebhookEndpoint, Depends(create_body_parser(NewWebhookEndpoint))],
) -> Response:
    """Create an endpoint, to which events are delivered from now on as `POST` requests.

    An event is delivered if its type is in `types`, its severity is at least `minSeverity` and its business record is in
    `businessIds`; an empty list selects all. Deliveries follow Standard Webhooks: `webhook-id` is the ID of the event, the same in
    each attempt; `webhook-signature` is made with `secret`, which is returned only here; and the body is `{type, timestamp, data}`
    with the event as `data`. Respond with 2xx within 15 seconds; other responses are retried for about three days, and 410 disables
    the endpoint. Events can arrive more than once and in any order: `sequence` numbers them.

    The host must have a public address, which is checked again at each attempt. An endpoint receives what the feed of events has,
    so creating one requires the scope `events:read` too.
    """
    caller.check_scope(Scope.EVENTS_READ, URL)
    if new.business_ids:
        caller.check_scope(Scope.BUSINESSES_READ, BUSINESS_IDS)
    work = endpoints.create_endpoint(runtime, caller.organization_id, new, build_author(request, caller))
    return await respond_once(work, lambda created: create_document_response(created, language, 201))


@endpoint(
    router,
    "GET",
    (PATH,),
    OperationSpec(
        operation_id="listWebhookEndpoints",
        summary="List the webhook endpoints",
        tag=TAG,
        scope=Scope.WEBHOOKS_READ,
        answers={200: OperationResponse("All endpoints, oldest first", WebhookEndpointList, "webhook_endpoints")},
    ),
)
async def list_webhook_endpoints(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage) -> Response:
    """List the endpoints of the organization, without their secrets."""
    return create_document_response(await endpoints.list_endpoints(runtime, caller.organization_id), language)


@endpoint(
    router,
    "GET",
    (f"{PATH}/{{id}}",),
    OperationSpec(
        operation_id="readWebhookEndpoint",
        summary="Get a webhook endpoint",
        tag=TAG,
        scope=Scope.WEBHOOKS_READ,
        path_id="WebhookEndpointId",
        answers={200: OperationResponse("The endpoint", WebhookEndpoint, "webhook_endpoint")},
        errors=(NotFound,),
    ),
)
async def read_webhook_endpoint(
    runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, endpoint_id: PathId
) -> Response:
    """Return an endpoint without its secret, and whether its deliveries fail."""
    return create_document_response(await endpoints.read_endpoint(runtime, caller.organization_id, endpoint_id), language)


@endpoint(
    router,
    "PATCH",
    (f"{PATH}/{{id}}",),
    OperationSpec(
        operation_id="changeWebhookEndpoint",
        summary="Change a webhook endpoint",
        tag=TAG,
        scope=Scope.WEBHOOKS_WRITE,
        path_id="WebhookEndpointId",
        further_scopes=_FURTHER_SCOPES,
        body=WebhookEndpointChange,
        body_example="webhook_endpoint_change",
        answers={200: OperationResponse("The changed endpoint", WebhookEndpoint, "webhook_endpoint")},
        errors=(NotFound,),
    ),
)
async def change_webhook_endpoint(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    endpoint_id: PathId,
    change: Annotated[WebhookEndpointChange, Depends(create_body_parser(WebhookEndpointChange))],
) -> Response:
    """Change the fields that are sent. `enabled` pauses the endpoint, or enables one that was disabled.

    Events that are recorded while an endpoint is disabled are not delivered later, unless they are replayed.
    """
    if change.url is not None:
        caller.check_scope(Scope.EVENTS_READ, URL)
    if change.business_ids:
        caller.check_scope(Scope.BUSINESSES_READ, BUSINESS_IDS)
    changed = await endpoints.change_endpoint(runtime, caller.organization_id, endpoint_id, change, build_author(request, caller))
    return create_document_response(changed, language)


@endpoint(
    router,
    "DELETE",
    (f"{PATH}/{{id}}",),
    OperationSpec(
        operation_id="deleteWebhookEndpoint",
        summary="Delete a webhook endpoint",
        tag=TAG,
        scope=Scope.WEBHOOKS_WRITE,
        path_id="WebhookEndpointId",
        answers={204: OperationResponse("The endpoint was deleted")},
        errors=(NotFound,),
    ),
)
async def delete_webhook_endpoint(request: Request, runtime: ServedRuntime, caller: Caller, endpoint_id: PathId) -> Response:
    """Delete an endpoint with its secret and its deliveries. Nothing is delivered to it any more. Its events are kept."""
    await endpoints.delete_endpoint(runtime, caller.organization_id, endpoint_id, build_author(request, caller))
    return Response(status_code=204)


@endpoint(
    router,
    "POST",
    (f"{PATH}/{{id}}/rotate-secret",),
    OperationSpec(
        operation_id="rotateWebhookSecret",
        summary="Rotate the secret of a webhook endpoint",
        tag=TAG,
        scope=Scope.WEBHOOKS_WRITE,
        path_id="WebhookEndpointId",
        body=SecretRotation,
        body_example="secret_rotation",
        answers={200: OperationResponse("The new secret", RotatedSecret, "rotated_secret")},
        errors=(NotFound, Conflict),
    ),
)
async def rotate_webhook_secret(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    endpoint_id: PathId,
    rotation: Annotated[SecretRotation, Depends(create_body_parser(SecretRotation))],
) -> Response:
    """Create a new secret, which is returned only here.

    For `overlapSeconds`, deliveries have a signature of each secret, so that the receiver can change to the new one meanwhile. With
    0, the previous secret is not used any more: choose this if it has been disclosed.
    """
    work = endpoints.rotate_secret(runtime, caller.organization_id, endpoint_id, rotation, build_author(request, caller))
    return await respond_once(work, lambda rotated: create_document_response(rotated, language))


@endpoint(
    router,
    "POST",
    (f"{PATH}/{{id}}/test",),
    OperationSpec(
        operation_id="testWebhookEndpoint",
        summary="Send a test event to a webhook endpoint",
        tag=TAG,
        scope=Scope.WEBHOOKS_WRITE,
        path_id="WebhookEndpointId",
        answers={202: OperationResponse("The test event was recorded and will be delivered", SentTestEvent, "sent_test_event")},
        errors=(NotFound, Conflict),
    ),
)
async def send_test_event(
    request: Request, runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, endpoint_id: PathId
) -> Response:
    """Record an event of the type `webhook.test`, which is delivered to this endpoint alone, whatever its filter.

    The list of deliveries shows what the endpoint has responded. `CONFLICT` means that the endpoint is disabled.
    """
    work = endpoints.send_test_event(runtime, caller.organization_id, endpoint_id, build_author(request, caller))
    return await respond_once(work, lambda sent: create_document_response(sent, language, 202))


class DeliveryQuery(Document):
    """Which deliveries to list, and from which position."""

    status: Annotated[DeliveryStatus | None, Field(description="Return only deliveries with this status.", examples=["failed"])] = (
        None
    )
    cursor: Annotated[Text | None, Field(description="`cursor.next` of an earlier response.", examples=[EXAMPLE_CURSOR])] = None
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="Maximum number of deliveries to return.", examples=[25])] = (
        DEFAULT_PAGE
    )


@endpoint(
    router,
    "GET",
    (f"{PATH}/{{id}}/deliveries",),
    OperationSpec(
        operation_id="listWebhookDeliveries",
        summary="List the deliveries to a webhook endpoint",
        tag=TAG,
        scope=Scope.WEBHOOKS_READ,
        path_id="WebhookEndpointId",
        query=DeliveryQuery,
        answers={200: OperationResponse("A page of deliveries, oldest first", DeliveryPage, "delivery_page")},
        errors=(NotFound,),
    ),
)
async def list_webhook_deliveries(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    endpoint_id: PathId,
    query: Annotated[DeliveryQuery, Depends(create_query_parser(DeliveryQuery))],
) -> Response:
    """List deliveries with their attempts: when, the status or the error, the duration, and the start of the response.

    `failed` deliveries are attempted again at `nextAttemptAt`; `exhausted` ones are not, unless they are replayed. Finished
    deliveries are kept for 30 days.
    """
    page = await deliveries.list_deliveries(runtime, caller.organization_id, endpoint_id, query.status, query.limit, query.cursor)
    return create_document_response(page, language)


@endpoint(
    router,
    "POST",
    (f"{PATH}/{{id}}/replay",),
    OperationSpec(
        operation_id="replayWebhookEvents",
        summary="Deliver events again",
        tag=TAG,
        scope=Scope.WEBHOOKS_WRITE,
        path_id="WebhookEndpointId",
        body=ReplayRequest,
        body_example="replay_request",
        answers={202: OperationResponse("The number of deliveries that were created", ReplayResult, "replay_result")},
        errors=(NotFound, Conflict),
    ),
)
async def replay_webhook_events(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    endpoint_id: PathId,
    replay: Annotated[ReplayRequest, Depends(create_body_parser(ReplayRequest))],
) -> Response:
    """Deliver events again, whether they have been delivered or not: those of `eventIds`, or those of a span of time.

    A span of time selects the events that the filter of the endpoint selects, at most 10,000; it includes those that were recorded
    before the endpoint existed. `webhook-id` is the ID of the event, as before, so a receiver that keeps IDs ignores what it has.
    """
    work = deliveries.replay_events(runtime, caller.organization_id, endpoint_id, replay, build_author(request, caller))
    return await respond_once(work, lambda result: create_document_response(result, language, 202))
