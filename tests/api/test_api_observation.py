from collections.abc import MutableMapping
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI

from bonafide.app.application import create_app
from bonafide.observability.metrics import Metrics
from bonafide.runtime import Runtime
from bonafide.services.operations.readiness import CHECKS
from tests.support.api.clients import BASE, NewKey

pytestmark = pytest.mark.anyio
Logged = list[MutableMapping[str, Any]]


async def test_each_request_is_one_line_without_names(app: FastAPI, new_key: NewKey, logged: Logged) -> None:
    key = await new_key()
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=BASE) as client:
        await client.get("/v1/search/history?query=Acme", headers={"X-API-Key": key, "X-Request-Id": "mine"})
    (line,) = [event for event in logged if event["event"] == "request.completed"]
    assert line.pop("ms") >= 0
    assert {"organization_id", "key_id"} <= line.keys()
    expected = {"method": "GET", "route": "/v1/search/history", "status": 200, "request_id": "mine", "code": None}
    assert expected.items() <= line.items()
    assert "Acme" not in str(logged)
    assert key not in str(logged)


async def test_a_refused_request_is_logged_with_its_code(anonymous: httpx2.AsyncClient, logged: Logged) -> None:
    await anonymous.get("/v1/search/6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11")
    await anonymous.get("/v1/Acme/secret")
    lines = [(event["route"], event["status"], event["code"]) for event in logged if event["event"] == "request.completed"]
    assert lines == [("/v1/search/{id}", 401, "MISSING_API_KEY"), ("unmatched", 404, "NOT_FOUND")]


async def test_requests_are_counted_by_template(north: httpx2.AsyncClient) -> None:
    await north.get("/v1/search/not-an-id")
    await north.get("/v1/somebody/42")
    await north.request("BREW", "/v1/searches")
    text = (await north.get("/metrics")).text
    assert 'bonafide_http_request_duration_seconds_count{method="GET",route="/v1/search/{id}",status="400"} 1.0' in text
    assert 'method="GET",route="unmatched",status="404"' in text
    assert 'method="OTHER",route="/v1/searches",status="405"' in text
    assert "not-an-id" not in text
    assert "somebody" not in text


async def test_each_runtime_counts_for_itself(runtime: Runtime, anonymous: httpx2.AsyncClient) -> None:
    await anonymous.get("/healthz")
    other_app = create_app(replace(runtime, metrics=Metrics()))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(other_app), base_url=BASE) as other:
        assert 'route="/healthz"' not in (await other.get("/metrics")).text
    assert 'route="/healthz"' in (await anonymous.get("/metrics")).text


async def test_searches_and_lookups_are_counted(runtime: Runtime, north: httpx2.AsyncClient) -> None:
    runtime.metrics.observe_lookup("gleif", 0.2)
    await north.post("/v1/search", json={"name": "Somebody"})
    answer = await north.get("/metrics")
    assert answer.headers["Content-Type"].startswith("text/plain; version=")
    assert 'bonafide_searches_total{status="error"} 1.0' in answer.text
    assert 'bonafide_lookup_duration_seconds_count{source="gleif"} 1.0' in answer.text


async def test_the_probes(anonymous: httpx2.AsyncClient) -> None:
    assert (await anonymous.get("/healthz")).json() == {"status": "ok"}
    nothing = {"loaded": 0, "known": 0}
    found = (await anonymous.get("/readyz")).json()
    assert (found["status"], found["sources"]) == ("ready", {"live": nothing, "sandbox": nothing})
    assert {name: part["status"] for name, part in found["checks"].items()} == dict.fromkeys(CHECKS, "ok")
