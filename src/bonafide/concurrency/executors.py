"""The thread pools of a process: one thread for CPU-bound work, several for blocking I/O; and child processes that end with it.

asyncio and anyio would each bring a number of their own along. Passwords have threads of their own (`services/accounts/passwords`).
"""

import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from multiprocessing import parent_process
from threading import Thread
from typing import ParamSpec, TypeVar

from anyio import to_thread

P = ParamSpec("P")
T = TypeVar("T")
THREADS_PER_PROCESSOR = 8
"""Names are resolved in them too, which waits; what counts takes turns anyway."""


def count_processors() -> int:
    """How many processors this process may use, which may be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


SWITCH_INTERVAL_S = 0.0005
"""How long a thread that computes may keep the event loop from answering somebody else."""
_cpu_executor = ThreadPoolExecutor(1, "count")
"""Python computes in one thread at a time: two that do take turns, and both are late, at a fifth more for the taking of turns."""


async def run_cpu_bound(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What some milliseconds of pure computing give: first come, first served, one at a time.

    What waits, for a disk or for anybody, belongs in `asyncio.to_thread`: here it would hold up everybody's searches.
    """
    prepared = partial(copy_context().run, work, *arguments, **named)
    return await asyncio.get_running_loop().run_in_executor(_cpu_executor, prepared)


async def configure_executors() -> None:
    """Give the running event loop its threads; call it before the first is needed."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    threads = THREADS_PER_PROCESSOR * count_processors()
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(threads, "work"))
    to_thread.current_default_thread_limiter().total_tokens = threads


def exit_with_parent() -> None:
    """Watch the parent from a thread and exit when it ends: a child would wait for ever for work of a parent that was killed."""
    parent = parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
