"""The physical floor of an operation: the time in which the memory delivers what the operation touches.

Linux counts the pages that a process touches. An operation reads at least one cache line of each of them. The floor is the time to
transfer these lines at the bandwidth with which one core copies memory. It is an estimate, because lines that are in a cache of the
processor arrive sooner.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import mean
from time import perf_counter

import numpy as np

from bonafide_bench.harness.process_memory import read_memory_rollup

_PROC = Path("/proc")
_CLEAR_REFERENCED = "1"
_COPIED_BYTES = 1 << 27
"""More than the caches of most processors hold."""
_COPIES = 5
_MS = 1e3
_CACHE_LINE_BYTES = 64


@cache
def measure_memory_bandwidth() -> float:
    """Bytes per second that one core reads and writes when it copies a large array: the best of five copies."""
    source = np.ones(_COPIED_BYTES, np.uint8)
    target = np.empty_like(source)
    target[:] = source  # maps the pages
    durations = []
    for _ in range(_COPIES):
        started = perf_counter()
        target[:] = source
        durations.append(perf_counter() - started)
    return 2 * _COPIED_BYTES / min(durations)


@dataclass(frozen=True, slots=True)
class PhysicalFloor:
    """The mean number of pages that an operation touches, and the memory bandwidth in bytes per second."""

    pages: float
    bandwidth: float

    @property
    def ms(self) -> float:
        """Milliseconds in which the memory delivers a cache line of each page."""
        return self.pages * _CACHE_LINE_BYTES / self.bandwidth * _MS


class TouchedPages:
    """Counts the pages that processes touch; a page that several processes share counts once for each of them."""

    def __init__(self, pids: Sequence[int]) -> None:
        self.counts: list[int] = []
        """The number of pages of each operation; empty if the system does not report it."""
        self._pids = tuple(pids)

    @contextmanager
    def count_operation(self) -> Iterator[None]:
        """Count the pages that are touched while the block runs, as those of one operation."""
        is_reset = self._reset()
        yield
        rollups = [read_memory_rollup(pid) for pid in self._pids] if is_reset else [None]
        if None not in rollups:
            touched = sum(rollup["Referenced"] for rollup in rollups if rollup is not None)
            self.counts.append(touched // os.sysconf("SC_PAGE_SIZE"))

    def compute_floor(self) -> PhysicalFloor | None:
        """The floor of the mean operation; None if no pages were counted."""
        return PhysicalFloor(mean(self.counts), measure_memory_bandwidth()) if self.counts else None

    def _reset(self) -> bool:
        """Mark all pages as not touched; return whether the system supports it."""
        try:
            for pid in self._pids:
                (_PROC / str(pid) / "clear_refs").write_text(_CLEAR_REFERENCED, encoding="ascii")
        except OSError:
            return False
        return True
