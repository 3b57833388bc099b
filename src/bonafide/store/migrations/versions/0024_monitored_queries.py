"""Queries of monitored records that are repeated at an interval. Workers plan them when they start."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
OWN = ["organization_id", "business_id"]
CLAIMED = sa.text("worker IS NOT NULL")
RECORD = ["monitored_records.organization_id", "monitored_records.business_id"]


def upgrade() -> None:
    op.create_table(
        "monitored_queries",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("business_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("planned_at", INSTANT, nullable=False),
        sa.Column("due_at", INSTANT, nullable=False),
        sa.Column("overdue_at", INSTANT, nullable=False),
        sa.Column("queried_at", INSTANT),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("leased_until", INSTANT),
        sa.Column("worker", sa.Text()),
        sa.Column("problem", sa.Text()),
        sa.Column("has_changed", sa.Boolean(), nullable=False),
        sa.Column("snapshot", sa.Text()),
        sa.Column("as_of", sa.Date()),
        sa.PrimaryKeyConstraint(*OWN, "source", "target", name="pk_monitored_queries"),
        sa.ForeignKeyConstraint(OWN, RECORD, name="fk_monitored_queries_monitored_records"),
    )
    op.create_index("ix_monitored_queries_turn", "monitored_queries", ["organization_id", "source", "due_at", "business_id"])
    op.create_index("ix_monitored_queries_overdue", "monitored_queries", ["organization_id", "overdue_at"])
    op.create_index("ix_monitored_queries_due", "monitored_queries", ["due_at"])
    op.create_index("ix_monitored_queries_late", "monitored_queries", ["overdue_at"])
    op.create_index("ix_monitored_queries_results", "monitored_queries", ["source", "queried_at"])
    op.create_index("ix_monitored_queries_worker", "monitored_queries", ["worker"], sqlite_where=CLAIMED, postgresql_where=CLAIMED)
    op.create_table(
        "monitoring_turns",
        sa.Column("world", sa.String(32), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("next_at", INSTANT, nullable=False),
        sa.Column("last_organization_id", sa.Uuid()),
        sa.PrimaryKeyConstraint("world", "source", name="pk_monitoring_turns"),
    )


def downgrade() -> None:
    op.drop_table("monitoring_turns")
    op.drop_table("monitored_queries")
