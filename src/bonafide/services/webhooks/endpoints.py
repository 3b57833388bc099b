"""Manage the webhook endpoints of an organization; every change is recorded in its audit log.

Secrets are returned once, when they are created, and stored encrypted (`secret_encryption`).
"""

from collections.abc import Collection
from datetime import timedelta
from hashlib import sha256
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from pydantic import JsonValue

from bonafide.errors import AddressRefused, Conflict, InvalidInput, NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.events.event import EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.events.event_data import WebhookTestData
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.model.webhooks import (
    CreatedWebhookEndpoint,
    DisabledReason,
    EndpointConfiguration,
    NewWebhookEndpoint,
    RotatedSecret,
    SecretRotation,
    SecretStatus,
    SentTestEvent,
    WebhookEndpoint,
    WebhookEndpointChange,
    WebhookEndpointList,
    WebhookKind,
)
from bonafide.net.private_targets import PrivateTargets, check_receiver_url
from bonafide.runtime import Runtime
from bonafide.services.events.recording import record_events
from bonafide.services.webhooks.secret_encryption import decrypt_secret, encrypt_secret
from bonafide.services.webhooks.signatures import NewSecret, generate_secret
from bonafide.store.database.engine import Connection
from bonafide.store.records import businesses, events, webhook_endpoints
from bonafide.store.records.webhook_endpoints import StoredWebhookEndpoint
from bonafide.store.tenants import audit_log
from bonafide.store.work.pending_key import complete_key

MAX_ENDPOINTS = 50
"""Endpoints of one organization."""
ENDPOINT = "webhookEndpoint"
SECRET = "webhookSecret"  # noqa: S105 - the name of a field
"""The fields of the audit log for an endpoint, and for the rotation of its secret."""
DIGEST_CHARACTERS = 16
UNKNOWN_ENDPOINT = Message("We couldn’t find that webhook endpoint.")


async def list_endpoints(runtime: Runtime, organization_id: UUID) -> WebhookEndpointList:
    """All endpoints of the organization, oldest first."""
    async with runtime.store.read() as connection:
        rows = await webhook_endpoints.list_all(connection, organization_id)
    return WebhookEndpointList(webhook_endpoints=tuple(_to_endpoint(runtime, organization_id, row) for row in rows))


