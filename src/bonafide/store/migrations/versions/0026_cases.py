"""Cases, and the scopes to read and change them.

Cases begin with the events that are recorded from now on. What is open already stays where it is listed today.
"""

from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
UNDECIDED = sa.text("decided_at IS NULL")
OF_A_RECORD = sa.text("business_id IS NOT NULL")
WITH_REMINDER = sa.text("reminder_at IS NOT NULL")
OPEN_ITEM = sa.text("settled_at IS NULL")
READ, WRITE = "cases:read", "cases:write"
SHOWN = ("events", "businesses", "search", "verify", "sanctions")
READS = frozenset(f"{resource}:read" for resource in SHOWN)
NEEDED = {READ: READS, WRITE: READS | {"businesses:write", "sanctions:write"}}
"""The scopes that a key has to have to get the new ones: a case shows what all of them read."""


def upgrade() -> None:
    op.create_table(
        "case_positions",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("last_number", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", name="pk_case_positions"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_case_positions_organizations"),
    )
    op.execute(
        "INSERT INTO case_positions (organization_id, position, last_number) SELECT organization_id, sequence, 0 FROM event_heads"
    )
    _create_cases()
    op.create_table(
        "case_items",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("case_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("status", sa.String(32), nullable=False),
        sa.Column("opened_at", INSTANT, nullable=False),
        sa.Column("settled_at", INSTANT),
        sa.Column("settled_by", sa.Text()),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_case_items"),
        _refer_to_case("case_items"),
    )
    op.create_index("ix_case_items_case", "case_items", ["organization_id", "case_id", "opened_at", "id"])
    op.create_index(
        "uq_case_items_open",
        "case_items",
        ["organization_id", "cause", "case_id"],
        unique=True,
        sqlite_where=OPEN_ITEM,
        postgresql_where=OPEN_ITEM,
    )
    op.create_index(
        "ix_case_items_sequence", "case_items", ["organization_id", "sequence"], sqlite_where=OPEN_ITEM, postgresql_where=OPEN_ITEM
    )
    for name in ("case_notes", "case_attachments", "case_decisions"):
        op.create_table(
            name,
            sa.Column("organization_id", sa.Uuid(), nullable=False),
            sa.Column("id", sa.Uuid(), nullable=False),
            sa.Column("case_id", sa.Uuid(), nullable=False),
            sa.Column("created_at", INSTANT, nullable=False),
            sa.Column("document", sa.Text(), nullable=False),
            sa.PrimaryKeyConstraint("organization_id", "id", name=f"pk_{name}"),
            _refer_to_case(name),
        )
        op.create_index(f"ix_{name}_case", name, ["organization_id", "case_id", "created_at", "id"])
    _set_scopes(lambda scopes: [*scopes, *(new for new, needed in NEEDED.items() if needed <= set(scopes))])


def _create_cases() -> None:
    op.create_table(
        "cases",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("business_id", sa.Uuid()),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("status", sa.String(32), nullable=False),
        sa.Column("outcome", sa.String(32)),
        sa.Column("priority", sa.String(32), nullable=False),
        sa.Column("assignee", sa.Text()),
        sa.Column("opened_at", INSTANT, nullable=False),
        sa.Column("due_at", INSTANT),
        sa.Column("reminder_at", INSTANT),
        sa.Column("decided_at", INSTANT),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.Column("pending_decision_id", sa.Uuid()),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_cases"),
        sa.UniqueConstraint("organization_id", "number", name="uq_cases_organization_id_number"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_cases_organizations"),
    )
    op.create_index(
        "uq_cases_undecided",
        "cases",
        ["organization_id", "subject"],
        unique=True,
        sqlite_where=UNDECIDED,
        postgresql_where=UNDECIDED,
    )
    for name, columns in (
        ("ix_cases_changes", ["organization_id", "updated_at", "id"]),
        ("ix_cases_status", ["organization_id", "status", "updated_at", "id"]),
        ("ix_cases_assignee", ["organization_id", "assignee", "updated_at", "id"]),
    ):
        op.create_index(name, "cases", columns)
    for name, columns, condition in (
        ("ix_cases_business", ["organization_id", "business_id", "updated_at", "id"], OF_A_RECORD),
        ("ix_cases_reminder", ["reminder_at"], WITH_REMINDER),
    ):
        op.create_index(name, "cases", columns, sqlite_where=condition, postgresql_where=condition)


def _refer_to_case(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["organization_id", "case_id"], ["cases.organization_id", "cases.id"], name=f"fk_{table}_cases")


def downgrade() -> None:
    _set_scopes(lambda scopes: [scope for scope in scopes if scope not in NEEDED])
    for table in ("case_decisions", "case_attachments", "case_notes", "case_items", "cases", "case_positions"):
        op.drop_table(table)


def _set_scopes(change: Callable[[list[str]], list[str]]) -> None:
    """Change the scopes of every key."""
    connection = op.get_bind()
    keys = sa.table("api_keys", sa.column("organization_id"), sa.column("id"), sa.column("scopes"))
    for row in connection.execute(sa.select(keys)).all():
        changed = " ".join(change(row.scopes.split()))
        if changed != row.scopes:
            mine = sa.and_(keys.c.organization_id == row.organization_id, keys.c.id == row.id)
            connection.execute(sa.update(keys).where(mine).values(scopes=changed))
