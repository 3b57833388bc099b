"""`bonafide bench commits`: what it costs on SQLite that a change is on the disk before the response.

Writers insert rows of the size of a business record, each in a transaction of its own, as many at once as there are callers. The
three ways differ in what a commit waits for: nothing (`synchronous = NORMAL`), its own write-out (`synchronous = FULL`), or a
write-out that it shares with the other callers (`CommitSync`, the way of the service). Nothing is asserted.
"""

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, perf_counter_ns

from bonafide.services.loading.refresh import Progress
from bonafide.store.database.commit_sync import CommitSync
from bonafide_bench.measurements.figures import LatencyFigures

ROW = "x" * 2000
"""About the document of a business record."""


class CommitMode(StrEnum):
    """What a commit waits for."""

    NOT_DURABLE = "nothing (NORMAL)"
    FULL = "its own write-out (FULL)"
    GROUP = "a shared write-out (default)"


@dataclass(frozen=True, slots=True)
class CommitFigures:
    """One mode with a number of callers: commits in a second, and the time of one."""

    mode: str
    callers: int
    per_second: float
    times: LatencyFigures


@dataclass(frozen=True, slots=True)
class CommitsReport:
    """One run in a folder."""

    commits: int
    figures: tuple[CommitFigures, ...]


async def run_commits_bench(folder: Path, commits: int, callers: tuple[int, ...], told: Progress) -> CommitsReport:
    """Measure each mode with each number of callers in a temporary database below `folder`, which is deleted."""
    measured = []
    total = len(CommitMode) * len(callers)
    for count in callers:
        # The modes in turn, so that a change of the machine's load affects all of them.
        for mode in CommitMode:
            with TemporaryDirectory(dir=folder, prefix="bench-commits-") as temporary:
                measured.append(await _measure_mode(Path(temporary) / "bench.sqlite3", mode, count, commits))
            told("commits", len(measured), total)
    return CommitsReport(commits, tuple(measured))


async def _measure_mode(path: Path, mode: CommitMode, callers: int, commits: int) -> CommitFigures:
    taken: list[int] = []
    lock, loop, left = asyncio.Lock(), asyncio.get_running_loop(), iter(range(commits))
    sync = CommitSync(path) if mode is CommitMode.GROUP else None
    with ThreadPoolExecutor(1) as thread, closing(_open_database(path, mode)) as connection:

        async def call() -> None:
            for _ in left:
                began = perf_counter_ns()
                async with lock:
                    await loop.run_in_executor(thread, connection.execute, "INSERT INTO records (document) VALUES (?)", [ROW])
                if sync is not None:
                    await sync.wait()
                taken.append(perf_counter_ns() - began)

        started = perf_counter()
        await asyncio.gather(*(call() for _ in range(callers)))
        seconds = perf_counter() - started
        if sync is not None:
            await sync.close()
    return CommitFigures(mode.value, callers, commits / seconds, LatencyFigures.of(taken))


def _open_database(path: Path, mode: CommitMode) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {'FULL' if mode is CommitMode.FULL else 'NORMAL'}")
    connection.execute("CREATE TABLE records (id INTEGER PRIMARY KEY, document TEXT)")
    return connection
