"""The parts of a fleet as real processes, each of which can be killed and started again at the same place.

Beside what other tests start, a PostgreSQL that keeps its promises: with `fsync`, and with its postmaster in our hands.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, Protocol

import httpx2
import psycopg
import pytest
from sqlalchemy import URL

from tests.support.servers import s3
from tests.support.servers.forked_services import Forked, forked
from tests.support.servers.ports import HOST, free_port
from tests.support.servers.postgres import (
    MISSING,
    SERVER_OPTIONS,
    PostgresServer,
    account,
    as_account,
    as_psycopg,
    dying_with_us,
    find_binaries,
    make_cluster,
)
from tests.support.waiting import TIMEOUT_S

LOOK_EVERY_S = 0.05
DURABLE = {**SERVER_OPTIONS, "fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "restart_after_crash": "on"}
FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
NO_FAKETIME = "libfaketime is not installed: apt-get install faketime"


class Part(Protocol):
    """Something that dies and comes back."""

    def kill(self) -> None:
        """End it as `kill -9` does."""

    def start(self) -> None:
        """Start it, and wait until it answers."""


def missing(what: str) -> NoReturn:
    """Skip the test, and say why; but not in CI."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


def wait_for(what: str, is_so: Callable[[], bool]) -> None:
    """Return as soon as it is so; fail when it does not become so in time."""
    give_up = time.monotonic() + TIMEOUT_S
    while not is_so():
        assert time.monotonic() < give_up, f"{what} did not come"
        time.sleep(LOOK_EVERY_S)


class DurablePostgres:
    """A server in a folder of its own that writes what it promises to disk."""

    def __init__(self, folder: Path) -> None:
        binaries = find_binaries()
        if binaries is None:
            missing(MISSING)
        self._binaries, self.folder = binaries, folder
        owner = account()
        if owner is not None:
            shutil.chown(folder, owner)
        make_cluster(folder, binaries)
        self.server = PostgresServer(URL.create("postgresql+psycopg", "postgres", database="postgres", query={"host": str(folder)}))
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Run it until it answers. Processes of a server that was killed may hold its memory for a moment: it is tried again."""
        give_up = time.monotonic() + TIMEOUT_S
        while not self._answers():
            if self._process is None or self._process.poll() is not None:
                self._run()
            assert time.monotonic() < give_up, (self.folder / "log").read_text(errors="replace")
            time.sleep(LOOK_EVERY_S)

    def _run(self) -> None:
        options = [word for name, value in DURABLE.items() for word in ("-c", f"{name}={value}")]
        command = [*dying_with_us(), str(self._binaries / "postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen([*command, *options], stdout=log, stderr=log, cwd="/", **as_account(account()))  # noqa: S603

    def _answers(self) -> bool:
        try:
            as_psycopg(self.server.url).close()
        except psycopg.OperationalError:
            return False
        return True

    def kill(self) -> None:
        """End the postmaster as `kill -9` does; its children notice."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(TIMEOUT_S)

    def stop(self) -> None:
        """End it as its service manager does, without waiting for whoever is connected."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(TIMEOUT_S)


class Bucket:
    """rclone on a folder: what is in it outlives the server."""

    def __init__(self, folder: Path, disk: Path) -> None:
        program = s3._program()
        if program is None:
            missing(s3.MISSING)
        self._log, self._port = folder / "log", free_port()
        self.folder = disk / "buckets"
        (self.folder / s3.BUCKET).mkdir(parents=True)
        self._command = [*s3._dying_with_us(), program, "serve", "s3", "--addr", f"{HOST}:{self._port}"]
        self._command += ["--auth-key", f"{s3.ACCESS_KEY},{s3.SECRET_KEY}", "--config", "", "--cache-dir", str(folder / "cache")]
        self._command.append(str(self.folder))
        self._process: subprocess.Popen[bytes] | None = None
        self.options = s3.S3Server(f"http://{HOST}:{self._port}", self.folder).options

    def start(self) -> None:
        """Run it until it takes connections."""
        with self._log.open("ab") as output:
            self._process = process = subprocess.Popen(self._command, stdout=output, stderr=output)  # noqa: S603
        wait_for("the S3 server", lambda: process.poll() is not None or is_open(self._port))
        assert process.poll() is None, self._log.read_text(errors="replace")

    def kill(self) -> None:
        """End it as `kill -9` does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(TIMEOUT_S)


