"""The tables of monitoring. The other tables of organizations are in `tables`."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    Uuid,
)

from bonafide.model.accounts.organizations import World
from bonafide.model.monitoring.policy import MonitoringKind
from bonafide.store.database.columns import EPHEMERAL, MessageText, UtcInstant, create_enum_type, metadata

GENERATION_CHARACTERS = 16

monitored_records = Table(
    # The business records that are monitored, what of them is watched, and when each was last evaluated by itself.
    "monitored_records",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("business_id", Uuid, nullable=False),
    Column("watched_at", UtcInstant, nullable=False),
    Column("evaluated_at", UtcInstant),
    Column("verified_at", UtcInstant),
    Column("own_due_at", UtcInstant),
    Column("overdue_since", UtcInstant),
    Column("screening_id", Uuid),
    Column("parties", Text),
    Column("evaluation", Text),
    PrimaryKeyConstraint("organization_id", "business_id"),
)
Index("ix_monitored_records_evaluated", monitored_records.c.organization_id, monitored_records.c.evaluated_at)
NEVER_EVALUATED = monitored_records.c.evaluated_at.is_(None)
"""The condition for records without any evaluation, which the operator's metrics count."""
Index(
    "ix_monitored_records_never",
    monitored_records.c.organization_id,
    sqlite_where=NEVER_EVALUATED,
    postgresql_where=NEVER_EVALUATED,
)
Index("ix_monitored_records_overdue", monitored_records.c.organization_id, monitored_records.c.overdue_since)

_OF_A_RECORD = (
    ["organization_id", "business_id"],
    ["monitored_records.organization_id", "monitored_records.business_id"],
)

monitored_hits = Table(
    # The listed parties that the last evaluation of a record hit, by the hashes of their IDs.
    "monitored_hits",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("business_id", Uuid, nullable=False),
    Column("source", Text, nullable=False),
    Column("entry_hash", BigInteger, nullable=False),
    PrimaryKeyConstraint("organization_id", "business_id", "source", "entry_hash"),
    ForeignKeyConstraint(*_OF_A_RECORD),
)

monitored_entries = Table(
    # The entries of registers and regulators that are linked to a record, as they were last compared.
    "monitored_entries",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("business_id", Uuid, nullable=False),
    Column("source", Text, nullable=False),
    Column("number", Text, nullable=False),
    Column("content_hash", BigInteger),
    Column("snapshot", Text),
    Column("as_of", Date),
    Column("compared_at", UtcInstant),
    PrimaryKeyConstraint("organization_id", "business_id", "source", "number"),
    ForeignKeyConstraint(*_OF_A_RECORD),
)
Index("ix_monitored_entries_source", monitored_entries.c.organization_id, monitored_entries.c.source)

monitoring_gaps = Table(
    # Sources against which a record could not be evaluated, and why.
    "monitoring_gaps",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("business_id", Uuid, nullable=False),
    Column("source", Text, nullable=False),
    Column("since", UtcInstant, nullable=False),
    Column("reason", MessageText, nullable=False),
    PrimaryKeyConstraint("organization_id", "business_id", "source"),
    ForeignKeyConstraint(*_OF_A_RECORD),
)
Index("ix_monitoring_gaps_source", monitoring_gaps.c.source)

monitoring_runs = Table(
    # The operator's: evaluations of all records of a world against a load of a source. One evaluation may concern several sources.
    "monitoring_runs",
    metadata,
    Column("world", create_enum_type(World), nullable=False),
    Column("source", Text, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("id", Uuid, nullable=False),
    Column("generation", String(GENERATION_CHARACTERS), nullable=False),
    Column("loaded_at", UtcInstant, nullable=False),
    Column("retrieved_at", UtcInstant, nullable=False),
    Column("as_of", Date),
    Column("started_at", UtcInstant, nullable=False),
    Column("finished_at", UtcInstant),
    Column("changes", Integer, nullable=False),
    Column("hashes", LargeBinary),
    PrimaryKeyConstraint("world", "source", "number"),
)
Index("ix_monitoring_runs_id", monitoring_runs.c.id)

monitoring_chunks = Table(
    # The parts of a run that are yet to be matched: the records with IDs after the first one, up to the last one.
    "monitoring_chunks",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("run_id", Uuid, nullable=False),
    Column("number", Integer, nullable=False),
    Column("after_id", Uuid),
    Column("last_id", Uuid),
    PrimaryKeyConstraint("organization_id", "run_id", "number"),
)

monitoring_targets = Table(
    # The records that are yet to be evaluated, and the run that selected each; the null UUID for a change of the record itself.
    "monitoring_targets",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("business_id", Uuid, nullable=False),
    Column("run_id", Uuid, nullable=False),
    Column("queued_at", UtcInstant, nullable=False),
    Column("due_at", UtcInstant, nullable=False),
    Column("attempts", Integer, nullable=False),
    PrimaryKeyConstraint("organization_id", "business_id", "run_id"),
    ForeignKeyConstraint(*_OF_A_RECORD),
)
Index("ix_monitoring_targets_due", monitoring_targets.c.organization_id, monitoring_targets.c.due_at)
Index("ix_monitoring_targets_run", monitoring_targets.c.run_id)

monitored_queries = Table(
    # Queries of monitored records that are repeated at an interval, such as those of registers that are not loaded.
    "monitored_queries",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("business_id", Uuid, nullable=False),
    Column("kind", create_enum_type(MonitoringKind), nullable=False),
    Column("source", Text, nullable=False),
    Column("target", Text, nullable=False),
    Column("planned_at", UtcInstant, nullable=False),
    Column("due_at", UtcInstant, nullable=False),
    Column("overdue_at", UtcInstant, nullable=False),
    Column("queried_at", UtcInstant),
    Column("attempts", Integer, nullable=False),
    Column("leased_until", UtcInstant),
    Column("worker", Text),
    Column("problem", MessageText),
    Column("has_changed", Boolean, nullable=False),
    Column("snapshot", Text),
    Column("as_of", Date),
    PrimaryKeyConstraint("organization_id", "business_id", "source", "target"),
    ForeignKeyConstraint(*_OF_A_RECORD),
)
Index(
    "ix_monitored_queries_turn",
    monitored_queries.c.organization_id,
    monitored_queries.c.source,
    monitored_queries.c.due_at,
    monitored_queries.c.business_id,
)
Index("ix_monitored_queries_overdue", monitored_queries.c.organization_id, monitored_queries.c.overdue_at)
Index("ix_monitored_queries_due", monitored_queries.c.due_at)
Index("ix_monitored_queries_late", monitored_queries.c.overdue_at)
Index("ix_monitored_queries_results", monitored_queries.c.source, monitored_queries.c.queried_at)
IS_CLAIMED = monitored_queries.c.worker.is_not(None)
Index("ix_monitored_queries_worker", monitored_queries.c.worker, sqlite_where=IS_CLAIMED, postgresql_where=IS_CLAIMED)

monitoring_turns = Table(
    # The operator's: when monitoring may next send a query to a source, and the organization that had the last turn.
    "monitoring_turns",
    metadata,
    Column("world", create_enum_type(World), nullable=False),
    Column("source", Text, nullable=False),
    Column("next_at", UtcInstant, nullable=False),
    Column("last_organization_id", Uuid),
    PrimaryKeyConstraint("world", "source"),
    info={EPHEMERAL: "a restored installation may query every source at once, beginning with any organization"},
)
