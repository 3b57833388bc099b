"""Which queries are repeated for a monitored record, and how often each source may receive one."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from uuid import UUID

from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.monitoring.policy import MonitoringKind, MonitoringPolicy
from bonafide.model.records.business_record import BusinessRecord
from bonafide.runtime import Runtime
from bonafide.services.lookup.live_query import find_live_query_blocker
from bonafide.settings import Settings
from bonafide.sources.framework.discovery import Source
from bonafide.store.monitoring import monitored_records, queries
from bonafide.store.monitoring.queries import PlannedQuery, QueryQueue, RegisterPlan
from bonafide.store.tenants.audit_log import lock_head

WEBSITE_SOURCE = "website"
"""In place of the source of queries of websites."""
WEBSITES_AT_ONCE = 4
"""Websites that a worker reads at once."""
RECORDS_OF_A_STEP = 500
"""Records that are planned in one transaction, which must be short."""
OVERDUE_INTERVALS = 2
"""A query is overdue when it has not succeeded for this many intervals."""


def get_register_interval(settings: Settings) -> timedelta:
    """The time between two queries about one entry of a register."""
    return timedelta(days=settings.monitored_register_interval_days)


def find_query_blocker(runtime: Runtime, world: World, source: Source) -> Message | None:
    """Why a register that is not loaded can't be queried repeatedly; None if it can."""
    blocker = find_live_query_blocker(runtime, world, source)
    if blocker is not None:
        return blocker
    live = source.metadata.live
    if live is None or not live.is_repeatable or source.live is None or source.live.report is None:
        return Message("{source} doesn’t allow queries to be repeated automatically.", source=source.metadata.title)
    return None


def list_queryable_registers(runtime: Runtime, world: World) -> list[Source]:
    """The registers that can be queried repeatedly, loaded or not."""
    registers = (source for source in runtime.list_registers() if source.metadata.jurisdiction is not None)
    return [source for source in registers if find_query_blocker(runtime, world, source) is None]


def plan_queries(
    runtime: Runtime, world: World, record: BusinessRecord, policy: MonitoringPolicy, unloaded: Iterable[tuple[str, str]]
) -> list[PlannedQuery]:
    """The queries of a record that its policy watches.

    `unloaded` are registers that are not loaded, each with a number of the record.
    """
    now = runtime.clock()
    found: list[PlannedQuery] = []
    if policy.watches(MonitoringKind.REGISTRY):
        found += _plan_register_queries(runtime, world, unloaded, now)
    if policy.watches(MonitoringKind.WEBSITE) and record.website is not None:
        overdue_at = now + OVERDUE_INTERVALS * timedelta(days=policy.website_interval_days)
        found.append(PlannedQuery(MonitoringKind.WEBSITE, WEBSITE_SOURCE, record.website, overdue_at))
    return found


def _plan_register_queries(
    runtime: Runtime, world: World, unloaded: Iterable[tuple[str, str]], now: datetime
) -> Iterator[PlannedQuery]:
    queryable = {source.key for source in list_queryable_registers(runtime, world)}
    overdue_at = now + OVERDUE_INTERVALS * get_register_interval(runtime.settings)
    for source, number in unloaded:
        if source in queryable:
            yield PlannedQuery(MonitoringKind.REGISTRY, source, number, overdue_at)


def list_queues(runtime: Runtime, world: World) -> list[QueryQueue]:
    """The queues of a world. A register has a share of its rate, so that the rest is left for what people request."""
    settings = runtime.settings
    registers = list_queryable_registers(runtime, world)
    websites = QueryQueue(world, WEBSITE_SOURCE, timedelta(minutes=1) / settings.monitored_websites_per_minute, WEBSITES_AT_ONCE)
    return [*(QueryQueue(world, source.key, _get_interval(settings, source)) for source in registers), websites]


def _get_interval(settings: Settings, source: Source) -> timedelta:
    """The time between two requests of monitoring to a register."""
    live = source.metadata.live
    assert live is not None  # noqa: S101 - a queryable register has one
    return timedelta(minutes=1) / (live.rate_per_minute * settings.monitored_register_share)


class RegisterPlanner:
    """Plans the queries of all records again when other registers than before can be queried.

    The records of a register that is loaded meanwhile are evaluated by its run, which ends their queries.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._planned: dict[World, frozenset[str]] = {}

    async def plan(self, world: World) -> None:
        """Plan the queries of a world, unless nothing has changed since the last time."""
        sources = frozenset(source.key for source in list_queryable_registers(self._runtime, world))
        if self._planned.get(world) == sources:
            return
        now = self._runtime.clock()
        plan = RegisterPlan(sources, now, now + OVERDUE_INTERVALS * get_register_interval(self._runtime.settings))
        async with self._runtime.store.read() as connection:
            monitoring = await monitored_records.list_organizations(connection, world)
        for organization_id in monitoring:
            await self._plan_organization(organization_id, plan)
        self._planned[world] = sources

    async def _plan_organization(self, organization_id: UUID, plan: RegisterPlan) -> None:
        after: UUID | None = None
        while True:
            async with self._runtime.store.write() as connection:
                # So that no record is evaluated meanwhile.
                await lock_head(connection, organization_id)
                after = await queries.plan_unloaded(connection, organization_id, plan, after, RECORDS_OF_A_STEP)
            if after is None:
                return
