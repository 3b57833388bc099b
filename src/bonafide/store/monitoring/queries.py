"""Queries of monitored records that are repeated at an interval: what is due, whose turn it is, and the result of the last one.

A worker claims a query for a while. If it neither completes nor postpones the query in time, another worker claims it. Results name
the worker: those of a worker whose lease has ended are not stored.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, func, insert, literal, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.monitoring.policy import MonitoringKind
from bonafide.store.database.rows import build_insert, count_rows, from_row, to_columns, to_value
from bonafide.store.database.schema.monitoring_tables import (
    monitored_entries,
    monitored_queries,
    monitored_records,
    monitoring_turns,
)
from bonafide.store.database.tables import organizations
from bonafide.store.monitoring.monitored_records import list_range_conditions

_KEY = ["organization_id", "business_id", "source", "target"]
_queries = monitored_queries.c


@dataclass(frozen=True, slots=True)
class PlannedQuery:
    """A query to repeat: its kind, the source it is sent to, and what it is about. It is first due at once.

    It is overdue if it has not succeeded by `overdue_at`.
    """

    kind: MonitoringKind
    source: str
    target: str
    overdue_at: datetime


@dataclass(frozen=True, slots=True)
class MonitoredQuery:
    """A query of a monitored record.

    `queried_at` is when it last succeeded, None before the first time, and `has_changed` whether something had changed then.
    `attempts` counts the failures since, and `problem` is the reason for the last one. `snapshot` is text and never parsed.
    """

    organization_id: UUID
    business_id: UUID
    kind: MonitoringKind
    source: str
    target: str
    planned_at: datetime
    due_at: datetime
    overdue_at: datetime
    queried_at: datetime | None
    attempts: int
    leased_until: datetime | None
    worker: str | None
    problem: Message | None
    has_changed: bool
    snapshot: str | None
    as_of: date | None


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The result of a successful query, and when to repeat it. `problem` is the reason why it could not be compared."""

    queried_at: datetime
    due_at: datetime
    overdue_at: datetime
    problem: Message | None
    has_changed: bool
    snapshot: str | None
    as_of: date | None


@dataclass(frozen=True, slots=True)
class QueryCounts:
    """The queries of an organization to one source, by their state. `oldest` is the oldest of the last successes.

    `unevaluated` counts those whose last answer could not be compared, that have failed or have not been sent yet, and `failing`
    those that have failed.
    """

    source: str
    kind: MonitoringKind
    queries: int
    unevaluated: int
    failing: int
    overdue: int
    due: int
    oldest: datetime | None


# ------------------------------------------------------------------------------------------------------------ planning


async def plan(
    connection: AsyncConnection, organization_id: UUID, business_id: UUID, planned: Collection[PlannedQuery], now: datetime
) -> None:
    """Add those of the planned queries that are new, due at once, and remove all other queries of the record."""
    wanted = {(query.source, query.target): query for query in planned}
    known = {(row.source, row.target) for row in await list_of_record(connection, organization_id, business_id)}
    mine = _is_record(organization_id, business_id)
    for source, target in sorted(known - wanted.keys()):
        await connection.execute(delete(monitored_queries).where(mine, _queries.source == source, _queries.target == target))
    new = [_build_row(organization_id, business_id, wanted[key], now) for key in sorted(wanted.keys() - known)]
    if new:
        await connection.execute(insert(monitored_queries), new)


def _build_row(organization_id: UUID, business_id: UUID, query: PlannedQuery, now: datetime) -> dict[str, Any]:
    return {
        "organization_id": organization_id,
        "business_id": business_id,
        "kind": query.kind,
        "source": query.source,
        "target": query.target,
        "planned_at": now,
        "due_at": now,
        "overdue_at": query.overdue_at,
        "attempts": 0,
        "has_changed": False,
    }


@dataclass(frozen=True, slots=True)
class RegisterPlan:
    """The registers that can be queried, and when new queries are planned and overdue."""

    sources: frozenset[str]
    now: datetime
    overdue_at: datetime


