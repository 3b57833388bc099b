"""Dismissed hits of screenings."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
NOT_REVOKED = sa.text("revoked_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "dismissals",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("subject", sa.String(64), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("entry_id", sa.Text(), nullable=False),
        sa.Column("business_id", sa.Uuid()),
        sa.Column("dismissed_at", INSTANT, nullable=False),
        sa.Column("ends_at", INSTANT),
        sa.Column("revoked_at", INSTANT),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_dismissals"),
        sa.ForeignKeyConstraint(
            ["organization_id", "business_id"],
            ["businesses.organization_id", "businesses.id"],
            name="fk_dismissals_businesses",
        ),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_dismissals_organizations"),
    )
    op.create_index("ix_dismissals_newest", "dismissals", ["organization_id", "dismissed_at", "id"])
    op.create_index(
        "ix_dismissals_subject",
        "dismissals",
        ["organization_id", "subject"],
        sqlite_where=NOT_REVOKED,
        postgresql_where=NOT_REVOKED,
    )


def downgrade() -> None:
    op.drop_table("dismissals")
