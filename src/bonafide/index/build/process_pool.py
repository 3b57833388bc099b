"""Read batches in this process or, for a large build, in a pool of processes; results keep their order.

Results are returned in the order of the batches, so that a segment's bytes do not depend on the number of processes. A reader that
dies ends the build with an error. `batch_reader` reads the texts.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context

from bonafide.concurrency.executors import count_processors, exit_with_parent
from bonafide.errors import RefreshRefused
from bonafide.i18n.message import Message
from bonafide.index.build.batch_reader import ReadBatch, TextBatch, read_batch

MAX_READERS = 4
"""The maximum number of readers; one process cannot supply more."""
_QUEUED_PER_READER = 2
"""Batches queued for each reader, so that none waits for this process."""


def _count_readers(other_processes: int = 0) -> int:
    """The number of readers that leave a processor to this process and to each other one; 0 if none is left."""
    return max(0, min(count_processors() - 1 - other_processes, MAX_READERS))


@dataclass(frozen=True, slots=True)
class ReaderPool:
    """The number of processes that read texts, and of texts in a batch.

    `readers` processes start once this one has read `texts_before_spawn` texts; `batch` texts are read at a time.
    """

    readers: int = field(default_factory=_count_readers)
    texts_before_spawn: int = 100_000
    batch: int = 8192

    @classmethod
    def create_beside(cls, other_processes: int) -> "ReaderPool":
        """The pool for documents that this many other processes produce, each on a processor of its own."""
        return cls(_count_readers(other_processes))

    def read(self, batches: Iterator[TextBatch]) -> Iterator[ReadBatch]:
        """The result of each batch. Raises `RefreshRefused` when a reader dies."""
        left = self.texts_before_spawn
        for texts in batches:
            if self.readers > 0 and left < len(texts):
                yield from self._share_out(texts, batches)
                return
            left -= len(texts)
            yield read_batch(texts)

    def _share_out(self, first: TextBatch, others: Iterable[TextBatch]) -> Iterator[ReadBatch]:
        waiting: deque[Future[ReadBatch]] = deque()
        # Not forked: a copy of a process with threads may hang.
        with ProcessPoolExecutor(self.readers, get_context("spawn"), exit_with_parent) as pool:
            try:
                waiting.append(pool.submit(read_batch, first))
                for texts in others:
                    waiting.append(pool.submit(read_batch, texts))
                    if len(waiting) > self.readers * (1 + _QUEUED_PER_READER):
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            except BrokenProcessPool as error:
                raise RefreshRefused(
                    Message("A process that reads texts for the index was killed. It may have run out of memory.")
                ) from error
