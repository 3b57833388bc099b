"""Processor time that other processes use during a measurement, as reported by Linux.

Another process on the same core, or the host of a virtual machine, makes measured durations longer.
"""

import os
import resource
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import Self

from bonafide_bench.harness.process_memory import list_process_tree

_PROC = Path("/proc")
_SAMPLE_S = 0.2
_IDLE_COLUMNS = (3, 4)
"""The columns of `/proc/stat` with the time in which a core was idle or waited for a disk."""
_STEAL_COLUMN = 7
_GUEST_COLUMN = 8
"""From this column on, times are contained in earlier columns."""
_OWN_TIME_COLUMNS = slice(11, 15)
"""The columns of `/proc/PID/stat`, after the name, with the processor time of a process and of its ended children."""


@dataclass(frozen=True, slots=True)
class CoreTimes:
    """Seconds of a core since the system was started: in use, given to other virtual machines by the host, and in total."""

    used_s: float
    stolen_s: float
    total_s: float


def read_core_times() -> dict[int, CoreTimes]:
    """The times of each core that this process may use; empty if the system does not report them."""
    try:
        lines = (_PROC / "stat").read_text(encoding="ascii").splitlines()
        cores, tick = os.sched_getaffinity(0), os.sysconf("SC_CLK_TCK")
    except (AttributeError, OSError, ValueError):
        return {}
    times = {}
    for name, *rest in (line.split() for line in lines if line.startswith("cpu")):
        if name != "cpu" and int(name.removeprefix("cpu")) in cores:
            columns = [int(value) / tick for value in rest[:_GUEST_COLUMN]]
            idle, stolen, total = sum(columns[place] for place in _IDLE_COLUMNS), columns[_STEAL_COLUMN], sum(columns)
            times[int(name.removeprefix("cpu"))] = CoreTimes(total - idle - stolen, stolen, total)
    return times


def choose_idle_cores(count: int) -> list[int]:
    """The `count` cores that were used least during a fifth of a second; empty if the system does not report it."""
    before = read_core_times()
    if len(before) <= count:
        return sorted(before)
    sleep(_SAMPLE_S)
    after = read_core_times()
    busy = {core: after[core].used_s + after[core].stolen_s - before[core].used_s - before[core].stolen_s for core in after}
    # Of equally idle cores the last: the first ones handle most interrupts.
    return sorted(sorted(busy, key=lambda core: (busy[core], -core))[:count])


def pin_to_cores(count: int) -> None:
    """Restrict this process and its children to the `count` least used cores; does nothing if the system does not support it."""
    cores = choose_idle_cores(count)
    if cores:
        os.sched_setaffinity(0, cores)


@dataclass(frozen=True, slots=True)
class OtherUse:
    """Shares of the time of the cores: used by other processes, and given to other virtual machines by the host."""

    cores: int
    others: float
    stolen: float

    def __str__(self) -> str:
        return f"Other processes used {self.others:.0%} of the {self.cores} cores, the host took {self.stolen:.0%}."


def describe_other_use(use: OtherUse | None) -> str:
    """One sentence about what other processes used; None if the system does not report it."""
    return "This system does not report what other processes used of the cores." if use is None else str(use)


class OtherCoreUse:
    """Measures how much of the cores processes other than this one and its descendants use while the block runs."""

    def __init__(self) -> None:
        self.use: OtherUse | None = None
        """None before the end of the block, and if the system does not report it."""
        self._before: dict[int, CoreTimes] = {}
        self._own_s = 0.0

    def __enter__(self) -> Self:
        self._before, self._own_s = read_core_times(), _read_own_time()
        return self

    def __exit__(self, *_: object) -> None:
        after, own_s = read_core_times(), _read_own_time() - self._own_s
        common = after.keys() & self._before.keys()
        total = sum(after[core].total_s - self._before[core].total_s for core in common)
        if total > 0:
            used = sum(after[core].used_s - self._before[core].used_s for core in common)
            stolen = sum(after[core].stolen_s - self._before[core].stolen_s for core in common)
            self.use = OtherUse(len(common), max(0.0, used - own_s) / total, max(0.0, stolen) / total)


def _read_own_time() -> float:
    """Processor seconds of this process, its ended children and its living descendants."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    living = sum(_read_process_time(pid) for pid in list_process_tree(os.getpid())[1:])
    return sum(usage.ru_utime + usage.ru_stime for usage in usages) + living


def _read_process_time(pid: int) -> float:
    try:
        line = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:  # the process has just ended
        return 0.0
    columns = line.rpartition(")")[2].split()
    return sum(map(int, columns[_OWN_TIME_COLUMNS])) / os.sysconf("SC_CLK_TCK")
