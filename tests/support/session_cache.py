"""Folders that are dear to make and that nobody changes: made once in a run, by whichever of its processes is first.

Whoever wants to write to one takes a copy. What lives in a process (a server, an open store) can't be shared so.
"""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def cached_folder(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder of this name, which `make` fills; the other processes wait until it is whole."""
    own = factory.getbasetemp()
    # Each process of xdist has a folder of its own inside that of the run.
    run = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    folder, whole = run / name, run / f"{name}.whole"
    with (run / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            whole.touch()
    return folder
