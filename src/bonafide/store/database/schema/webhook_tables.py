"""The tables of webhooks: endpoints, and the queue and log of deliveries. The others are in `tables`."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    Text,
    Uuid,
    and_,
)

from bonafide.model.events.event import EventType
from bonafide.model.webhooks import DeliveryStatus, DisabledReason
from bonafide.store.database.columns import UtcInstant, create_enum_type, metadata

webhook_endpoints = Table(
    "webhook_endpoints",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("created_at", UtcInstant, nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("disabled_reason", create_enum_type(DisabledReason)),
    # The first failed attempt since the last delivery, and whether its event was recorded.
    Column("failing_since", UtcInstant),
    Column("is_failure_reported", Boolean, nullable=False),
    # The number of the last event for which deliveries were created, and that of the last delivery.
    Column("position", BigInteger, nullable=False),
    Column("deliveries", BigInteger, nullable=False),
    # When a delivery is due: never later than the first `next_attempt_at` of its deliveries. NULL without any.
    Column("due_at", UtcInstant),
    # The worker that sends its deliveries, and until when.
    Column("worker", Text),
    Column("leased_until", UtcInstant),
    # Encrypted; NULL for an endpoint that needs none.
    Column("secret", LargeBinary),
    Column("previous_secret", LargeBinary),
    Column("previous_secret_expires_at", UtcInstant),
    # Deleted endpoints are kept until their deliveries have been purged.
    Column("deleted_at", UtcInstant),
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "id"),
)
IS_SENDING = and_(webhook_endpoints.c.enabled, webhook_endpoints.c.deleted_at.is_(None))
"""The condition for endpoints that receive events."""
# The order of claims, across organizations.
HAS_DUE = and_(IS_SENDING, webhook_endpoints.c.due_at.is_not(None))
"""The condition for endpoints with open deliveries that may be sent."""
Index("ix_webhook_endpoints_due", webhook_endpoints.c.due_at, sqlite_where=HAS_DUE, postgresql_where=HAS_DUE)
IS_DELETED = webhook_endpoints.c.deleted_at.is_not(None)
"""The condition for endpoints whose deliveries are to be purged."""
Index("ix_webhook_endpoints_deleted", webhook_endpoints.c.deleted_at, sqlite_where=IS_DELETED, postgresql_where=IS_DELETED)

webhook_deliveries = Table(
    # The numbers of an endpoint's deliveries have the order in which they are committed.
    "webhook_deliveries",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("endpoint_id", Uuid, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("id", Uuid, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("event_id", Uuid, nullable=False),
    Column("event_type", create_enum_type(EventType), nullable=False),
    Column("status", create_enum_type(DeliveryStatus), nullable=False),
    Column("created_at", UtcInstant, nullable=False),
    Column("attempts", Integer, nullable=False),
    # NULL when no attempt follows.
    Column("next_attempt_at", UtcInstant),
    Column("finished_at", UtcInstant),
    # The attempts, as JSON.
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "endpoint_id", "number"),
    ForeignKeyConstraint(["organization_id", "endpoint_id"], ["webhook_endpoints.organization_id", "webhook_endpoints.id"]),
)
OPEN_DELIVERY = webhook_deliveries.c.next_attempt_at.is_not(None)
"""The condition for deliveries with an attempt to come."""
# The order in which the deliveries to an endpoint are attempted.
Index(
    "ix_webhook_deliveries_due",
    webhook_deliveries.c.organization_id,
    webhook_deliveries.c.endpoint_id,
    webhook_deliveries.c.next_attempt_at,
    webhook_deliveries.c.number,
    sqlite_where=OPEN_DELIVERY,
    postgresql_where=OPEN_DELIVERY,
)
Index(
    "ix_webhook_deliveries_status",
    webhook_deliveries.c.organization_id,
    webhook_deliveries.c.endpoint_id,
    webhook_deliveries.c.status,
    webhook_deliveries.c.number,
)
# The deliveries of an event that is erased.
Index("ix_webhook_deliveries_event", webhook_deliveries.c.organization_id, webhook_deliveries.c.sequence)
FINISHED_DELIVERY = webhook_deliveries.c.finished_at.is_not(None)
"""The condition for deliveries without a further attempt."""
Index(
    "ix_webhook_deliveries_finished",
    webhook_deliveries.c.finished_at,
    sqlite_where=FINISHED_DELIVERY,
    postgresql_where=FINISHED_DELIVERY,
)
