"""Saved views, actions on many records, time zones of people, and what lists are filtered by."""

import json
import unicodedata
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
AT_ONCE = 500
WITH_OPEN_HITS = "open_hits > 0"
SHOWN = ["archived", "status", "selection", "jurisdiction"]
FEED = ["organization_id", "updated_at", "id", "is_monitored", "is_archived", "has_discrepancies"]
VERIFICATIONS, DISMISSALS = ["organization_id", "created_at", "id"], ["organization_id", "dismissed_at", "id"]
# The documents hold these words; of a database without any there is nothing to read.
OPEN_HITS = {
    "sqlite": "json_extract(document, '$.sanctions.openHits')",
    "postgresql": "(document::json -> 'sanctions' ->> 'openHits')::integer",
}
NAME_CUT, NUMBER_CUT = 250, 100
"""PostgreSQL's index entries have at most 2700 bytes."""
LIGATURES = str.maketrans({"œ": "oe", "æ": "ae"})


def upgrade() -> None:
    op.add_column("users", sa.Column("time_zone", sa.Text()))
    _create_views_and_actions()
    _add_open_hits()
    _add_columns("verifications", requested_by="", jurisdiction=None, search_text="")
    _fill("verifications", "request", _read_verification)
    _replace_index(
        "ix_verifications_newest",
        "verifications",
        [*VERIFICATIONS, "state", "outcome", "jurisdiction", "requested_by", "search_text"],
    )
    _add_columns("dismissals", dismissed_by="", search_text="")
    _fill("dismissals", "document", _read_dismissal)
    _replace_index(
        "ix_dismissals_newest", "dismissals", [*DISMISSALS, "revoked_at", "ends_at", "source", "dismissed_by", "search_text"]
    )
    _add_columns("businesses", jurisdiction=None, verification_status=None)
    _fill("businesses", "document", _read_business)
    _replace_index("ix_businesses_feed", "businesses", [*FEED, "jurisdiction", "verification_status", "sought"])
    op.create_index("ix_screenings_person", "screenings", ["organization_id", "screened_by", "screened_at", "id"])
    _create_waiting_indexes()


def downgrade() -> None:
    op.drop_index("ix_case_items_waiting", "case_items")
    op.drop_index("ix_cases_undecided", "cases")
    op.drop_index("ix_screenings_person", "screenings")
    _replace_index("ix_businesses_feed", "businesses", [*FEED, "sought"])
    _replace_index("ix_dismissals_newest", "dismissals", DISMISSALS)
    _replace_index("ix_verifications_newest", "verifications", VERIFICATIONS)
    for name in ("ix_searches_open_hits", "ix_searches_person"):
        op.drop_index(name, "searches")
    dropped = {
        "businesses": ("verification_status", "jurisdiction"),
        "dismissals": ("search_text", "dismissed_by"),
        "verifications": ("search_text", "jurisdiction", "requested_by"),
        "searches": ("hit_keys", "open_hits"),
        "users": ("time_zone",),
    }
    for table, columns in dropped.items():
        for column in columns:
            op.drop_column(table, column)
    for table in ("bulk_items", "bulk_actions", "saved_views"):
        op.drop_table(table)


