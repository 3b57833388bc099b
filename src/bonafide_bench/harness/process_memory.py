"""Memory of processes, as reported by Linux."""

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Self

_PROC = Path("/proc")
_EVERY_S = 0.1


@dataclass(frozen=True, slots=True)
class ResidentMemory:
    """Resident bytes of a process: `anonymous` is private; `file_backed` can be reclaimed and is shared between processes."""

    anonymous: int
    file_backed: int


def read_resident_memory(pid: int) -> ResidentMemory | None:
    """The current resident memory of a process; None if it cannot be determined."""
    sizes = read_memory_rollup(pid)
    return None if sizes is None else ResidentMemory(sizes["Anonymous"], sizes["Rss"] - sizes["Anonymous"])


def read_memory_rollup(pid: int) -> dict[str, int] | None:
    """The totals of a process's mappings in bytes, by their names in `smaps_rollup`; None if they cannot be read."""
    try:
        lines = (_PROC / str(pid) / "smaps_rollup").read_text(encoding="ascii").splitlines()[1:]
    except OSError:
        return None
    return {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)}


class PeakMemory:
    """Peak memory of a process and its descendants while the block runs; shared pages count once."""

    def __init__(self, pid: int) -> None:
        self.peak: int | None = None
        self._pid = pid
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._watcher.join()

    def _watch(self) -> None:
        while not self._over.wait(_EVERY_S):
            held = [sizes["Pss"] for pid in list_process_tree(self._pid) if (sizes := read_memory_rollup(pid)) is not None]
            if held:
                self.peak = max(self.peak or 0, sum(held))


def list_process_tree(pid: int) -> list[int]:
    """A process and all its descendants."""
    members = [pid]
    for member in members:
        for children in (_PROC / str(member) / "task").glob("*/children"):
            try:
                members += map(int, children.read_text(encoding="ascii").split())
            except OSError:  # the process has just ended
                continue
    return members
