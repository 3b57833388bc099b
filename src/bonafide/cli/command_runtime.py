"""Settings and runtime of commands, and the author of their changes."""

import asyncio
import getpass
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError
from pydantic_settings import SettingsError

from bonafide.cli.translation import localize
from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message, join_messages
from bonafide.model.validation_messages import describe_validation_error
from bonafide.observability import log
from bonafide.settings import Settings

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from bonafide.model.records.business_record import Author
    from bonafide.runtime import Runtime

T = TypeVar("T")
_VARIABLE_PROBLEM = Message("{variable}: {problem}")
_NOT_JSON = Message("not valid JSON")


def load_settings(data_dir: Path | None) -> Settings:
    """The settings of the environment, with the data directory of the command line.

    Raises `ConfigurationError` with the names of invalid variables.
    """
    try:
        return Settings() if data_dir is None else Settings(data_dir=data_dir)
    except ValidationError as error:
        raise ConfigurationError(join_messages([_describe_problem(found) for found in error.errors()])) from error
    except SettingsError as error:
        # Its text is all that names the field, and repeats no value.
        name = str(error).split('"')[1]
        raise ConfigurationError(_VARIABLE_PROBLEM.fill(variable=_get_variable(name), problem=_NOT_JSON)) from error


def _describe_problem(found: "ErrorDetails") -> Message:
    """The problem of a variable, or of several together, whose text names them."""
    problem = describe_validation_error(found)
    if found["loc"] == ():
        return problem
    return _VARIABLE_PROBLEM.fill(variable=_get_variable(str(found["loc"][0])), problem=problem)


def _get_variable(field: str) -> str:
    return f"BONAFIDE_{field.upper()}"


def get_first_problem(error: ValueError) -> str:
    """The problem of the first invalid value, in the language of the locale."""
    problem = describe_validation_error(error.errors()[0]) if isinstance(error, ValidationError) else error.args[0]
    return localize(problem)


@asynccontextmanager
async def open_command_runtime(data_dir: Path | None) -> "AsyncIterator[Runtime]":
    """The runtime of a command."""
    from bonafide.runtime import open_runtime  # noqa: PLC0415 - `serve` imports this module and opens the runtime later

    async with open_runtime(load_settings(data_dir)) as runtime:
        yield runtime


def build_operator_author() -> "Author":
    """The author of a command's changes in the audit log: the user who runs it."""
    from bonafide.model.records.business_record import Author  # noqa: PLC0415 - as in `open_command_runtime`

    try:
        return Author(f"cli:{getpass.getuser()}")
    except (KeyError, OSError):  # a container's user may have no name
        return Author("cli:unknown")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's work. It reports its failures itself, so only unexpected errors are logged."""
    log.configure("ERROR")
    return asyncio.run(work)


def run_until_interrupted(work: Coroutine[Any, Any, None]) -> None:
    """Run a command's work until it ends or Ctrl+C cancels it; either way it returns normally."""

    async def run_interruptible() -> None:
        loop = asyncio.get_running_loop()
        task = loop.create_task(work)
        # The handler of `asyncio.run` does not wake the event loop, and may cancel in the middle of a callback, where asyncio's own
        # code does not expect it. This one runs between callbacks.
        loop.add_signal_handler(signal.SIGINT, task.cancel)
        with suppress(asyncio.CancelledError):
            await task

    # Before and after the event loop runs, Ctrl+C raises `KeyboardInterrupt`.
    with suppress(KeyboardInterrupt):
        run(run_interruptible())


def run_with_runtime(data_dir: Path | None, work: "Callable[[Runtime], Awaitable[T]]") -> T:
    """Run a command's work with its runtime."""

    async def run_open() -> T:
        async with open_command_runtime(data_dir) as runtime:
            return await work(runtime)

    return run(run_open())
