"""`bonafide demo` as its users meet it: one command, one line, and a service over real HTTP that finishes what it accepts."""

import json
import re
import signal
import socket
import stat
import threading
from collections.abc import Sequence
from pathlib import Path

import httpx2
import pytest

from tests.support.api.responses import without_signed_urls
from tests.support.servers.service_processes import (
    IN_BACKGROUND,
    SIZE,
    FirstRun,
    Service,
    client,
    demo,
    finished,
    has_started,
    run,
    search_later,
    wait_until,
)


def test_when_it_is_ready_it_prints_one_line_that_says_how_to_call_it(first_run: FirstRun) -> None:
    told = json.loads(first_run.ready)
    assert list(told) == [
        "baseUrl",
        "apiKey",
        "otherApiKey",
        "console",
        "consoleEmail",
        "consolePassword",
        "ownerEmail",
        "ownerPassword",
        "mail",
    ]
    assert told["baseUrl"].startswith("http://127.0.0.1:")
    assert told["baseUrl"].endswith("/v1")
    assert told["apiKey"].startswith("bf_test_")
    assert told["otherApiKey"].startswith("bf_test_")
    assert told["apiKey"] != told["otherApiKey"]
    assert told["console"] == told["baseUrl"].removesuffix("/v1") + "/console"
    assert first_run.ended.out == ""


def test_a_service_manager_ends_it_cleanly(first_run: FirstRun) -> None:
    assert (first_run.ended.status, first_run.ended.err) == (0, "The demo has stopped.\n")


@pytest.mark.parametrize(
    ("how", "before"),
    [(signal.SIGINT, ()), (signal.SIGTERM, IN_BACKGROUND), (signal.SIGINT, IN_BACKGROUND)],
    ids=["ctrl-c", "terminated in the background", "interrupted in the background"],
)
def test_a_later_start_prints_no_key_and_ends_as_cleanly(first_run: FirstRun, how: signal.Signals, before: Sequence[str]) -> None:
    with demo(first_run.data_dir, before) as service:
        again = json.loads(service.ready)
        assert list(again) == list(json.loads(first_run.ready))
        assert (again["apiKey"], again["otherApiKey"], again["consolePassword"]) == (None, None, None)
        ended = service.stop(how)
    assert (ended.status, ended.out, ended.err) == (0, "", "The demo has stopped.\n")


def test_a_request_under_way_while_it_stops_is_answered_like_any_other(first_run: FirstRun) -> None:
    answers: list[httpx2.Response] = []
    with demo(first_run.data_dir) as service, client(service, first_run.key) as caller:
        asking = threading.Thread(target=lambda: answers.append(caller.post("/search", json={"name": "Sandbox Timeout Ltd."})))
        asking.start()
        with client(service, first_run.key) as other:
            wait_until(lambda: has_started(other, "Sandbox Timeout Ltd."))
        service.stop()
        asking.join()
    assert (answers[0].status_code, answers[0].json()["code"]) == (503, "SERVER_ERROR")
    assert answers[0].headers["X-RateLimit-Limit"] == "600"


def test_a_search_finds_the_bakery(north: httpx2.Client) -> None:
    answer = north.post("/search", json={"name": "Sandbox Bakery", "sanctionsScreening": True}).raise_for_status()
    found = answer.json()
    assert found["meta"]["status"] == "completed"
    best = found["businesses"][0]
    assert (best["legalName"]["name"], best["registrationNumbers"][0]["value"]) == ("Sandbox Bakery Inc.", "1000017")
    assert found["meta"]["searchedBy"] == "api@demo.invalid"
    again = north.get(f"/search/{found['meta']['searchId']}").raise_for_status()
    assert without_signed_urls(again.content) == without_signed_urls(answer.content)


def test_the_other_organization_sees_nothing_of_it(north: httpx2.Client, south: httpx2.Client) -> None:
    mine = north.post("/search", json={"name": "Sandbox Bakery"}).raise_for_status().json()["meta"]["searchId"]
    assert south.get(f"/search/{mine}").status_code == 404
    assert south.patch(f"/search/{mine}", json={"archived": True}).status_code == 404
    assert south.get("/search/history").raise_for_status().json()["searches"] == []
    theirs = south.post("/search", json={"name": "Sandbox Bakery"}).raise_for_status().json()
    assert theirs["meta"]["searchedBy"] == "api@other-demo.invalid"
    assert north.get(f"/search/{theirs['meta']['searchId']}").status_code == 404


