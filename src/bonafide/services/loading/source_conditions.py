"""Store the condition of each source, and announce its transitions to the organizations of its world.

The condition and the announcement are written in one transaction: that of the load's run, or, where data has become too old, one of
its own. So every transition is announced once, whichever process observes it.
"""

from collections.abc import Iterable
from contextlib import suppress

import anyio

from bonafide.errors import BonafideError
from bonafide.model.accounts.organizations import World
from bonafide.model.loading import LoadRecord
from bonafide.runtime import Runtime
from bonafide.services.events.announcements import announce
from bonafide.services.loading.source_events import ConditionChange, ObservedSource
from bonafide.sources.framework.discovery import Source
from bonafide.store.database.engine import Connection
from bonafide.store.records import source_conditions


async def note_load_result(
    runtime: Runtime, connection: Connection, world: World, source: Source, result: LoadRecord | BaseException
) -> None:
    """Update the condition of a source after a load or a failed attempt, in the transaction of its run.

    A failure of a source that has no condition, because it was never loaded, changes nothing. Neither does an attempt that ended
    with the process, or for lack of room on the disk: the source is not the reason.
    """
    observed = _observe(runtime, world, source)
    before = await source_conditions.lock(connection, world, source.key)
    if isinstance(result, LoadRecord):
        await _store_change(runtime, connection, observed, observed.apply_load(before, result))
    elif isinstance(result, BonafideError) and before is not None:
        await _store_change(runtime, connection, observed, observed.apply_failure(before, result))


async def check_data_ages(runtime: Runtime) -> int:
    """Announce the data that has become older than it should be; returns of how many sources.

    Data that was loaded by a release without conditions gets its condition here.
    """
    announced = 0
    for world in runtime.generations:
        async with runtime.store.read() as connection:
            conditions = await source_conditions.list_all(connection, world)
        unknown = [source for source in runtime.sources.values() if source.key not in conditions]
        for source, load in await anyio.to_thread.run_sync(_find_loads, runtime, world, unknown):
            announced += await _add_condition(runtime, world, source, load)
        for key, condition in conditions.items():
            known = runtime.sources.get(key)
            if known is not None and _observe(runtime, world, known).apply_age(condition).event is not None:
                announced += await _note_age(runtime, world, known)
    return announced


def _find_loads(runtime: Runtime, world: World, sources: Iterable[Source]) -> list[tuple[Source, LoadRecord]]:
    """The loads in use of those sources that have a usable one."""
    found = []
    for source in sources:
        with suppress(BonafideError):
            generation = runtime.generations[world].current(source.key)
            if generation is not None:
                found.append((source, generation.manifest))
    return found


async def _add_condition(runtime: Runtime, world: World, source: Source, load: LoadRecord) -> bool:
    """Store the condition of a source that is loaded; returns whether it was announced. Keeps that of another worker."""
    async with runtime.store.write() as connection:
        if await source_conditions.lock(connection, world, source.key) is not None:
            return False
        observed = _observe(runtime, world, source)
        return await _store_change(runtime, connection, observed, observed.apply_load(None, load))


async def _note_age(runtime: Runtime, world: World, source: Source) -> bool:
    """Store that the data of a source is too old; False if another worker has, or if the source has been loaded meanwhile."""
    async with runtime.store.write() as connection:
        condition = await source_conditions.lock(connection, world, source.key)
        if condition is None:
            return False
        observed = _observe(runtime, world, source)
        return await _store_change(runtime, connection, observed, observed.apply_age(condition))


def _observe(runtime: Runtime, world: World, source: Source) -> ObservedSource:
    return ObservedSource(source.metadata, world, runtime.clock().date())


async def _store_change(runtime: Runtime, connection: Connection, observed: ObservedSource, change: ConditionChange) -> bool:
    """Store a condition and announce its event; returns whether there is one."""
    world, key, now = observed.world, observed.metadata.key, runtime.clock()
    await source_conditions.put(connection, world, key, change.condition)
    if change.event is None:
        return False
    await announce(connection, [world], change.event, now)
    return True
