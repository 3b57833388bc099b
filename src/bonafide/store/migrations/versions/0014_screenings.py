"""Stored screenings."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
OF_A_BUSINESS = sa.text("business_id IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "screenings",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("folded_query", sa.Text(), nullable=False),
        sa.Column("outcome", sa.String(32), nullable=False),
        sa.Column("open_hits", sa.Integer(), nullable=False),
        sa.Column("subjects", sa.Integer(), nullable=False),
        sa.Column("screened_at", INSTANT, nullable=False),
        sa.Column("screened_by", sa.Text(), nullable=False),
        sa.Column("business_id", sa.Uuid()),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("messages", sa.Text()),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_screenings"),
        sa.ForeignKeyConstraint(
            ["organization_id", "business_id"],
            ["businesses.organization_id", "businesses.id"],
            name="fk_screenings_businesses",
        ),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_screenings_organizations"),
    )
    op.create_index(
        "ix_screenings_history",
        "screenings",
        ["organization_id", "screened_at", "id", "outcome", "folded_query"],
    )
    op.create_index(
        "ix_screenings_business",
        "screenings",
        ["organization_id", "business_id", "screened_at", "id"],
        sqlite_where=OF_A_BUSINESS,
        postgresql_where=OF_A_BUSINESS,
    )


def downgrade() -> None:
    op.drop_table("screenings")
