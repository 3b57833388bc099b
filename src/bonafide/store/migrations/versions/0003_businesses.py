"""Business records with their numbers, the trail of their changes, the ledger that orders both, and account settings."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "ledgers",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("changed_at", INSTANT, nullable=False),
        sa.Column("entries", sa.BigInteger(), nullable=False),
        sa.Column("head", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", name="pk_ledgers"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_ledgers_organizations"),
    )
    op.create_table(
        "audit_entries",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("subject", sa.Uuid(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text()),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("old", sa.Text(), nullable=False),
        sa.Column("new", sa.Text(), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_audit_entries"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_audit_entries_organizations"),
    )
    op.create_index("ix_audit_entries_subject", "audit_entries", ["organization_id", "subject", "id"])
    op.create_table(
        "businesses",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("external_id", sa.Text()),
        sa.Column("is_monitored", sa.Boolean(), nullable=False),
        sa.Column("is_archived", sa.Boolean(), nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_businesses"),
        sa.UniqueConstraint("organization_id", "external_id", name="uq_businesses_organization_id_external_id"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_businesses_organizations"),
    )
    op.create_index("ix_businesses_feed", "businesses", ["organization_id", "updated_at", "id", "is_monitored", "is_archived"])
    op.create_table(
        "business_numbers",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("jurisdiction", sa.String(32), nullable=False),
        sa.Column("number", sa.Text(), nullable=False),
        sa.Column("business_id", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "jurisdiction", "number", name="pk_business_numbers"),
        sa.ForeignKeyConstraint(
            ["organization_id", "business_id"],
            ["businesses.organization_id", "businesses.id"],
            name="fk_business_numbers_businesses",
        ),
    )
    op.create_index("ix_business_numbers_organization_id_business_id", "business_numbers", ["organization_id", "business_id"])
    op.create_table(
        "account_settings",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", name="pk_account_settings"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_account_settings_organizations"),
    )


def downgrade() -> None:
    for table in ("account_settings", "business_numbers", "businesses", "audit_entries", "ledgers"):
        op.drop_table(table)
