"""Ctrl+C while a command follows a feed."""

import asyncio
import signal

import pytest

from bonafide.cli.command_runtime import run_until_interrupted

pytestmark = pytest.mark.usefixtures("kept_logging")


def test_ctrl_c_ends_the_work_after_its_cleanup() -> None:
    steps: list[str] = []

    async def work() -> None:
        try:
            steps.append("begun")
            signal.raise_signal(signal.SIGINT)
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            steps.append("cleaned up")

    run_until_interrupted(work())
    assert steps == ["begun", "cleaned up"]


def test_ctrl_c_in_the_middle_of_a_callback_does_not_disturb_it() -> None:
    results: list[bool] = []

    def complete(future: asyncio.Future[bool]) -> None:
        assert not future.done()
        signal.raise_signal(signal.SIGINT)
        # Fails if the handler has cancelled the work, and with it this future, since the check.
        future.set_result(True)

    async def work() -> None:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[bool] = loop.create_future()
        loop.call_soon(complete, future)
        results.append(await future)
        await asyncio.Event().wait()

    run_until_interrupted(work())
    assert results == [True]


def test_ctrl_c_ends_a_command_that_a_shell_has_started_with_the_signal_ignored() -> None:
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)

    async def work() -> None:
        signal.raise_signal(signal.SIGINT)
        await asyncio.Event().wait()

    try:
        run_until_interrupted(work())
    finally:
        signal.signal(signal.SIGINT, previous)


def test_an_error_of_the_work_is_raised() -> None:
    async def work() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        run_until_interrupted(work())
