"""What nodes share for a short while, where they have no Valkey: requests of each caller, and turns of live sources."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rate_windows",
        sa.Column("caller", sa.String(64), nullable=False),
        sa.Column("resets_at", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("caller", name="pk_rate_windows"),
    )
    op.create_table(
        "paces",
        sa.Column("world", sa.String(32), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("free_at", sa.Double(), nullable=False),
        sa.Column("rests_until", sa.Double(), nullable=False),
        sa.Column("is_silent", sa.Boolean(), nullable=False),
        sa.Column("refusals", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("world", "source", name="pk_paces"),
    )
    if op.get_bind().dialect.name == "postgresql":
        for table in ("rate_windows", "paces"):
            op.execute(f"ALTER TABLE {table} SET UNLOGGED")


def downgrade() -> None:
    op.drop_table("paces")
    op.drop_table("rate_windows")
