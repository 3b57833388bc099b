"""Services as processes that begin warm: forked from one that has imported everything, for tests that kill them by the dozen.

Starting an interpreter and importing the service costs several times as much. How a process starts, and how it ends by itself, is
not tested with these: `service_processes.command` starts it as its users do.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path

from tests.support.waiting import TIMEOUT_S

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    [
        *("bonafide.cli.serving.serve", "bonafide.cli.serving.worker", "bonafide.app.application"),
        *("bonafide_sandbox.commands", "bonafide_sandbox.demo"),
        "tests.support.servers.warm_service",
    ]
)


@dataclass(frozen=True, slots=True)
class Forked:
    """A process that runs until it is killed; `log` is the file of its standard error."""

    process: BaseProcess
    log: Path

    def kill(self) -> None:
        """End it as `kill -9` does, and wait until it is gone."""
        self.process.kill()
        self.process.join()

    def stop(self, how: signal.Signals) -> int | None:
        """Send the signal and wait; gives the status."""
        assert self.process.pid is not None
        os.kill(self.process.pid, how)
        self.process.join(TIMEOUT_S)
        return self.process.exitcode

    def written(self) -> str:
        """Its standard error so far."""
        return self.log.read_text(encoding="utf-8", errors="replace")


@contextmanager
def forked(log: Path, *words: str | Path, **environment: str) -> Iterator[Forked]:
    """`bonafide …` in the background, with the caller's variables and these; killed at the end if it still runs."""
    log.touch()
    # The tests that wait for a worker are as busy as it is.
    variables = {**os.environ, "BONAFIDE_WORKER_NICENESS": "0", **environment}
    # Not a daemon, which could not start the process that reads the files of a load.
    process = _CONTEXT.Process(target=_become, args=[log, list(map(str, words)), variables])
    process.start()
    running = Forked(process, log)
    try:
        yield running
    finally:
        running.kill()


def _become(log: Path, words: list[str], environment: dict[str, str]) -> None:
    """What `python -m bonafide` does, once it is imported."""
    from bonafide.cli import main  # noqa: PLC0415 - the test process itself need not import it

    with log.open("ab") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    # The server that forks has the variables of whichever test came first.
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["bonafide", *words]
    main()