def test_a_search_that_is_answered_later_is_finished_by_the_worker(north: httpx2.Client) -> None:
    document = finished(north, search_later(north, "Sandbox Bakery"))
    assert document["meta"]["status"] == "completed"
    assert document["businesses"][0]["legalName"]["name"] == "Sandbox Bakery Inc."


def test_a_register_that_does_not_answer_leaves_the_rest_of_the_search(north: httpx2.Client) -> None:
    found = north.post("/search", json={"name": "Sandbox Timeout Ltd."}).raise_for_status().json()
    assert found["meta"]["status"] == "completed-with-errors"
    assert found["errors"]["businessRegistry"]["code"] == "TIMEOUT"
    assert found["errors"]["regulatoryRegistry"] is None


def test_a_port_that_is_taken_is_told_before_anything_is_made(first_run: FirstRun) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        new = first_run.data_dir.with_name("never-made")
        ended = run("demo", "--port", port, "--size", SIZE, "--data-dir", new, "--json")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err == f"bonafide: Port {port} of 127.0.0.1 can’t be used (Address already in use). Choose another with --port.\n"
    assert not new.exists()


def test_its_owner_signs_in_to_the_console(running_demo: Service, first_run: FirstRun) -> None:
    told = json.loads(first_run.ready)
    with httpx2.Client(base_url=running_demo.url.removesuffix("/v1")) as browser:
        form = re.search(r'name="csrf" value="([^"]+)"', browser.get("/console/sign-in").text)
        assert form is not None
        claim = {"csrf": form[1], "email": told["consoleEmail"], "password": told["consolePassword"]}
        assert browser.post("/console/sign-in", data=claim).headers["location"] == "/console"
        assert browser.get("/console").headers["location"] == "/console/overview"


def test_its_secrets_are_in_no_file(first_run: FirstRun) -> None:
    told = json.loads(first_run.ready)
    secrets = [told[name].encode() for name in ("apiKey", "otherApiKey", "consolePassword")]
    for path in first_run.data_dir.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert not any(secret in content for secret in secrets), path


def test_new_keys_replace_the_earlier_ones(data_dir: Path, first_run: FirstRun) -> None:
    (data_dir / "sandbox" / "demo.key").write_text("a key of an earlier release", encoding="ascii")
    with demo(data_dir, options=("--new-key",)) as service:
        told, first = json.loads(service.ready), json.loads(first_run.ready)
        assert told["apiKey"].startswith("bf_test_")
        assert told["consolePassword"] not in {None, first["consolePassword"]}
        assert not (data_dir / "sandbox" / "demo.key").exists()
        for name in ("apiKey", "otherApiKey"):
            with client(service, told[name]) as caller:
                assert caller.get("/searches").status_code == 200
            with client(service, first[name]) as caller:
                assert (caller.get("/searches").status_code, caller.get("/searches").json()["code"]) == (401, "REVOKED_API_KEY")


def test_only_the_user_of_the_service_can_read_its_files(tmp_path: Path) -> None:
    data_dir = tmp_path / "new" / "data"
    with (
        demo(data_dir, ("sh", "-c", 'umask 000; exec "$@"', "sh")) as service,
        client(service, json.loads(service.ready)["apiKey"]) as caller,
    ):
        verified = {"legalName": "Sandbox Bakery Inc.", "jurisdiction": "ON", "registrationNumber": "1000017"}
        assert caller.post("/verify", json=verified).status_code == 200
        service.stop()
        modes = {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in (data_dir.parent, data_dir, *data_dir.rglob("*"))}
    assert modes == {(True, 0o700), (False, 0o600)}
    assert any((data_dir / "files").rglob("*"))


def test_its_pages_are_there(running_demo: Service) -> None:
    root = running_demo.url.removesuffix("/v1")
    for page in ("/healthz", "/readyz", "/docs", "/openapi.json", "/metrics"):
        assert httpx2.get(f"{root}{page}").status_code == 200
