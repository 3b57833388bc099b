"""The runs of each source: every try to load it is written down, so that a person can see how it went and how the data grew.

What is loaded and when it is to be renewed does not follow from them: that stands on disk beside the index (`refresh`).
"""

from datetime import datetime

import anyio

from bonafide.errors import BonafideError, RefreshRefused
from bonafide.observability.log import get_logger
from bonafide.model.loading.loads import LoadRecord, RunOutcome, SourceRun
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.store.sources import load_runs

WRITE_WITHIN_S = 5
"""A load that is done, or a process that is being stopped, does not wait longer for a database that is away."""
_log = get_logger(__name__)


def run_of_load(started_at: datetime, finished_at: datetime, record: LoadRecord) -> SourceRun:
    """The run of a load that is now in use."""
    return SourceRun(
        started_at=started_at,
        finished_at=finished_at,
        outcome=RunOutcome.LOADED,
        entries=record.entries,
        rejected=record.rejected,
    )


def run_of_failure(started_at: datetime, finished_at: datetime, error: BaseException) -> SourceRun:
    """The run of a try that failed, with why as far as that can be told."""
    if isinstance(error, BonafideError):
        outcome = RunOutcome.REFUSED if isinstance(error, RefreshRefused) else RunOutcome.FAILED
        return SourceRun(started_at=started_at, finished_at=finished_at, outcome=outcome, note=error.message)
    return SourceRun(started_at=started_at, finished_at=finished_at, outcome=RunOutcome.INTERRUPTED)


async def remember_run(runtime: Runtime, world: World, source: str, run: SourceRun) -> None:
    """Write a run down; that it could not be written is logged, and changes nothing about the load."""
    with anyio.move_on_after(WRITE_WITHIN_S, shield=True) as limit:
        try:
            async with runtime.store.write() as connection:
                await load_runs.record_run(connection, world, source, run)
        except BonafideError as error:
            _log.warning("run not written down", source=source, problem=error.message)
    if limit.cancelled_caught:
        _log.warning("run not written down", source=source, problem="the database did not answer in time")


async def runs_of(runtime: Runtime, world: World, source: str) -> list[SourceRun]:
    """All runs of a source that are kept, the newest first."""
    async with runtime.store.read() as connection:
        return await load_runs.list_newest(connection, world, source)


async def last_runs(runtime: Runtime, world: World) -> dict[str, SourceRun]:
    """The newest run of each source that has any, by the source's key."""
    async with runtime.store.read() as connection:
        return await load_runs.list_latest(connection, world)
