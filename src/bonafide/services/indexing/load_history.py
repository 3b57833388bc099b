"""The latest load attempt of each source, kept beside its index, and the runs of each source, kept in the database.

Where machines share an index they learn of each other's tries from the source's runs, so that what one has just loaded, or failed
to load, no other tries at once.
"""

from datetime import datetime, timedelta
from pathlib import Path

import anyio

from bonafide.errors import BonafideError, RefreshRefused
from bonafide.model.accounts.organizations import World
from bonafide.model.loading.loads import LoadAttempt, LoadRecord, RunOutcome, SourceRun
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.sources.framework.discovery import Source
from bonafide.store.sources import load_runs

COUNTED_RUNS = 10
"""More failures in a row make no wait any longer."""


def get_source_folder(runtime: Runtime, world: World, key: str) -> Path:
    """The folder of a source."""
    return runtime.generations[world].root / key


def read_last_attempt(runtime: Runtime, world: World, source: Source) -> LoadAttempt | None:
    """How the newest try to load a source ended; None when there was none."""
    return _read_attempt(get_source_folder(runtime, world, source.key))


def record_load_attempt(runtime: Runtime, world: World, key: str, problem: str | None) -> None:
    """Write down that a try has just ended, and why it failed if it did."""
    before = _read_attempt(get_source_folder(runtime, world, key))
    failures = 0 if problem is None else 1 + (before.failures if before is not None else 0)
    _write_attempt(
        get_source_folder(runtime, world, key), LoadAttempt(attempted_at=runtime.clock(), problem=problem, failures=failures)
    )


async def import_remote_attempts(runtime: Runtime, world: World, *keys: str) -> None:
    """Write down newer tries of other machines, of these sources or of all. Raises `ServerBusy`."""
    if runtime.index_sync is None:
        return
    async with runtime.store.read() as connection:
        last = await load_runs.list_latest(connection, world)
    for key, run in last.items():
        if key in runtime.sources and (not keys or key in keys) and _is_newer(runtime, world, key, run):
            async with runtime.store.read() as connection:
                runs = await load_runs.list_newest(connection, world, key, COUNTED_RUNS)
            _write_attempt(get_source_folder(runtime, world, key), _summarize_runs(runs))


def record_pulled_load(runtime: Runtime, world: World, key: str) -> None:
    """Write down that what has come in from another machine was loaded there, even if nobody could write down its run."""
    generation = runtime.generations[world].current(key)
    if generation is None:
        return
    before, loaded_at = _read_attempt(get_source_folder(runtime, world, key)), generation.manifest.loaded_at
    if before is None or before.attempted_at < loaded_at:
        _write_attempt(get_source_folder(runtime, world, key), LoadAttempt(attempted_at=loaded_at, problem=None))


def _is_newer(runtime: Runtime, world: World, key: str, run: SourceRun) -> bool:
    before = _read_attempt(get_source_folder(runtime, world, key))
    # What is kept of an instant is milliseconds.
    return before is None or before.attempted_at < run.finished_at - timedelta(milliseconds=1)


def _summarize_runs(runs: list[SourceRun]) -> LoadAttempt:
    """The newest of these runs as a try; the newest is the first."""
    failures = next((place for place, run in enumerate(runs) if run.outcome is RunOutcome.LOADED), len(runs))
    newest = runs[0]
    problem = (newest.note if newest.note is not None else newest.outcome.value) if failures > 0 else None
    return LoadAttempt(attempted_at=newest.finished_at, problem=problem, failures=failures)


def _read_attempt(home: Path) -> LoadAttempt | None:
    try:
        text = (home / "last_attempt.json").read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    return LoadAttempt.model_validate_json(text)


def _write_attempt(home: Path, attempt: LoadAttempt) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "last_attempt.json").write_text(attempt.to_json(), encoding="utf-8")


WRITE_WITHIN_S = 5
"""A load that is done, or a process that is being stopped, does not wait longer for a database that is away."""
_log = get_logger(__name__)


def build_load_run(started_at: datetime, finished_at: datetime, record: LoadRecord) -> SourceRun:
    """The run of a load that is now in use."""
    return SourceRun(
        started_at=started_at,
        finished_at=finished_at,
        outcome=RunOutcome.LOADED,
        entries=record.entries,
        rejected=record.rejected,
    )


def build_failure_run(started_at: datetime, finished_at: datetime, error: BaseException) -> SourceRun:
    """The run of a try that failed, with why as far as that can be told."""
    if isinstance(error, BonafideError):
        outcome = RunOutcome.REFUSED if isinstance(error, RefreshRefused) else RunOutcome.FAILED
        return SourceRun(started_at=started_at, finished_at=finished_at, outcome=outcome, note=error.message)
    return SourceRun(started_at=started_at, finished_at=finished_at, outcome=RunOutcome.INTERRUPTED)


async def record_run(runtime: Runtime, world: World, source: str, run: SourceRun) -> None:
    """Write a run down; that it could not be written is logged, and changes nothing about the load."""
    with anyio.move_on_after(WRITE_WITHIN_S, shield=True) as limit:
        try:
            async with runtime.store.write() as connection:
                await load_runs.record_run(connection, world, source, run)
        except BonafideError as error:
            _log.warning("run not written down", source=source, problem=error.message)
    if limit.cancelled_caught:
        _log.warning("run not written down", source=source, problem="the database did not answer in time")


async def list_runs(runtime: Runtime, world: World, source: str) -> list[SourceRun]:
    """All runs of a source that are kept, the newest first."""
    async with runtime.store.read() as connection:
        return await load_runs.list_newest(connection, world, source)


async def list_last_runs(runtime: Runtime, world: World) -> dict[str, SourceRun]:
    """The newest run of each source that has any, by the source's key."""
    async with runtime.store.read() as connection:
        return await load_runs.list_latest(connection, world)
