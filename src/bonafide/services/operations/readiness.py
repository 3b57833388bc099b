"""Readiness checks: whether this process can answer requests, one check for each part.

An optional part that fails makes the process degraded, not unready. Workers are not checked: a node answers without them.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from time import monotonic
from uuid import UUID

from bonafide.errors import SegmentCorrupt, ServerBusy
from bonafide.runtime import Runtime
from bonafide.server.health import HealthCheck, HealthStatus
from bonafide.store.database.schema_migration import SchemaState, compare_revision

ReadinessProbe = Callable[[Runtime], Awaitable[HealthCheck]]
TIMEOUT_S = 2.0
"""A database that takes longer than this for nothing is no use to a request either."""
REMEMBERED_S = 10.0
"""Between two looks at the file storage: each is a request that may cost money, and several balancers ask every second."""
NO_ORGANIZATION = UUID(int=0)
OK = HealthCheck(HealthStatus.OK)


async def run_checks(runtime: Runtime) -> Mapping[str, HealthCheck]:
    """What each check has found, by its name. Takes `TIMEOUT_S` at most."""
    found = await asyncio.gather(*(check(runtime) for check in CHECKS.values()))
    return dict(zip(CHECKS, found, strict=True))


async def _check_process_state(runtime: Runtime) -> HealthCheck:
    return HealthCheck(HealthStatus.FAILED, "draining, the service is stopping") if runtime.process_state.is_draining else OK


async def check_database(runtime: Runtime) -> HealthCheck:
    """It answers, with a schema that this release can work with."""
    try:
        async with asyncio.timeout(TIMEOUT_S):
            revision = await runtime.store.revision()
    except ServerBusy:
        return HealthCheck(HealthStatus.FAILED, "it does not answer")
    except TimeoutError:
        # All its connections may be in use: a node that is busy answering is not one to be taken out of service.
        lately = monotonic() - runtime.store.answered_at < TIMEOUT_S
        return OK if lately else HealthCheck(HealthStatus.FAILED, "it does not answer")
    match compare_revision(revision):
        case SchemaState.CURRENT:
            return OK
        case SchemaState.NEWER:
            return HealthCheck(HealthStatus.DEGRADED, f"its schema is {revision}, of a newer release: change this node over")
        case state:
            return HealthCheck(HealthStatus.FAILED, f"its schema is {state}: run `bonafide migrate`")


async def _check_replica(runtime: Runtime) -> HealthCheck:
    replica = runtime.store.replica
    if replica is None or not replica.is_unavailable:
        return OK
    return HealthCheck(HealthStatus.DEGRADED, "it is away, and lists come from the database itself")


async def _check_indexes(runtime: Runtime) -> HealthCheck:
    """Whatever is loaded can be read; a source whose index can't be is an error in every search, by name."""
    damaged = []
    for world, generations in runtime.generations.items():
        for key in runtime.sources:
            try:
                generations.current(key)
            except SegmentCorrupt:
                damaged.append(f"{key} ({world})")
    return HealthCheck(HealthStatus.DEGRADED, f"can't be read: {', '.join(damaged)}") if damaged else OK


async def _check_shared_index(runtime: Runtime) -> HealthCheck:
    """A node that joins takes what is published before requests come to it; one that falls behind goes on with what it has."""
    sync = runtime.index_sync
    if sync is None or not sync.behind:
        return OK
    status = HealthStatus.DEGRADED if sync.caught_up or sync.settled.is_set() else HealthStatus.FAILED
    return HealthCheck(status, f"newer is published of {', '.join(sorted(f'{key} ({world})' for world, key in sync.behind))}")


async def _check_shared_store(runtime: Runtime) -> HealthCheck:
    if runtime.valkey is None or not runtime.valkey.is_unavailable:
        return OK
    return HealthCheck(HealthStatus.DEGRADED, "Valkey is away: each process counts for itself")


async def _check_files(runtime: Runtime) -> HealthCheck:
    known = runtime.process_state.found.get("files")
    if known is not None and monotonic() - known[0] < REMEMBERED_S:
        return known[1]
    try:
        async with asyncio.timeout(TIMEOUT_S):
            await runtime.files.exists(NO_ORGANIZATION, "readiness/none.txt")
    except (ServerBusy, TimeoutError):
        found = HealthCheck(HealthStatus.DEGRADED, "the storage does not answer: reports in print and raw evidence fail")
    else:
        found = OK
    runtime.process_state.found["files"] = monotonic(), found
    return found


CHECKS: Mapping[str, ReadinessProbe] = {
    "life": _check_process_state,
    "database": check_database,
    "replica": _check_replica,
    "indexes": _check_indexes,
    "shared index": _check_shared_index,
    "shared store": _check_shared_store,
    "files": _check_files,
}
"""By the names that `/readyz` gives them."""
