"""Events, and the scope to read them."""

from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
OF_A_RECORD = sa.text("business_id IS NOT NULL")
SCOPE = "events:read"
RESOURCES = ("search", "verify", "businesses", "sanctions", "reports", "webhooks")
EVERY_SCOPE = frozenset(f"{resource}:{access}" for resource in RESOURCES for access in ("read", "write"))
"""The scopes before this revision."""


def upgrade() -> None:
    op.create_table(
        "event_heads",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("occurred_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("organization_id", name="pk_event_heads"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_event_heads_organizations"),
    )
    op.create_table(
        "events",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("type", sa.String(32), nullable=False),
        sa.Column("severity", sa.String(32), nullable=False),
        sa.Column("occurred_at", INSTANT, nullable=False),
        sa.Column("business_id", sa.Uuid()),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "sequence", name="pk_events"),
        sa.UniqueConstraint("organization_id", "id", name="uq_events_organization_id_id"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_events_organizations"),
    )
    op.create_index("ix_events_type", "events", ["organization_id", "type", "sequence"])
    op.create_index("ix_events_time", "events", ["organization_id", "occurred_at", "sequence"])
    op.create_index(
        "ix_events_business",
        "events",
        ["organization_id", "business_id", "sequence"],
        sqlite_where=OF_A_RECORD,
        postgresql_where=OF_A_RECORD,
    )
    _set_scopes(lambda scopes: [*scopes, SCOPE] if set(scopes) >= EVERY_SCOPE else scopes)


def downgrade() -> None:
    _set_scopes(lambda scopes: [scope for scope in scopes if scope != SCOPE])
    op.drop_table("events")
    op.drop_table("event_heads")


def _set_scopes(change: Callable[[list[str]], list[str]]) -> None:
    """Change the scopes of every key. A key with every scope keeps every scope."""
    connection = op.get_bind()
    keys = sa.table("api_keys", sa.column("organization_id"), sa.column("id"), sa.column("scopes"))
    for row in connection.execute(sa.select(keys)).all():
        changed = " ".join(change(row.scopes.split()))
        if changed != row.scopes:
            mine = sa.and_(keys.c.organization_id == row.organization_id, keys.c.id == row.id)
            connection.execute(sa.update(keys).where(mine).values(scopes=changed))
