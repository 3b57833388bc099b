"""The monitored records of an organization: what is watched of each, what its last evaluation found, and what is missing.

Parties, evaluations and snapshots are text and never parsed. A record has a row as long as it is monitored. Writers of one record
hold the organization's audit head.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Table, and_, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.store.database.rows import build_insert, from_row, to_columns, to_value
from bonafide.store.database.schema.monitoring_tables import (
    NEVER_EVALUATED,
    monitored_entries,
    monitored_hits,
    monitored_queries,
    monitored_records,
    monitoring_gaps,
    monitoring_targets,
)
from bonafide.store.database.tables import businesses, organizations

_OWNED = (monitoring_targets, monitoring_gaps, monitored_hits, monitored_entries, monitored_queries)


@dataclass(frozen=True, slots=True)
class MonitoredRecord:
    """A monitored record. `evaluated_at` is when it was last evaluated by itself, None before the first time.

    `watched_at` is when something that is watched of it last changed, `verified_at` when it was last verified (or else created),
    `own_due_at` when its verification is due by its own limit, `overdue_since` when it was reported as overdue, and `screening_id`
    the screening of its last evaluation.
    """

    business_id: UUID
    watched_at: datetime
    evaluated_at: datetime | None
    verified_at: datetime | None
    own_due_at: datetime | None
    overdue_since: datetime | None
    screening_id: UUID | None
    parties: str | None
    evaluation: str | None


@dataclass(frozen=True, slots=True)
class VerificationDate:
    """When a record was last verified, or else created, and when its verification is due by a limit of its own, if it has one."""

    verified_at: datetime
    own_due_at: datetime | None


@dataclass(frozen=True, slots=True)
class StoredEvaluation:
    """The outcome of an evaluation of a record."""

    evaluated_at: datetime
    verified_at: datetime
    own_due_at: datetime | None
    overdue_since: datetime | None
    screening_id: UUID | None
    parties: str | None
    evaluation: str


@dataclass(frozen=True, slots=True)
class MonitoringGap:
    """A source against which a record could not be evaluated, since when and why."""

    source: str
    since: datetime
    reason: Message


@dataclass(frozen=True, slots=True)
class MonitoredEntry:
    """An entry that is linked to a record. Without a snapshot it has not been compared, or the source has no such entry."""

    source: str
    number: str
    content_hash: int | None
    snapshot: str | None
    as_of: date | None
    compared_at: datetime | None


async def watch(
    connection: AsyncConnection,
    organization_id: UUID,
    business_id: UUID,
    watched_at: datetime,
    verified: VerificationDate,
) -> None:
    """Monitor the record from now on, or note that something that is watched of it has changed."""
    values = {"watched_at": watched_at, **to_columns(verified)}
    new = build_insert(connection, monitored_records).values(organization_id=organization_id, business_id=business_id, **values)
    await connection.execute(new.on_conflict_do_update(index_elements=["organization_id", "business_id"], set_=values))


async def set_verified(connection: AsyncConnection, organization_id: UUID, business_id: UUID, verified: VerificationDate) -> None:
    """Note the record's latest verification. When it is overdue again, it is reported again."""
    values = {**to_columns(verified), "overdue_since": None}
    await connection.execute(update(monitored_records).where(_is_record(organization_id, business_id)).values(**values))


async def unwatch(connection: AsyncConnection, organization_id: UUID, business_id: UUID) -> None:
    """Stop monitoring the record."""
    for table in (*_OWNED, monitored_records):
        await connection.execute(delete(table).where(_is_record(organization_id, business_id, table)))


async def mark_changed(connection: AsyncConnection, organization_id: UUID, business_id: UUID, now: datetime) -> bool:
    """Note that something that is watched of the record has changed; False if it is not monitored."""
    changed = update(monitored_records).where(_is_record(organization_id, business_id)).values(watched_at=now)
    return (await connection.execute(changed)).rowcount == 1


async def get(connection: AsyncConnection, organization_id: UUID, business_id: UUID) -> MonitoredRecord | None:
    """The monitored record; None if the record is not monitored."""
    row = (await connection.execute(select(monitored_records).where(_is_record(organization_id, business_id)))).one_or_none()
    return from_row(MonitoredRecord, row)


async def put_evaluation(connection: AsyncConnection, organization_id: UUID, business_id: UUID, found: StoredEvaluation) -> None:
    """Store what an evaluation of the record has found."""
    mine = _is_record(organization_id, business_id)
    await connection.execute(update(monitored_records).where(mine).values(**to_columns(found)))


async def set_overdue(connection: AsyncConnection, organization_id: UUID, business_id: UUID, since: datetime | None) -> None:
    """Note since when the evaluation of a record is overdue; None if it is not."""
    await connection.execute(update(monitored_records).where(_is_record(organization_id, business_id)).values(overdue_since=since))