async def read_endpoint(runtime: Runtime, organization_id: UUID, endpoint_id: UUID) -> WebhookEndpoint:
    """One endpoint. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        return _to_endpoint(runtime, organization_id, await load_endpoint(connection, organization_id, endpoint_id))


async def create_endpoint(
    runtime: Runtime, organization_id: UUID, request: NewWebhookEndpoint, author: Author
) -> CreatedWebhookEndpoint:
    """Create an endpoint, which receives the events from now on, and return it with its secret.

    Raises `ValidationFailed` for an address that is refused and for unknown business records, and `Conflict` if the organization
    has as many endpoints as it may have.
    """
    url = _check_url(runtime, request.url)
    endpoint_id = uuid4()
    secret = generate_secret(request.signing) if request.kind is WebhookKind.STANDARD else None
    configuration = EndpointConfiguration(
        url=url,
        description=request.description,
        types=request.types,
        min_severity=request.min_severity,
        business_ids=request.business_ids,
        kind=request.kind,
        signing=request.signing,
        public_key=secret.public_key if secret is not None else None,
    )
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        if await webhook_endpoints.count(connection, organization_id) >= MAX_ENDPOINTS:
            raise Conflict(Message("The organization has {limit} webhook endpoints, which is the limit.", limit=MAX_ENDPOINTS))
        await _check_businesses(connection, organization_id, request.business_ids)
        created_at = ledger.next_instant(runtime.clock())
        row = StoredWebhookEndpoint(
            id=endpoint_id,
            created_at=created_at,
            enabled=request.enabled,
            disabled_reason=None if request.enabled else DisabledReason.PAUSED,
            failing_since=None,
            is_failure_reported=False,
            position=await events.get_last_position(connection, organization_id),
            secret=_encrypt(runtime, organization_id, endpoint_id, secret),
            previous_secret=None,
            previous_secret_expires_at=None,
            document=configuration.to_json(),
        )
        await webhook_endpoints.add(connection, organization_id, row)
        creation = FieldChange(ENDPOINT, None, _to_audit_value(row))
        await audit_log.record_change(
            connection, organization_id, ledger, audit_log.AuditChange(endpoint_id, created_at, author, [creation])
        )
        shown = _to_endpoint(runtime, organization_id, row)
        created = CreatedWebhookEndpoint(**dict(shown), secret=secret.shared if secret is not None else None)
        await complete_key(connection, created)
    return created


async def change_endpoint(
    runtime: Runtime, organization_id: UUID, endpoint_id: UUID, change: WebhookEndpointChange, author: Author
) -> WebhookEndpoint:
    """Change what was sent. An endpoint that is enabled again continues with new events and with deliveries that are still open.

    Raises `NotFound`, and `ValidationFailed` as `create_endpoint` does.
    """
    sent = {name: getattr(change, name) for name in change.model_fields_set}
    if change.url is not None:
        sent["url"] = _check_url(runtime, change.url)
    enabled = sent.pop("enabled", None)
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        row = await load_endpoint(connection, organization_id, endpoint_id, is_locked=True)
        await _check_businesses(connection, organization_id, change.business_ids or ())
        configuration = EndpointConfiguration.model_validate_json(row.document).model_copy(update=sent)
        now = ledger.next_instant(runtime.clock())
        values: dict[str, object] = {"document": configuration.to_json()}
        if enabled is True and not row.enabled:
            position = await events.get_last_position(connection, organization_id)
            values |= {"enabled": True, "disabled_reason": None, "position": position, "due_at": runtime.clock()}
            values |= {"failing_since": None, "is_failure_reported": False}
        elif enabled is False and row.enabled:
            values |= {"enabled": False, "disabled_reason": DisabledReason.PAUSED}
        await webhook_endpoints.set_values(connection, organization_id, endpoint_id, **values)
        changed = await load_endpoint(connection, organization_id, endpoint_id)
        before, after = _to_audit_value(row), _to_audit_value(changed)
        if before != after:
            edit = audit_log.AuditChange(endpoint_id, now, author, [FieldChange(ENDPOINT, before, after)])
            await audit_log.record_change(connection, organization_id, ledger, edit)
    return _to_endpoint(runtime, organization_id, changed)


async def delete_endpoint(runtime: Runtime, organization_id: UUID, endpoint_id: UUID, author: Author) -> None:
    """Delete an endpoint with its open deliveries. Its log is purged later. Raises `NotFound`."""
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        row = await load_endpoint(connection, organization_id, endpoint_id, is_locked=True)
        deleted_at = ledger.next_instant(runtime.clock())
        await webhook_endpoints.set_values(
            connection,
            organization_id,
            endpoint_id,
            enabled=False,
            due_at=None,
            secret=None,
            previous_secret=None,
            deleted_at=deleted_at,
        )
        deletion = FieldChange(ENDPOINT, _to_audit_value(row), None)
        await audit_log.record_change(
            connection, organization_id, ledger, audit_log.AuditChange(endpoint_id, deleted_at, author, [deletion])
        )


async def rotate_secret(
    runtime: Runtime, organization_id: UUID, endpoint_id: UUID, rotation: SecretRotation, author: Author
) -> RotatedSecret:
    """Replace the secret, and sign with the previous one too while both overlap.

    A previous secret that can't be decrypted is no longer used. Raises `NotFound`, and `Conflict` for an endpoint without a secret.
    """
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        row = await load_endpoint(connection, organization_id, endpoint_id, is_locked=True)
        configuration = EndpointConfiguration.model_validate_json(row.document)
        if configuration.kind is not WebhookKind.STANDARD:
            raise Conflict(Message("This webhook endpoint has no secret: messages for chats are not signed."))
        now = ledger.next_instant(runtime.clock())
        overlap = timedelta(seconds=rotation.overlap_seconds)
        is_kept = overlap > timedelta(0) and _determine_secret_status(runtime, organization_id, row) is SecretStatus.READY
        new = generate_secret(configuration.signing)
        expires_at = now + overlap if is_kept else None
        rotated = RotatedSecret(secret=new.shared, public_key=new.public_key, previous_expires_at=expires_at)
        await webhook_endpoints.set_values(
            connection,
            organization_id,
            endpoint_id,
            secret=_encrypt(runtime, organization_id, endpoint_id, new),
            previous_secret=row.secret if is_kept else None,
            previous_secret_expires_at=expires_at,
            document=configuration.model_copy(update={"public_key": new.public_key}).to_json(),
        )
        described: dict[str, JsonValue] = rotated.model_dump(mode="json", by_alias=True, exclude={"secret"})
        change = audit_log.AuditChange(endpoint_id, now, author, [FieldChange(SECRET, None, described)])
        await audit_log.record_change(connection, organization_id, ledger, change)
        await complete_key(connection, rotated)
    return rotated


async def send_test_event(runtime: Runtime, organization_id: UUID, endpoint_id: UUID, author: Author) -> SentTestEvent:
    """Record a `webhook.test` event, which is delivered to this endpoint only.

    Raises `NotFound`, and `Conflict` for a disabled endpoint.
    """
    async with runtime.store.write() as connection:
        row = await load_endpoint(connection, organization_id, endpoint_id, is_locked=True)
        if not row.enabled:
            raise Conflict(Message("This webhook endpoint is disabled. Enable it before you send a test event."))
        event = NewEvent(
            EventType.WEBHOOK_TEST,
            build_subject(endpoint_id, EndpointConfiguration.model_validate_json(row.document)),
            WebhookTestData(endpoint_id=endpoint_id, requested_by=author.actor),
            resource=build_path(endpoint_id),
        )
        await record_events(connection, organization_id, [event], runtime.clock())
        last = await events.get_last_position(connection, organization_id)
        (recorded,) = await events.list_after(connection, organization_id, events.EventFilter(), last - 1, 1)
        sent = SentTestEvent(event_id=recorded.id)
        await complete_key(connection, sent)
    return sent


def build_subject(endpoint_id: UUID, configuration: EndpointConfiguration) -> EventSubject:
    """The subject of events about an endpoint. Without a description its name is the host: the rest of an address may be secret."""
    name = configuration.description if configuration.description is not None else get_host(configuration.url)
    return EventSubject(kind=EventSubjectKind.WEBHOOK_ENDPOINT, id=endpoint_id, name=name)


def build_path(endpoint_id: UUID) -> str:
    """The path of an endpoint in the API."""
    return f"/v1/webhook-endpoints/{endpoint_id}"


def get_host(url: str) -> str:
    """The host of the address of an endpoint."""
    return urlsplit(url).hostname or ""


async def load_endpoint(
    connection: Connection, organization_id: UUID, endpoint_id: UUID, *, is_locked: bool = False
) -> StoredWebhookEndpoint:
    """The row of an endpoint. Raises `NotFound`."""
    row = await webhook_endpoints.get(connection, organization_id, endpoint_id, is_locked=is_locked)
    if row is None:
        raise NotFound(UNKNOWN_ENDPOINT)
    return row


def _check_url(runtime: Runtime, url: str) -> str:
    """Raise `ValidationFailed` for an address that can't be used."""
    try:
        return check_receiver_url(url, PrivateTargets.parse(runtime.settings.allow_private_targets))
    except (InvalidInput, AddressRefused) as error:
        raise ValidationFailed.of_field("url", error.message) from error


