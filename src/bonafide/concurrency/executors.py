"""The thread pools of a process: one thread for CPU-bound work, several for blocking I/O; and child processes that end with it.

asyncio and anyio would each create thread pools of their own. Passwords have threads of their own (`services/accounts/passwords`).
"""

import asyncio
import os
import resource
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import partial
from multiprocessing import parent_process
from threading import Thread
from typing import ParamSpec, TypeVar

from anyio import to_thread

from bonafide.concurrency.fair_thread import FairThread

P = ParamSpec("P")
T = TypeVar("T")
THREADS_PER_PROCESSOR = 8
"""Threads for blocking I/O, including name resolution; Python code in them runs one at a time in any case."""


def count_processors() -> int:
    """The number of processors available to this process, which may be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


SWITCH_INTERVAL_S = 0.0005
"""How long a computing thread may delay the event loop."""
_cpu_thread = FairThread("count")
"""One thread: Python runs one at a time, and switching between two costs a fifth more and delays both."""
_cpu_caller: ContextVar[tuple[str, float]] = ContextVar("cpu_caller", default=("", 1.0))
"""For whom the current task computes, and the caller's weight."""


@contextmanager
def compute_for(caller: str, weight: float) -> Iterator[None]:
    """Count what `run_cpu_bound` computes within the block towards this caller's share of the CPU thread."""
    token = _cpu_caller.set((caller, weight))
    try:
        yield
    finally:
        _cpu_caller.reset(token)


async def run_cpu_bound(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Run a function of a few milliseconds of pure computation in the CPU thread.

    Callers that wait share the thread's time by their weights (`compute_for`); the functions of one caller run in order of arrival.
    Functions that wait for I/O belong in `asyncio.to_thread`: here they would delay all searches.
    """
    prepared = partial(copy_context().run, work, *arguments, **named)
    return await asyncio.wrap_future(_cpu_thread.submit(prepared, *_cpu_caller.get()))


async def configure_executors() -> None:
    """Set the thread pools of the running event loop; call it before they are first used."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    threads = THREADS_PER_PROCESSOR * count_processors()
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(threads, "work"))
    to_thread.current_default_thread_limiter().total_tokens = threads


def exit_with_parent() -> None:
    """Watch the parent from a thread and exit when it ends: otherwise a child would wait forever for a parent that was killed."""
    parent = parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()


def limit_memory(limit: int | None) -> None:
    """Limit the private memory of this process; an allocation beyond it fails. Only Linux supports this."""
    if sys.platform != "linux":
        return
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    soft = hard if limit is None else limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
