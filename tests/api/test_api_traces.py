"""One request is one trace, down to its sources and statements; what a worker does later leads back to it; nobody is named."""

from collections.abc import AsyncIterator
from dataclasses import replace

import httpx2
import pytest
from fastapi import FastAPI

from bonafide.app.application import create_app
from bonafide.app.worker import work_once
from bonafide.model.accounts.organizations import World
from bonafide.observability.otlp import OtlpExporter
from bonafide.observability.tracing import Tracer
from bonafide.runtime import Runtime
from bonafide.store.database.engine import Store
from bonafide.web.routing import TELEMETRY_OFF
from tests.support.api.clients import BASE, NewKey
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.servers.otlp_collector import Collector, Received, collecting

pytestmark = [pytest.mark.anyio, ON_SQLITE_ONLY]
CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
SOUGHT = "Sandbox Bakery"


@pytest.fixture
async def traced(sandbox_runtime: Runtime, new_key: NewKey) -> AsyncIterator[tuple[Runtime, httpx2.AsyncClient, Collector]]:
    """The service with a collector. What it has been told is there once `runtime.tracer` is closed."""
    with collecting() as collector:
        runtime = replace(sandbox_runtime, tracer=Tracer(OtlpExporter(collector.url, 1.0)))
        headers = {"X-API-Key": await new_key(world=World.SANDBOX), "X-Request-Id": "order-66"}
        transport = httpx2.ASGITransport(create_app(runtime))
        async with httpx2.AsyncClient(transport=transport, base_url=BASE, headers=headers) as client:
            yield runtime, client, collector
        runtime.tracer.close()


async def test_a_search_is_one_connected_trace(traced: tuple[Runtime, httpx2.AsyncClient, Collector]) -> None:
    runtime, client, collector = traced
    body = {"name": SOUGHT, "website": "https://sandbox-bakery.example", "sanctionsScreening": True}
    answer = await client.post("/v1/search", json=body, headers={"traceparent": CALLER})
    runtime.tracer.close()
    (root,) = collector.named("POST /v1/search")
    assert (root.trace, root.parent) == tuple(CALLER.split("-")[1:3])
    assert len(collector.below(root)) == len(collector.spans) - 1
    told = {name: root.attributes[name] for name in ("http.route", "http.response.status_code", "bonafide.request_id")}
    assert told == {"http.route": "/v1/search", "http.response.status_code": 200, "bonafide.request_id": "order-66"}
    parts = {span.name for span in collector.spans}
    assert parts >= {"search", "check registers and regulators", "check sanctions", "lookup", "search joint indexes", "transaction"}
    asked = {span.attributes["bonafide.source"]: span.attributes["bonafide.outcome"] for span in collector.named("lookup")}
    assert {asked["on"], asked["gleif"]} == {"answered"}
    assert _is_silent(collector.spans, client, answer.json()["meta"]["submitted"]["name"])


def _is_silent(spans: list[Received], client: httpx2.AsyncClient, *names: str) -> bool:
    """Whether no span has a name, a key or anything that is not of a known kind."""
    known = {
        "http.request.method", "http.route", "http.response.status_code", "server.address", "bonafide.request_id",
        "bonafide.source", "bonafide.outcome", "bonafide.world", "bonafide.mode", "bonafide.kind", "bonafide.attempt",
    }  # fmt: skip
    assert {name for span in spans for name in span.attributes} <= known
    told = repr(spans).lower()
    return not any(text.lower() in told for text in (*names, "bakery", client.headers["X-API-Key"]))


async def test_a_queued_search_leads_back_to_its_request(traced: tuple[Runtime, httpx2.AsyncClient, Collector]) -> None:
    runtime, client, collector = traced
    answer = await client.post("/v1/search", json={"name": SOUGHT}, headers={"Prefer": "respond-async"})
    assert answer.status_code == 202
    assert await work_once(runtime, "worker")
    runtime.tracer.close()
    (request,), (job,) = collector.named("POST /v1/search"), collector.named("job search")
    assert (job.links, job.parent) == ((request.id,), "")
    told = {"bonafide.kind": "search", "bonafide.attempt": 1, "bonafide.outcome": "done", "bonafide.request_id": "order-66"}
    assert job.attributes == told
    assert "lookup" in {span.name for span in collector.below(job)}
    assert _is_silent(collector.spans, client)


async def test_a_refused_request_and_a_failed_one_are_told_apart(
    traced: tuple[Runtime, httpx2.AsyncClient, Collector], store: Store
) -> None:
    runtime, client, collector = traced
    await client.get("/v1/search/not-an-id")
    await client.get("/v1/Acme/secret", headers={"X-Request-Id": f"mine {client.headers['X-API-Key']}"})
    await store.close()
    await client.get("/v1/search/6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11")
    runtime.tracer.close()
    told = [
        (span.name, span.attributes["http.response.status_code"], span.failure) for span in collector.spans if span.parent == ""
    ]
    assert told == [("GET /v1/search/{id}", 400, ""), ("GET unmatched", 404, ""), ("GET /v1/search/{id}", 503, "503")]
    assert _is_silent(collector.spans, client, "acme")


@pytest.mark.slow
async def test_a_collector_that_is_away_changes_no_answer(sandbox_runtime: Runtime, new_key: NewKey) -> None:
    runtime = replace(sandbox_runtime, tracer=Tracer(OtlpExporter("http://127.0.0.1:9/v1/traces", 1.0)))
    headers = {"X-API-Key": await new_key(world=World.SANDBOX)}
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(create_app(runtime)), base_url=BASE, headers=headers) as client:
        assert (await client.post("/v1/search", json={"name": SOUGHT})).status_code == 200
        runtime.tracer.close()
        text = (await client.get("/metrics")).text
    (dropped,) = [line for line in text.splitlines() if line.startswith("bonafide_spans_dropped ")]
    assert float(dropped.split()[1]) > 30


async def test_the_frameworks_own_telemetry_is_off(app: FastAPI) -> None:
    assert not app._native_telemetry.enabled()
    assert set(TELEMETRY_OFF.values()) == {False}