async def plan_unloaded(
    connection: AsyncConnection, organization_id: UUID, plan: RegisterPlan, after: UUID | None, limit: int
) -> UUID | None:
    """Plan the queries of the next records about entries that are not loaded, and remove those to registers that can't be queried.

    For registers that can be queried now and could not be before, or the other way round. Returns the ID of the last of these
    records, None if there are no others after them.
    """
    last = await _find_last(connection, organization_id, after, limit)
    sources = sorted(plan.sources)
    is_other = and_(_queries.kind == MonitoringKind.REGISTRY, _queries.source.not_in(sources))
    await connection.execute(
        delete(monitored_queries).where(*list_range_conditions(monitored_queries, organization_id, after, last), is_other)
    )
    instant = literal(plan.now, _queries.due_at.type)
    entries = monitored_entries.c
    unloaded = select(
        entries.organization_id,
        entries.business_id,
        literal(MonitoringKind.REGISTRY, _queries.kind.type),
        entries.source,
        entries.number,
        instant,
        instant,
        literal(plan.overdue_at, _queries.overdue_at.type),
        literal(0),
        literal(value=False),
    ).where(
        *list_range_conditions(monitored_entries, organization_id, after, last),
        entries.source.in_(sources),
        entries.content_hash.is_(None),
    )
    columns = ["organization_id", "business_id", "kind", "source", "target", "planned_at", "due_at", "overdue_at"]
    new = build_insert(connection, monitored_queries).from_select([*columns, "attempts", "has_changed"], unloaded)
    await connection.execute(new.on_conflict_do_nothing(index_elements=_KEY))
    return last


async def _find_last(connection: AsyncConnection, organization_id: UUID, after: UUID | None, limit: int) -> UUID | None:
    """The ID of the last of the next monitored records; None if there are fewer."""
    table = monitored_records
    listed = (
        select(table.c.business_id).where(*list_range_conditions(table, organization_id, after, None)).order_by(table.c.business_id)
    )
    found: UUID | None = (await connection.execute(listed.offset(limit - 1).limit(1))).scalar_one_or_none()
    return found


# ------------------------------------------------------------------------------------------------------------- running


@dataclass(frozen=True, slots=True)
class QueryQueue:
    """The queries to one source of a world, the time between two of them, and how many a worker sends at once."""

    world: World
    source: str
    interval: timedelta
    concurrency: int = 1


async def find_next_turn(connection: AsyncConnection, queue: QueryQueue, now: datetime) -> datetime | None:
    """When a query to the source that is due can be claimed; None if none is due. A cheap read that saves writes in vain."""
    if (await connection.execute(_select_organizations(queue, now).limit(1))).one_or_none() is None:
        return None
    turn = select(monitoring_turns.c.next_at).where(_is_turn(queue))
    next_at: datetime | None = (await connection.execute(turn)).scalar_one_or_none()
    return max(next_at, now) if next_at is not None else now


