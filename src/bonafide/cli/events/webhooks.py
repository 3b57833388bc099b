"""`bonafide webhooks`: manage the webhook endpoints of an organization, and follow their deliveries.

A secret is shown once, when it is created. `listen` is defined in `listener`.
"""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, TypeVar
from uuid import UUID

import typer
from pydantic import ValidationError
from rich.markup import escape

from bonafide.cli.command_runtime import build_operator_author, get_first_problem, run_with_runtime
from bonafide.cli.events.listener import listen
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out, print_table
from bonafide.cli.translation import localize
from bonafide.i18n.message import Message, plural_message
from bonafide.model.accounts.organizations import World
from bonafide.model.base import Document
from bonafide.model.events.event import EventSeverity, EventType
from bonafide.model.webhooks import (
    Delivery,
    DeliveryStatus,
    DisabledReason,
    NewWebhookEndpoint,
    ReplayRequest,
    SecretRotation,
    SigningMethod,
    WebhookEndpoint,
    WebhookEndpointChange,
    WebhookKind,
)
from bonafide.runtime import Runtime
from bonafide.services.accounts.api_access import parse_duration
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.webhooks import deliveries as delivery_log
from bonafide.services.webhooks import endpoints

app = typer.Typer(
    help=Message("Manage webhook endpoints and their deliveries; forward events to a local receiver."), no_args_is_help=True
)
app.command()(listen)
MAX_DELIVERIES = 1000
T = TypeVar("T")
OrganizationName = Annotated[str, typer.Option("--organization", help=Message("The organization."))]
UseSandbox = Annotated[bool, typer.Option("--test", help=Message("Use its sandbox organization."))]
EndpointId = Annotated[UUID, typer.Argument(metavar="ID", help=Message("The ID of the endpoint, as shown by `webhooks list`."))]
_STATUS = {
    DisabledReason.PAUSED: Message("paused"),
    DisabledReason.GONE: Message("disabled: returned 410"),
    DisabledReason.FAILING: Message("disabled: failed for days"),
}


@app.command("list")
def list_endpoints(
    organization: OrganizationName, test: UseSandbox = False, data_dir: DataDir = None, as_json: AsJson = False
) -> None:
    """List the endpoints of an organization, without their secrets."""
    listed = _run(organization, test, data_dir, endpoints.list_endpoints).webhook_endpoints
    if as_json:
        print_json([endpoint.model_dump(mode="json", by_alias=True) for endpoint in listed])
        return
    headings = (Message("ID"), Message("URL"), Message("Name"), Message("Events"), Message("Severity"), Message("Status"))
    print_table(headings, map(_build_cells, listed), "fold", unbroken="ID")


