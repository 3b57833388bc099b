"""Readiness checks: whether this process can answer requests, one check for each part.

An optional part that fails makes the process degraded, not unready. Workers are not checked: a node answers without them. Notes are
public, so they contain no paths; the log has them, with what the operator can do.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic
from uuid import UUID

from bonafide.errors import SegmentCorrupt, ServerBusy
from bonafide.i18n.message import Message, join_values
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.server.health import HealthCheck, HealthStatus
from bonafide.store.database.schema_migration import SchemaState, compare_revision
from bonafide.store.database.write_probe import find_write_problem

ReadinessProbe = Callable[[Runtime], Awaitable[HealthCheck]]
TIMEOUT_S = 2.0
"""A database that takes longer for a trivial query can't serve requests."""
REMEMBERED_S = 10.0
"""Seconds between checks of the file storage: each is a request that may cost money, and load balancers check every second."""
WRITE_TIMEOUT_S = 2.0
WRITE_REMEMBERED_S = 5.0
"""Seconds between two probes that write to the database or the data directory."""
PROBE_BYTES = 4096
WRITE_ADVICE = "Free space on this file system, and make it and its files writable for the user of the service."
NO_ORGANIZATION = UUID(int=0)
OK = HealthCheck(HealthStatus.OK)
_log = get_logger(__name__)


async def run_checks(runtime: Runtime) -> Mapping[str, HealthCheck]:
    """Run every check and return the results by name. Takes `TIMEOUT_S` and `WRITE_TIMEOUT_S` at most."""
    found = await asyncio.gather(*(check(runtime) for check in CHECKS.values()))
    return dict(zip(CHECKS, found, strict=True))


async def _check_process_state(runtime: Runtime) -> HealthCheck:
    return (
        HealthCheck(HealthStatus.FAILED, Message("draining: the service is stopping")) if runtime.process_state.is_draining else OK
    )


async def check_database(runtime: Runtime) -> HealthCheck:
    """Check that the database responds, has a supported schema and can be written."""
    try:
        async with asyncio.timeout(TIMEOUT_S):
            revision = await runtime.store.revision()
    except ServerBusy:
        return HealthCheck(HealthStatus.FAILED, Message("the database does not respond"))
    except TimeoutError:
        # All connections may be in use: a busy node must not be taken out of service.
        lately = monotonic() - runtime.store.answered_at < TIMEOUT_S
        return OK if lately else HealthCheck(HealthStatus.FAILED, Message("the database does not respond"))
    match compare_revision(revision):
        case SchemaState.CURRENT:
            return await _check_database_writes(runtime)
        case SchemaState.NEWER:
            return HealthCheck(
                HealthStatus.DEGRADED,
                Message("the schema {revision} is of a newer release: upgrade this node", revision=str(revision)),
            )
        case state:
            return HealthCheck(HealthStatus.FAILED, Message("the schema is {state}: run `bonafide migrate`", state=str(state)))


async def _check_database_writes(runtime: Runtime) -> HealthCheck:
    known = runtime.process_state.found.get("database writes")
    if known is not None and monotonic() - known[0] < WRITE_REMEMBERED_S:
        return known[1]
    found = OK
    # A database that is busy with other writes for so long is not read-only.
    with suppress(TimeoutError):
        async with asyncio.timeout(WRITE_TIMEOUT_S):
            problem = await find_write_problem(runtime.store, runtime.clock())
            if problem is not None:
                place = None if runtime.store.is_server else str(runtime.settings.data_dir.resolve())
                _log.error("database.not_writable", path=place, problem=problem, advice=WRITE_ADVICE)
                found = HealthCheck(
                    HealthStatus.FAILED, Message("the database can’t be written: its disk is full, or it is read-only")
                )
    runtime.process_state.found["database writes"] = monotonic(), found
    return found


async def _check_data_directory(runtime: Runtime) -> HealthCheck:
    """Check that files can be written. Without them, searches still work with the indexes that this machine has."""
    known = runtime.process_state.found.get("data directory")
    if known is not None and monotonic() - known[0] < WRITE_REMEMBERED_S:
        return known[1]
    folder = runtime.settings.data_dir.resolve()
    try:
        await asyncio.to_thread(_write_probe_file, folder)
    except OSError as error:
        _log.error("data_directory.not_writable", path=str(folder), problem=error.strerror, advice=WRITE_ADVICE)
        found = HealthCheck(
            HealthStatus.DEGRADED, Message("the data directory can’t be written: its disk is full, or it is read-only")
        )
    else:
        found = OK
    runtime.process_state.found["data directory"] = monotonic(), found
    return found


def _write_probe_file(folder: Path) -> None:
    """Write a file without a name to disk. Raises `OSError`."""
    with TemporaryFile(dir=folder) as file:
        file.write(bytes(PROBE_BYTES))
        file.flush()
        os.fsync(file.fileno())


async def _check_replica(runtime: Runtime) -> HealthCheck:
    replica = runtime.store.replica
    if replica is None or not replica.is_unavailable:
        return OK
    return HealthCheck(HealthStatus.DEGRADED, Message("the replica is unavailable; lists are read from the primary database"))


async def _check_indexes(runtime: Runtime) -> HealthCheck:
    """Check that every loaded index can be read; a damaged one is an error in every search."""
    damaged = []
    for world, generations in runtime.generations.items():
        for key in runtime.sources:
            try:
                generations.current(key)
            except SegmentCorrupt:
                damaged.append(f"{key} ({world})")
    return (
        HealthCheck(HealthStatus.DEGRADED, Message("damaged indexes: {sources}", sources=join_values(damaged))) if damaged else OK
    )


async def _check_shared_index(runtime: Runtime) -> HealthCheck:
    """A starting node is ready when it has the published indexes; one that falls behind later is only degraded."""
    sync = runtime.index_sync
    if sync is None or not sync.behind:
        return OK
    behind = sorted(f"{key} ({world})" for world, key in sync.behind)
    status = HealthStatus.DEGRADED if sync.caught_up or sync.settled.is_set() else HealthStatus.FAILED
    return HealthCheck(status, Message("newer indexes are published: {sources}", sources=join_values(behind)))


async def _check_shared_store(runtime: Runtime) -> HealthCheck:
    if runtime.valkey is None or not runtime.valkey.is_unavailable:
        return OK
    return HealthCheck(HealthStatus.DEGRADED, Message("Valkey is unavailable: each process counts separately"))


async def _check_files(runtime: Runtime) -> HealthCheck:
    known = runtime.process_state.found.get("files")
    if known is not None and monotonic() - known[0] < REMEMBERED_S:
        return known[1]
    try:
        async with asyncio.timeout(TIMEOUT_S):
            await runtime.files.exists(NO_ORGANIZATION, "readiness/none.txt")
    except (ServerBusy, TimeoutError):
        found = HealthCheck(HealthStatus.DEGRADED, Message("the file storage does not respond: PDFs and evidence fail"))
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
    "data directory": _check_data_directory,
}
"""By the names that `/readyz` gives them."""
