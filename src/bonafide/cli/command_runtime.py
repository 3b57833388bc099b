"""What every command that needs the service shares: its settings, its runtime, and the author of its changes."""

import asyncio
import getpass
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from bonafide.errors import ConfigurationError
from bonafide.observability import log
from bonafide.settings import Settings

if TYPE_CHECKING:
    from bonafide.model.records.business_record import Author
    from bonafide.runtime import Runtime

T = TypeVar("T")


def load_settings(data_dir: Path | None) -> Settings:
    """The settings of the environment, with the data directory of the command line.

    Raises `ConfigurationError` that names the variable whose value can't be used.
    """
    try:
        return Settings() if data_dir is None else Settings(data_dir=data_dir)
    except ValidationError as error:
        problems = "; ".join(f"BONAFIDE_{str(found['loc'][0]).upper()}: {found['msg']}" for found in error.errors())
        raise ConfigurationError(problems) from error


def get_first_problem(error: ValueError) -> str:
    """What is wrong with a value, in the words of whoever refused it; of several wrong values the first."""
    if not isinstance(error, ValidationError):
        return str(error)
    return error.errors()[0]["msg"].removeprefix("Value error, ")


@asynccontextmanager
async def open_command_runtime(data_dir: Path | None) -> "AsyncIterator[Runtime]":
    """The runtime of a command."""
    from bonafide.runtime import open_runtime  # noqa: PLC0415 - `serve` imports this module and opens the runtime later

    async with open_runtime(load_settings(data_dir)) as runtime:
        yield runtime


def build_operator_author() -> "Author":
    """Whom the trail names for what a command changes: the user who runs it."""
    from bonafide.model.records.business_record import Author  # noqa: PLC0415 - as in `open_command_runtime`

    try:
        return Author(f"cli:{getpass.getuser()}")
    except (KeyError, OSError):  # a container's user may have no name
        return Author("cli:unknown")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's work to its end; what fails it says itself, so the log is turned down to what nobody foresaw."""
    log.configure("ERROR")
    return asyncio.run(work)


def run_with_runtime(data_dir: Path | None, work: "Callable[[Runtime], Awaitable[T]]") -> T:
    """Run work that needs a command's runtime to its end."""

    async def run_open() -> T:
        async with open_command_runtime(data_dir) as runtime:
            return await work(runtime)

    return run(run_open())
