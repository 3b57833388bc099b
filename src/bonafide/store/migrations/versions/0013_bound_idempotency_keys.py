"""What an idempotency key is bound to while its request runs, and what another language of its response needs."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

TABLE = "idempotency_keys"
INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")


def upgrade() -> None:
    op.add_column(TABLE, sa.Column("reserved_until", INSTANT))
    op.add_column(TABLE, sa.Column("resource_id", sa.Uuid()))
    for name in ("model", "messages", "file"):
        op.add_column(TABLE, sa.Column(name, sa.Text()))


def downgrade() -> None:
    for name in ("file", "messages", "model", "resource_id", "reserved_until"):
        op.drop_column(TABLE, name)
