"""The queue of cases: its order, the names by which cases are found, and the earlier items about a fact."""

import json

import sqlalchemy as sa
from alembic import op

from bonafide.store.records.searches import fold_text

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

AT_ONCE = 500
IS_UNDECIDED = sa.text("decided_at IS NULL")


def upgrade() -> None:
    op.add_column("cases", sa.Column("folded_name", sa.Text(), nullable=False, server_default=""))
    _fold_names(op.get_bind())
    op.create_index(
        "ix_cases_queue",
        "cases",
        ["organization_id", "due_at", "number"],
        sqlite_where=IS_UNDECIDED,
        postgresql_where=IS_UNDECIDED,
    )
    op.create_index("ix_cases_due", "cases", ["organization_id", "due_at", "number"])
    op.create_index("ix_case_items_cause", "case_items", ["organization_id", "cause"])


def downgrade() -> None:
    op.drop_index("ix_case_items_cause", table_name="case_items")
    op.drop_index("ix_cases_due", table_name="cases")
    op.drop_index("ix_cases_queue", table_name="cases")
    op.drop_column("cases", "folded_name")


def _fold_names(connection: sa.Connection) -> None:
    # The names have to be folded as this release folds what is searched for, so this is its code and not a copy of it.
    cases = sa.table("cases", *map(sa.column, ("organization_id", "id", "document", "folded_name")))
    mine = (cases.c.organization_id == sa.bindparam("organization"), cases.c.id == sa.bindparam("case"))
    fold = sa.update(cases).where(*mine).values(folded_name=sa.bindparam("folded"))
    rows = connection.execute(sa.select(cases.c.organization_id, cases.c.id, cases.c.document)).all()
    for begin in range(0, len(rows), AT_ONCE):
        folded = [
            {"organization": row.organization_id, "case": row.id, "folded": fold_text(json.loads(row.document).get("name") or "")}
            for row in rows[begin : begin + AT_ONCE]
        ]
        connection.execute(fold, folded)
