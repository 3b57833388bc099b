"""Garbage collection of the processes that run tests, whose thousands of tests and modules no collection needs to search.

They live as long as the process, and searching them takes most of a second. Until the last test is collected, Python does it again
whenever there are a quarter more of them.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLD = 10_000
"""New objects after which the newest are searched. After every 700, as Python does it, takes longer and frees little more."""


@contextmanager
def paused_garbage_collection() -> Iterator[None]:
    """Collect no garbage while the block runs, and leave what it has made out of every later collection."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(THRESHOLD)
        gc.enable()
