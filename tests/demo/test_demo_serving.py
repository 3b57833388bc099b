"""`serve` and `worker` as two processes over one database, and what becomes of a search when one of them is gone."""

import shutil
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.support.servers.forked_services import forked
from tests.support.servers.service_processes import (
    IN_BACKGROUND,
    FirstRun,
    Service,
    client,
    command,
    finished,
    has_started,
    job_of,
    read,
    run,
    search_later,
    server,
    wait_until,
)

SLOW = "Sandbox Timeout Ltd."
"""A search for it takes as long as a look-up may."""
FOR_EVER = {"BONAFIDE_LOOKUP_TIMEOUT_S": "3600"}
SHORT = {"BONAFIDE_LOOKUP_TIMEOUT_S": "3"}


@pytest.fixture(scope="module")
def data_dir(first_run: FirstRun, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the demo left, for all tests here: each finishes the searches that it orders."""
    return Path(shutil.copytree(first_run.data_dir, tmp_path_factory.mktemp("serving") / "data"))


@pytest.fixture(scope="module")
def service(data_dir: Path) -> Iterator[Service]:
    with server("serve", "--data-dir", data_dir, BONAFIDE_SEARCH_DEADLINE_S="3600") as running:
        yield running


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """What a forked process writes."""
    return tmp_path / "log"


@pytest.fixture
def caller(service: Service, first_run: FirstRun) -> Iterator[httpx2.Client]:
    with client(service, first_run.key) as opened:
        yield opened


def test_a_search_that_is_answered_later_waits_for_a_worker(caller: httpx2.Client, data_dir: Path) -> None:
    search_id = search_later(caller, "Sandbox Bakery")
    assert read(caller, search_id)["meta"]["status"] == "loading"
    with command("worker", "--data-dir", data_dir, before=IN_BACKGROUND) as worker:
        document = finished(caller, search_id)
        ended = worker.stop()
    assert document["meta"]["status"] == "completed"
    assert document["businesses"][0]["legalName"]["name"] == "Sandbox Bakery Inc."
    assert ended.status == 0
    assert ended.err.endswith("The worker has stopped.\n")


def test_a_worker_that_is_stopped_gives_its_job_back_to_the_next(caller: httpx2.Client, data_dir: Path, log: Path) -> None:
    search_id = search_later(caller, SLOW)
    for how in (signal.SIGTERM, signal.SIGINT):
        with forked(log, "worker", "--data-dir", data_dir, **FOR_EVER) as worker:
            wait_until(lambda: job_of(data_dir, search_id) == ("running", 1))
            assert worker.stop(how) == 0
        assert "Traceback" not in worker.written()
        assert job_of(data_dir, search_id) == ("queued", 0)
        assert read(caller, search_id)["meta"]["status"] == "loading"
    with forked(log, "worker", "--data-dir", data_dir, **SHORT):
        assert finished(caller, search_id)["meta"]["status"] == "completed-with-errors"


@pytest.mark.slow
def test_the_job_of_a_worker_that_was_killed_is_taken_up_by_another(caller: httpx2.Client, data_dir: Path, log: Path) -> None:
    search_id = search_later(caller, SLOW)
    with forked(log, "worker", "--data-dir", data_dir, **FOR_EVER) as worker:
        wait_until(lambda: job_of(data_dir, search_id) == ("running", 1))
        worker.kill()
    with forked(log, "worker", "--data-dir", data_dir, **SHORT):
        document = finished(caller, search_id)
        # The document is stored before the job is marked as done.
        wait_until(lambda: job_of(data_dir, search_id) == ("done", 2))
    assert document["meta"]["status"] == "completed-with-errors"
    assert document["errors"]["businessRegistry"]["code"] == "TIMEOUT"


def test_a_search_that_nobody_finishes_ends_as_an_error_at_its_deadline(data_dir: Path, first_run: FirstRun) -> None:
    with (
        server("serve", "--data-dir", data_dir, BONAFIDE_SEARCH_DEADLINE_S="2") as service,
        client(service, first_run.key) as caller,
    ):
        document = finished(caller, search_later(caller, "Sandbox Bakery"))
        assert document["meta"]["status"] == "error"
        assert (document["errors"]["general"]["code"], document["errors"]["general"]["retryable"]) == ("TIMEOUT", True)


def test_a_request_under_way_is_answered_before_the_service_ends(data_dir: Path, first_run: FirstRun) -> None:
    answers: list[httpx2.Response] = []
    with (
        server("serve", "--data-dir", data_dir, BONAFIDE_LOOKUP_TIMEOUT_S="2") as service,
        client(service, first_run.key) as caller,
    ):
        asking = threading.Thread(target=lambda: answers.append(caller.post("/search", json={"name": SLOW})))
        asking.start()
        with client(service, first_run.key) as other:
            wait_until(lambda: has_started(other, SLOW))
        ended = service.stop()
        asking.join()
    assert ended.status == 0
    assert ended.err.endswith("The service has stopped.\n")
    assert (answers[0].status_code, answers[0].json()["meta"]["status"]) == (200, "completed-with-errors")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_an_address_that_is_taken_is_told_in_one_sentence(tmp_path: Path, host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        ended = run("serve", "--host", host, "--port", port, "--data-dir", tmp_path)
    assert (ended.status, ended.out) == (1, "")
    assert ended.err == f"bonafide: Port {port} of {host} can’t be used (Address already in use). Choose another with --port.\n"