def _create_views_and_actions() -> None:
    op.create_table(
        "saved_views",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("list", sa.String(32), nullable=False),
        sa.Column("user_id", sa.Uuid()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("is_default", sa.Boolean(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_saved_views"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_saved_views_organizations"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_saved_views_users"),
    )
    op.create_index("ix_saved_views_organization_id_list", "saved_views", ["organization_id", "list"])
    op.create_table(
        "bulk_actions",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("requested_by", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text()),
        sa.Column("language", sa.String(32), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("finished_at", INSTANT),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_bulk_actions"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_bulk_actions_organizations"),
    )
    op.create_index("ix_bulk_actions_finished_at", "bulk_actions", ["finished_at"])
    op.create_table(
        "bulk_items",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("action_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("business_id", sa.Uuid(), nullable=False),
        sa.Column("status", sa.String(32), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("result_id", sa.Uuid()),
        sa.PrimaryKeyConstraint("organization_id", "action_id", "position", name="pk_bulk_items"),
        sa.ForeignKeyConstraint(
            ["organization_id", "action_id"], ["bulk_actions.organization_id", "bulk_actions.id"], name="fk_bulk_items_bulk_actions"
        ),
    )


def _add_open_hits() -> None:
    op.add_column("searches", sa.Column("open_hits", sa.Integer()))
    op.add_column("searches", sa.Column("hit_keys", sa.Text()))
    counted = OPEN_HITS[op.get_bind().dialect.name]
    # Documents without a screening lack the word, so they are not parsed.
    op.execute(f"UPDATE searches SET open_hits = {counted} WHERE document LIKE '%\"openHits\"%'")  # noqa: S608 - our own words
    condition = sa.text(WITH_OPEN_HITS)
    op.create_index(
        "ix_searches_open_hits",
        "searches",
        ["organization_id", "searched_at", "id", *SHOWN, "open_hits"],
        sqlite_where=condition,
        postgresql_where=condition,
    )
    op.create_index("ix_searches_person", "searches", ["organization_id", "searched_by", "searched_at", "id", *SHOWN])


def _create_waiting_indexes() -> None:
    """Indexes of the cases that have not ended and of their open items, for the overview and the counts of the navigation."""
    undecided, waiting = sa.text("decided_at IS NULL"), sa.text("settled_at IS NULL")
    columns = ["organization_id", "assignee", "opened_at", "due_at", "status", "decided_at"]
    op.create_index("ix_cases_undecided", "cases", columns, sqlite_where=undecided, postgresql_where=undecided)
    columns = ["organization_id", "case_id", "kind", "settled_at"]
    op.create_index("ix_case_items_waiting", "case_items", columns, sqlite_where=waiting, postgresql_where=waiting)


def _add_columns(table: str, **columns: str | None) -> None:
    """Text columns, nullable unless they have a default."""
    for name, default in columns.items():
        kind = sa.String(32) if default is None else sa.Text()
        op.add_column(table, sa.Column(name, kind, nullable=default is None, server_default=default))


def _replace_index(name: str, table: str, columns: list[str]) -> None:
    op.drop_index(name, table)
    op.create_index(name, table, columns)


def _fill(table_name: str, source: str, read: Callable[[dict[str, Any]], dict[str, object]]) -> None:
    """Set the new columns of every row to what `read` returns of its JSON in the column `source`."""
    connection = op.get_bind()
    names = list(read({}))
    table = sa.table(table_name, *map(sa.column, ("organization_id", "id", source, *names)))
    mine = sa.and_(table.c.organization_id == sa.bindparam("of"), table.c.id == sa.bindparam("row"))
    filled = sa.update(table).where(mine).values({name: sa.bindparam(f"new_{name}") for name in names})
    order = (table.c.organization_id, table.c.id)
    batch = sa.select(*order, table.c[source]).order_by(*order).limit(AT_ONCE)
    rows = connection.execute(batch).all()
    while rows:
        connection.execute(filled, [{"of": row.organization_id, "row": row.id, **_name_new(read(_parse(row[2])))} for row in rows])
        last = sa.tuple_(sa.literal(rows[-1].organization_id), sa.literal(rows[-1].id))
        rows = connection.execute(batch.where(sa.tuple_(*order) > last)).all()


def _name_new(values: dict[str, object]) -> dict[str, object]:
    return {f"new_{name}": value for name, value in values.items()}


def _parse(text: str) -> dict[str, Any]:
    # The messages of a document are in a second line.
    document: dict[str, Any] = json.loads(text.partition("\n")[0])
    return document


def _read_verification(request: dict[str, Any]) -> dict[str, object]:
    subject = request.get("subject") or {}
    name, number = subject.get("legalName") or "", subject.get("registrationNumber") or ""
    return {
        "requested_by": (request.get("askedBy") or {}).get("identity") or "",
        "jurisdiction": subject.get("jurisdiction"),
        "search_text": f"{_fold(number)[:NUMBER_CUT]}\n{_fold(name)[:NAME_CUT]}",
    }


def _read_dismissal(record: dict[str, Any]) -> dict[str, object]:
    names = ((record.get(part) or {}).get("name") or "" for part in ("subject", "hit"))
    return {
        "dismissed_by": record.get("dismissedBy") or "",
        "search_text": "\n".join(_fold(name)[:NAME_CUT] for name in names),
    }


def _read_business(record: dict[str, Any]) -> dict[str, object]:
    return {"jurisdiction": record.get("jurisdiction"), "verification_status": record.get("verificationStatus") or "unverified"}


def _fold(text: str) -> str:
    unmarked = (character for character in unicodedata.normalize("NFKD", text) if not unicodedata.combining(character))
    return "".join(unmarked).casefold().translate(LIGATURES)
