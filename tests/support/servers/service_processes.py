"""Services as processes of their own: started on free ports, talked to over real HTTP, and never left running."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import httpx2

from tests.support.log_watch import check_text
from tests.support.servers.ports import free_port
from tests.support.waiting import TIMEOUT_S

SIZE = "1000"
PATIENT = {"BONAFIDE_LOOKUP_TIMEOUT_S": "30", "BONAFIDE_SEARCH_DEADLINE_S": "120"}
"""More than a look-up takes on any machine; one test waits for its end."""
KEY_HEADER = "X-API-Key"
# A shell ignores SIGINT in what it starts in the background, and so does whatever that starts.
IN_BACKGROUND = ("sh", "-c", 'trap "" INT; exec "$@"', "sh")


def wait_until(what: Callable[[], bool], within_s: float = TIMEOUT_S) -> None:
    """Return as soon as it is so; fail when it does not become so in time."""
    give_up = time.monotonic() + within_s
    while not what():
        assert time.monotonic() < give_up, "it did not happen in time"
        time.sleep(0.1)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended, and what it wrote that nobody had read."""

    status: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class FirstRun:
    """What the first start of a demo left, and how it was stopped."""

    data_dir: Path
    ready: str
    ended: Ended

    @property
    def key(self) -> str:
        """The key of the first organization."""
        key: str = json.loads(self.ready)["apiKey"]
        return key


@dataclass(frozen=True, slots=True)
class Service:
    """A process that runs until it is stopped; `log` is its standard error, in a file so that it never fills a pipe."""

    process: subprocess.Popen[str]
    log: IO[str]
    url: str = ""
    ready: str = ""
    """The line that it printed when it was ready, if it prints one."""

    def stop(self, how: signal.Signals = signal.SIGTERM) -> Ended:
        """Send the signal, wait, and check that nothing went wrong on the way out."""
        self.process.send_signal(how)
        ended = self.wait(TIMEOUT_S)
        assert "Traceback" not in ended.err
        return ended

    def wait(self, within_s: float) -> Ended:
        """How it ends."""
        out, _ = self.process.communicate(timeout=within_s)
        return Ended(self.process.returncode, out, self.written())

    def written(self) -> str:
        """Its standard error so far."""
        self.log.seek(0)
        return self.log.read()


@contextmanager
def command(*words: str | Path, before: Sequence[str] = (), module: str = "bonafide", **environment: str) -> Iterator[Service]:
    """`python -m bonafide …` in the background; killed at the end if it still runs."""
    with (
        TemporaryFile("w+", encoding="utf-8") as log,
        subprocess.Popen(  # noqa: S603 - our own command
            [*before, sys.executable, "-m", module, *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=log,
            encoding="utf-8",
            env={**os.environ, **PATIENT, **environment},
        ) as process,
    ):
        try:
            yield Service(process, log)
        finally:
            process.kill()
            log.seek(0)
            check_text(log.read())


def run(*words: str | Path, module: str = "bonafide", **environment: str) -> Ended:
    """A command that ends by itself."""
    with command(*words, module=module, **environment) as service:
        return service.wait(TIMEOUT_S)


@contextmanager
def demo(data_dir: Path, before: Sequence[str] = (), options: Sequence[str] = ()) -> Iterator[Service]:
    """`bonafide demo --json`, ready."""
    words: tuple[str | Path, ...]
    words = ("demo", "--port", str(free_port()), "--size", SIZE, "--data-dir", data_dir, "--json", "--no-examples", *options)
    with command(*words, before=before) as service:
        assert service.process.stdout is not None
        line = service.process.stdout.readline()
        assert line, service.written()
        yield replace(service, url=json.loads(line)["baseUrl"], ready=line)


@contextmanager
def server(*words: str | Path, module: str = "bonafide", **environment: str) -> Iterator[Service]:
    """An HTTP server on a free port (`--port` is added), ready."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with command(*words, "--port", str(port), module=module, **environment) as service, httpx2.Client(timeout=TIMEOUT_S) as caller:

        def answers() -> bool:
            assert service.process.poll() is None, service.written()
            try:
                return caller.get(f"{url}/readyz").is_success
            except httpx2.TransportError:
                return False

        wait_until(answers, TIMEOUT_S)
        yield replace(service, url=f"{url}/v1")


@contextmanager
def client(service: Service, key: str) -> Iterator[httpx2.Client]:
    """A client of the service's API with this key."""
    with httpx2.Client(base_url=service.url, headers={KEY_HEADER: key}, timeout=TIMEOUT_S) as opened:
        yield opened


def search_later(caller: httpx2.Client, name: str) -> str:
    """Order a search that is answered with 202; gives its id."""
    answer = caller.post("/search", json={"name": name}, headers={"Prefer": "respond-async"})
    assert (answer.status_code, answer.json()["meta"]["status"]) == (202, "loading")
    search_id: str = answer.json()["meta"]["searchId"]
    assert answer.headers["Location"] == f"/v1/search/{search_id}"
    return search_id


def has_started(caller: httpx2.Client, name: str) -> bool:
    """Whether the last search of the organization has this name. False before its first one."""
    searches = caller.get("/search/history").raise_for_status().json()["searches"]
    return bool(searches) and searches[0]["query"] == name


def read(caller: httpx2.Client, search_id: str) -> dict[str, Any]:
    """The search as it stands."""
    document: dict[str, Any] = caller.get(f"/search/{search_id}").raise_for_status().json()
    return document


def finished(caller: httpx2.Client, search_id: str, within_s: float = TIMEOUT_S) -> dict[str, Any]:
    """The search once it is no longer loading."""
    wait_until(lambda: read(caller, search_id)["meta"]["status"] != "loading", within_s)
    return read(caller, search_id)


def job_of(data_dir: Path, search_id: str) -> tuple[str, int]:
    """The state of a search's job, and how many attempts at it count; as the database has it."""
    with closing(sqlite3.connect(f"file:{data_dir / 'bonafide.sqlite3'}?mode=ro", uri=True)) as connection:
        row: tuple[str, int] = connection.execute("SELECT state, attempts FROM jobs WHERE key = ?", [search_id]).fetchone()
        return row
