"""Verifications, and the registrations that are being looked up for them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
UNFINISHED = sa.text("finished_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "verifications",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("state", sa.String(32), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("deadline_at", INSTANT, nullable=False),
        sa.Column("finished_at", INSTANT),
        sa.Column("reason", sa.Text()),
        sa.Column("document", sa.Text()),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_verifications"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_verifications_organizations"),
    )
    op.create_index(
        "ix_verifications_unfinished",
        "verifications",
        ["deadline_at"],
        sqlite_where=UNFINISHED,
        postgresql_where=UNFINISHED,
    )
    op.create_table(
        "fetches",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("jurisdiction", sa.String(32), nullable=False),
        sa.Column("number", sa.Text(), nullable=False),
        sa.Column("holder", sa.Uuid()),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("refusals", sa.Integer(), nullable=False),
        sa.Column("ended_at", INSTANT),
        sa.Column("ending", sa.Text()),
        sa.PrimaryKeyConstraint("organization_id", "jurisdiction", "number", name="pk_fetches"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_fetches_organizations"),
    )
    op.create_index("ix_fetches_expires_at", "fetches", ["expires_at"])


def downgrade() -> None:
    op.drop_table("fetches")
    op.drop_table("verifications")
