"""Manual checks with their files, and accepted discrepancies of verifications."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
OPEN = sa.text("closed_at IS NULL")
OF_A_RECORD = sa.text("business_id IS NOT NULL")
SEEN = sa.text("seen_at IS NOT NULL")
RENEWED = sa.text("renew_at IS NOT NULL")
HELD = sa.text("revoked_at IS NULL")


def upgrade() -> None:
    _create_checks()
    op.create_table(
        "manual_check_files",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("check_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_manual_check_files"),
        sa.ForeignKeyConstraint(
            ["organization_id", "check_id"],
            ["manual_checks.organization_id", "manual_checks.id"],
            name="fk_manual_check_files_manual_checks",
        ),
    )
    op.create_index("ix_manual_check_files_check", "manual_check_files", ["organization_id", "check_id", "created_at", "id"])
    op.create_table(
        "accepted_discrepancies",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("verification_id", sa.Uuid(), nullable=False),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("accepted_at", INSTANT, nullable=False),
        sa.Column("revoked_at", INSTANT),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_accepted_discrepancies"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_accepted_discrepancies_organizations"),
    )
    _create_partial_index(
        "uq_accepted_discrepancies_held",
        "accepted_discrepancies",
        ["organization_id", "verification_id", "field"],
        HELD,
        unique=True,
    )
    op.create_index(
        "ix_accepted_discrepancies_verification",
        "accepted_discrepancies",
        ["organization_id", "verification_id", "accepted_at"],
    )


def downgrade() -> None:
    op.drop_table("accepted_discrepancies")
    op.drop_table("manual_check_files")
    op.drop_table("manual_checks")


def _create_checks() -> None:
    op.create_table(
        "manual_checks",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("business_id", sa.Uuid()),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("jurisdiction", sa.String(32), nullable=False),
        sa.Column("number", sa.Text()),
        sa.Column("seen_number", sa.Text()),
        sa.Column("status", sa.String(32), nullable=False),
        sa.Column("opened_at", INSTANT, nullable=False),
        sa.Column("due_at", INSTANT),
        sa.Column("closed_at", INSTANT),
        sa.Column("seen_at", INSTANT),
        sa.Column("expires_at", INSTANT),
        sa.Column("renew_at", INSTANT),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_manual_checks"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_manual_checks_organizations"),
    )
    _create_partial_index("uq_manual_checks_open", "manual_checks", ["organization_id", "subject", "source"], OPEN, unique=True)
    op.create_index("ix_manual_checks_changes", "manual_checks", ["organization_id", "updated_at", "id"])
    op.create_index("ix_manual_checks_status", "manual_checks", ["organization_id", "status", "updated_at", "id"])
    _create_partial_index(
        "ix_manual_checks_business", "manual_checks", ["organization_id", "business_id", "updated_at", "id"], OF_A_RECORD
    )
    for column in ("number", "seen_number"):
        _create_partial_index(f"ix_manual_checks_{column}", "manual_checks", ["organization_id", "jurisdiction", column], SEEN)
    _create_partial_index("ix_manual_checks_renewal", "manual_checks", ["renew_at"], RENEWED)


def _create_partial_index(name: str, table: str, columns: list[str], condition: sa.TextClause, *, unique: bool = False) -> None:
    op.create_index(name, table, columns, unique=unique, sqlite_where=condition, postgresql_where=condition)
