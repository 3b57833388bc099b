"""Retention and erasure: the business of a check, erased entries of audit logs, erasures, files to delete, and orders by age."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
OF_A_RECORD = sa.text("business_id IS NOT NULL")
IS_DECIDED = sa.text("decided_at IS NOT NULL")
CHECKS = ("searches", "verifications")
ORDERS = (
    ("ix_business_documents_age", "business_documents", ["organization_id", "uploaded_at", "id"]),
    ("ix_case_attachments_age", "case_attachments", ["organization_id", "created_at", "id"]),
    ("ix_webhook_deliveries_event", "webhook_deliveries", ["organization_id", "sequence"]),
)


def upgrade() -> None:
    for table in CHECKS:
        op.add_column(table, sa.Column("business_id", sa.Uuid()))
        _set_business(table)
        op.create_index(
            f"ix_{table}_business",
            table,
            ["organization_id", "business_id"],
            sqlite_where=OF_A_RECORD,
            postgresql_where=OF_A_RECORD,
        )
    op.add_column("audit_entries", sa.Column("erased", sa.Boolean(), nullable=False, server_default=sa.false()))
    for name, table, columns in ORDERS:
        op.create_index(name, table, columns)
    op.create_index(
        "ix_cases_decided", "cases", ["organization_id", "decided_at", "id"], sqlite_where=IS_DECIDED, postgresql_where=IS_DECIDED
    )
    op.create_table(
        "erasures",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("requested_at", INSTANT, nullable=False),
        sa.Column("requested_by", sa.Text(), nullable=False),
        sa.Column("erased_at", INSTANT),
        sa.Column("finished_at", INSTANT),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_erasures"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_erasures_organizations"),
    )
    op.create_table(
        "erased_subjects",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("erasure_id", sa.Uuid(), nullable=False),
        sa.Column("subject", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "erasure_id", "subject", name="pk_erased_subjects"),
        sa.ForeignKeyConstraint(
            ["organization_id", "erasure_id"], ["erasures.organization_id", "erasures.id"], name="fk_erased_subjects_erasures"
        ),
    )
    op.create_table(
        "file_deletions",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("due_at", INSTANT, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "name", name="pk_file_deletions"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_file_deletions_organizations"),
    )
    op.create_index("ix_file_deletions_due_at", "file_deletions", ["due_at"])


def downgrade() -> None:
    for table in ("file_deletions", "erased_subjects", "erasures"):
        op.drop_table(table)
    op.drop_index("ix_cases_decided", table_name="cases")
    for name, table, _columns in ORDERS:
        op.drop_index(name, table_name=table)
    op.drop_column("audit_entries", "erased")
    for table in CHECKS:
        op.drop_index(f"ix_{table}_business", table_name=table)
        op.drop_column(table, "business_id")


def _set_business(table: str) -> None:
    """Copy the business of each check from its request."""
    if op.get_bind().dialect.name == "postgresql":
        named = "request::json ->> 'businessId'"
        value = f"({named})::uuid"
    else:
        named = "json_extract(request, '$.businessId')"
        # The form in which SQLAlchemy stores a UUID.
        value = f"replace({named}, '-', '')"
    op.execute(sa.text(f"UPDATE {table} SET business_id = {value} WHERE {named} IS NOT NULL"))  # noqa: S608 - constants
