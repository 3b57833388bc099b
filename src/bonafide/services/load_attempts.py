"""How the newest try to load each source ended, on disk beside its index: from this the schedule follows.

Where machines share an index they learn of each other's tries from the source's runs, so that what one has just loaded, or failed
to load, no other tries at once.
"""

from datetime import timedelta
from pathlib import Path

from bonafide.model.loading.loads import LoadAttempt, RunOutcome, SourceRun
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.sources.framework.discovery import Source
from bonafide.store.sources import load_runs

COUNTED_RUNS = 10
"""More failures in a row make no wait any longer."""


def home_of(runtime: Runtime, world: World, key: str) -> Path:
    """The folder of a source."""
    return runtime.generations[world].root / key


def last_attempt(runtime: Runtime, world: World, source: Source) -> LoadAttempt | None:
    """How the newest try to load a source ended; None when there was none."""
    return _read(home_of(runtime, world, source.key))


def remember_attempt(runtime: Runtime, world: World, key: str, problem: str | None) -> None:
    """Write down that a try has just ended, and why it failed if it did."""
    before = _read(home_of(runtime, world, key))
    failures = 0 if problem is None else 1 + (before.failures if before is not None else 0)
    _write(home_of(runtime, world, key), LoadAttempt(attempted_at=runtime.clock(), problem=problem, failures=failures))


async def learn_attempts(runtime: Runtime, world: World, *keys: str) -> None:
    """Write down newer tries of other machines, of these sources or of all. Raises `ServerBusy`."""
    if runtime.index_sync is None:
        return
    async with runtime.store.read() as connection:
        last = await load_runs.list_latest(connection, world)
    for key, run in last.items():
        if key in runtime.sources and (not keys or key in keys) and _is_news(runtime, world, key, run):
            async with runtime.store.read() as connection:
                runs = await load_runs.list_newest(connection, world, key, COUNTED_RUNS)
            _write(home_of(runtime, world, key), _attempt(runs))


def learn_load(runtime: Runtime, world: World, key: str) -> None:
    """Write down that what has come in from another machine was loaded there, even if nobody could write down its run."""
    generation = runtime.generations[world].current(key)
    if generation is None:
        return
    before, loaded_at = _read(home_of(runtime, world, key)), generation.manifest.loaded_at
    if before is None or before.attempted_at < loaded_at:
        _write(home_of(runtime, world, key), LoadAttempt(attempted_at=loaded_at, problem=None))


def _is_news(runtime: Runtime, world: World, key: str, run: SourceRun) -> bool:
    before = _read(home_of(runtime, world, key))
    # What is kept of an instant is milliseconds.
    return before is None or before.attempted_at < run.finished_at - timedelta(milliseconds=1)


def _attempt(runs: list[SourceRun]) -> LoadAttempt:
    """The newest of these runs as a try; the newest is the first."""
    failures = next((place for place, run in enumerate(runs) if run.outcome is RunOutcome.LOADED), len(runs))
    newest = runs[0]
    problem = (newest.note if newest.note is not None else newest.outcome.value) if failures > 0 else None
    return LoadAttempt(attempted_at=newest.finished_at, problem=problem, failures=failures)


def _read(home: Path) -> LoadAttempt | None:
    try:
        text = (home / "last_attempt.json").read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    return LoadAttempt.model_validate_json(text)


def _write(home: Path, attempt: LoadAttempt) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "last_attempt.json").write_text(attempt.to_json(), encoding="utf-8")
