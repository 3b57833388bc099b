import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import httpx2
import pytest
from fastapi import APIRouter, FastAPI, Request
from fastapi.routing import iter_route_contexts
from starlette.responses import Response

from bonafide.api.protocol.idempotency import RESERVED_FOR
from bonafide.api.protocol.operation_route import OperationRoute
from bonafide.app.application import create_app
from bonafide.errors import Conflict, NotFound
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import KeyRequest, Scope, World
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.store.tenants import organizations
from tests.support.api.clients import BASE, ManualClock, NewClient, NewKey

pytestmark = pytest.mark.anyio
KEY = {"Idempotency-Key": "order 17"}


class Counter:
    """An endpoint that counts how often it ran, and does what the test says."""

    def __init__(self) -> None:
        self.runs = 0
        self.failure: Exception | None = None
        self.gate: asyncio.Event | None = None
        self.entered = asyncio.Event()
        self.work: Callable[[], Awaitable[None]] | None = None

    async def __call__(self, _request: Request) -> Response:
        self.runs += 1
        if self.work is not None:
            await self.work()
        self.entered.set()
        if self.gate is not None:
            await self.gate.wait()
        if self.failure is not None:
            raise self.failure
        return Response(f'{{"run":{self.runs}}}', 202, {"Location": "/here"}, "application/json")


@pytest.fixture
def counter() -> Counter:
    return Counter()


