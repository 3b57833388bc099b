"""The tables that machines share: published indexes, leases, counts, throttle states. The others are in `tables`.

They belong to no organization and are not backed up.
"""

from sqlalchemy import (
    DDL,
    BigInteger,
    Boolean,
    Column,
    Double,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    event,
)

from bonafide.model.accounts.organizations import World
from bonafide.store.database.columns import EPHEMERAL, UtcInstant, create_enum_type, metadata

published_generations = Table(
    # The operator's: the published generation of each source, which all machines use.
    "published_generations",
    metadata,
    Column("world", create_enum_type(World), nullable=False),
    Column("source", Text, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("description", String(64), nullable=False),
    Column("previous", String(64)),
    Column("published_at", UtcInstant, nullable=False),
    Column("published_by", Text, nullable=False),
    PrimaryKeyConstraint("world", "source"),
    info={EPHEMERAL: "machines publish again what they have, and what a bucket holds is not in a backup"},
)

leases = Table(
    # The operator's: leases for work that only one process of all machines may do at a time.
    "leases",
    metadata,
    Column("name", Text, nullable=False),
    Column("holder", Text, nullable=False),
    Column("until", UtcInstant, nullable=False),
    PrimaryKeyConstraint("name"),
    info={EPHEMERAL: "nobody builds any more what was being built before a restore"},
)

rate_windows = Table(
    "rate_windows",
    metadata,
    Column("caller", String(64), primary_key=True),
    Column("resets_at", BigInteger, nullable=False),
    Column("used", BigInteger, nullable=False),
    info={EPHEMERAL: "a window lasts a minute"},
)
paces = Table(
    "paces",
    metadata,
    Column("world", create_enum_type(World), nullable=False),
    Column("source", Text, nullable=False),
    Column("free_at", Double, nullable=False),
    Column("rests_until", Double, nullable=False),
    Column("is_silent", Boolean, nullable=False),
    Column("refusals", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    PrimaryKeyConstraint("world", "source"),
    info={EPHEMERAL: "a source's turns are a matter of minutes"},
)
# Written by every request and not worth logging: a crash of the server may empty them.
for _short_lived in (rate_windows, paces):
    _unlogged = DDL("ALTER TABLE %(table)s SET UNLOGGED")  # type: ignore[no-untyped-call]  # SQLAlchemy has not typed it
    event.listen(_short_lived, "after_create", _unlogged.execute_if(dialect="postgresql"))
