"""Start several serving processes on one address, restart them, and stop them together.

They share the listening sockets, which this process holds without accepting connections: a connection that arrives while a process
dies waits for the next one. This process serves no requests.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket

from bonafide.cli.serving.shutdown import SIGNALS
from bonafide.observability import log

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
"""Between two attempts to start a process that fails to start."""
_log = log.get_logger(__name__)


class ProcessStartFailed(Exception):
    """The first process could not start and has printed the reason; `status` is its exit status. Raised within `cli` only."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(slots=True)
class _ProcessGroup:
    """All processes of one service. They detect the end of this process by the end of the pipe `lifeline`."""

    data_dir: Path
    sockets: Sequence[socket]
    lifeline: tuple[int, int] = field(default_factory=os.pipe)
    running: list[asyncio.subprocess.Process] = field(default_factory=list)
    is_stopping: bool = False

    def stop(self) -> None:
        """Forward a signal. Each process handles the first and the following ones itself."""
        self.is_stopping = True
        for process in self.running:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)


async def supervise(data_dir: Path, sockets: Sequence[socket], processes: int) -> None:
    """Keep this number of processes running until SIGINT or SIGTERM, and wait for their end. Raises `ProcessStartFailed`."""
    for listener in sockets:
        listener.listen()
    family = _ProcessGroup(data_dir, sockets)
    for number in SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, family.stop)
    try:
        # First alone, so that a problem that affects all of them is reported once, and an empty database is created once.
        first = await _start_process(family, answer_early=True)
        if not first.is_ready and not family.is_stopping:
            raise ProcessStartFailed(await first.process.wait() or 1)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_keep_running(family, first))
            for _ in range(processes - 1):
                tasks.create_task(_keep_running(family, None))
    finally:
        for end in family.lifeline:
            os.close(end)


@dataclass(frozen=True, slots=True)
class _ChildProcess:
    process: asyncio.subprocess.Process
    is_ready: bool


async def _keep_running(family: _ProcessGroup, child: _ChildProcess | None) -> None:
    """Restart a process until the service stops."""
    pause_s = FIRST_PAUSE_S
    while not family.is_stopping:
        child = child if child is not None else await _start_process(family)
        status = await child.process.wait()
        family.running.remove(child.process)
        if family.is_stopping:
            return
        _log.warning("process.ended", process=child.process.pid, status=status)
        if not child.is_ready:
            await asyncio.sleep(pause_s)
        pause_s = FIRST_PAUSE_S if child.is_ready else min(2 * pause_s, LONGEST_PAUSE_S)
        child = None
    if child is not None:
        await child.process.wait()


async def _start_process(family: _ProcessGroup, *, answer_early: bool = False) -> _ChildProcess:
    """A process that serves or has ended. Only the first one responds before it is ready: later, others can."""
    ready, ready_writer = os.pipe()
    listeners = [listener.fileno() for listener in family.sockets]
    orders = {"data_dir": str(family.data_dir), "sockets": listeners, "ready": ready_writer, "lifeline": family.lifeline[0]}
    orders["answer_early"] = answer_early
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bonafide.cli.serving.child_process", json.dumps(orders)),
        pass_fds=(*listeners, ready_writer, family.lifeline[0]),
        # Ctrl-C is for this process, which forwards it once.
        start_new_session=True,
    )
    os.close(ready_writer)
    family.running.append(process)
    if family.is_stopping:  # the others have received the signal
        process.send_signal(signal.SIGTERM)
    try:
        return _ChildProcess(process, is_ready=await _read_pipe(ready) != b"")
    finally:
        os.close(ready)


async def _read_pipe(pipe: int) -> bytes:
    """One byte of a pipe; nothing if its other end is closed."""
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(pipe, readable.set)
    try:
        await readable.wait()
        return os.read(pipe, 1)
    finally:
        loop.remove_reader(pipe)
