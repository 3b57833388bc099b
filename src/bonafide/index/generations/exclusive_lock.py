"""Lock a folder for one process of this machine.

The kernel lets go of the lock when the process dies, however it dies. It says nothing about other machines.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bonafide.errors import RefreshRefused


@contextmanager
def hold_exclusive_lock(folder: Path, whose: str) -> Iterator[None]:
    """Keep others out of a folder that exists. Raises `RefreshRefused` when somebody is in there."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RefreshRefused(f"{whose} is being built by another process") from None
        yield
    finally:
        os.close(descriptor)