def is_open(port: int) -> bool:
    """Whether somebody takes connections at this port of the loopback address."""
    with suppress(OSError), socket.create_connection((HOST, port), timeout=TIMEOUT_S):
        return True
    return False


class Clock:
    """What a machine takes for the time: a file that Debian's libfaketime looks into every moment."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.is_movable = FAKETIME is not None
        self.set("+0")

    def set(self, offset: str) -> None:
        """How far it is off: `+3600`, in seconds."""
        draft = self._path.with_suffix(".new")
        draft.write_text(f"{offset}\n", encoding="ascii")
        draft.replace(self._path)

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to believe it. How long something takes is not changed: only what the time is."""
        if not self.is_movable:
            return {}
        return {
            "LD_PRELOAD": str(FAKETIME),
            "FAKETIME_TIMESTAMP_FILE": str(self._path),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }


class Program:
    """`bonafide …`, forked from a warm process or, on a machine with a clock of its own, started as its users do."""

    def __init__(self, log: Path, words: tuple[str, ...], environment: Mapping[str, str], clock: Clock | None) -> None:
        self.log, self._words, self._clock = log, words, clock
        self._environment = dict(environment)
        self._forked: Forked | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        process = self._process if self._process is not None else self._forked.process if self._forked is not None else None
        return process.pid if process is not None else None

    def run(self) -> None:
        """Start it."""
        if self._clock is None:
            self._context = forked(self.log, *self._words, **self._environment)
            self._forked = self._context.__enter__()
            return
        environment = {**os.environ, "BONAFIDE_WORKER_NICENESS": "0", **self._environment, **self._clock.environment}
        with self.log.open("ab") as output:
            command = [*s3._dying_with_us(), sys.executable, "-m", "bonafide", *self._words]
            self._process = subprocess.Popen(command, stdout=output, stderr=output, env=environment)  # noqa: S603 - our own command

    def kill(self) -> None:
        """End it as `kill -9` does."""
        if self._forked is not None:
            self._context.__exit__(None, None, None)
            self._forked = None
        if self._process is not None:
            self._process.kill()
            self._process.wait(TIMEOUT_S)
            self._process = None

    def assert_runs(self) -> None:
        """Fail with what it has written when it has ended by itself."""
        if self._process is not None:
            assert self._process.poll() is None, self.written()[-4000:]
        if self._forked is not None:
            assert self._forked.process.is_alive(), self.written()[-4000:]

    def written(self) -> str:
        """Its standard error so far."""
        return self.log.read_text(encoding="utf-8", errors="replace")


class ApiNode(Program):
    """`bonafide serve`."""

    def __init__(self, log: Path, data_dir: Path, environment: Mapping[str, str], clock: Clock | None) -> None:
        self.port = free_port()
        self.data_dir = data_dir
        words = ("serve", "--port", str(self.port), "--data-dir", str(data_dir))
        super().__init__(log, words, environment, clock)

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://{HOST}:{self.port}"

    def start(self) -> None:
        """Run it until it is ready."""
        self.run()
        wait_for("a node that is ready", self.is_ready)

    def is_ready(self) -> bool:
        """What it tells a load balancer."""
        self.assert_runs()
        return self.readiness() is not None

    def readiness(self) -> dict[str, dict[str, str | None]] | None:
        """Its parts, when it is ready; None while it is not."""
        try:
            answer = httpx2.get(f"{self.url}/readyz", timeout=TIMEOUT_S)
        except httpx2.TransportError:
            return None
        if answer.status_code != 200:
            return None
        checks: dict[str, dict[str, str | None]] = answer.json()["checks"]
        return checks

    def metrics(self) -> str:
        """What it has measured."""
        return httpx2.get(f"{self.url}/metrics", timeout=TIMEOUT_S).raise_for_status().text


class WorkerNode(Program):
    """`bonafide worker`."""

    def __init__(self, log: Path, data_dir: Path, environment: Mapping[str, str], clock: Clock | None) -> None:
        super().__init__(log, ("worker", "--data-dir", str(data_dir)), environment, clock)

    def start(self) -> None:
        """Run it until it works."""
        before = self.written().count("worker.started") if self.log.exists() else 0
        self.run()
        wait_for("a worker that works", lambda: self._works(before))

    def _works(self, before: int) -> bool:
        self.assert_runs()
        return self.written().count("worker.started") > before
