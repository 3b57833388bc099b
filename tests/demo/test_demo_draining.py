"""Nodes that stop while they are used: nobody's request fails, whichever of the processes ends and however."""

import os
import shutil
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from tests.support.servers.forked_services import Forked, forked
from tests.support.servers.haproxy import balancing
from tests.support.servers.ports import free_port
from tests.support.servers.service_processes import KEY_HEADER, FirstRun, wait_until
from tests.support.waiting import TIMEOUT_S

SLOW = "Sandbox Timeout Ltd."
DRAINING = {"BONAFIDE_DRAIN_S": "10", "BONAFIDE_GRACE_S": "30"}
"""Longer than the balancer's checks need to notice, and than a busy machine needs for two requests."""


@pytest.fixture(scope="module")
def data_dir(first_run: FirstRun, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(first_run.data_dir, tmp_path_factory.mktemp("draining") / "data"))


class Callers:
    """Clients that call all the time, each on connections that it keeps, and count how they were answered."""

    def __init__(self, url: str, key: str) -> None:
        self.url, self.key = url, key
        self.answered: Counter[int | str] = Counter()
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._call) for _ in range(3)]

    def _call(self) -> None:
        with httpx2.Client(base_url=self.url, headers={KEY_HEADER: self.key}, timeout=TIMEOUT_S, trust_env=False) as caller:
            # The callers together stay below the 600 requests a minute of the demo's key.
            while not self._stop.wait(0.5):
                try:
                    self.answered[caller.get("/coverage").status_code] += 1
                except httpx2.TransportError as error:
                    self.answered[type(error).__name__] += 1

    @contextmanager
    def calling(self) -> Iterator[None]:
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._stop.set()
            for thread in self._threads:
                thread.join()

    def wait_for_more(self, count: int = 20) -> None:
        """Until so many more have been answered."""
        until = self.answered.total() + count
        wait_until(lambda: self.answered.total() >= until)


@dataclass(frozen=True)
class Node:
    """A service at an address of its own."""

    process: Forked
    host_and_port: str

    @property
    def root(self) -> str:
        return f"http://{self.host_and_port}"

    @property
    def pid(self) -> int:
        assert self.process.process.pid is not None
        return self.process.process.pid

    def tell(self, how: signal.Signals = signal.SIGTERM) -> None:
        os.kill(self.pid, how)

    def wait(self) -> int | None:
        """Its status, once it has ended by itself; nothing has gone wrong on its way out."""
        self.process.process.join(TIMEOUT_S)
        assert "Traceback" not in self.process.written(), self.process.written()
        assert self.process.written().endswith("The service has stopped.\n")
        return self.process.process.exitcode


@contextmanager
def node(data_dir: Path, log: Path, *words: str, **environment: str) -> Iterator[Node]:
    """`bonafide serve`, answering."""
    port = free_port()
    with forked(log, "serve", "--port", str(port), "--data-dir", data_dir, *words, **environment) as process:
        started = Node(process, f"127.0.0.1:{port}")
        wait_until(lambda: status(f"{started.root}/readyz") == 200)
        yield started


def status(url: str, **headers: str) -> int:
    """How a request is answered on a connection of its own; 0 when it is not."""
    try:
        return httpx2.get(url, headers=headers, timeout=TIMEOUT_S, trust_env=False).status_code
    except httpx2.TransportError:
        return 0


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(text) for text in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def test_behind_the_balancer_no_request_fails_while_a_node_is_drained(data_dir: Path, first_run: FirstRun, tmp_path: Path) -> None:
    port = free_port()
    public, key = f"http://127.0.0.1:{port}", {KEY_HEADER: first_run.key}
    with (
        node(data_dir, tmp_path / "first", **DRAINING) as first,
        node(data_dir, tmp_path / "second", **DRAINING) as second,
        balancing(port, (first.host_and_port, second.host_and_port)),
    ):
        wait_until(lambda: status(f"{public}/v1/coverage", **key) == 200)
        callers = Callers(f"{public}/v1", first_run.key)
        with callers.calling():
            callers.wait_for_more()
            first.tell()
            wait_until(lambda: status(f"{first.root}/readyz") == 503)
            assert "draining" in httpx2.get(f"{first.root}/readyz").json()["error"]
            # It still serves whoever has not noticed, and asks to be left.
            late = httpx2.get(f"{first.root}/v1/coverage", headers=key, timeout=TIMEOUT_S)
            assert (late.status_code, late.headers["Connection"]) == (200, "close")
            assert first.wait() == 0
            callers.wait_for_more()
        assert set(callers.answered) == {200}
        assert {status(f"{public}{path}") for path in ("/metrics", "/readyz", "/healthz")} == {404}


