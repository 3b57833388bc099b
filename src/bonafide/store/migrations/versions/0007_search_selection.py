"""What came of match selection, who decided it, where the business is registered; what came of verifications; indexes of lists."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
UNDECIDED = "selection IS NOT NULL AND decided_at IS NULL"
HISTORY = ["organization_id", "searched_at", "id", "archived"]
FOLDED_CHARACTERS = 500
"""PostgreSQL's index entries have at most 2700 bytes; a folded name may have been several times as long as the name."""
# The documents hold these words; of a database without any there is nothing to read.
SELECTION = {
    "sqlite": "json_extract(document, '$.matchSelection.status')",
    "postgresql": "document::json -> 'matchSelection' ->> 'status'",
}
# Of the selected match; without one, of the best while none has been ruled out.
JURISDICTION = {
    "sqlite": """coalesce((
        SELECT json_extract(match.value, '$.jurisdiction') FROM json_each(document, '$.businesses') AS match
        WHERE json_extract(match.value, '$.matchId') = json_extract(document, '$.matchSelection.selectedMatchId') LIMIT 1
    ), CASE WHEN coalesce(selection, 'needs_review') = 'needs_review'
       THEN json_extract(document, '$.businesses[0].jurisdiction') END)""",
    "postgresql": """coalesce((
        SELECT match ->> 'jurisdiction' FROM json_array_elements(
            CASE WHEN json_typeof(document::json -> 'businesses') = 'array' THEN document::json -> 'businesses' ELSE '[]' END
        ) AS match
        WHERE match ->> 'matchId' = document::json -> 'matchSelection' ->> 'selectedMatchId' LIMIT 1
    ), CASE WHEN coalesce(selection, 'needs_review') = 'needs_review'
       THEN document::json -> 'businesses' -> 0 ->> 'jurisdiction' END)""",
}
OUTCOME = {"sqlite": "json_extract(document, '$.results.status')", "postgresql": "document::json -> 'results' ->> 'status'"}


def upgrade() -> None:
    dialect = op.get_bind().dialect.name
    op.add_column("searches", sa.Column("selection", sa.String(32)))
    op.add_column("searches", sa.Column("jurisdiction", sa.String(32)))
    op.add_column("searches", sa.Column("decided_by", sa.Text()))
    op.add_column("searches", sa.Column("decided_at", INSTANT))
    op.add_column("verifications", sa.Column("outcome", sa.String(32)))
    selection, outcome, most = SELECTION[dialect], OUTCOME[dialect], FOLDED_CHARACTERS
    op.execute(f"UPDATE searches SET selection = {selection} WHERE document LIKE '%\"matchSelection\"%'")  # noqa: S608 - our own words
    op.execute(f"UPDATE searches SET jurisdiction = {JURISDICTION[dialect]} WHERE document IS NOT NULL")  # noqa: S608 - our own words
    op.execute(f"UPDATE searches SET folded_query = substr(folded_query, 1, {most}) WHERE length(folded_query) > {most}")  # noqa: S608 - a number
    op.execute(f"UPDATE verifications SET outcome = {outcome} WHERE document IS NOT NULL")  # noqa: S608 - our own words
    op.drop_index("ix_searches_history", "searches")
    op.create_index("ix_searches_history", "searches", [*HISTORY, "status", "selection", "jurisdiction", "folded_query"])
    order = ["archived", "searched_at", "id"]
    _create_partial_index("ix_searches_undecided", ["organization_id", "selection", *order], UNDECIDED)
    _create_partial_index("ix_searches_incomplete", ["organization_id", *order], "errors IS NOT NULL")
    op.create_index("ix_verifications_newest", "verifications", ["organization_id", "created_at", "id"])


def downgrade() -> None:
    op.drop_index("ix_verifications_newest", "verifications")
    for name in ("ix_searches_incomplete", "ix_searches_undecided", "ix_searches_history"):
        op.drop_index(name, "searches")
    op.create_index("ix_searches_history", "searches", HISTORY)
    op.drop_column("verifications", "outcome")
    for name in ("decided_at", "decided_by", "jurisdiction", "selection"):
        op.drop_column("searches", name)


def _create_partial_index(name: str, columns: list[str], where: str) -> None:
    condition = sa.text(where)
    op.create_index(name, "searches", columns, sqlite_where=condition, postgresql_where=condition)
