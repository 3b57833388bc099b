"""Pages of webhook endpoints: list, create, change, rotate the secret, pause, delete, test, and the log of deliveries.

A secret is shown once, in the response to its creation or rotation.
"""

from typing import Annotated, Any
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.console.events import labels as event_labels
from bonafide.console.frame.console_request import Owner, PathId, ServedRuntime, build_author
from bonafide.console.frame.forms import FormSubmission, create_form_parser, list_problems, parse_choice
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.monitoring.labels import MIN_SEVERITY
from bonafide.console.webhooks import labels
from bonafide.console.webhooks.forms import EndpointForm, NewEndpointForm, SecretRotationForm, SendAgainForm, find_problems
from bonafide.errors import Conflict, ValidationFailed
from bonafide.model.accounts.users import SignedIn
from bonafide.model.webhooks import (
    DEFAULT_OVERLAP,
    DeliveryStatus,
    ReplayRequest,
    SecretRotation,
    SecretStatus,
    WebhookEndpointChange,
    WebhookKind,
)
from bonafide.runtime import Runtime
from bonafide.services.webhooks import deliveries, endpoints

WEBHOOKS = "/console/webhooks"
PAGE_SIZE = 25
router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)


@router.get(WEBHOOKS)
async def list_endpoints(request: Request, signed_in: Owner, runtime: ServedRuntime) -> Response:
    """All endpoints, and the form for a new one."""
    return await _render_list(request, runtime, signed_in)


@router.post(WEBHOOKS)
async def create_endpoint(
    request: Request,
    signed_in: Owner,
    runtime: ServedRuntime,
    submission: Annotated[FormSubmission[NewEndpointForm], Depends(create_form_parser(NewEndpointForm))],
) -> Response:
    """A new endpoint, with its secret, which is shown once."""
    problems, form = find_problems(submission), submission.value
    if form is None or problems:
        return await _render_list(request, runtime, signed_in, 422, submission=submission, problems=problems)
    author = build_author(request, signed_in)
    try:
        created = await endpoints.create_endpoint(runtime, signed_in.organization_id, form.to_endpoint(), author)
    except ValidationFailed as refusal:
        problems = list_problems(refusal)
        return await _render_list(request, runtime, signed_in, 422, submission=submission, problems=problems)
    except Conflict as error:
        return await _render_list(request, runtime, signed_in, error.status, submission=submission, error=error)
    if created.kind is WebhookKind.SLACK:
        return redirect(request, f"{WEBHOOKS}/{created.id}")
    return _render_secret(request, created, created.secret, created.public_key, is_new=True)


@router.get(f"{WEBHOOKS}/{{id}}")
async def read_endpoint(request: Request, signed_in: Owner, runtime: ServedRuntime, endpoint_id: PathId) -> Response:
    """One endpoint: its state, its deliveries and its forms."""
    return await _render_endpoint(request, runtime, signed_in.organization_id, endpoint_id)


@router.post(f"{WEBHOOKS}/{{id}}")
async def change_endpoint(
    request: Request,
    signed_in: Owner,
    runtime: ServedRuntime,
    endpoint_id: PathId,
    submission: Annotated[FormSubmission[EndpointForm], Depends(create_form_parser(EndpointForm))],
) -> Response:
    """Change the address, the description or the filter."""
    organization_id, problems, form = signed_in.organization_id, find_problems(submission), submission.value
    if form is not None and not problems:
        try:
            await endpoints.change_endpoint(
                runtime, organization_id, endpoint_id, form.to_change(), build_author(request, signed_in)
            )
        except ValidationFailed as refusal:
            problems = list_problems(refusal)
        else:
            return redirect(request, f"{WEBHOOKS}/{endpoint_id}")
    return await _render_endpoint(request, runtime, organization_id, endpoint_id, 422, submission=submission, problems=problems)


@router.post(f"{WEBHOOKS}/{{id}}/pause")
async def pause_endpoint(request: Request, signed_in: Owner, runtime: ServedRuntime, endpoint_id: PathId) -> Response:
    """Stop delivering events."""
    return await _enable(request, runtime, signed_in, endpoint_id, enabled=False)


@router.post(f"{WEBHOOKS}/{{id}}/resume")
async def resume_endpoint(request: Request, signed_in: Owner, runtime: ServedRuntime, endpoint_id: PathId) -> Response:
    """Deliver events again."""
    return await _enable(request, runtime, signed_in, endpoint_id, enabled=True)


@router.post(f"{WEBHOOKS}/{{id}}/rotate")
async def rotate_secret(
    request: Request,
    signed_in: Owner,
    runtime: ServedRuntime,
    endpoint_id: PathId,
    submission: Annotated[FormSubmission[SecretRotationForm], Depends(create_form_parser(SecretRotationForm))],
) -> Response:
    """Replace the secret with a new one, which is shown once."""
    form, organization_id = submission.value, signed_in.organization_id
    if form is None:
        return await _render_endpoint(request, runtime, organization_id, endpoint_id, 422)
    rotation = SecretRotation(overlap_seconds=form.overlap_seconds)
    rotated = await endpoints.rotate_secret(runtime, organization_id, endpoint_id, rotation, build_author(request, signed_in))
    endpoint = await endpoints.read_endpoint(runtime, organization_id, endpoint_id)
    return _render_secret(request, endpoint, rotated.secret, rotated.public_key, is_new=False)


