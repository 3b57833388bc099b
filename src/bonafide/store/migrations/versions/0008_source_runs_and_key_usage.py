"""How each load of a source ended, and how many requests each API key has made on each day."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "source_runs",
        sa.Column("world", sa.String(32), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("finished_at", INSTANT, nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("started_at", INSTANT, nullable=False),
        sa.Column("outcome", sa.String(32), nullable=False),
        sa.Column("entries", sa.BigInteger()),
        sa.Column("rejected", sa.BigInteger()),
        sa.Column("note", sa.Text()),
        sa.PrimaryKeyConstraint("world", "source", "finished_at", "id", name="pk_source_runs"),
    )
    op.create_table(
        "key_usage",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("key_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("requests", sa.BigInteger(), nullable=False),
        sa.Column("refused", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "key_id", "day", name="pk_key_usage"),
        sa.ForeignKeyConstraint(
            ["organization_id", "key_id"], ["api_keys.organization_id", "api_keys.id"], name="fk_key_usage_api_keys"
        ),
    )


def downgrade() -> None:
    op.drop_table("key_usage")
    op.drop_table("source_runs")
