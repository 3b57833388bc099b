"""Any number of names screened one after another: by this process alone when they are few, else by one process for each core.

The results come in the order of the rows, each row's whatever becomes of the others. Each process opens the lists by itself. How
rows are read stands in `screening_rows`; what they are written as is the command's business.
"""

import asyncio
import os
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread

from bonafide.observability import log
from bonafide.errors import BonafideError, ConfigurationError
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.model.search.match import ScreenedList, Screening
from bonafide.model.accounts.organizations import World
from bonafide.model.screening.batch_rows import RowMatch, RowStatus, ScreenedRow
from bonafide.runtime import open_runtime
from bonafide.services.rarity import loaded_rarity
from bonafide.services.screening import screen_against
from bonafide.services.screening_lists import OpenLists, open_lists
from bonafide.services.screening_rows import BadRow, NamedRow, Row
from bonafide.services.screenings import official_lists
from bonafide.settings import Settings

ALONE = 4096
"""Rows that this process screens before it starts others: they need as long to open the lists, some seconds each."""
AT_ONCE = 32
"""Rows that a process is given at a time."""
WAITING_EACH = 4
"""Times as many that lie ready for each process, so that none waits while this one writes."""
_log = log.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Batch:
    """How the names of a file are screened: with which settings, in which world, from which score on, on how many processes.

    `limit` is how many matches of a row are told; `alone` how many rows this process screens before it starts others.
    """

    settings: Settings
    world: World
    threshold: float
    limit: int
    processes: int
    alone: int = ALONE


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that follow each other, and the lists that were screened for them."""

    rows: tuple[ScreenedRow, ...]
    lists: tuple[ScreenedList, ...] = ()


def screen_rows(batch: Batch, rows: Iterator[Row]) -> Iterator[Part]:
    """Screen all rows, in order. Raises `ConfigurationError` when no list can be screened at all, before any row is told."""
    screener = _Screener(batch)
    try:
        for _ in range(0, batch.alone, AT_ONCE):
            taken = list(islice(rows, AT_ONCE))
            if not taken:
                return
            yield screener.screen(taken)
        if batch.processes == 1:
            for taken in _parts(rows):
                yield screener.screen(taken)
    finally:
        screener.close()
    if batch.processes > 1:
        yield from _shared_out(batch, rows)


def _parts(rows: Iterator[Row]) -> Iterator[list[Row]]:
    return iter(lambda: list(islice(rows, AT_ONCE)), [])


@dataclass(frozen=True, slots=True)
class _Against:
    """What some rows are screened against, and the lists that were."""

    lists: OpenLists
    rarity: WordRarity
    screened: dict[str, ScreenedList]


class _Screener:
    """The lists as one process has them open, with a loop to ask them in."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        self._runtime = self._runner.run(self._stack.enter_async_context(open_runtime(batch.settings)))
        self._official = official_lists(self._runtime)

    def close(self) -> None:
        self._runner.run(self._stack.aclose())
        self._runner.close()

    def screen(self, rows: Sequence[Row]) -> Part:
        """Screen these rows, against the lists as they are loaded now."""
        lists = open_lists(self._runtime, self._batch.world, self._official)
        rarity = self._runner.run(loaded_rarity(self._runtime, self._batch.world))
        screened: dict[str, ScreenedList] = {}
        done = [self._row(row, _Against(lists, rarity, screened)) for row in rows]
        return Part(tuple(done), tuple(screened.values()))

    def _row(self, row: Row, against: "_Against") -> ScreenedRow:
        if isinstance(row, BadRow):
            return _bad(row, row.reason)
        batch = self._batch
        try:
            subject = row.request().submitted().subject()
        except ValueError as error:
            return _bad(row, str(error))
        try:
            found = screen_against(against.lists, subject, batch.threshold, against.rarity).screening
        except Exception:  # noqa: BLE001 - one row must not end the others; the log has the traceback
            _log.exception("row could not be screened", line=row.line)
            return _bad(row, "could not be screened because of a fault of this service")
        if not found.lists:
            why = "; ".join(item.message for item in found.lists_not_screened)
            raise ConfigurationError(f"No sanctions list could be screened: {why or 'there is none'}")
        against.screened.update({item.source: item for item in found.lists})
        return _told(row, found, batch.limit)


def _told(row: NamedRow, found: Screening, limit: int) -> ScreenedRow:
    missing = tuple(item.source for item in found.lists_not_screened)
    clear = RowStatus.INCOMPLETE if missing else RowStatus.CLEAR
    return ScreenedRow(
        line=row.line,
        name=row.name,
        status=RowStatus.MATCH if found.total_matches else clear,
        total_matches=found.total_matches,
        matches=tuple(RowMatch.of(match) for match in found.matches[:limit]),
        not_screened=missing,
    )


def _bad(row: Row, reason: str) -> ScreenedRow:
    return ScreenedRow(line=row.line, name=row.name, status=RowStatus.ERROR, error=reason)


# ------------------------------------------------------------------------------------------------- processes side by side


_DIED = "a process that screened names has died; was it killed for want of memory? The rows before are whole"


def _shared_out(batch: Batch, rows: Iterator[Row]) -> Iterator[Part]:
    waiting: deque[Future[Part]] = deque()
    # Not forked: a copy of a process with threads may hang.
    pool = ProcessPoolExecutor(batch.processes, get_context("spawn"), _open, (batch,))
    try:
        for taken in _parts(rows):
            waiting.append(pool.submit(_screen_part, taken))
            if len(waiting) > batch.processes * (1 + WAITING_EACH):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise BonafideError(_DIED) from error
    finally:
        pool.shutdown(cancel_futures=True)


_screener: _Screener
"""Of a process that does nothing else."""


def _open(batch: Batch) -> None:
    global _screener  # noqa: PLW0603 - an executor gives a process nothing else to keep things in
    # The process that writes the rows is the one that is interrupted, and then ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    log.configure("ERROR")
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=[parent], daemon=True).start()
    _screener = _Screener(batch)


def _end_after(parent: BaseProcess) -> None:
    """Otherwise it would wait for ever for rows of a process that was killed."""
    parent.join()
    os._exit(1)


def _screen_part(rows: Sequence[Row]) -> Part:
    return _screener.screen(rows)
