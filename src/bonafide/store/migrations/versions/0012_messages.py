"""Beside each document, what is needed to write its messages in another language."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

TABLES = ("searches", "extracts", "verifications")


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column("messages", sa.Text()))


def downgrade() -> None:
    for table in TABLES:
        op.drop_column(table, "messages")
