"""Extracts of registers, and the operator's acceptances of sources' terms."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "extracts",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("jurisdiction", sa.String(32), nullable=False),
        sa.Column("number", sa.Text(), nullable=False),
        sa.Column("obtained_at", INSTANT, nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_extracts"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_extracts_organizations"),
    )
    op.create_index("ix_extracts_newest", "extracts", ["organization_id", "jurisdiction", "number", "obtained_at"])
    op.create_table(
        "terms_acceptances",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("accepted_by", sa.Text(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("recorded_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("source", "version", name="pk_terms_acceptances"),
    )


def downgrade() -> None:
    op.drop_table("terms_acceptances")
    op.drop_table("extracts")
