"""The physical floor of an operation: the time that the memory needs to deliver what the operation touches.

Linux counts the pages that a process touches. An operation reads at least one cache line of each of them, so nothing that touches
the same pages is faster than the transfer of these lines at the bandwidth of the memory. The ratio of a duration to its floor says
how much room is left.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import perf_counter

import numpy as np

_PROC = Path("/proc")
_CLEAR_REFERENCED = "1"
_COPIED_BYTES = 1 << 27
"""More than any cache of a processor holds."""
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
    """Counts the pages that processes touch, shared pages once for each process."""

    def __init__(self, pids: Sequence[int]) -> None:
        self._pids = tuple(pids)

    def reset(self) -> bool:
        """Mark all pages as not touched; whether the system supports it."""
        try:
            for pid in self._pids:
                (_PROC / str(pid) / "clear_refs").write_text(_CLEAR_REFERENCED, encoding="ascii")
        except OSError:
            return False
        return True

    def read(self) -> int | None:
        """The number of pages that were touched since the reset; None if the system does not report it."""
        try:
            rollups = [(_PROC / str(pid) / "smaps_rollup").read_text(encoding="ascii") for pid in self._pids]
        except OSError:
            return None
        return sum(_parse_referenced(rollup) for rollup in rollups) // os.sysconf("SC_PAGE_SIZE")


def _parse_referenced(rollup: str) -> int:
    """Bytes."""
    return sum(int(line.split()[1]) * 1024 for line in rollup.splitlines() if line.startswith("Referenced:"))
