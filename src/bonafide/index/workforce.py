"""Who reads the texts of a build: this process alone when they are few, others beside it when they are many.

The answers come in the order of the questions whoever gives them, so that a segment's bytes don't depend on it. A reader that dies
ends the build with an error. What is read, and how, is the business of `reading`.
"""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread

from bonafide.errors import RefreshRefused
from bonafide.index.reading import Read, Texts, read

MOST_READERS = 4
"""One process can't hand out and lay out what more than so many read."""
_WAITING_EACH = 2
"""Batches that lie ready for each reader, so that none waits while this process does something else."""


def cores() -> int:
    """The processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Workforce:
    """`readers` processes beside this one, which start after this one has read `alone` texts; `batch` texts are read at a time."""

    readers: int = field(default_factory=lambda: min(cores(), MOST_READERS) if cores() > 1 else 0)
    alone: int = 100_000
    batch: int = 8192

    def read(self, batches: Iterator[Texts]) -> Iterator[Read]:
        """What each batch says. Raises `RefreshRefused` when a reader dies."""
        left = self.alone
        for texts in batches:
            if self.readers > 0 and left < len(texts):
                yield from self._share_out(texts, batches)
                return
            left -= len(texts)
            yield read(texts)

    def _share_out(self, first: Texts, others: Iterable[Texts]) -> Iterator[Read]:
        waiting: deque[Future[Read]] = deque()
        # Not forked: a copy of a process with threads may hang.
        with ProcessPoolExecutor(self.readers, get_context("spawn"), _end_with_the_builder) as pool:
            try:
                waiting.append(pool.submit(read, first))
                for texts in others:
                    waiting.append(pool.submit(read, texts))
                    if len(waiting) > self.readers * (1 + _WAITING_EACH):
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            except BrokenProcessPool as error:
                raise RefreshRefused(
                    "a process that read texts for the index has died; was it killed for want of memory?"
                ) from error


def _end_with_the_builder() -> None:
    """A reader would wait for ever for a builder that was killed."""
    builder = parent_process()
    if builder is not None:
        Thread(target=_end_after, args=[builder], daemon=True).start()


def _end_after(builder: BaseProcess) -> None:
    builder.join()
    os._exit(1)