async def _check_businesses(connection: Connection, organization_id: UUID, business_ids: Collection[UUID]) -> None:
    if not business_ids:
        return
    known = await businesses.list_known_ids(connection, organization_id, business_ids)
    unknown = next((business_id for business_id in business_ids if business_id not in known), None)
    if unknown is not None:
        raise ValidationFailed.of_field("businessIds", Message("there is no business record {id}", id=str(unknown)))


def _encrypt(runtime: Runtime, organization_id: UUID, endpoint_id: UUID, secret: NewSecret | None) -> bytes | None:
    return encrypt_secret(runtime.signing_key, organization_id, endpoint_id, secret.stored) if secret is not None else None


def _determine_secret_status(runtime: Runtime, organization_id: UUID, row: StoredWebhookEndpoint) -> SecretStatus:
    if row.secret is None:
        return SecretStatus.NONE
    secret = decrypt_secret(runtime.signing_key, organization_id, row.id, row.secret)
    return SecretStatus.READY if secret is not None else SecretStatus.UNREADABLE


def _to_endpoint(runtime: Runtime, organization_id: UUID, row: StoredWebhookEndpoint) -> WebhookEndpoint:
    configuration = EndpointConfiguration.model_validate_json(row.document)
    expires_at = row.previous_secret_expires_at
    return WebhookEndpoint(
        id=row.id,
        **dict(configuration),
        enabled=row.enabled,
        disabled_reason=row.disabled_reason,
        failing_since=row.failing_since,
        secret_status=_determine_secret_status(runtime, organization_id, row),
        previous_secret_expires_at=expires_at if expires_at is not None and expires_at > runtime.clock() else None,
        created_at=row.created_at,
    )


def _to_audit_value(row: StoredWebhookEndpoint) -> JsonValue:
    """An endpoint as the audit log stores it. The address of a chat's webhook is a secret: its host and a digest are recorded."""
    configuration = EndpointConfiguration.model_validate_json(row.document)
    value: dict[str, JsonValue] = configuration.model_dump(mode="json", by_alias=True)
    if configuration.kind is WebhookKind.SLACK:
        digest = sha256(configuration.url.encode()).hexdigest()[:DIGEST_CHARACTERS]
        value |= {"url": get_host(configuration.url), "urlDigest": digest}
    return value | {"enabled": row.enabled}