@app.command()
def add(
    url: Annotated[str, typer.Argument(help=Message("The address that receives the events."))],
    organization: OrganizationName,
    test: UseSandbox = False,
    description: Annotated[str | None, typer.Option(help=Message("A description."))] = None,
    types: Annotated[
        list[EventType] | None, typer.Option("--type", help=Message("A type of events; all by default. Can be repeated."))
    ] = None,
    min_severity: Annotated[
        EventSeverity, typer.Option(help=Message("The lowest severity that is delivered."))
    ] = EventSeverity.INFO,
    businesses: Annotated[
        list[UUID] | None,
        typer.Option("--business", metavar="ID", help=Message("A business record; all events by default. Can be repeated.")),
    ] = None,
    kind: Annotated[
        WebhookKind, typer.Option(help=Message("Signed events, or messages for the incoming webhook of a chat."))
    ] = WebhookKind.STANDARD,
    signing: Annotated[SigningMethod, typer.Option(help=Message("How deliveries are signed."))] = SigningMethod.HMAC,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Create an endpoint. Its secret is printed once and cannot be shown again."""
    try:
        new = NewWebhookEndpoint(
            url=url,
            description=description,
            types=tuple(types or ()),
            min_severity=min_severity,
            business_ids=tuple(businesses or ()),
            kind=kind,
            signing=signing,
        )
    except ValidationError as error:
        raise typer.BadParameter(get_first_problem(error)) from error
    created = _run(
        organization,
        test,
        data_dir,
        lambda runtime, organization_id: endpoints.create_endpoint(runtime, organization_id, new, build_operator_author()),
    )
    if as_json:
        _print_document(created)
    else:
        _print_secret(created.secret, created.public_key)
        _print_notice(Message("Endpoint {id} created.", id=str(created.id)))


@app.command()
def rotate(
    endpoint_id: EndpointId,
    organization: OrganizationName,
    test: UseSandbox = False,
    overlap: Annotated[str, typer.Option(metavar="24h", help=Message("How long the previous secret still signs."))] = "24h",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Create a new secret for an endpoint. Deliveries are signed with both secrets during the overlap."""
    try:
        rotation = SecretRotation(overlap_seconds=int(parse_duration(overlap).total_seconds()))
    except ValidationError as error:
        raise typer.BadParameter(f"--overlap: {get_first_problem(error)}") from error
    rotated = _run(
        organization,
        test,
        data_dir,
        lambda runtime, organization_id: endpoints.rotate_secret(
            runtime, organization_id, endpoint_id, rotation, build_operator_author()
        ),
    )
    if as_json:
        _print_document(rotated)
        return
    _print_secret(rotated.secret, rotated.public_key)
    if rotated.previous_expires_at is not None:
        _print_notice(Message("The previous secret also signs until {time}.", time=_format_instant(rotated.previous_expires_at)))


@app.command()
def pause(
    endpoint_id: EndpointId,
    organization: OrganizationName,
    test: UseSandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Stop delivering events to an endpoint. Events of the meantime are delivered only if they are replayed."""
    changed = _enable(organization, test, data_dir, endpoint_id, enabled=False)
    _print_changed(changed, Message("Endpoint {id} paused.", id=str(endpoint_id)), as_json)


@app.command()
def resume(
    endpoint_id: EndpointId,
    organization: OrganizationName,
    test: UseSandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Deliver events to an endpoint again, whether it was paused or disabled because of failures."""
    changed = _enable(organization, test, data_dir, endpoint_id, enabled=True)
    _print_changed(changed, Message("Endpoint {id} resumed.", id=str(endpoint_id)), as_json)


@app.command()
def remove(endpoint_id: EndpointId, organization: OrganizationName, test: UseSandbox = False, data_dir: DataDir = None) -> None:
    """Delete an endpoint with its secret and its deliveries."""
    _run(
        organization,
        test,
        data_dir,
        lambda runtime, organization_id: endpoints.delete_endpoint(runtime, organization_id, endpoint_id, build_operator_author()),
    )
    _print_notice(Message("Endpoint {id} removed.", id=str(endpoint_id)))


@app.command("test")
def send_test_event(
    endpoint_id: EndpointId,
    organization: OrganizationName,
    test: UseSandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Send a test event to an endpoint. A running worker delivers it."""
    sent = _run(
        organization,
        test,
        data_dir,
        lambda runtime, organization_id: endpoints.send_test_event(runtime, organization_id, endpoint_id, build_operator_author()),
    )
    if as_json:
        _print_document(sent)
    else:
        _print_notice(Message("Event {id} will be sent.", id=str(sent.event_id)))


@app.command()
def deliveries(
    endpoint_id: EndpointId,
    organization: OrganizationName,
    test: UseSandbox = False,
    status: Annotated[DeliveryStatus | None, typer.Option(help=Message("List only deliveries with this status."))] = None,
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, max=MAX_DELIVERIES, help=Message("Number of deliveries."))] = 20,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """List the last deliveries to an endpoint with their last attempts, newest first."""
    page = _run(
        organization,
        test,
        data_dir,
        lambda runtime, organization_id: delivery_log.list_newest_deliveries(runtime, organization_id, endpoint_id, status, lines),
    )
    if as_json:
        print_json([delivery.model_dump(mode="json", by_alias=True) for delivery in page.deliveries])
        return
    headings = (
        Message("Created"),
        Message("No."),
        Message("Event"),
        Message("Status"),
        Message("Attempts"),
        Message("Last response"),
        Message("Next attempt"),
        Message("Event ID"),
    )
    print_table(headings, map(_build_delivery_cells, page.deliveries), "fold", unbroken="Event ID")


@app.command()
def replay(
    endpoint_id: EndpointId,
    organization: OrganizationName,
    test: UseSandbox = False,
    events: Annotated[
        list[UUID] | None, typer.Option("--event", metavar="ID", help=Message("The ID of an event. Can be repeated."))
    ] = None,
    since: Annotated[
        datetime | None, typer.Option(help=Message("Deliver the events after this time (UTC) that the endpoint receives."))
    ] = None,
    until: Annotated[datetime | None, typer.Option(help=Message("With --since: deliver the events until this time (UTC)."))] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Deliver events again: single ones, or those of a span of time."""
    if bool(events) == (since is not None):
        raise typer.BadParameter(localize(Message("Give either --event or --since.")))
    try:
        request = ReplayRequest(
            event_ids=tuple(events) if events else None,
            since=since.replace(tzinfo=UTC) if since is not None else None,
            until=until.replace(tzinfo=UTC) if until is not None else None,
        )
    except ValidationError as error:
        raise typer.BadParameter(get_first_problem(error)) from error
    result = _run(
        organization,
        test,
        data_dir,
        lambda runtime, organization_id: delivery_log.replay_events(
            runtime, organization_id, endpoint_id, request, build_operator_author()
        ),
    )
    if as_json:
        _print_document(result)
    else:
        _print_notice(
            plural_message("{count:,} event will be sent.", "{count:,} events will be sent.", result.count, count=result.count)
        )


def _run(organization: str, test: bool, data_dir: Path | None, work: Callable[[Runtime, UUID], Awaitable[T]]) -> T:
    """Run work with the runtime and the ID of the organization."""

    async def run_for_organization(runtime: Runtime) -> T:
        world = World.SANDBOX if test else World.LIVE
        return await work(runtime, (await find_organization(runtime, organization, world)).id)

    return run_with_runtime(data_dir, run_for_organization)


def _enable(organization: str, test: bool, data_dir: Path | None, endpoint_id: UUID, *, enabled: bool) -> WebhookEndpoint:
    change = WebhookEndpointChange(enabled=enabled)
    return _run(
        organization,
        test,
        data_dir,
        lambda runtime, organization_id: endpoints.change_endpoint(
            runtime, organization_id, endpoint_id, change, build_operator_author()
        ),
    )


def _build_cells(endpoint: WebhookEndpoint) -> tuple[str, ...]:
    if endpoint.disabled_reason is not None:
        status = _STATUS[endpoint.disabled_reason]
    elif endpoint.failing_since is not None:
        status = Message("failing since {time}", time=_format_instant(endpoint.failing_since))
    else:
        status = Message("active")
    return (
        str(endpoint.id),
        escape(endpoint.url),
        escape(endpoint.description or ""),
        ", ".join(endpoint.types) or localize(Message("All types")),
        endpoint.min_severity,
        localize(status),
    )


def _build_delivery_cells(delivery: Delivery) -> tuple[str, ...]:
    last = delivery.attempts[-1] if delivery.attempts else None
    response = (last.status or last.error or "") if last is not None else ""
    next_attempt = delivery.next_attempt_at
    return (
        _format_instant(delivery.created_at),
        str(delivery.sequence),
        delivery.event_type,
        delivery.status,
        str(len(delivery.attempts)),
        str(response),
        _format_instant(next_attempt) if next_attempt is not None else "",
        str(delivery.event_id),
    )


def _format_instant(instant: datetime) -> str:
    return f"{instant:%Y-%m-%d %H:%M:%S}"


def _print_secret(secret: str | None, public_key: str | None) -> None:
    if secret is not None:
        out.print(escape(secret), highlight=False, soft_wrap=True)
        _print_notice(Message("This secret verifies the signatures. It is not shown again."))
    elif public_key is not None:
        out.print(escape(public_key), highlight=False, soft_wrap=True)
        _print_notice(Message("This public key verifies the signatures."))


def _print_changed(endpoint: WebhookEndpoint, notice: Message, as_json: bool) -> None:
    if as_json:
        _print_document(endpoint)
    else:
        _print_notice(notice)


def _print_notice(notice: Message) -> None:
    out.print(f"[dim]{escape(localize(notice))}[/]", highlight=False, soft_wrap=True)


def _print_document(document: Document) -> None:
    print_json(document.model_dump(mode="json", by_alias=True))