def test_a_second_signal_hurries(data_dir: Path, first_run: FirstRun, tmp_path: Path) -> None:
    slow = {"BONAFIDE_LOOKUP_TIMEOUT_S": "3600", "BONAFIDE_SEARCH_DEADLINE_S": "3600"}
    for_ever = {"BONAFIDE_DRAIN_S": "3600", "BONAFIDE_GRACE_S": "3600", **slow}
    with node(data_dir, tmp_path / "log", **for_ever) as running:
        answers: list[httpx2.Response] = []
        asking = threading.Thread(target=lambda: answers.append(_search(running, first_run.key)))
        asking.start()
        wait_until(lambda: "bonafide_work_under_way 1.0" in httpx2.get(f"{running.root}/metrics").text)
        running.tell()
        wait_until(lambda: status(f"{running.root}/readyz") == 503)
        running.tell()
        assert running.wait() == 0
        asking.join()
    assert (answers[0].status_code, answers[0].json()["code"]) == (503, "SERVER_ERROR")


def _search(running: Node, key: str) -> httpx2.Response:
    return httpx2.post(f"{running.root}/v1/search", json={"name": SLOW}, headers={KEY_HEADER: key}, timeout=TIMEOUT_S)


def test_one_of_several_processes_that_is_killed_is_replaced_and_all_stop_together(
    data_dir: Path, first_run: FirstRun, tmp_path: Path
) -> None:
    with node(data_dir, tmp_path / "log", "--processes", "2") as running:
        wait_until(lambda: len(children(running.pid)) == 2)
        killed = children(running.pid)[0]
        os.kill(killed, signal.SIGKILL)
        # The other one answers all the time, and nobody is turned away.
        assert {status(f"{running.root}/v1/coverage", **{KEY_HEADER: first_run.key}) for _ in range(20)} == {200}
        wait_until(lambda: len(children(running.pid)) == 2 and killed not in children(running.pid))
        family = children(running.pid)
        running.tell()
        assert running.wait() == 0
    assert not any(_lives(child) for child in family)


def test_processes_do_not_outlive_the_one_that_started_them(data_dir: Path, tmp_path: Path) -> None:
    with node(data_dir, tmp_path / "log", "--processes", "2") as running:
        wait_until(lambda: len(children(running.pid)) == 2)
        family = children(running.pid)
        running.process.kill()
        wait_until(lambda: not any(_lives(child) for child in family))


def _lives(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_what_keeps_one_process_from_starting_ends_all_with_its_sentence(tmp_path: Path) -> None:
    environment = {"BONAFIDE_DATABASE_URL": "mysql://localhost/bonafide"}
    words = ("serve", "--processes", "3", "--port", str(free_port()), "--data-dir", tmp_path)
    with forked(tmp_path / "log", *words, **environment) as started:
        started.process.join(TIMEOUT_S)
        assert started.process.exitcode == 1
    sentences = [line for line in started.written().splitlines() if line.startswith("bonafide: ")]
    assert sentences == ["bonafide: The database address must be sqlite:///file or postgresql://user@host/name."]
    assert "Traceback" not in started.written()
