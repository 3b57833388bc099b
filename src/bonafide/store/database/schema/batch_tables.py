"""The tables of batches. Their rows and results are in the file storage."""

from sqlalchemy import Column, ForeignKey, ForeignKeyConstraint, Index, Integer, PrimaryKeyConstraint, Table, Text, Uuid

from bonafide.model.batches.batch import BatchFormat, BatchKind, BatchStatus
from bonafide.store.database.columns import MessageText, UtcInstant, create_enum_type, metadata

batches = Table(
    "batches",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("kind", create_enum_type(BatchKind), nullable=False),
    Column("format", create_enum_type(BatchFormat), nullable=False),
    Column("status", create_enum_type(BatchStatus), nullable=False),
    Column("created_at", UtcInstant, nullable=False),
    Column("created_by", Text, nullable=False),
    # Counts how often the batch was started or resumed. The jobs of an earlier count do nothing.
    Column("epoch", Integer, nullable=False),
    # NULL until the file has been divided into partitions.
    Column("rows", Integer),
    Column("partitions", Integer),
    Column("partitions_done", Integer, nullable=False),
    # The last partition that has got a job since the batch was last started or resumed; NULL before.
    Column("last_enqueued", Integer),
    Column("done", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("started_at", UtcInstant),
    # When it was last started or resumed, for its rate.
    Column("resumed_at", UtcInstant),
    Column("finished_at", UtcInstant),
    # When the files of a batch that has ended are to be deleted. NULL for any other batch.
    Column("purge_at", UtcInstant),
    Column("problem", MessageText),
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "id"),
)
Index("ix_batches_newest", batches.c.organization_id, batches.c.created_at, batches.c.id)
WITH_BATCH_FILES = batches.c.purge_at.is_not(None)
"""The condition for batches whose files are to be deleted at some time."""
Index("ix_batches_purge", batches.c.purge_at, sqlite_where=WITH_BATCH_FILES, postgresql_where=WITH_BATCH_FILES)

batch_partitions = Table(
    "batch_partitions",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("batch_id", Uuid, nullable=False),
    Column("number", Integer, nullable=False),
    Column("rows", Integer, nullable=False),
    # The attempt whose results count. NULL until the partition is done.
    Column("attempt", Uuid),
    Column("failed", Integer),
    Column("finished_at", UtcInstant),
    PrimaryKeyConstraint("organization_id", "batch_id", "number"),
    ForeignKeyConstraint(["organization_id", "batch_id"], ["batches.organization_id", "batches.id"]),
)