async def list_parties(
    connection: AsyncConnection, organization_id: UUID, after: UUID | None, last: UUID | None
) -> list[tuple[UUID, str]]:
    """The parties of the evaluated records with IDs after the first one, up to the last one."""
    table = monitored_records
    conditions = [*list_range_conditions(table, organization_id, after, last), table.c.parties.is_not(None)]
    listed = select(table.c.business_id, table.c.parties).where(*conditions).order_by(table.c.business_id)
    return [(row.business_id, row.parties) for row in await connection.execute(listed)]


async def list_hits(
    connection: AsyncConnection, organization_id: UUID, after: UUID | None, last: UUID | None, sources: Collection[str]
) -> list[tuple[UUID, str, int]]:
    """The hits of these records: the record, the list, and the hash of the listed party's ID."""
    table = monitored_hits
    conditions = [*list_range_conditions(table, organization_id, after, last), table.c.source.in_(sorted(sources))]
    listed = select(table.c.business_id, table.c.source, table.c.entry_hash).where(*conditions)
    return [(row.business_id, row.source, row.entry_hash) for row in await connection.execute(listed)]


async def replace_hits(
    connection: AsyncConnection, organization_id: UUID, business_id: UUID, hits: Collection[tuple[str, int]]
) -> None:
    """Store the listed parties that an evaluation hit, in place of those of the one before it."""
    await connection.execute(delete(monitored_hits).where(_is_record(organization_id, business_id, monitored_hits)))
    if hits:
        mine = {"organization_id": organization_id, "business_id": business_id}
        rows = [{**mine, "source": source, "entry_hash": entry_hash} for source, entry_hash in sorted(hits)]
        await connection.execute(insert(monitored_hits), rows)


async def replace_gaps(
    connection: AsyncConnection, organization_id: UUID, business_id: UUID, gaps: Collection[MonitoringGap]
) -> None:
    """Store the sources against which a record could not be evaluated. A gap that was known keeps its beginning."""
    known = {gap.source: gap.since for gap in await list_gaps(connection, organization_id, business_id)}
    await connection.execute(delete(monitoring_gaps).where(_is_record(organization_id, business_id, monitoring_gaps)))
    mine = {"organization_id": organization_id, "business_id": business_id}
    rows = [
        {**mine, "source": gap.source, "since": known.get(gap.source, gap.since), "reason": gap.reason}
        for gap in sorted(gaps, key=lambda gap: gap.source)
    ]
    if rows:
        await connection.execute(insert(monitoring_gaps), rows)


async def list_gaps(connection: AsyncConnection, organization_id: UUID, business_id: UUID) -> list[MonitoringGap]:
    """The sources against which the record could not be evaluated."""
    mine = select(monitoring_gaps).where(_is_record(organization_id, business_id, monitoring_gaps))
    return [to_value(MonitoringGap, row) for row in await connection.execute(mine.order_by(monitoring_gaps.c.source))]


async def list_records_with_gap(
    connection: AsyncConnection, organization_id: UUID, after: UUID | None, last: UUID | None, sources: Collection[str]
) -> list[UUID]:
    """Those of these records that could not be evaluated against one of the sources."""
    conditions = [
        *list_range_conditions(monitoring_gaps, organization_id, after, last),
        monitoring_gaps.c.source.in_(sorted(sources)),
    ]
    found = await connection.execute(select(monitoring_gaps.c.business_id).where(*conditions).distinct())
    return list(found.scalars())


async def is_any_gap(connection: AsyncConnection, sources: Collection[str]) -> bool:
    """Whether a record of any organization could not be evaluated against one of the sources."""
    found = select(monitoring_gaps.c.source).where(monitoring_gaps.c.source.in_(sorted(sources))).limit(1)
    return (await connection.execute(found)).one_or_none() is not None


async def count_gaps(connection: AsyncConnection, organization_id: UUID) -> dict[str, int]:
    """The number of records that could not be evaluated against each source."""
    table = monitoring_gaps
    counted = select(table.c.source, func.count().label("records")).where(table.c.organization_id == organization_id)
    return {row.source: row.records for row in await connection.execute(counted.group_by(table.c.source))}


async def list_entries(connection: AsyncConnection, organization_id: UUID, business_id: UUID) -> list[MonitoredEntry]:
    """The entries that are linked to the record."""
    mine = select(monitored_entries).where(_is_record(organization_id, business_id, monitored_entries))
    ordered = mine.order_by(monitored_entries.c.source, monitored_entries.c.number)
    return [to_value(MonitoredEntry, row) for row in await connection.execute(ordered)]


