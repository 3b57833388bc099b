"""Monitoring of business records. Records that are marked as monitored are queued for their first evaluation."""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")
OWN = ["organization_id", "business_id"]
RECORD = ["monitored_records.organization_id", "monitored_records.business_id"]
NO_RUN = "00000000000000000000000000000000"


def _owned(name: str, *others: sa.Column[object], key: list[str]) -> None:
    """Create a table whose rows belong to a monitored record."""
    op.create_table(
        name,
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("business_id", sa.Uuid(), nullable=False),
        *others,
        sa.PrimaryKeyConstraint(*OWN, *key, name=f"pk_{name}"),
        sa.ForeignKeyConstraint(OWN, RECORD, name=f"fk_{name}_monitored_records"),
    )


def upgrade() -> None:
    op.create_table(
        "monitored_records",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("business_id", sa.Uuid(), nullable=False),
        sa.Column("watched_at", INSTANT, nullable=False),
        sa.Column("evaluated_at", INSTANT),
        sa.Column("verified_at", INSTANT),
        sa.Column("own_due_at", INSTANT),
        sa.Column("overdue_since", INSTANT),
        sa.Column("screening_id", sa.Uuid()),
        sa.Column("parties", sa.Text()),
        sa.Column("evaluation", sa.Text()),
        sa.PrimaryKeyConstraint(*OWN, name="pk_monitored_records"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_monitored_records_organizations"),
    )
    op.create_index("ix_monitored_records_evaluated", "monitored_records", ["organization_id", "evaluated_at"])
    op.create_index(
        "ix_monitored_records_never",
        "monitored_records",
        ["organization_id"],
        sqlite_where=sa.text("evaluated_at IS NULL"),
        postgresql_where=sa.text("evaluated_at IS NULL"),
    )
    op.create_index("ix_monitored_records_overdue", "monitored_records", ["organization_id", "overdue_since"])
    _owned(
        "monitored_hits",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("entry_hash", sa.BigInteger(), nullable=False),
        key=["source", "entry_hash"],
    )
    _owned(
        "monitored_entries",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("number", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.BigInteger()),
        sa.Column("snapshot", sa.Text()),
        sa.Column("as_of", sa.Date()),
        sa.Column("compared_at", INSTANT),
        key=["source", "number"],
    )
    op.create_index("ix_monitored_entries_source", "monitored_entries", ["organization_id", "source"])
    _owned(
        "monitoring_gaps",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("since", INSTANT, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        key=["source"],
    )
    op.create_index("ix_monitoring_gaps_source", "monitoring_gaps", ["source"])
    op.create_table(
        "monitoring_runs",
        sa.Column("world", sa.String(32), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("generation", sa.String(16), nullable=False),
        sa.Column("loaded_at", INSTANT, nullable=False),
        sa.Column("retrieved_at", INSTANT, nullable=False),
        sa.Column("as_of", sa.Date()),
        sa.Column("started_at", INSTANT, nullable=False),
        sa.Column("finished_at", INSTANT),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.Column("hashes", sa.LargeBinary()),
        sa.PrimaryKeyConstraint("world", "source", "number", name="pk_monitoring_runs"),
    )
    op.create_index("ix_monitoring_runs_id", "monitoring_runs", ["id"])
    op.create_table(
        "monitoring_chunks",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("after_id", sa.Uuid()),
        sa.Column("last_id", sa.Uuid()),
        sa.PrimaryKeyConstraint("organization_id", "run_id", "number", name="pk_monitoring_chunks"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_monitoring_chunks_organizations"),
    )
    _owned(
        "monitoring_targets",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("queued_at", INSTANT, nullable=False),
        sa.Column("due_at", INSTANT, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        key=["run_id"],
    )
    op.create_index("ix_monitoring_targets_due", "monitoring_targets", ["organization_id", "due_at"])
    op.create_index("ix_monitoring_targets_run", "monitoring_targets", ["run_id"])
    _watch_monitored_records()


def _watch_monitored_records() -> None:
    """Queue the records that are monitored already. Their verification is read when they are evaluated."""
    connection = op.get_bind()
    watched = "SELECT organization_id, id, updated_at FROM businesses WHERE is_monitored AND NOT is_archived"
    connection.execute(sa.text(f"INSERT INTO monitored_records (organization_id, business_id, watched_at) {watched}"))
    run = f"CAST('{NO_RUN}' AS uuid)" if connection.dialect.name == "postgresql" else f"'{NO_RUN}'"
    now = datetime.now(UTC)
    instant = now.isoformat(timespec="microseconds").replace("+00:00", "Z") if connection.dialect.name == "sqlite" else now
    queued = f"SELECT organization_id, business_id, {run}, :now, :now, 0 FROM monitored_records"  # noqa: S608 - constants
    columns = "organization_id, business_id, run_id, queued_at, due_at, attempts"
    insert = sa.text(f"INSERT INTO monitoring_targets ({columns}) {queued}")
    connection.execute(insert.bindparams(sa.bindparam("now", instant, type_=INSTANT)))


def downgrade() -> None:
    for name in ("targets", "chunks", "runs", "gaps"):
        op.drop_table(f"monitoring_{name}")
    for name in ("entries", "hits", "records"):
        op.drop_table(f"monitored_{name}")
