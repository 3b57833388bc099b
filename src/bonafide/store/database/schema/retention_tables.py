"""The tables of retention and erasure: legal holds, erasures, the IDs that each has erased, and files to delete.

The others are in `tables`.
"""

from sqlalchemy import BigInteger, Column, ForeignKey, ForeignKeyConstraint, Index, Integer, PrimaryKeyConstraint, Table, Text, Uuid

from bonafide.store.database.columns import UtcInstant, metadata

legal_holds = Table(
    # The business records that are held. The foreign key keeps a record from being deleted while it is.
    "legal_holds",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("business_id", Uuid, nullable=False),
    Column("reason", Text, nullable=False),
    Column("set_at", UtcInstant, nullable=False),
    Column("set_by", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "business_id"),
    ForeignKeyConstraint(["organization_id", "business_id"], ["businesses.organization_id", "businesses.id"]),
)

erasures = Table(
    # Erasures on request. A row that has finished has nothing about what was erased, and is never deleted.
    "erasures",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("requested_at", UtcInstant, nullable=False),
    Column("requested_by", Text, nullable=False),
    # When everything that there was at the time of the request had been erased, and when checks under way then had been.
    Column("erased_at", UtcInstant),
    Column("finished_at", UtcInstant),
    # The number of the last event that was compared with everything the erasure has deleted so far.
    Column("events_position", BigInteger, nullable=False, server_default="0"),
    # The record of an erased check, until the erasure has finished.
    Column("business_id", Uuid),
    PrimaryKeyConstraint("organization_id", "id"),
)

erased_subjects = Table(
    # The IDs of rows that an erasure has deleted, until the erasure has finished.
    "erased_subjects",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("erasure_id", Uuid, nullable=False),
    Column("subject", Uuid, nullable=False),
    PrimaryKeyConstraint("organization_id", "erasure_id", "subject"),
    ForeignKeyConstraint(["organization_id", "erasure_id"], ["erasures.organization_id", "erasures.id"]),
)

file_deletions = Table(
    # Files whose rows have been deleted. A name that ends with a slash stands for all files of a folder.
    "file_deletions",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("due_at", UtcInstant, nullable=False),
    Column("attempts", Integer, nullable=False),
    PrimaryKeyConstraint("organization_id", "name"),
)
Index(None, file_deletions.c.due_at)
