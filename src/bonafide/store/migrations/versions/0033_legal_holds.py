"""Legal holds on business records, and the position and the record of an erasure."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "legal_holds",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("business_id", sa.Uuid(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("set_at", INSTANT, nullable=False),
        sa.Column("set_by", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "business_id", name="pk_legal_holds"),
        sa.ForeignKeyConstraint(
            ["organization_id", "business_id"], ["businesses.organization_id", "businesses.id"], name="fk_legal_holds_businesses"
        ),
    )
    op.add_column("erasures", sa.Column("events_position", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("erasures", sa.Column("business_id", sa.Uuid()))


def downgrade() -> None:
    op.drop_column("erasures", "business_id")
    op.drop_column("erasures", "events_position")
    op.drop_table("legal_holds")