async def claim(
    connection: AsyncConnection, queue: QueryQueue, worker: str, now: datetime, lease: timedelta
) -> MonitoredQuery | None:
    """Claim the query that has been due longest, of the organization whose turn it is; None if there is none now.

    The organizations take turns in the order of their IDs. The source may be queried again after the interval, by any worker.
    """
    turns = monitoring_turns
    first = build_insert(connection, turns).values(world=queue.world, source=queue.source, next_at=now)
    await connection.execute(first.on_conflict_do_nothing(index_elements=["world", "source"]))
    is_mine = _is_turn(queue)
    turn = (await connection.execute(select(turns).where(is_mine).with_for_update())).one()
    if turn.next_at > now:
        return None
    organization_id = await _find_next_organization(connection, queue, now, turn.last_organization_id)
    if organization_id is None:
        return None
    oldest = (
        select(_queries.business_id, _queries.target)
        .where(_queries.organization_id == organization_id, _is_free(queue.source, now))
        .order_by(_queries.due_at, _queries.business_id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    found = (await connection.execute(oldest)).one_or_none()
    if found is None:
        return None
    mine = _is_query(organization_id, found.business_id, queue.source, found.target)
    held = update(monitored_queries).where(mine).values(worker=worker, leased_until=now + lease).returning(monitored_queries)
    claimed = (await connection.execute(held)).one()
    moved = update(turns).where(is_mine).values(next_at=now + queue.interval, last_organization_id=organization_id)
    await connection.execute(moved)
    return to_value(MonitoredQuery, claimed)


async def _find_next_organization(connection: AsyncConnection, queue: QueryQueue, now: datetime, last: UUID | None) -> UUID | None:
    """The organization with a free query whose ID follows the last one's, or else the first one."""
    ordered = _select_organizations(queue, now).order_by(organizations.c.id).limit(1)
    if last is not None:
        following: UUID | None = (await connection.execute(ordered.where(organizations.c.id > last))).scalar_one_or_none()
        if following is not None:
            return following
    found: UUID | None = (await connection.execute(ordered)).scalar_one_or_none()
    return found


def _select_organizations(queue: QueryQueue, now: datetime) -> Any:
    free = select(_queries.business_id).where(_queries.organization_id == organizations.c.id, _is_free(queue.source, now))
    return select(organizations.c.id).where(organizations.c.world == queue.world, free.exists())


def _is_turn(queue: QueryQueue) -> ColumnElement[bool]:
    return and_(monitoring_turns.c.world == queue.world, monitoring_turns.c.source == queue.source)


async def delay_turn(connection: AsyncConnection, queue: QueryQueue, by: timedelta, until: datetime | None) -> None:
    """Send the next query to a source that much later than planned, and not before an instant."""
    turns, is_mine = monitoring_turns, _is_turn(queue)
    current = select(turns.c.next_at).where(is_mine).with_for_update()
    planned: datetime | None = (await connection.execute(current)).scalar_one_or_none()
    if planned is not None:
        later = planned + by
        await connection.execute(update(turns).where(is_mine).values(next_at=max(later, until) if until is not None else later))


async def lock_held(connection: AsyncConnection, query: MonitoredQuery) -> MonitoredQuery | None:
    """The claimed query as it is now, locked; None if it has been removed, or claimed by another worker."""
    row = (await connection.execute(select(monitored_queries).where(_is_held(query)).with_for_update())).one_or_none()
    return from_row(MonitoredQuery, row)


async def complete(connection: AsyncConnection, query: MonitoredQuery, result: QueryResult) -> None:
    """Store the result of a claimed query and release it. The caller has checked with `lock_held` that it is claimed."""
    await connection.execute(_release(query).values(**to_columns(result), attempts=0))


async def postpone(connection: AsyncConnection, query: MonitoredQuery, due_at: datetime, problem: Message | None) -> bool:
    """Release a claimed query that had no result, and repeat it later; False if it is not held any more.

    With a problem it has failed. Without one it was not sent, and the problem of the last attempt stays.
    """
    values: dict[str, Any] = {"due_at": due_at}
    if problem is not None:
        values |= {"problem": problem, "attempts": query.attempts + 1}
    return (await connection.execute(_release(query).values(**values))).rowcount == 1


async def release_all(connection: AsyncConnection, worker: str) -> None:
    """Release what a worker that stops has claimed."""
    await connection.execute(update(monitored_queries).where(_queries.worker == worker).values(worker=None, leased_until=None))


def _release(query: MonitoredQuery) -> Any:
    return update(monitored_queries).where(_is_held(query)).values(worker=None, leased_until=None)


# ------------------------------------------------------------------------------------------------------------- reading


async def list_of_record(connection: AsyncConnection, organization_id: UUID, business_id: UUID) -> list[MonitoredQuery]:
    """The queries of a record."""
    listed = select(monitored_queries).where(_is_record(organization_id, business_id)).order_by(_queries.source, _queries.target)
    return [to_value(MonitoredQuery, row) for row in await connection.execute(listed)]


async def count_by_source(connection: AsyncConnection, organization_id: UUID, now: datetime) -> list[QueryCounts]:
    """The queries of the organization by source."""
    counted = (
        select(
            _queries.source,
            _queries.kind,
            func.count().label("queries"),
            func.count().filter(or_(_queries.problem.is_not(None), _queries.queried_at.is_(None))).label("unevaluated"),
            func.count().filter(_queries.attempts > 0).label("failing"),
            func.count().filter(_queries.overdue_at <= now).label("overdue"),
            func.count().filter(_queries.due_at <= now).label("due"),
            func.min(_queries.queried_at).label("oldest"),
        )
        .where(_queries.organization_id == organization_id)
        .group_by(_queries.source, _queries.kind)
        .order_by(_queries.source)
    )
    return [to_value(QueryCounts, row) for row in await connection.execute(counted)]


@dataclass(frozen=True, slots=True)
class QueueLength:
    """The queries of all organizations: those that are due, and those that are overdue."""

    due: int
    overdue: int


async def count_queue(connection: AsyncConnection, now: datetime) -> QueueLength:
    """Count the queries of all organizations, for the operator."""
    due = await count_rows(connection, monitored_queries, _queries.due_at <= now)
    return QueueLength(due, await count_rows(connection, monitored_queries, _queries.overdue_at <= now))


async def list_recent_results(connection: AsyncConnection, query: MonitoredQuery, since: datetime, limit: int) -> list[bool]:
    """Whether each of the latest results about other targets had no problem: of the query's source, in its world."""
    world = select(organizations.c.world).where(organizations.c.id == query.organization_id).scalar_subquery()
    listed = (
        select(_queries.problem.is_(None))
        .join(organizations, and_(organizations.c.id == _queries.organization_id, organizations.c.world == world))
        .where(_queries.source == query.source, _queries.queried_at >= since, _queries.target != query.target)
        .order_by(_queries.queried_at.desc())
        .limit(limit)
    )
    return [bool(one) for one in (await connection.execute(listed)).scalars()]


async def list_overdue_records(connection: AsyncConnection, organization_id: UUID, now: datetime, limit: int) -> list[UUID]:
    """Records with an overdue query that are not reported as overdue."""
    of_record = and_(
        monitored_records.c.organization_id == _queries.organization_id,
        monitored_records.c.business_id == _queries.business_id,
        monitored_records.c.overdue_since.is_(None),
    )
    overdue = (
        select(_queries.business_id)
        .join(monitored_records, of_record)
        .where(_queries.organization_id == organization_id, _queries.overdue_at <= now)
        .distinct()
    )
    return list((await connection.execute(overdue.limit(limit))).scalars())


async def find_overdue(
    connection: AsyncConnection, organization_id: UUID, business_id: UUID, now: datetime
) -> MonitoredQuery | None:
    """The query of the record that has been overdue longest; None if there is none."""
    overdue = select(monitored_queries).where(_is_record(organization_id, business_id), _queries.overdue_at <= now)
    row = (await connection.execute(overdue.order_by(_queries.overdue_at).limit(1))).one_or_none()
    return from_row(MonitoredQuery, row)


def _is_free(source: str, now: datetime) -> ColumnElement[bool]:
    is_unclaimed = or_(_queries.leased_until.is_(None), _queries.leased_until <= now)
    return and_(_queries.source == source, _queries.due_at <= now, is_unclaimed)


def _is_record(organization_id: UUID, business_id: UUID) -> ColumnElement[bool]:
    return and_(_queries.organization_id == organization_id, _queries.business_id == business_id)


def _is_query(organization_id: UUID, business_id: UUID, source: str, target: str) -> ColumnElement[bool]:
    return and_(_is_record(organization_id, business_id), _queries.source == source, _queries.target == target)


def _is_held(query: MonitoredQuery) -> ColumnElement[bool]:
    mine = _is_query(query.organization_id, query.business_id, query.source, query.target)
    return and_(mine, _queries.worker == query.worker, _queries.leased_until == query.leased_until)
