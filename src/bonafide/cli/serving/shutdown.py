"""Run until SIGINT or SIGTERM, and shut down gracefully."""

import asyncio
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

from bonafide.cli.output import err
from bonafide.cli.translation import localize
from bonafide.i18n.message import Message

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run_until_stopped(what: str, work: Coroutine[Any, Any, None]) -> None:
    """Run a service until SIGINT or SIGTERM. Either signal cancels it, so that it releases its resources.

    A service that creates a `ShutdownSignals` handles the signals itself.
    """
    # A shell starts a background process with SIGINT ignored; asyncio turns it into a cancellation only where it is not.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda _number, _frame: signal.raise_signal(signal.SIGINT))
    with suppress(KeyboardInterrupt, asyncio.CancelledError), asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(work)
    err.print(localize(Message("The {service} has stopped.", service=what)))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop, which serves 50 % more requests, if it is installed: it is an extra of uvicorn on most systems."""
    if find_spec("uvloop") is None:
        return None
    import uvloop  # noqa: PLC0415 - an optional package

    return uvloop.new_event_loop


class ShutdownSignals:
    """Handles the signals of this process. Create it in the task that serves.

    Before `begin`, a signal cancels that task. Afterwards the first signal sets `stop_requested` and the second one `stop_now`; a
    third one cancels the task.
    """

    def __init__(self) -> None:
        self.stop_requested = asyncio.Event()
        self.stop_now = asyncio.Event()
        self._has_begun = False
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - an event loop runs nothing else
        self._task = task
        for number in SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, self.handle_signal)

    def begin(self) -> None:
        """From now on, requests are finished before the end."""
        self._has_begun = True

    def handle_signal(self) -> None:
        """Handle one signal."""
        if not self._has_begun or self.stop_now.is_set():
            self._task.cancel()
        elif self.stop_requested.is_set():
            self.stop_now.set()
        else:
            self.stop_requested.set()
