"""The runs of each source in the database, and the last attempt of each source, which follows from them.

Every attempt to load a source is recorded once, as a run. Machines that share a database read each other's runs, so that none
repeats a load that another has just tried.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

import anyio

from bonafide.errors import BonafideError, RefreshRefused
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.loading import LoadAttempt, LoadRecord, RunOutcome, SourceRun
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.loading.source_conditions import note_load_result
from bonafide.sources.framework.discovery import Source
from bonafide.store.records import source_rows

COUNTED_RUNS = 10
"""Further consecutive failures do not increase the delay."""
WRITE_WITHIN_S = 5
"""How long a completed load, or a stopping process, waits for the database."""
PRECISION = timedelta(milliseconds=1)
"""Of an instant in the database."""
INTERRUPTED = Message("The load was interrupted.")
"""The problem of a run without a note: the process ended before it was known."""
LoadAttempts = Mapping[str, LoadAttempt]
"""The last attempt of each source that has any, by the source's key."""
_log = get_logger(__name__)


# ------------------------------------------------------------------------------------------------------------ reading


async def read_load_attempts(runtime: Runtime, world: World) -> LoadAttempts:
    """Return the last recorded attempt of each source. Raises `ServerBusy`.

    Machines that share a database may each have their own index. A source that was never loaded on this machine then has no
    attempt.
    """
    async with runtime.store.read() as connection:
        latest = await source_rows.list_latest_runs(connection, world)
        return {
            key: _to_attempt(
                [run]
                if run.outcome is RunOutcome.LOADED
                else await source_rows.list_newest_runs(connection, world, key, COUNTED_RUNS)
            )
            for key, run in latest.items()
            if runtime.index_sync is not None or (runtime.generations[world].root / key).exists()
        }


def find_last_attempt(runtime: Runtime, key: str, attempts: LoadAttempts, load: LoadRecord | None) -> LoadAttempt | None:
    """Return the last attempt of a source: the recorded one, or the load in use if it is newer. None if there was none.

    A load without a run is one whose run could not be recorded, or one from before runs were recorded.
    """
    attempt = attempts.get(key)
    if load is None:
        return attempt
    if attempt is None or attempt.attempted_at + PRECISION < load.loaded_at:
        return LoadAttempt(load.loaded_at)
    if attempt.problem is None and runtime.index_sync is None:
        # Where each machine has its own index, the run may be another machine's, whose load is not in use here.
        return LoadAttempt(load.loaded_at)
    return attempt


def _to_attempt(runs: list[SourceRun]) -> LoadAttempt:
    """Return the newest of these runs, which are newest first, with the number of failures in a row."""
    newest = runs[0]
    if newest.outcome is RunOutcome.LOADED:
        return LoadAttempt(newest.finished_at)
    failures = next((index for index, run in enumerate(runs) if run.outcome is RunOutcome.LOADED), len(runs))
    return LoadAttempt(newest.finished_at, newest.note if newest.note is not None else INTERRUPTED, failures)


async def list_runs(runtime: Runtime, world: World, source: str) -> list[SourceRun]:
    """Return all runs of a source that are kept, newest first."""
    async with runtime.store.read() as connection:
        return await source_rows.list_newest_runs(connection, world, source)


async def list_last_runs(runtime: Runtime, world: World) -> dict[str, SourceRun]:
    """Return the newest run of each source that has any, by the source's key."""
    async with runtime.store.read() as connection:
        return await source_rows.list_latest_runs(connection, world)


# ------------------------------------------------------------------------------------------------------------ recording


def build_load_run(started_at: datetime, finished_at: datetime, record: LoadRecord) -> SourceRun:
    """Build the run of a load that is now in use."""
    return SourceRun(
        started_at=started_at,
        finished_at=finished_at,
        outcome=RunOutcome.LOADED,
        entries=record.entries,
        rejected=record.rejected,
    )


def build_failure_run(started_at: datetime, finished_at: datetime, error: BaseException) -> SourceRun:
    """Build the run of an attempt that failed, with the reason if it can be given."""
    if isinstance(error, BonafideError):
        outcome = RunOutcome.REFUSED if isinstance(error, RefreshRefused) else RunOutcome.FAILED
        return SourceRun(started_at=started_at, finished_at=finished_at, outcome=outcome, note=error.message)
    return SourceRun(started_at=started_at, finished_at=finished_at, outcome=RunOutcome.INTERRUPTED)


async def record_run(runtime: Runtime, world: World, source: Source, run: SourceRun, result: LoadRecord | BaseException) -> None:
    """Record a run and its result, which may change the condition of the source.

    A run that could not be recorded is logged, and changes nothing about the load.
    """
    with anyio.move_on_after(WRITE_WITHIN_S, shield=True) as limit:
        try:
            async with runtime.store.write() as connection:
                await note_load_result(runtime, connection, world, source, result)
                await source_rows.record_run(connection, world, source.key, run)
        except BonafideError as error:
            _log.warning("run.not_recorded", source=source.key, problem=error.message)
    if limit.cancelled_caught:
        _log.warning("run.not_recorded", source=source.key, problem="the database did not respond in time")
