"""How a process uses the processor: its priority, and how often it collects garbage."""

import gc
import os

GC_THRESHOLD = 50_000
"""Bounds uncollected garbage to some megabytes."""


def freeze_gc() -> None:
    """Exclude all objects that have been loaded from garbage collection, which would pause for a fifth of a second.

    For a process that is ready to work and keeps what it has loaded. A search creates some ten thousand objects, almost none of
    them in reference cycles: collecting after every seven hundred, as Python does, takes a tenth of its time. Called again, it
    collects what was excluded before and is no longer used.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)


def lower_priority(niceness: int) -> None:
    """Let other processes of the machine use its processors first: `niceness` is from 0, which changes nothing, to 19.

    A process can't raise its priority again. Windows has no niceness.
    """
    if hasattr(os, "nice"):
        os.nice(niceness)
