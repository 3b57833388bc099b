"""The table of examiner's packs. Their files are in the file storage."""

from sqlalchemy import Column, ForeignKey, Index, PrimaryKeyConstraint, Table, Text, Uuid

from bonafide.model.packs.pack import PackStatus
from bonafide.store.database.columns import MessageText, UtcInstant, create_enum_type, metadata

packs = Table(
    # Like an event, a pack outlives the record that it is about, so its business is no foreign key.
    "packs",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("business_id", Uuid),
    Column("from_at", UtcInstant),
    Column("to_at", UtcInstant),
    Column("status", create_enum_type(PackStatus), nullable=False),
    Column("requested_at", UtcInstant, nullable=False),
    Column("requested_by", Text, nullable=False),
    Column("ready_at", UtcInstant),
    Column("expires_at", UtcInstant),
    # The last attempt to build the pack, in whose folder the files are. NULL before the first.
    Column("build_id", Uuid),
    # When the files of a ready pack are to be deleted. NULL for any other pack.
    Column("purge_at", UtcInstant),
    Column("problem", MessageText),
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "id"),
)
Index("ix_packs_newest", packs.c.organization_id, packs.c.requested_at, packs.c.id)
WITH_FILES = packs.c.purge_at.is_not(None)
"""The condition for packs whose files are to be deleted at some time."""
# The order of deletion, across organizations.
Index("ix_packs_purge", packs.c.purge_at, sqlite_where=WITH_FILES, postgresql_where=WITH_FILES)
