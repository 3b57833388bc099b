"""Service and worker as processes: one id is followed through the logs of both, and each can be asked for its numbers."""

import json
from pathlib import Path
from typing import Any

import httpx2

from tests.support.servers.ports import free_port
from tests.support.servers.service_processes import FirstRun, client, command, finished, search_later, server, wait_until
from tests.support.waiting import TIMEOUT_S


def lines(written: str) -> list[dict[str, Any]]:
    """What a process has logged."""
    return [json.loads(line) for line in written.splitlines() if line.startswith("{")]


def read(url: str) -> str:
    return httpx2.get(url, timeout=TIMEOUT_S).raise_for_status().text


def test_an_id_is_followed_from_the_service_to_the_worker(data_dir: Path, first_run: FirstRun) -> None:
    port = free_port()
    words = ("--data-dir", data_dir)
    with (
        server("serve", *words) as service,
        command("worker", "--metrics-port", str(port), *words) as worker,
        client(service, first_run.key) as caller,
    ):
        caller.headers["X-Request-Id"] = "order-66"
        search_id = search_later(caller, "Sandbox Bakery")
        caller.headers["X-Request-Id"] = "another"
        assert finished(caller, search_id)["meta"]["status"].startswith("completed")
        wait_until(lambda: any(line["event"] == "job.attempted" for line in lines(worker.written())))
        probes = [read(f"http://127.0.0.1:{port}/{name}") for name in ("healthz", "readyz")]
        of_worker = read(f"http://127.0.0.1:{port}/metrics")
        of_service = read(f"{service.url.removesuffix('/v1')}/metrics")
        by_worker, by_service = worker.stop().err, service.stop().err
    (asked,) = [line for line in lines(by_service) if line.get("request_id") == "order-66"]
    (done,) = [line for line in lines(by_worker) if line.get("request_id") == "order-66"]
    assert (asked["event"], asked["status"]) == ("request.completed", 202)
    assert (done["event"], done["kind"], done["outcome"]) == ("job.attempted", "search", "done")
    assert asked["organization_id"] == done["organization_id"]
    assert [json.loads(text)["status"] for text in probes] == ["ok", "ready"]
    assert 'bonafide_job_seconds_count{kind="search",outcome="done"} 1.0' in of_worker
    assert 'bonafide_searches_total{status="completed' in of_worker
    assert "bonafide_job_seconds_count{" not in of_service
    assert first_run.key not in by_service + by_worker
