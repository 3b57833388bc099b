"""Batches and their partitions, and the scopes to read and write them."""

from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
WITH_FILES = sa.text("purge_at IS NOT NULL")
READ, WRITE = "batches:read", "batches:write"
CHECKS = frozenset({"search:write", "verify:write", "sanctions:write"})
RESULTS = frozenset({"search:read", "verify:read", "sanctions:read"})
"""A batch does what these scopes allow, for many rows."""


def upgrade() -> None:
    op.create_table(
        "batches",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("format", sa.String(32), nullable=False),
        sa.Column("status", sa.String(32), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("rows", sa.Integer()),
        sa.Column("partitions", sa.Integer()),
        sa.Column("partitions_done", sa.Integer(), nullable=False),
        sa.Column("last_enqueued", sa.Integer()),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("started_at", INSTANT),
        sa.Column("resumed_at", INSTANT),
        sa.Column("finished_at", INSTANT),
        sa.Column("purge_at", INSTANT),
        sa.Column("problem", sa.Text()),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_batches"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_batches_organizations"),
    )
    op.create_index("ix_batches_newest", "batches", ["organization_id", "created_at", "id"])
    op.create_index("ix_batches_purge", "batches", ["purge_at"], sqlite_where=WITH_FILES, postgresql_where=WITH_FILES)
    op.create_table(
        "batch_partitions",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("batch_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Uuid()),
        sa.Column("failed", sa.Integer()),
        sa.Column("finished_at", INSTANT),
        sa.PrimaryKeyConstraint("organization_id", "batch_id", "number", name="pk_batch_partitions"),
        sa.ForeignKeyConstraint(
            ["organization_id", "batch_id"], ["batches.organization_id", "batches.id"], name="fk_batch_partitions_batches"
        ),
    )
    _set_scopes(_add_scopes)


def downgrade() -> None:
    _set_scopes(lambda scopes: [scope for scope in scopes if scope not in {READ, WRITE}])
    op.drop_table("batch_partitions")
    op.drop_table("batches")


def _add_scopes(scopes: list[str]) -> list[str]:
    """A key that may do all checks may do batches of them, and one that may read all results may read those of batches."""
    read = [READ] if set(scopes) >= RESULTS else []
    write = [WRITE] if set(scopes) >= CHECKS else []
    return [*scopes, *read, *write]


def _set_scopes(change: Callable[[list[str]], list[str]]) -> None:
    connection = op.get_bind()
    keys = sa.table("api_keys", sa.column("organization_id"), sa.column("id"), sa.column("scopes"))
    for row in connection.execute(sa.select(keys)).all():
        changed = " ".join(change(row.scopes.split()))
        if changed != row.scopes:
            mine = sa.and_(keys.c.organization_id == row.organization_id, keys.c.id == row.id)
            connection.execute(sa.update(keys).where(mine).values(scopes=changed))
