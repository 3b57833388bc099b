"""Ownership reviews, their discrepancies, and documents of business records."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
OPEN = "decided_at IS NULL"
WITH_REMINDER = "reminder_at IS NOT NULL"


def upgrade() -> None:
    op.create_table(
        "business_documents",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("business_id", sa.Uuid(), nullable=False),
        sa.Column("uploaded_at", INSTANT, nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_business_documents"),
        *_build_owners("business_documents"),
    )
    op.create_index("ix_business_documents_newest", "business_documents", ["organization_id", "business_id", "uploaded_at", "id"])
    op.create_table(
        "ownership_reviews",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("business_id", sa.Uuid(), nullable=False),
        sa.Column("reviewed_at", INSTANT, nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_ownership_reviews"),
        *_build_owners("ownership_reviews"),
    )
    op.create_index("ix_ownership_reviews_newest", "ownership_reviews", ["organization_id", "business_id", "reviewed_at", "id"])
    op.create_table(
        "discrepancies",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("business_id", sa.Uuid(), nullable=False),
        sa.Column("status", sa.String(32), nullable=False),
        sa.Column("opened_at", INSTANT, nullable=False),
        sa.Column("due_at", INSTANT),
        sa.Column("decided_at", INSTANT),
        sa.Column("reminder_at", INSTANT),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_discrepancies"),
        *_build_owners("discrepancies"),
    )
    op.create_index("ix_discrepancies_newest", "discrepancies", ["organization_id", "business_id", "opened_at", "id"])
    for name, columns, condition in (
        ("ix_discrepancies_open", ["organization_id", "due_at"], OPEN),
        ("ix_discrepancies_reminder", ["reminder_at"], WITH_REMINDER),
    ):
        op.create_index(name, "discrepancies", columns, sqlite_where=sa.text(condition), postgresql_where=sa.text(condition))


def _build_owners(table: str) -> list[sa.ForeignKeyConstraint]:
    return [
        sa.ForeignKeyConstraint(
            ["organization_id", "business_id"],
            ["businesses.organization_id", "businesses.id"],
            name=f"fk_{table}_businesses",
        ),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name=f"fk_{table}_organizations"),
    ]


def downgrade() -> None:
    for table in ("discrepancies", "ownership_reviews", "business_documents"):
        op.drop_table(table)
