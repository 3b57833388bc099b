"""More requests than can be done: what is taken on ends as always, the rest is 503 at once, and afterwards all is as before."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import httpx2
import pytest
from sqlalchemy import func, select

from bonafide.api.protocol.concurrency_limits import EXPENSIVE_ROUTES
from bonafide.app.application import create_app
from bonafide.app.worker import work_once
from bonafide.concurrency.work_limiter import WorkLimiter
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.store.database.tables import searches
from bonafide.web.routing import RouteTable
from tests.support.api.clients import NewKey
from tests.support.servers.asgi_server import served
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
SLOW = {"name": "Sandbox Timeout Ltd."}
"""Takes as long as a look-up may."""
AT_ONCE, MAY_WAIT, BURST = 2, 4, 120
LATER = {"Prefer": "respond-async"}


def with_settings(runtime: Runtime, **values: object) -> Runtime:
    return replace(runtime, settings=runtime.settings.model_copy(update=values))


@asynccontextmanager
async def clients(runtime: Runtime, *keys: str) -> AsyncIterator[list[httpx2.AsyncClient]]:
    """The service on a real socket, and a client for each key with as many connections as it likes."""
    many = httpx2.Limits(max_connections=None)
    async with served(create_app(runtime)) as address:
        made = [
            httpx2.AsyncClient(base_url=address, headers={"X-API-Key": key}, timeout=TIMEOUT_S, limits=many, trust_env=False)
            for key in keys
        ]
        try:
            yield made
        finally:
            for client in made:
                await client.aclose()


async def stored(runtime: Runtime) -> int:
    async with runtime.store.read() as connection:
        return (await connection.execute(select(func.count()).select_from(searches))).scalar_one()


def gauges(metrics: str) -> dict[str, float]:
    lines = [
        line.rpartition(" ")
        for line in metrics.splitlines()
        if line.startswith(("bonafide_http_requests", "bonafide_re", "bonafide_work"))
    ]
    return {name: float(value) for name, _, value in lines}


@pytest.mark.slow
async def test_a_burst_at_many_times_the_capacity(runtime: Runtime, new_key: NewKey) -> None:
    small = replace(with_settings(runtime, lookup_timeout_s=0.3), work_limiter=WorkLimiter(AT_ONCE, MAY_WAIT))
    async with clients(small, await new_key(world=World.SANDBOX), await new_key("South", world=World.SANDBOX)) as (north, south):
        first = await north.post("/v1/search", json=SLOW)
        address = f"/v1/search/{first.json()['meta']['searchId']}"
        burst = [asyncio.create_task(client.post("/v1/search", json=SLOW)) for client in (north, south) for _ in range(BURST // 2)]
        cheap = [await north.get(path) for path in (address, "/healthz", "/readyz", "/metrics", "/v1/search/history") * 4]
        answers = await asyncio.gather(*burst)
        assert [(answer.url.path, answer.text) for answer in cheap if answer.status_code != 200] == []
        accepted = [answer for answer in answers if answer.status_code == 200]
        refused = [answer for answer in answers if answer.status_code != 200]
        assert len(accepted) >= AT_ONCE + MAY_WAIT
        assert {answer.json()["meta"]["status"] for answer in accepted} == {first.json()["meta"]["status"]}
        assert {(answer.status_code, answer.json()["code"]) for answer in refused} == {(503, "SERVER_ERROR")}
        assert all(1 <= int(answer.headers["Retry-After"]) <= 30 for answer in refused)
        # What was refused was never begun.
        assert await stored(small) == 1 + len(accepted)
        assert (small.work_limiter.under_way, small.work_limiter.waiting) == (0, 0)
        measured = gauges((await north.get("/metrics")).text)
        assert measured['bonafide_refused_total{full="work"}'] == len(refused)
        assert measured["bonafide_http_requests_in_flight"] == 1  # the one that asks
        assert (await south.post("/v1/search", json=SLOW)).status_code == 200


async def test_however_many_requests_there_are_the_probes_answer(runtime: Runtime, new_key: NewKey) -> None:
    small = with_settings(runtime, lookup_timeout_s=0.5, max_requests=1)
    async with clients(small, await new_key(world=World.SANDBOX)) as (north,):
        slow = asyncio.create_task(north.post("/v1/search", json=SLOW))
        while small.work_limiter.under_way == 0:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)
        refused = await north.get("/v1/search/history")
        assert (refused.status_code, refused.json()["code"]) == (503, "SERVER_ERROR")
        assert "Retry-After" in refused.headers
        assert {(await north.get(path)).status_code for path in ("/healthz", "/readyz", "/metrics")} == {200}
        assert (await slow).status_code == 200
        assert (await north.get("/v1/search/history")).status_code == 200


async def test_what_will_be_refused_anyway_and_what_is_done_later_need_no_turn(runtime: Runtime, new_key: NewKey) -> None:
    none_left = replace(runtime, work_limiter=WorkLimiter(1, 0))
    async with (
        clients(none_left, await new_key(), "bf_live_unknown") as (north, stranger),
        none_left.work_limiter.slot("somebody", 1),
    ):
        assert (await north.post("/v1/search", json=SLOW)).status_code == 503
        assert (await north.post("/v1/search", json=SLOW, headers=LATER)).status_code == 202
        assert (await stranger.post("/v1/search", json=SLOW)).status_code == 401


async def test_an_organization_has_so_many_searches_waiting_for_a_worker(runtime: Runtime, new_key: NewKey) -> None:
    short = with_settings(runtime, max_queued_jobs=2)
    async with clients(short, await new_key(), await new_key("South")) as (north, south):

        async def order(client: httpx2.AsyncClient) -> httpx2.Response:
            return await client.post("/v1/search", json={"name": "Acme"}, headers=LATER)

        assert [(await order(north)).status_code for _ in range(3)] == [202, 202, 503]
        refused = await order(north)
        assert (refused.json()["code"], int(refused.headers["Retry-After"]) >= 1) == ("SERVER_ERROR", True)
        assert await stored(short) == 2
        assert (await order(south)).status_code == 202
        while await work_once(short, "w1"):
            pass
        assert (await order(north)).status_code == 202


async def test_every_dear_request_is_one_that_there_is(runtime: Runtime) -> None:
    table = RouteTable(create_app(runtime))
    found = [(method, table.find({"path": path})[0]) for method, path in EXPENSIVE_ROUTES]
    assert all(route is not None and method in route.methods for method, route in found)