async def list_entries_of_source(
    connection: AsyncConnection, organization_id: UUID, after: UUID | None, last: UUID | None, source: str
) -> list[tuple[UUID, str, int | None]]:
    """The entries of these records in a source: the record, the number, and the hash of the content as it was last compared."""
    table = monitored_entries
    conditions = [*list_range_conditions(table, organization_id, after, last), table.c.source == source]
    listed = select(table.c.business_id, table.c.number, table.c.content_hash).where(*conditions)
    return [(row.business_id, row.number, row.content_hash) for row in await connection.execute(listed)]


async def replace_entries(
    connection: AsyncConnection, organization_id: UUID, business_id: UUID, entries: Sequence[MonitoredEntry]
) -> None:
    """Store the entries that are linked to a record."""
    await connection.execute(delete(monitored_entries).where(_is_record(organization_id, business_id, monitored_entries)))
    mine = {"organization_id": organization_id, "business_id": business_id}
    if entries:
        await connection.execute(insert(monitored_entries), [{**mine, **to_columns(entry)} for entry in entries])


async def put_entry(connection: AsyncConnection, organization_id: UUID, business_id: UUID, entry: MonitoredEntry) -> None:
    """Store one entry that is linked to a record."""
    values = to_columns(entry)
    new = build_insert(connection, monitored_entries).values(organization_id=organization_id, business_id=business_id, **values)
    key = ["organization_id", "business_id", "source", "number"]
    await connection.execute(new.on_conflict_do_update(index_elements=key, set_=values))


@dataclass(frozen=True, slots=True)
class RecordCounts:
    """The monitored records of an organization: all, those never evaluated, those overdue, and the oldest evaluation."""

    records: int
    never_evaluated: int
    overdue: int
    oldest: datetime | None


async def count_records(connection: AsyncConnection, organization_id: UUID) -> RecordCounts:
    """Count the monitored records of an organization."""
    table = monitored_records
    mine = table.c.organization_id == organization_id
    overdue = and_(table.c.overdue_since.is_not(None), table.c.evaluated_at.is_not(None))
    counted = select(
        func.count(),
        func.count().filter(table.c.evaluated_at.is_(None)),
        func.count().filter(overdue),
        func.min(table.c.evaluated_at),
    ).where(mine)
    return RecordCounts(*(await connection.execute(counted)).one())


async def count_never_evaluated(connection: AsyncConnection) -> int:
    """The number of monitored records of all organizations that have never been evaluated, for the operator."""
    counted = select(func.count()).select_from(monitored_records).where(NEVER_EVALUATED)
    return (await connection.execute(counted)).scalar_one()


async def list_never_evaluated(connection: AsyncConnection, organization_id: UUID, limit: int) -> list[str]:
    """The documents of monitored records that have never been evaluated, those first that have waited longest."""
    table = monitored_records
    is_same = and_(businesses.c.organization_id == table.c.organization_id, businesses.c.id == table.c.business_id)
    listed = (
        select(businesses.c.document)
        .join(table, is_same)
        .where(table.c.organization_id == organization_id, NEVER_EVALUATED)
        .order_by(table.c.watched_at, table.c.business_id)
        .limit(limit)
    )
    return list((await connection.execute(listed)).scalars())


async def list_unverified(
    connection: AsyncConnection, organization_id: UUID, now: datetime, before: datetime | None, limit: int
) -> list[UUID]:
    """Records that are not reported as overdue, and were verified before an instant or are due by their own limit."""
    table = monitored_records
    is_old = table.c.own_due_at <= now
    if before is not None:
        is_old = or_(is_old, and_(table.c.own_due_at.is_(None), func.coalesce(table.c.verified_at, table.c.watched_at) <= before))
    mine = and_(table.c.organization_id == organization_id, table.c.overdue_since.is_(None), is_old)
    return list((await connection.execute(select(table.c.business_id).where(mine).limit(limit))).scalars())


async def list_organizations(connection: AsyncConnection, world: World | None = None) -> list[UUID]:
    """The organizations that monitor a record, of one world or of all, for the operator."""
    monitored = select(monitored_records.c.business_id).where(monitored_records.c.organization_id == organizations.c.id).exists()
    conditions = [monitored, *([organizations.c.world == world] if world is not None else [])]
    return list((await connection.execute(select(organizations.c.id).where(*conditions))).scalars())


def _is_record(organization_id: UUID, business_id: UUID, table: Table = monitored_records) -> ColumnElement[bool]:
    return and_(table.c.organization_id == organization_id, table.c.business_id == business_id)


def list_range_conditions(table: Table, organization_id: UUID, after: UUID | None, last: UUID | None) -> list[ColumnElement[bool]]:
    """The conditions for rows of the organization's records with IDs after the first one, up to the last one."""
    conditions: list[ColumnElement[bool]] = [table.c.organization_id == organization_id]
    if after is not None:
        conditions.append(table.c.business_id > after)
    if last is not None:
        conditions.append(table.c.business_id <= last)
    return conditions
