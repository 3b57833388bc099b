"""A process that dies at a chosen step on the file system, as a killed one does: nothing is flushed, nothing cleaned up.

Steps are what Python's own audit hooks report; the arrays of a segment are none, since without its header they are nothing.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

KILLED = 9
_MOVES = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.truncate"}


def die_at(root: Path, step: int) -> None:
    """Die at the given step below a folder, counted from now."""
    steps = 0

    def count(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal steps
        if changes_files(event, arguments, str(root)):
            steps += 1
            if steps == step:
                os._exit(KILLED)

    sys.addaudithook(count)


def changes_files(event: str, arguments: tuple[object, ...], root: str) -> bool:
    """Whether an audited event changes something below a folder, or is about to."""
    if not arguments or not str(arguments[0]).startswith(root) or str(arguments[0]).endswith(".npy"):
        return False
    writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) != 0
    return writes or event in _MOVES


def in_child(act: Callable[[], None]) -> int:
    """The exit code of a forked child that does this."""
    child = os.fork()
    if child == 0:
        try:
            act()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