@router.post(f"{WEBHOOKS}/{{id}}/test")
async def send_test_event(request: Request, signed_in: Owner, runtime: ServedRuntime, endpoint_id: PathId) -> Response:
    """Send a test event. The log of deliveries shows it."""
    organization_id = signed_in.organization_id
    try:
        await endpoints.send_test_event(runtime, organization_id, endpoint_id, build_author(request, signed_in))
    except Conflict as error:
        return await _render_endpoint(request, runtime, organization_id, endpoint_id, error.status, error=error)
    return redirect(request, f"{WEBHOOKS}/{endpoint_id}?sent=test#deliveries")


@router.post(f"{WEBHOOKS}/{{id}}/send-again")
async def send_again(
    request: Request,
    signed_in: Owner,
    runtime: ServedRuntime,
    endpoint_id: PathId,
    submission: Annotated[FormSubmission[SendAgainForm], Depends(create_form_parser(SendAgainForm))],
) -> Response:
    """Deliver one event again."""
    if submission.value is None:
        return await _render_endpoint(request, runtime, signed_in.organization_id, endpoint_id, 422)
    replay = ReplayRequest(event_ids=(submission.value.event_id,))
    organization_id, author = signed_in.organization_id, build_author(request, signed_in)
    try:
        await deliveries.replay_events(runtime, organization_id, endpoint_id, replay, author)
    except (Conflict, ValidationFailed) as error:
        return await _render_endpoint(request, runtime, organization_id, endpoint_id, error.status, error=error)
    return redirect(request, f"{WEBHOOKS}/{endpoint_id}?sent=again#deliveries")


@router.get(f"{WEBHOOKS}/{{id}}/delete")
async def confirm_deletion(request: Request, signed_in: Owner, runtime: ServedRuntime, endpoint_id: PathId) -> Response:
    """The page that confirms the deletion, which can't be undone."""
    endpoint = await endpoints.read_endpoint(runtime, signed_in.organization_id, endpoint_id)
    return render_page(request, "webhooks/delete.html", endpoint=endpoint)


@router.post(f"{WEBHOOKS}/{{id}}/delete")
async def delete_endpoint(request: Request, signed_in: Owner, runtime: ServedRuntime, endpoint_id: PathId) -> Response:
    """Delete the endpoint."""
    await endpoints.delete_endpoint(runtime, signed_in.organization_id, endpoint_id, build_author(request, signed_in))
    return redirect(request, WEBHOOKS)


async def _enable(request: Request, runtime: Runtime, signed_in: SignedIn, endpoint_id: UUID, *, enabled: bool) -> Response:
    change, author = WebhookEndpointChange(enabled=enabled), build_author(request, signed_in)
    await endpoints.change_endpoint(runtime, signed_in.organization_id, endpoint_id, change, author)
    return redirect(request, f"{WEBHOOKS}/{endpoint_id}")


async def _render_list(request: Request, runtime: Runtime, signed_in: SignedIn, status: int = 200, **context: Any) -> Response:
    listed = (await endpoints.list_endpoints(runtime, signed_in.organization_id)).webhook_endpoints
    return render_page(request, "webhooks/list.html", status, endpoints=listed, **_build_form_context(), **context)


async def _render_endpoint(
    request: Request, runtime: Runtime, organization_id: UUID, endpoint_id: UUID, status: int = 200, **context: Any
) -> Response:
    endpoint = await endpoints.read_endpoint(runtime, organization_id, endpoint_id)
    chosen = parse_choice(DeliveryStatus, request.query_params.get("status", ""))
    cursor = request.query_params.get("cursor")
    page = await deliveries.list_newest_deliveries(runtime, organization_id, endpoint_id, chosen, PAGE_SIZE, cursor)
    return render_page(
        request,
        "webhooks/endpoint.html",
        status,
        endpoint=endpoint,
        deliveries=page.deliveries,
        older=_build_log_address(endpoint_id, chosen, page.older) if page.older is not None else None,
        is_first=cursor is None,
        chosen_status=chosen,
        sent=request.query_params.get("sent"),
        overlaps=labels.OVERLAPS,
        default_overlap=DEFAULT_OVERLAP,
        has_secret=endpoint.secret_status is not SecretStatus.NONE,
        **_build_form_context(),
        **context,
    )


def _build_form_context() -> dict[str, Any]:
    return {
        "labels": labels,
        "event_labels": event_labels,
        "get_state": labels.get_state,
        "severities": MIN_SEVERITY,
    }


def _build_log_address(endpoint_id: UUID, status: DeliveryStatus | None, cursor: str) -> str:
    query = {"status": status.value, "cursor": cursor} if status is not None else {"cursor": cursor}
    return f"{WEBHOOKS}/{endpoint_id}?{urlencode(query)}#deliveries"


def _render_secret(request: Request, endpoint: Any, secret: str | None, public_key: str | None, *, is_new: bool) -> Response:
    return render_page(
        request,
        "webhooks/secret.html",
        201 if is_new else 200,
        endpoint=endpoint,
        text=secret if secret is not None else public_key,
        is_secret=secret is not None,
        is_new=is_new,
        labels=labels,
    )
