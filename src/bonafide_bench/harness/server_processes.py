"""Serve an application in separate processes, to measure it from outside.

The processes are configured through their environment only, and end with the block.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide.server.http_server import bind_sockets
from bonafide_bench.harness.process_memory import list_process_tree
from bonafide_bench.harness.search_requests import HOST

POLL_S = 0.05


@dataclass(frozen=True, slots=True)
class ServerProcesses:
    """The address of a served application, and its parent process."""

    port: int
    pid: int

    @property
    def processes(self) -> list[int]:
        """The ids of all its processes."""
        return list_process_tree(self.pid)


@asynccontextmanager
async def serve_in_processes(
    application: str, processes: int, environment: Mapping[str, str], log: Path
) -> AsyncIterator[ServerProcesses]:
    """Serve `module:name` with uvicorn in `processes` processes while the block runs; its output goes to `log`.

    Raises `ConfigurationError` if it does not start.
    """
    sockets = bind_sockets(HOST, 0)
    port: int = sockets[0].getsockname()[1]
    for socket in sockets:
        socket.close()
    command = ["-m", "uvicorn", application, "--host", HOST, "--port", str(port), "--workers", str(processes), "--no-access-log"]
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, "--log-level", "warning", env={**os.environ, **environment}, stdout=output, stderr=output
        )
    try:
        await _wait_until_ready(port, process, log)
        yield ServerProcesses(port, process.pid)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _wait_until_ready(port: int, process: asyncio.subprocess.Process, log: Path) -> None:
    while process.returncode is None:
        try:
            _, writer = await asyncio.open_connection(HOST, port)
        except OSError:
            await asyncio.sleep(POLL_S)
        else:
            writer.close()
            return
    raise ConfigurationError(Message.untranslated(f"what is to be measured has not started; {log} says why"))
