"""The threads of a process: how many there are for what must not hold up the event loop.

asyncio and anyio would each bring a number of their own along. Passwords have threads of their own (`services/passwords`).
"""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor

from anyio import to_thread

THREADS_A_PROCESSOR = 8
"""Names are resolved in them too, which waits; what counts takes turns anyway."""


def processors() -> int:
    """How many processors this process may use, which may be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


async def bound_threads() -> None:
    """Give the running event loop its threads; call it before the first is needed."""
    threads = THREADS_A_PROCESSOR * processors()
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(threads, "work"))
    to_thread.current_default_thread_limiter().total_tokens = threads
