"""What each claimant says about the owners of a business."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "ownership_statements",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("business_id", sa.Uuid(), nullable=False),
        sa.Column("claimed_by", sa.String(32), nullable=False),
        sa.Column("recorded_at", INSTANT, nullable=False),
        sa.Column("recorded_by", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "business_id", "claimed_by", name="pk_ownership_statements"),
        sa.ForeignKeyConstraint(
            ["organization_id", "business_id"],
            ["businesses.organization_id", "businesses.id"],
            name="fk_ownership_statements_businesses",
        ),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_ownership_statements_organizations"),
    )


def downgrade() -> None:
    op.drop_table("ownership_statements")
