"""Risk rating: versions of rules, the facts of business records, and the scopes to read and change rules."""

from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
IS_IN_PLACE = sa.text("status IN ('active', 'draft')")
SCOPES = ("risk:read", "risk:write")
RESOURCES = ("search", "verify", "businesses", "sanctions", "reports", "webhooks")
EVERY_SCOPE = frozenset({"events:read", *(f"{resource}:{access}" for resource in RESOURCES for access in ("read", "write"))})
"""The scopes before this revision."""


def upgrade() -> None:
    op.create_table(
        "risk_rules",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(32), nullable=False),
        sa.Column("saved_at", INSTANT, nullable=False),
        sa.Column("saved_by", sa.Text(), nullable=False),
        sa.Column("activated_at", INSTANT),
        sa.Column("activated_by", sa.Text()),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "version", name="pk_risk_rules"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_risk_rules_organizations"),
    )
    op.create_index(
        "uq_risk_rules_in_place",
        "risk_rules",
        ["organization_id", "status"],
        unique=True,
        sqlite_where=IS_IN_PLACE,
        postgresql_where=IS_IN_PLACE,
    )
    op.create_table(
        "risk_facts",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("business_id", sa.Uuid(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "business_id", name="pk_risk_facts"),
        sa.ForeignKeyConstraint(
            ["organization_id", "business_id"], ["businesses.organization_id", "businesses.id"], name="fk_risk_facts_businesses"
        ),
    )
    _set_scopes(lambda scopes: [*scopes, *SCOPES] if set(scopes) >= EVERY_SCOPE else scopes)


def downgrade() -> None:
    _set_scopes(lambda scopes: [scope for scope in scopes if scope not in SCOPES])
    op.drop_table("risk_facts")
    op.drop_table("risk_rules")


def _set_scopes(change: Callable[[list[str]], list[str]]) -> None:
    """Change the scopes of every key. A key with every scope keeps every scope."""
    connection = op.get_bind()
    keys = sa.table("api_keys", sa.column("organization_id"), sa.column("id"), sa.column("scopes"))
    for row in connection.execute(sa.select(keys)).all():
        changed = " ".join(change(row.scopes.split()))
        if changed != row.scopes:
            mine = sa.and_(keys.c.organization_id == row.organization_id, keys.c.id == row.id)
            connection.execute(sa.update(keys).where(mine).values(scopes=changed))
