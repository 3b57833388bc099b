"""Webhook endpoints and their deliveries."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
HAS_DUE = {
    "sqlite": sa.text("enabled = 1 AND deleted_at IS NULL AND due_at IS NOT NULL"),
    "postgresql": sa.text("enabled AND deleted_at IS NULL AND due_at IS NOT NULL"),
}
IS_DELETED = sa.text("deleted_at IS NOT NULL")
OPEN_DELIVERY = sa.text("next_attempt_at IS NOT NULL")
FINISHED_DELIVERY = sa.text("finished_at IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "webhook_endpoints",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("disabled_reason", sa.String(32)),
        sa.Column("failing_since", INSTANT),
        sa.Column("is_failure_reported", sa.Boolean(), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("deliveries", sa.BigInteger(), nullable=False),
        sa.Column("due_at", INSTANT),
        sa.Column("worker", sa.Text()),
        sa.Column("leased_until", INSTANT),
        sa.Column("secret", sa.LargeBinary()),
        sa.Column("previous_secret", sa.LargeBinary()),
        sa.Column("previous_secret_expires_at", INSTANT),
        sa.Column("deleted_at", INSTANT),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_webhook_endpoints"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_webhook_endpoints_organizations"),
    )
    op.create_index(
        "ix_webhook_endpoints_due",
        "webhook_endpoints",
        ["due_at"],
        sqlite_where=HAS_DUE["sqlite"],
        postgresql_where=HAS_DUE["postgresql"],
    )
    op.create_index(
        "ix_webhook_endpoints_deleted",
        "webhook_endpoints",
        ["deleted_at"],
        sqlite_where=IS_DELETED,
        postgresql_where=IS_DELETED,
    )
    op.create_table(
        "webhook_deliveries",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("endpoint_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("event_id", sa.Uuid(), nullable=False),
        sa.Column("event_type", sa.String(32), nullable=False),
        sa.Column("status", sa.String(32), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_attempt_at", INSTANT),
        sa.Column("finished_at", INSTANT),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "endpoint_id", "number", name="pk_webhook_deliveries"),
        sa.ForeignKeyConstraint(
            ["organization_id", "endpoint_id"],
            ["webhook_endpoints.organization_id", "webhook_endpoints.id"],
            name="fk_webhook_deliveries_webhook_endpoints",
        ),
    )
    op.create_index(
        "ix_webhook_deliveries_due",
        "webhook_deliveries",
        ["organization_id", "endpoint_id", "next_attempt_at", "number"],
        sqlite_where=OPEN_DELIVERY,
        postgresql_where=OPEN_DELIVERY,
    )
    op.create_index("ix_webhook_deliveries_status", "webhook_deliveries", ["organization_id", "endpoint_id", "status", "number"])
    op.create_index(
        "ix_webhook_deliveries_finished",
        "webhook_deliveries",
        ["finished_at"],
        sqlite_where=FINISHED_DELIVERY,
        postgresql_where=FINISHED_DELIVERY,
    )


def downgrade() -> None:
    op.drop_table("webhook_deliveries")
    op.drop_table("webhook_endpoints")
