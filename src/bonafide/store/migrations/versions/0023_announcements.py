"""Conditions of sources, events for all organizations, alerts, open hits of business records, and the expiry of dismissals.

Events that an earlier release recorded open no alerts, as they are not mailed.
"""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

SEVERITIES = ("low", "medium", "high", "critical")
IS_OPEN = sa.text("acknowledged_at IS NULL")
WITH_EXPIRY = sa.text("expiry_due_at IS NOT NULL")
INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "source_conditions",
        sa.Column("world", sa.String(32), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("problem", sa.String(32)),
        sa.Column("is_stale", sa.Boolean(), nullable=False),
        sa.Column("as_of", sa.Date()),
        sa.Column("retrieved_at", INSTANT),
        sa.PrimaryKeyConstraint("world", "source", name="pk_source_conditions"),
    )
    op.create_table(
        "announcements",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("world", sa.String(32), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("announced_at", INSTANT, nullable=False),
        sa.Column("type", sa.String(32), nullable=False),
        sa.Column("severity", sa.String(32)),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("last_organization_id", sa.Uuid()),
        sa.PrimaryKeyConstraint("id", name="pk_announcements"),
    )
    op.create_table(
        "announced_releases",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("announced_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("day", name="pk_announced_releases"),
    )
    op.create_table(
        "alerts",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("acknowledged_at", INSTANT),
        sa.Column("acknowledged_by", sa.Text()),
        sa.Column("note", sa.Text()),
        sa.PrimaryKeyConstraint("organization_id", "sequence", name="pk_alerts"),
        sa.ForeignKeyConstraint(
            ["organization_id", "sequence"], ["events.organization_id", "events.sequence"], name="fk_alerts_events"
        ),
    )
    op.create_index("ix_alerts_open", "alerts", ["organization_id", "sequence"], sqlite_where=IS_OPEN, postgresql_where=IS_OPEN)
    op.create_table(
        "open_hits",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("business_id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "business_id", "key", name="pk_open_hits"),
        sa.ForeignKeyConstraint(
            ["organization_id", "business_id"], ["businesses.organization_id", "businesses.id"], name="fk_open_hits_businesses"
        ),
    )
    op.add_column("dismissals", sa.Column("expiry_due_at", INSTANT))
    # Dismissals that have expired already are no news.
    now = datetime.now(UTC)
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    pending = sa.text("UPDATE dismissals SET expiry_due_at = ends_at WHERE revoked_at IS NULL AND ends_at > :now")
    op.get_bind().execute(pending, {"now": now.isoformat(timespec="microseconds").replace("+00:00", "Z") if is_sqlite else now})
    op.create_index("ix_dismissals_expiry", "dismissals", ["expiry_due_at"], sqlite_where=WITH_EXPIRY, postgresql_where=WITH_EXPIRY)
    for rank, lowest in enumerate(SEVERITIES):
        listed = ", ".join(f"'{severity}'" for severity in SEVERITIES[rank:])
        condition = sa.text(f"severity IN ({listed})")
        columns = ["organization_id", "sequence"]
        op.create_index(f"ix_events_at_least_{lowest}", "events", columns, sqlite_where=condition, postgresql_where=condition)


def downgrade() -> None:
    for lowest in SEVERITIES:
        op.drop_index(f"ix_events_at_least_{lowest}", "events")
    op.drop_index("ix_dismissals_expiry", "dismissals")
    op.drop_column("dismissals", "expiry_due_at")
    op.drop_table("open_hits")
    op.drop_table("alerts")
    op.drop_table("announced_releases")
    op.drop_table("announcements")
    op.drop_table("source_conditions")
