"""Screen any number of names, in this process or in one process per core.

Results keep the order of the rows, and one failing row does not affect the others. Each process opens the lists itself.
"""

import asyncio
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from multiprocessing import get_context

from bonafide.concurrency.executors import exit_with_parent
from bonafide.errors import BonafideError, ConfigurationError
from bonafide.i18n.message import CLAUSE_SEPARATOR, Message, join_values
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.model.accounts.organizations import World
from bonafide.model.invisible_characters import remove_invisible_characters
from bonafide.model.screening.batch_rows import RowMatch, RowStatus, ScreenedRow
from bonafide.model.search.match import ScreenedList, Screening, ScreeningWarning
from bonafide.observability import log
from bonafide.runtime import open_runtime
from bonafide.services.indexing.word_rarity import get_loaded_rarity
from bonafide.services.screening.list_cache import LoadedScreeningLists, open_lists
from bonafide.services.screening.name_file import InvalidNameRow, NameFileRow, RequestedRow
from bonafide.services.screening.standalone import get_official_lists
from bonafide.services.screening.subject_screening import screen_against
from bonafide.settings import Settings

SINGLE_PROCESS_LIMIT = 4096
"""Rows that this process screens before it starts others, which need some seconds each to open the lists."""
CHUNK_SIZE = 32
"""Rows that a process is given at a time."""
PENDING_PER_PROCESS = 4
"""Chunks that are queued for each process, so that none is idle while this one writes."""
_log = log.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ScreeningBatch:
    """How the names of a file are screened: the settings, the world, the lowest score of a match, and the number of processes.

    `limit` is the maximum number of matches per row; `alone` the number of rows that this process screens before it starts others.
    """

    settings: Settings
    world: World
    threshold: float
    limit: int
    processes: int
    alone: int = SINGLE_PROCESS_LIMIT


@dataclass(frozen=True, slots=True)
class ScreenedChunk:
    """Rows that follow each other, and the lists that were screened for them."""

    rows: tuple[ScreenedRow, ...]
    lists: tuple[ScreenedList, ...] = ()


def screen_rows(batch: ScreeningBatch, rows: Iterator[NameFileRow]) -> Iterator[ScreenedChunk]:
    """Screen all rows, in order. Raises `ConfigurationError` if no list can be screened, before the first row is returned."""
    screener = _Screener(batch)
    try:
        for _ in range(0, batch.alone, CHUNK_SIZE):
            taken = list(islice(rows, CHUNK_SIZE))
            if not taken:
                return
            yield screener.screen(taken)
        if batch.processes == 1:
            for taken in _split_rows(rows):
                yield screener.screen(taken)
    finally:
        screener.close()
    if batch.processes > 1:
        yield from _screen_in_processes(batch, rows)


def _split_rows(rows: Iterator[NameFileRow]) -> Iterator[list[NameFileRow]]:
    return iter(lambda: list(islice(rows, CHUNK_SIZE)), [])


class _Screener:
    """The open lists of one process, and the event loop that queries them."""

    def __init__(self, batch: ScreeningBatch) -> None:
        self._batch = batch
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        self._runtime = self._runner.run(self._stack.enter_async_context(open_runtime(batch.settings)))
        self._official = get_official_lists(self._runtime)

    def close(self) -> None:
        self._runner.run(self._stack.aclose())
        self._runner.close()

    def screen(self, rows: Sequence[NameFileRow]) -> ScreenedChunk:
        """Screen these rows against the lists as they are loaded now."""
        lists = open_lists(self._runtime, self._batch.world, self._official)
        rarity = self._runner.run(get_loaded_rarity(self._runtime, self._batch.world))
        screened: dict[str, ScreenedList] = {}
        done = []
        for row in rows:
            requested = _read_request(row)
            found = self._screen_row(row, requested, lists, rarity) if isinstance(requested, RequestedRow) else requested
            warnings = requested.warnings if isinstance(requested, RequestedRow) else ()
            if isinstance(found, Screening):
                screened |= {item.source: item for item in found.lists}
                done.append(_to_screened_row(row, found, self._batch.limit, warnings))
            else:
                name = remove_invisible_characters(row.name)
                done.append(ScreenedRow(line=row.line, name=name, status=RowStatus.ERROR, error=found))
        return ScreenedChunk(tuple(done), tuple(screened.values()))

    def _screen_row(
        self, row: NameFileRow, requested: RequestedRow, lists: LoadedScreeningLists, rarity: WordRarity
    ) -> Screening | Message:
        """The result, or why the name could not be screened. Raises `ConfigurationError` if no list can be screened."""
        subject = requested.request.submitted().subject()
        try:
            found = screen_against(lists, subject, self._batch.threshold, rarity).screening
        except Exception:  # noqa: BLE001 - one row must not end the others; the log has the traceback
            _log.exception("row.failed", line=row.line)
            return Message("could not be screened because of an internal error")
        if found.reason is not None:
            return found.reason
        if not found.lists:
            reasons = [item.message for item in found.lists_not_screened]
            if not reasons:
                raise ConfigurationError(Message("No sanctions list is installed."))
            raise ConfigurationError(
                Message("No sanctions list could be screened: {reasons}", reasons=join_values(reasons, CLAUSE_SEPARATOR))
            )
        return found


def _read_request(row: NameFileRow) -> RequestedRow | Message:
    """The request of a row, or why it has none."""
    if isinstance(row, InvalidNameRow):
        return row.reason
    try:
        return row.request(datetime.now(UTC).date())
    except ValueError as error:
        return Message.untranslated(error.args[0])


def _to_screened_row(row: NameFileRow, found: Screening, limit: int, warnings: tuple[ScreeningWarning, ...]) -> ScreenedRow:
    missing = tuple(item.source for item in found.lists_not_screened)
    clear = RowStatus.INCOMPLETE if missing else RowStatus.CLEAR
    return ScreenedRow(
        line=row.line,
        name=found.query,
        status=RowStatus.MATCH if found.total_matches else clear,
        total_matches=found.total_matches,
        matches=tuple(RowMatch.of(match) for match in found.matches[:limit]),
        not_screened=missing,
        warnings=(*found.warnings, *warnings),
    )


# ------------------------------------------------------------------------------------------------- processes


_PROCESS_DIED = Message("A screening process was terminated, possibly for lack of memory. The rows already written are complete.")


def _screen_in_processes(batch: ScreeningBatch, rows: Iterator[NameFileRow]) -> Iterator[ScreenedChunk]:
    waiting: deque[Future[ScreenedChunk]] = deque()
    # Not forked: a forked process with threads may hang.
    pool = ProcessPoolExecutor(batch.processes, get_context("spawn"), _open_screener, (batch,))
    try:
        for taken in _split_rows(rows):
            waiting.append(pool.submit(_screen_chunk, taken))
            if len(waiting) > batch.processes * (1 + PENDING_PER_PROCESS):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise BonafideError(_PROCESS_DIED) from error
    finally:
        pool.shutdown(cancel_futures=True)


_screener: _Screener
"""The screener of a worker process."""


def _open_screener(batch: ScreeningBatch) -> None:
    global _screener  # noqa: PLW0603 - the only state of an executor's process
    # Only the process that writes the rows handles an interrupt; it then ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    log.configure("ERROR")
    exit_with_parent()
    _screener = _Screener(batch)


def _screen_chunk(rows: Sequence[NameFileRow]) -> ScreenedChunk:
    return _screener.screen(rows)
