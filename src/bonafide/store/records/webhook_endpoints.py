"""Webhook endpoints of an organization: what users decide about them as a document, and the state of their deliveries.

The row of an endpoint is locked by whatever creates deliveries for it, so that their numbers have the order of the commits. Lock it
before the head of the organization's events, and after the head of its audit log.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.webhooks import DisabledReason
from bonafide.store.database.rows import count_rows, from_row, to_columns, to_value
from bonafide.store.database.schema.webhook_tables import webhook_endpoints


@dataclass(frozen=True, slots=True)
class StoredWebhookEndpoint:
    """An endpoint; `document` is the JSON of its `EndpointConfiguration`, and the secrets are encrypted.

    `position` is the number of the last event for which deliveries were created.
    """

    id: UUID
    created_at: datetime
    enabled: bool
    disabled_reason: DisabledReason | None
    failing_since: datetime | None
    is_failure_reported: bool
    position: int
    secret: bytes | None
    previous_secret: bytes | None
    previous_secret_expires_at: datetime | None
    document: str


COLUMNS = [webhook_endpoints.c[name] for name in StoredWebhookEndpoint.__slots__]


async def add(connection: AsyncConnection, organization_id: UUID, endpoint: StoredWebhookEndpoint) -> None:
    """Store a new endpoint."""
    values = {"organization_id": organization_id, "deliveries": 0, **to_columns(endpoint)}
    await connection.execute(insert(webhook_endpoints).values(values))


async def list_all(connection: AsyncConnection, organization_id: UUID) -> list[StoredWebhookEndpoint]:
    """All endpoints of the organization, oldest first."""
    mine = webhook_endpoints.c.organization_id == organization_id, webhook_endpoints.c.deleted_at.is_(None)
    listed = select(*COLUMNS).where(*mine).order_by(webhook_endpoints.c.created_at, webhook_endpoints.c.id)
    return [to_value(StoredWebhookEndpoint, row) for row in await connection.execute(listed)]


async def count(connection: AsyncConnection, organization_id: UUID) -> int:
    """The number of endpoints of the organization."""
    mine = webhook_endpoints.c.organization_id == organization_id, webhook_endpoints.c.deleted_at.is_(None)
    return await count_rows(connection, webhook_endpoints, *mine)


async def get(
    connection: AsyncConnection, organization_id: UUID, endpoint_id: UUID, *, is_locked: bool = False
) -> StoredWebhookEndpoint | None:
    """An endpoint; None if the organization has none with this ID. `is_locked` locks it until the transaction ends."""
    chosen = select(*COLUMNS).where(_has_id(organization_id, endpoint_id))
    row = (await connection.execute(chosen.with_for_update() if is_locked else chosen)).one_or_none()
    return from_row(StoredWebhookEndpoint, row)


async def set_values(connection: AsyncConnection, organization_id: UUID, endpoint_id: UUID, **values: Any) -> None:
    """Change columns of an endpoint."""
    await connection.execute(update(webhook_endpoints).where(_has_id(organization_id, endpoint_id)).values(**values))


def _has_id(organization_id: UUID, endpoint_id: UUID) -> ColumnElement[bool]:
    return and_(
        webhook_endpoints.c.organization_id == organization_id,
        webhook_endpoints.c.id == endpoint_id,
        webhook_endpoints.c.deleted_at.is_(None),
    )
