"""Garbage collection in the processes that run tests.

Collected tests and imported modules live as long as the process. Python would search all of them for garbage each time that their
number has grown by a quarter.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLD = 10_000
"""The number of new objects after which the newest are searched. Python's 700 takes longer and frees little more."""


@contextmanager
def paused_garbage_collection() -> Iterator[None]:
    """Collect no garbage while the block runs, and exclude all objects that exist at its end from later collections."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(THRESHOLD)
        gc.enable()