@pytest.fixture
async def client(runtime: Runtime, counter: Counter) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of an application with the counting endpoint, on each of the databases."""
    async with counting(runtime, counter) as opened:
        yield opened


@asynccontextmanager
async def counting(runtime: Runtime, counter: Counter) -> AsyncIterator[httpx2.AsyncClient]:
    app: FastAPI = create_app(runtime)
    router = APIRouter(route_class=OperationRoute)
    router.add_api_route("/v1/count", counter.__call__, methods=["POST"])
    router.add_api_route("/v1/recount", counter.__call__, methods=["POST"])
    app.include_router(router)
    key = (await api_access.create_key(runtime, KeyRequest(organization="North", rate_limit=100_000))).text
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url=BASE, headers={"X-API-Key": key}) as opened:
        yield opened


async def test_the_first_answer_is_given_again(client: httpx2.AsyncClient, counter: Counter) -> None:
    first, second = [await client.post("/v1/count", json={"a": 1}, headers=KEY) for _ in range(2)]
    assert (first.status_code, first.content) == (second.status_code, second.content) == (202, b'{"run":1}')
    assert "Idempotent-Replayed" not in first.headers
    assert (second.headers["Idempotent-Replayed"], second.headers["Location"]) == ("true", "/here")
    assert second.headers["Content-Type"] == "application/json"
    assert counter.runs == 1


async def test_a_replay_is_a_request_of_its_own(client: httpx2.AsyncClient) -> None:
    first, second = [await client.post("/v1/count", json={}, headers=KEY) for _ in range(2)]
    assert first.headers["X-Request-Id"] != second.headers["X-Request-Id"]
    assert int(first.headers["X-RateLimit-Remaining"]) == int(second.headers["X-RateLimit-Remaining"]) + 1


async def test_without_the_header_every_request_runs(client: httpx2.AsyncClient, counter: Counter) -> None:
    for _ in range(2):
        await client.post("/v1/count", json={})
    assert counter.runs == 2


async def test_another_body_or_another_address_is_another_request(client: httpx2.AsyncClient, counter: Counter) -> None:
    await client.post("/v1/count", json={"a": 1}, headers=KEY)
    for answer in (
        await client.post("/v1/count", json={"a": 2}, headers=KEY),
        await client.post("/v1/count", content=b'{"a": 1 }', headers=KEY | {"Content-Type": "application/json"}),
        await client.post("/v1/recount", json={"a": 1}, headers=KEY),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "CONFLICT")
    assert counter.runs == 1


async def test_the_key_is_forgotten_after_a_day(client: httpx2.AsyncClient, counter: Counter, clock: ManualClock) -> None:
    await client.post("/v1/count", json={}, headers=KEY)
    clock.now += timedelta(hours=23, minutes=59)
    assert (await client.post("/v1/count", json={}, headers=KEY)).json() == {"run": 1}
    clock.now += timedelta(minutes=1)
    assert (await client.post("/v1/count", json={"another": "body"}, headers=KEY)).json() == {"run": 2}


async def test_of_many_requests_at_once_one_runs(client: httpx2.AsyncClient, counter: Counter) -> None:
    counter.gate = asyncio.Event()
    requests = [asyncio.create_task(client.post("/v1/count", json={}, headers=KEY)) for _ in range(8)]
    await asyncio.sleep(0.2)
    counter.gate.set()
    answers = await asyncio.gather(*requests)
    assert {(answer.status_code, answer.content) for answer in answers} == {(202, b'{"run":1}')}
    assert sorted("Idempotent-Replayed" in answer.headers for answer in answers) == [False] + [True] * 7
    assert counter.runs == 1


async def test_who_waited_too_long_is_told_to_come_back(runtime: Runtime, counter: Counter) -> None:
    counter.gate = asyncio.Event()
    impatient = replace(runtime, settings=runtime.settings.model_copy(update={"search_deadline_s": 0.2}))
    async with counting(impatient, counter) as client:
        first = asyncio.create_task(client.post("/v1/count", json={}, headers=KEY))
        await counter.entered.wait()
        answer = await client.post("/v1/count", json={}, headers=KEY)
        assert (answer.status_code, answer.json()["code"]) == (409, "CONFLICT")
        counter.gate.set()
        assert (await first).status_code == 202
        assert (await client.post("/v1/count", json={}, headers=KEY)).headers["Idempotent-Replayed"] == "true"


async def test_the_key_of_a_request_whose_process_died_is_free_soon(
    client: httpx2.AsyncClient, counter: Counter, clock: ManualClock
) -> None:
    counter.gate = asyncio.Event()
    dead = asyncio.create_task(client.post("/v1/count", json={}, headers=KEY))
    await counter.entered.wait()
    dead.cancel()  # nothing is given back, as when a process is killed
    await asyncio.gather(dead, return_exceptions=True)
    clock.now += RESERVED_FOR
    counter.gate.set()
    second = await client.post("/v1/count", json={}, headers=KEY)
    assert (second.status_code, counter.runs) == (202, 2)


async def test_a_refusal_is_an_answer_too(client: httpx2.AsyncClient, counter: Counter) -> None:
    counter.failure = NotFound(Message("There is no such thing."))
    first, second = [await client.post("/v1/count", json={}, headers=KEY) for _ in range(2)]
    assert second.status_code == 404
    assert {**second.json(), "requestId": None} == {**first.json(), "requestId": None}
    assert second.headers["Idempotent-Replayed"] == "true"
    assert counter.runs == 1


async def test_a_replay_has_its_own_request_id_in_header_and_body(client: httpx2.AsyncClient, counter: Counter) -> None:
    counter.failure = NotFound(Message("There is no such thing."))
    await client.post("/v1/count", json={}, headers={**KEY, "X-Request-Id": "first"})
    second = await client.post("/v1/count", json={}, headers={**KEY, "X-Request-Id": "second"})
    assert (second.headers["X-Request-Id"], second.json()["requestId"]) == ("second", "second")


async def test_a_replayed_refusal_keeps_its_headers_and_details(north: httpx2.AsyncClient) -> None:
    first, second = [await north.post("/v1/search", json={"limit": "x"}, headers=KEY) for _ in range(2)]
    assert first.status_code == second.status_code == 400
    assert first.json()["details"] == second.json()["details"] != []
    volatile = {"x-request-id", "x-ratelimit-remaining", "idempotent-replayed"}
    assert {name: first.headers[name] for name in set(first.headers) - volatile} == {
        name: second.headers[name] for name in set(second.headers) - volatile
    }


async def test_a_failure_of_ours_is_not_kept(client: httpx2.AsyncClient, counter: Counter) -> None:
    counter.failure = ValueError("a bug")
    assert (await client.post("/v1/count", json={}, headers=KEY)).status_code == 500
    counter.failure = None
    assert (await client.post("/v1/count", json={}, headers=KEY)).json() == {"run": 2}


async def test_a_conflict_of_the_business_is_kept_like_any_refusal(client: httpx2.AsyncClient, counter: Counter) -> None:
    counter.failure = Conflict(Message("Not like this."))
    assert (await client.post("/v1/count", json={}, headers=KEY)).json()["error"] == "Not like this."
    assert (await client.post("/v1/count", json={}, headers=KEY)).json()["error"] == "Not like this."
    assert counter.runs == 1


@pytest.mark.parametrize("given", ["", "x" * 256, "é", "a\tb"])
async def test_a_key_that_is_none(client: httpx2.AsyncClient, counter: Counter, given: str) -> None:
    answer = await client.post("/v1/count", json={}, headers=[(b"Idempotency-Key", given.encode("latin-1"))])
    assert (answer.status_code, answer.json()["details"][0]["path"]) == (400, "Idempotency-Key")
    assert counter.runs == 0


async def test_keys_of_the_full_length_are_kept_apart(client: httpx2.AsyncClient, counter: Counter) -> None:
    for last in "ab":
        await client.post("/v1/count", json={}, headers={"Idempotency-Key": "x" * 254 + last})
    assert counter.runs == 2


async def test_a_write_that_leaves_the_key_out_is_rolled_back(runtime: Runtime, counter: Counter) -> None:
    """An endpoint whose service forgets `complete_key` fails, so that no endpoint can."""

    async def write() -> None:
        async with runtime.store.write() as connection:
            await organizations.get_or_create(connection, "forgetful", World.LIVE, runtime.clock())

    counter.work = write
    async with counting(runtime, counter) as client:
        assert (await client.post("/v1/count", json={}, headers=KEY)).status_code == 500
        assert "forgetful" not in await names_of_organizations(runtime)
        assert (await client.post("/v1/count", json={})).status_code == 202
        assert "forgetful" in await names_of_organizations(runtime)


async def names_of_organizations(runtime: Runtime) -> set[str]:
    async with runtime.store.read() as connection:
        return {found.name for found in await organizations.list_all(connection)}


async def test_the_missing_scope_is_not_kept(new_client: NewClient, new_key: NewKey) -> None:
    reader = await new_client(await new_key(scopes=(Scope.SEARCH_READ,)))
    for _ in range(2):
        answer = await reader.post("/v1/search", json={"name": "Acme"}, headers=KEY)
        assert (answer.status_code, "Idempotent-Replayed" in answer.headers) == (403, False)


async def test_every_key_has_its_own(new_client: NewClient, new_key: NewKey) -> None:
    one, other = await new_client(await new_key()), await new_client(await new_key())
    ids = {
        (await client.post("/v1/search", json={"name": "Acme"}, headers=KEY)).json()["meta"]["searchId"] for client in (one, other)
    }
    assert len(ids) == 2


async def test_a_search_sent_twice_is_one_search(north: httpx2.AsyncClient) -> None:
    first, second = [await north.post("/v1/search", json={"name": "Acme"}, headers=KEY) for _ in range(2)]
    assert first.content == second.content
    assert (await north.get("/v1/searches")).json()["pagination"]["total"] == 1


async def test_every_post_of_the_api_honours_the_header(app: FastAPI) -> None:
    posts = [
        context
        for context in iter_route_contexts(app.routes)
        if "POST" in (context.methods or ()) and (context.path or "").startswith("/v1/")
    ]
    assert len(posts) >= 4
    assert all(isinstance(context.original_route, OperationRoute) for context in posts)
