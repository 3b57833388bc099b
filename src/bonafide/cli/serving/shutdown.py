"""Run until SIGINT or SIGTERM, and shut down gracefully.

What is done on the way out is the service's own business.
"""

import asyncio
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

from bonafide.cli.output import err

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run_until_stopped(what: str, work: Coroutine[Any, Any, None]) -> None:
    """Run a service until SIGINT or SIGTERM: either cancels it, so that it gives back and closes what it holds.

    One that makes a `ShutdownSignals` hears the signals itself.
    """
    # A shell starts a background process with SIGINT ignored; asyncio turns it into a cancellation only where it is not.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda _number, _frame: signal.raise_signal(signal.SIGINT))
    with suppress(KeyboardInterrupt, asyncio.CancelledError), asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(work)
    err.print(f"The {what} has stopped.")


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's, which serves half as many requests again, where it is installed: it is part of uvicorn's extras on most systems."""
    if find_spec("uvloop") is None:
        return None
    import uvloop  # noqa: PLC0415 - only where it is there

    return uvloop.new_event_loop


class ShutdownSignals:
    """Hears the signals of this process from now on. Make it in the task that serves.

    Until `begin`, a signal cancels that task. After that the first sets `told`, the second `hurry`, and a third cancels the task.
    """

    def __init__(self) -> None:
        self.told = asyncio.Event()
        self.hurry = asyncio.Event()
        self._has_begun = False
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - an event loop runs nothing else
        self._task = task
        for number in SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, self.handle_signal)

    def begin(self) -> None:
        """There are requests now that should be answered before the end."""
        self._has_begun = True

    def handle_signal(self) -> None:
        """One signal."""
        if not self._has_begun or self.hurry.is_set():
            self._task.cancel()
        elif self.told.is_set():
            self.hurry.set()
        else:
            self.told.set()
