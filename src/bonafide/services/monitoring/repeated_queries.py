"""Send the queries of monitored records that are due: registers that are not loaded, and whatever else is read at an interval.

A query is claimed for a while and sent outside of any transaction. Its answer is compared with the stored state in the transaction
that stores the answer, records the events and plans the next query. So a query that is sent twice, after a kill or by two workers,
reports each change once.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from bonafide.errors import BonafideError, NotFound
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.monitoring.policy import MonitoringKind
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.events.recording import record_events
from bonafide.services.monitoring.entry_rating import rate_entry_changes
from bonafide.services.monitoring.overdue import is_still_overdue
from bonafide.services.monitoring.query_handling import QueryAnswer, QueryFailed, QueryHandler, QueryRequest, StoredQuery
from bonafide.services.monitoring.query_planning import OVERDUE_INTERVALS, RegisterPlanner, list_queues
from bonafide.services.monitoring.registry_queries import query_monitored_register
from bonafide.services.monitoring.website_queries import query_monitored_website
from bonafide.services.records.business_records import find_record, lock_record
from bonafide.store.monitoring import monitored_records, queries
from bonafide.store.monitoring.queries import MonitoredQuery, QueryQueue, QueryResult
from bonafide.store.tenants import organizations

HANDLERS: dict[MonitoringKind, QueryHandler] = {
    MonitoringKind.REGISTRY: query_monitored_register,
    MonitoringKind.WEBSITE: query_monitored_website,
}
"""The handler of each kind of query."""
LEASE = timedelta(minutes=5)
"""How long a query of a killed worker waits. No query takes as long."""
CHECK_EVERY_S = 15.0
"""Between two looks for due queries of a source."""
PLAN_EVERY_S = 60.0
FIRST_RETRY, LONGEST_RETRY = timedelta(minutes=5), timedelta(days=1)
MAX_DOUBLINGS = 10
NOT_WATCHED_RETRY = timedelta(minutes=1)
"""When a query of a record that does not watch its kind any more is looked at again; the record is evaluated before."""
INTERNAL_ERROR = Message("The query failed because of an internal error.")
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class QueryProgress:
    """Queries that were answered, the events of these, and queries that failed."""

    queries: int = 0
    events: int = 0
    failed: int = 0

    def __add__(self, other: "QueryProgress") -> "QueryProgress":
        return QueryProgress(self.queries + other.queries, self.events + other.events, self.failed + other.failed)


async def run_query_loop(runtime: Runtime, worker: str) -> None:
    """Send queries as they are due, until cancelled. Those under way are then released, and sent again."""
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_plan_loop(runtime))
            for world in runtime.generations:
                for queue in list_queues(runtime, world):
                    for _ in range(queue.concurrency):
                        tasks.create_task(_serve_queue(runtime, queue, worker))
    finally:
        with suppress(BonafideError):  # the database is unavailable: the leases expire
            async with runtime.store.write() as connection:
                await queries.release_all(connection, worker)


async def _plan_loop(runtime: Runtime) -> None:
    planner = RegisterPlanner(runtime)
    while True:
        for world in runtime.generations:
            try:
                await planner.plan(world)
            except BonafideError as error:
                _log.warning("database.unavailable", problem=error.message)
        await asyncio.sleep(PLAN_EVERY_S)


async def _serve_queue(runtime: Runtime, queue: QueryQueue, worker: str) -> None:
    while True:
        pause_s = CHECK_EVERY_S
        try:
            if await run_next_query(runtime, queue, worker) is None:
                next_at = await _find_next_turn(runtime, queue)
                if next_at is not None:
                    pause_s = min((next_at - runtime.clock()).total_seconds(), CHECK_EVERY_S)
            else:
                pause_s = 0.0
        except BonafideError as error:
            _log.warning("database.unavailable", problem=error.message)
        await asyncio.sleep(max(pause_s, 0.0))


async def _find_next_turn(runtime: Runtime, queue: QueryQueue) -> datetime | None:
    async with runtime.store.read() as connection:
        return await queries.find_next_turn(connection, queue, runtime.clock())


async def run_due_queries(runtime: Runtime, world: World, worker: str, within: timedelta) -> QueryProgress:
    """Send what is due in a world, in this process, for at most the given time; returns what was done."""
    await RegisterPlanner(runtime).plan(world)
    until = runtime.clock() + within
    done = await asyncio.gather(*(_drain_queue(runtime, queue, worker, until) for queue in list_queues(runtime, world)))
    return sum(done, QueryProgress())


async def _drain_queue(runtime: Runtime, queue: QueryQueue, worker: str, until: datetime) -> QueryProgress:
    done = QueryProgress()
    while True:
        next_at = await _find_next_turn(runtime, queue)
        if next_at is None or next_at > until:
            return done
        await asyncio.sleep(max((next_at - runtime.clock()).total_seconds(), 0.0))
        step = await run_next_query(runtime, queue, worker)
        if step is not None:
            done += step


async def run_next_query(runtime: Runtime, queue: QueryQueue, worker: str) -> QueryProgress | None:
    """Send the query to the source whose turn it is; None if there is none now."""
    next_at = await _find_next_turn(runtime, queue)
    if next_at is None or next_at > runtime.clock():
        return None
    async with runtime.store.write() as connection:
        query = await queries.claim(connection, queue, worker, runtime.clock(), LEASE)
    return await _run_query(runtime, queue, query) if query is not None else None


async def _run_query(runtime: Runtime, queue: QueryQueue, query: MonitoredQuery) -> QueryProgress:
    """Send a claimed query, and store its answer or its failure."""
    try:
        request = await _read_request(runtime, query)
        if request is None:
            await _postpone(runtime, query)
            return QueryProgress()
        with runtime.compute_for(query.organization_id):
            answer = await HANDLERS[query.kind](runtime, request)
        await _delay_turn(runtime, queue, answer.requests, None)
        return QueryProgress(queries=1, events=await _store_answer(runtime, query, answer))
    except QueryFailed as failure:
        return await _store_failure(runtime, queue, query, failure)
    except BonafideError:
        raise
    except Exception:  # noqa: BLE001 - one query must not stop the others; the log has the traceback
        _log.exception("monitored_query.failed", source=query.source, business_id=str(query.business_id))
        return await _store_failure(runtime, queue, query, QueryFailed(INTERNAL_ERROR))


async def _read_request(runtime: Runtime, query: MonitoredQuery) -> QueryRequest | None:
    """What a handler needs; None if the query is not wanted any more, and is removed by the next evaluation of the record."""
    async with runtime.store.read() as connection:
        organization = await organizations.get(connection, query.organization_id)
    if organization is None:
        return None
    try:
        record = await find_record(runtime, organization.id, business_id=query.business_id)
    except NotFound:
        return None
    policy = record.monitoring.apply_to((await read_settings(runtime, organization.id)).monitoring)
    return QueryRequest(organization, query) if policy.watches(query.kind) else None


async def _postpone(runtime: Runtime, query: MonitoredQuery) -> None:
    async with runtime.store.write() as connection:
        await queries.postpone(connection, query, runtime.clock() + NOT_WATCHED_RETRY, None)


async def _delay_turn(runtime: Runtime, queue: QueryQueue, requests: int, pause: timedelta | None) -> None:
    """Count the requests of a query towards the rate of the source; the claim has counted one."""
    if requests <= 1 and pause is None:
        return
    async with runtime.store.write() as connection:
        until = runtime.clock() + pause if pause is not None else None
        await queries.delay_turn(connection, queue, max(requests - 1, 0) * queue.interval, until)


async def _store_answer(runtime: Runtime, query: MonitoredQuery, answer: QueryAnswer) -> int:
    """Store an answer with its events; returns the number of these. Nothing is stored if the query is not held any more."""
    organization_id, business_id = query.organization_id, query.business_id
    settings = await read_settings(runtime, organization_id)
    async with runtime.store.write() as connection:
        try:
            record = await lock_record(connection, organization_id, business_id)
        except NotFound:
            return 0
        row = await monitored_records.get(connection, organization_id, business_id)
        held = await queries.lock_held(connection, query)
        if row is None or held is None:
            return 0
        now, policy = runtime.clock(), record.monitoring.apply_to(settings.monitoring)
        outcome = await answer.store(connection, StoredQuery(organization_id, record, policy, held, now))
        result = QueryResult(
            queried_at=now,
            due_at=now + outcome.interval,
            overdue_at=now + OVERDUE_INTERVALS * outcome.interval,
            problem=outcome.problem,
            has_changed=bool(outcome.events),
            snapshot=outcome.snapshot,
            as_of=outcome.as_of,
        )
        await queries.complete(connection, held, result)
        if row.overdue_since is not None and not await is_still_overdue(connection, organization_id, record, policy, now):
            await monitored_records.set_overdue(connection, organization_id, business_id, None)
        rated = await rate_entry_changes(connection, organization_id, business_id, outcome.events, now)
        events = [*outcome.events, *rated]
        await record_events(connection, organization_id, events, now, policy.min_severity)
    return len(events)


async def _store_failure(runtime: Runtime, queue: QueryQueue, query: MonitoredQuery, failure: QueryFailed) -> QueryProgress:
    _log.warning(
        "monitored_query.failed",
        source=query.source,
        business_id=str(query.business_id),
        problem=failure.problem,
        attempt=query.attempts,
    )
    pause = failure.retry_after if failure.retry_after is not None else _compute_retry_delay(query)
    async with runtime.store.write() as connection:
        await queries.postpone(connection, query, runtime.clock() + pause, failure.problem)
    await _delay_turn(runtime, queue, failure.requests, failure.source_pause)
    return QueryProgress(failed=1)


def _compute_retry_delay(query: MonitoredQuery) -> timedelta:
    return min(FIRST_RETRY * (1 << min(query.attempts, MAX_DOUBLINGS)), LONGEST_RETRY)
