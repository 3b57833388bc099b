"""Mail about events: positions in the feeds, the outbox, and whether each member receives it."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
PENDING = sa.text("finished_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "mail_positions",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("alert_position", sa.BigInteger(), nullable=False),
        sa.Column("digest_position", sa.BigInteger(), nullable=False),
        sa.Column("digested_at", INSTANT),
        sa.PrimaryKeyConstraint("organization_id", name="pk_mail_positions"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_mail_positions_organizations"),
    )
    op.create_table(
        "mail_outbox",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("after_sequence", sa.BigInteger(), nullable=False),
        sa.Column("until_sequence", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(32), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("due_at", INSTANT, nullable=False),
        sa.Column("worker", sa.Text()),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("finished_at", INSTANT),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("log", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_mail_outbox"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_mail_outbox_organizations"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_mail_outbox_users"),
    )
    op.create_index(
        "ix_mail_outbox_due", "mail_outbox", ["due_at", "organization_id"], sqlite_where=PENDING, postgresql_where=PENDING
    )
    op.create_index("ix_mail_outbox_created", "mail_outbox", ["organization_id", "created_at"])
    op.create_index("ix_mail_outbox_finished", "mail_outbox", ["finished_at"])
    for column in ("mail_alerts", "mail_digest"):
        op.add_column("memberships", sa.Column(column, sa.Boolean(), nullable=False, server_default=sa.true()))
    # Events that an earlier release recorded are not mailed.
    op.execute(
        "INSERT INTO mail_positions (organization_id, alert_position, digest_position)"
        " SELECT organization_id, sequence, sequence FROM event_heads"
    )


def downgrade() -> None:
    for column in ("mail_digest", "mail_alerts"):
        op.drop_column("memberships", column)
    op.drop_table("mail_outbox")
    op.drop_table("mail_positions")
