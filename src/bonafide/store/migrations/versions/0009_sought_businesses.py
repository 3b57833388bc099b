"""What business records are looked for by, and whether they have open discrepancies, beside their documents and in their index."""

import json
import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

FEED = ["organization_id", "updated_at", "id", "is_monitored", "is_archived"]
AT_ONCE = 500
CUTS = {"registrationNumber": 100, "externalId": 150, "name": 250}
"""In this order; PostgreSQL's index entries have at most 2700 bytes."""
LIGATURES = str.maketrans({"œ": "oe", "æ": "ae"})


def upgrade() -> None:
    op.add_column("businesses", sa.Column("sought", sa.Text(), nullable=False, server_default=""))
    op.add_column("businesses", sa.Column("has_discrepancies", sa.Boolean(), nullable=False, server_default=sa.false()))
    _fill(op.get_bind())
    op.drop_index("ix_businesses_feed", "businesses")
    op.create_index("ix_businesses_feed", "businesses", [*FEED, "has_discrepancies", "sought"])


def downgrade() -> None:
    op.drop_index("ix_businesses_feed", "businesses")
    op.create_index("ix_businesses_feed", "businesses", FEED)
    op.drop_column("businesses", "has_discrepancies")
    op.drop_column("businesses", "sought")


def _fill(connection: sa.Connection) -> None:
    table = sa.table("businesses", *map(sa.column, ("organization_id", "id", "document", "sought", "has_discrepancies")))
    mine = sa.and_(table.c.organization_id == sa.bindparam("of"), table.c.id == sa.bindparam("business"))
    filled = sa.update(table).where(mine).values(sought=sa.bindparam("text"), has_discrepancies=sa.bindparam("open"))
    stored = connection.execute(sa.select(table.c.organization_id, table.c.id, table.c.document))
    while rows := stored.fetchmany(AT_ONCE):
        connection.execute(filled, [{"of": row.organization_id, "business": row.id, **_values(row.document)} for row in rows])


def _values(document: str) -> dict[str, object]:
    record = json.loads(document)
    texts = (_folded(record.get(name) or "")[:cut] for name, cut in CUTS.items())
    return {"text": "\n".join(texts), "open": bool(record.get("hasUnresolvedDiscrepancies"))}


def _folded(text: str) -> str:
    unmarked = (character for character in unicodedata.normalize("NFKD", text) if not unicodedata.combining(character))
    return "".join(unmarked).casefold().translate(LIGATURES)
