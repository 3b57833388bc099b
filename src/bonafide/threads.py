"""The threads of a process: how many there are for what must not hold up the event loop.

asyncio and anyio would each bring a number of their own along. Passwords have threads of their own (`services/passwords`).
"""

import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from anyio import to_thread

P = ParamSpec("P")
T = TypeVar("T")
THREADS_A_PROCESSOR = 8
"""Names are resolved in them too, which waits; what counts takes turns anyway."""


def processors() -> int:
    """How many processors this process may use, which may be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


COUNTING_AT_ONCE = 2
"""Python computes in one thread at a time, and whoever shares it with ten others is done when they are. One may wait for a disk."""
SWITCH_S = 0.001
"""How long a thread that computes may keep the event loop from answering somebody else."""
_counting = ThreadPoolExecutor(COUNTING_AT_ONCE, "count")


async def counted(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What some milliseconds of pure computing give, of which there is little at once: first come, first served.

    What waits, for a disk or for anybody, belongs in `asyncio.to_thread`: here it would hold up everybody's searches.
    """
    prepared = partial(copy_context().run, work, *arguments, **named)
    return await asyncio.get_running_loop().run_in_executor(_counting, prepared)


async def bound_threads() -> None:
    """Give the running event loop its threads; call it before the first is needed."""
    sys.setswitchinterval(SWITCH_S)
    threads = THREADS_A_PROCESSOR * processors()
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(threads, "work"))
    to_thread.current_default_thread_limiter().total_tokens = threads
