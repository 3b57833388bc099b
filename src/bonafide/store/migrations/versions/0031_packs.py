"""Examiner's packs, and an index of business reports by time."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
WITH_FILES = sa.text("purge_at IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "packs",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("business_id", sa.Uuid()),
        sa.Column("from_at", INSTANT),
        sa.Column("to_at", INSTANT),
        sa.Column("status", sa.String(32), nullable=False),
        sa.Column("requested_at", INSTANT, nullable=False),
        sa.Column("requested_by", sa.Text(), nullable=False),
        sa.Column("ready_at", INSTANT),
        sa.Column("expires_at", INSTANT),
        sa.Column("build_id", sa.Uuid()),
        sa.Column("purge_at", INSTANT),
        sa.Column("problem", sa.Text()),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_packs"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_packs_organizations"),
    )
    op.create_index("ix_packs_newest", "packs", ["organization_id", "requested_at", "id"])
    op.create_index("ix_packs_purge", "packs", ["purge_at"], sqlite_where=WITH_FILES, postgresql_where=WITH_FILES)
    op.create_index("ix_extracts_time", "extracts", ["organization_id", "obtained_at", "id"])


def downgrade() -> None:
    op.drop_index("ix_extracts_time", "extracts")
    op.drop_table("packs")
