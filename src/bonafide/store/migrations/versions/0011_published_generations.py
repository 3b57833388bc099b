"""Which generation of each source all machines are to use, and who builds one."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "published_generations",
        sa.Column("world", sa.String(32), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("description", sa.String(64), nullable=False),
        sa.Column("previous", sa.String(64)),
        sa.Column("published_at", INSTANT, nullable=False),
        sa.Column("published_by", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("world", "source", name="pk_published_generations"),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("until", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_leases"),
    )


def downgrade() -> None:
    op.drop_table("leases")
    op.drop_table("published_generations")
