"""Bodies that arrive slowly, over real connections: they end in time, and hold up nobody else."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace

import httpx2
import pytest
import uvicorn
from fastapi import FastAPI
from uvicorn.server import ServerState

from bonafide.api.protocol import concurrency_limits
from bonafide.api.protocol.concurrency_limits import compute_refusal_delay_s
from bonafide.api.protocol.request_body import MAX_VALUES
from bonafide.app.application import create_app
from bonafide.concurrency import request_admission
from bonafide.concurrency.work_limiter import WorkLimiter
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.server.http_server import HeaderLimitProtocol
from tests.support.api.clients import NewKey
from tests.support.console.sessions import CHEAP
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.servers.asgi_server import served
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
SEARCH = {"name": "Acme"}
SLOW = {"name": "Sandbox Timeout Ltd."}
"""Takes as long as a look-up may."""
Logged = list[dict[str, object]]


@dataclass
class SlowConnection:
    """A connection on which a request was begun whose body never ends."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def response(self) -> tuple[int, bytes]:
        """The status and the head of the response. The connection has ended afterwards."""
        async with asyncio.timeout(TIMEOUT_S):
            head = await self.reader.readuntil(b"\r\n\r\n")
            with suppress(ConnectionError):
                await self.reader.read()
        return int(head[9:12]), head

    async def close(self) -> None:
        """Close the connection."""
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()

    async def drip(self) -> None:
        """Send a byte from time to time, for as long as the server takes them."""
        with suppress(ConnectionError):
            while not self.writer.is_closing():
                self.writer.write(b"x")
                await self.writer.drain()
                await asyncio.sleep(0.05)


@dataclass
class SlowClient:
    """Opens slow connections to one server."""

    address: str

    async def begin(self, path: str, *headers: str, first: bytes = b"{") -> SlowConnection:
        """Begin a POST, and send the first bytes of its body."""
        host, _, port = self.address.removeprefix("http://").rpartition(":")
        connection = SlowConnection(*await asyncio.open_connection(host, int(port)))
        lines = [f"POST {path} HTTP/1.1", "Host: x", "Content-Length: 10000", *headers]
        connection.writer.write("\r\n".join([*lines, "", ""]).encode() + first)
        await connection.writer.drain()
        return connection


@asynccontextmanager
async def over(runtime: Runtime, **settings: object) -> AsyncIterator[tuple[SlowClient, httpx2.AsyncClient]]:
    """The service with these settings on a real socket, and two clients of it."""
    changed = replace(runtime, settings=runtime.settings.model_copy(update=settings))
    many = httpx2.Limits(max_connections=None)
    async with (
        served(create_app(changed)) as address,
        httpx2.AsyncClient(base_url=address, timeout=TIMEOUT_S, limits=many, trust_env=False) as client,
    ):
        yield SlowClient(address), client


async def until(is_true: Callable[[], bool]) -> None:
    async with asyncio.timeout(TIMEOUT_S):
        while not is_true():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)


async def gauge(client: httpx2.AsyncClient, name: str) -> float:
    lines = (await client.get("/metrics")).text.splitlines()
    return next(float(line.rpartition(" ")[2]) for line in lines if line.startswith(f"{name} "))


async def until_gauge(client: httpx2.AsyncClient, name: str, value: float) -> None:
    async with asyncio.timeout(TIMEOUT_S):
        while await gauge(client, name) != value:  # noqa: ASYNC110 - it is read over HTTP
            await asyncio.sleep(0.01)


def with_key(key: str) -> tuple[str, str]:
    return f"X-API-Key: {key}", "Content-Type: application/json"


@ON_SQLITE_ONLY
async def test_a_body_ends_at_its_time_limit(runtime: Runtime, new_key: NewKey, logged: Logged) -> None:
    async with over(runtime, body_timeout_s=0.2) as (slow, _):
        api = await slow.begin("/v1/search", *with_key(await new_key()))
        form = await slow.begin("/console/sign-in", "Content-Type: application/x-www-form-urlencoded")
        for connection in (api, form):
            status, content = await connection.response()
            assert (status, b"connection: close" in content.lower()) == (408, True)
            await connection.close()
    assert not any("exc_info" in event for event in logged)


@ON_SQLITE_ONLY
async def test_a_body_that_drips_ends_long_before_its_time_limit(
    runtime: Runtime, new_key: NewKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_admission, "GRACE_S", 0.2)
    async with over(runtime, body_timeout_s=TIMEOUT_S) as (slow, _), asyncio.TaskGroup() as dripping:
        for path, headers in (
            ("/v1/search", with_key(await new_key())),
            ("/console/sign-in", ("Content-Type: application/x-www-form-urlencoded",)),
        ):
            connection = await slow.begin(path, *headers)
            task = dripping.create_task(connection.drip())
            status, _ = await connection.response()
            assert status == 408
            task.cancel()
            await connection.close()


@ON_SQLITE_ONLY
async def test_slow_forms_of_one_address_stop_neither_console_nor_api(
    runtime: Runtime, new_key: NewKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_admission, "MIN_RECEIVING_S", 0.1)
    limits = {"max_requests": 5, "max_incoming_bodies_per_client": 3, "body_timeout_s": TIMEOUT_S, "min_body_rate": 1e-6, **CHEAP}
    form_type = "Content-Type: application/x-www-form-urlencoded"
    async with over(runtime, **limits) as (slow, client):
        connections = [await slow.begin("/console/sign-in", form_type) for _ in range(20)]
        ended = [await connection.response() for connection in connections[:17]]
        assert {status for status, _ in ended} == {503}
        await until_gauge(client, "bonafide_bodies_incoming", 3)
        key = {"X-API-Key": await new_key()}
        assert (await client.post("/v1/search", json=SEARCH, headers=key)).status_code == 200
        assert (await client.get("/console/sign-in")).status_code == 200
        form = {"email": "nobody@north.example", "password": "wrong", "csrf": "x"}
        assert (await client.post("/console/sign-in", data=form)).status_code == 403
        # The complete form took the place of the oldest as well.
        assert 'bonafide_refused_total{full="bodies"} 18.0' in (await client.get("/metrics")).text
        for connection in connections:
            await connection.close()


@ON_SQLITE_ONLY
async def test_unfinished_bodies_of_one_organization_take_no_work_slots(runtime: Runtime, new_key: NewKey) -> None:
    one_slot = replace(runtime, work_limiter=WorkLimiter(1, 0))
    north, south = await new_key(), await new_key("South")
    async with over(one_slot, body_timeout_s=TIMEOUT_S, min_body_rate=1e-6) as (slow, client):
        connections = [await slow.begin("/v1/search", *with_key(north)) for _ in range(33)]
        await until_gauge(client, "bonafide_http_requests_in_flight", 34)  # with the one that asks
        assert (await client.post("/v1/search", json=SEARCH, headers={"X-API-Key": south})).status_code == 200
        assert one_slot.work_limiter.under_way == 0
        for connection in connections:
            await connection.close()


@ON_SQLITE_ONLY
async def test_an_invalid_body_is_refused_without_a_work_slot(runtime: Runtime, new_key: NewKey) -> None:
    none_left = replace(runtime, work_limiter=WorkLimiter(1, 0))
    async with over(none_left) as (_, client), none_left.work_limiter.slot("somebody", 1):
        key = {"X-API-Key": await new_key(), "Content-Type": "application/json"}
        assert (await client.post("/v1/search", json={"nam": "Acme"}, headers=key)).status_code == 400
        assert (await client.post("/v1/search", content=b"{", headers=key)).status_code == 400
        assert (await client.post("/v1/search", json=SEARCH, headers=key)).status_code == 503


@pytest.mark.slow
@ON_SQLITE_ONLY
async def test_an_organization_leaves_work_slots_for_the_others(runtime: Runtime, new_key: NewKey) -> None:
    four_slots = replace(runtime, work_limiter=WorkLimiter(4, 0))
    north, south = await new_key(world=World.SANDBOX), await new_key("South", world=World.SANDBOX)
    async with over(four_slots, lookup_timeout_s=5.0) as (_, client):
        flood = [asyncio.create_task(client.post("/v1/search", json=SLOW, headers={"X-API-Key": north})) for _ in range(8)]
        await until(lambda: four_slots.work_limiter.under_way + sum(task.done() for task in flood) == len(flood))
        assert (await client.post("/v1/search", json=SEARCH, headers={"X-API-Key": south})).status_code == 200
        assert {answer.status_code for answer in await asyncio.gather(*flood)} == {200, 503}


@pytest.mark.slow
@ON_SQLITE_ONLY
async def test_whoever_has_used_its_share_is_refused_before_its_body_arrives(runtime: Runtime, new_key: NewKey) -> None:
    limited = replace(runtime, work_limiter=WorkLimiter(1, 2))
    north, south = await new_key(world=World.SANDBOX), await new_key("South", world=World.SANDBOX)
    async with over(limited, lookup_timeout_s=5.0, body_timeout_s=TIMEOUT_S, min_body_rate=1e-6) as (slow, client):
        flood = [asyncio.create_task(client.post("/v1/search", json=SLOW, headers={"X-API-Key": north})) for _ in range(2)]
        await until(lambda: limited.work_limiter.waiting == 1)
        connection = await slow.begin("/v1/search", *with_key(north))
        head = await asyncio.wait_for(connection.reader.readuntil(b"\r\n"), TIMEOUT_S)
        assert head.startswith(b"HTTP/1.1 503 ")
        await connection.close()
        later = {"Prefer": "respond-async"}
        assert (await client.post("/v1/search", json=SEARCH, headers={"X-API-Key": north, **later})).status_code == 503
        assert (await client.post("/v1/search", json=SEARCH, headers={"X-API-Key": south, **later})).status_code == 202
        assert (await client.post("/v1/search", json=SEARCH, headers={"X-API-Key": south})).status_code == 200
        assert {answer.status_code for answer in await asyncio.gather(*flood)} == {200}


@ON_SQLITE_ONLY
async def test_a_large_body_with_one_repeated_name_is_refused(runtime: Runtime, new_key: NewKey) -> None:
    names = ",".join(f'"n{number}":1' for number in range(15_000))
    async with over(runtime) as (_, client):
        headers = {"X-API-Key": await new_key(), "Content-Type": "application/json"}
        answer = await client.post("/v1/search", content=f'{{{names},"n14999":2}}', headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_JSON")
    assert "'n14999'" in answer.json()["error"]


@ON_SQLITE_ONLY
async def test_a_body_of_too_many_values_is_refused_before_it_is_parsed(
    runtime: Runtime, new_key: NewKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(concurrency_limits, "MIN_REFUSAL_DELAY_S", 0.0)
    async with over(runtime) as (_, client):
        headers = {"X-API-Key": await new_key(), "Content-Type": "application/json"}
        values = ",".join(["1"] * MAX_VALUES)
        answer = await client.post("/v1/search", content=f'{{"name": [{values},]}}', headers=headers)
        fewer = await client.post("/v1/search", content=f'{{"name": [{values}]}}', headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (413, "VALIDATION_ERROR")
    assert str(MAX_VALUES) in answer.json()["details"][0]["message"]
    assert fewer.status_code == 400


@pytest.mark.slow
@ON_SQLITE_ONLY
async def test_refusals_of_one_caller_are_delayed_and_those_of_another_are_not(
    runtime: Runtime, new_key: NewKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    delays: list[int] = []

    def delay(waiting: int) -> float:
        delays.append(waiting)
        return 2.0

    monkeypatch.setattr(concurrency_limits, "compute_refusal_delay_s", delay)
    too_large = b" " * (runtime.settings.max_body_bytes + 1)
    async with over(runtime) as (_, client), asyncio.TaskGroup() as tasks:
        for key in [await new_key()] * 3 + [await new_key("South")]:
            headers = {"X-API-Key": key, "Content-Type": "application/json"}
            tasks.create_task(client.post("/v1/search", content=too_large, headers=headers))
    assert sorted(delays) == [1, 1, 2, 3]


def test_the_delay_of_refusals_grows_with_their_number() -> None:
    delays = [compute_refusal_delay_s(waiting) for waiting in (1, 10, 40, 10_000)]
    assert delays == [0.5, 0.5, 2.0, 10.0]


class Impatient(HeaderLimitProtocol):
    head_timeout_s = 0.05


@ON_SQLITE_ONLY
async def test_a_body_that_no_endpoint_reads_does_not_keep_its_connection(app: FastAPI) -> None:
    config = uvicorn.Config(app, lifespan="off", ws="none", log_config=None)
    config.load()
    listening = await asyncio.get_running_loop().create_server(lambda: Impatient(config, ServerState(), {}), "127.0.0.1", 0)
    async with listening:
        host, port = listening.sockets[0].getsockname()
        connection = await SlowClient(f"http://{host}:{port}").begin("/v1/nothing")
        dripping = asyncio.create_task(connection.drip())
        assert (await connection.response())[0] == 404
        dripping.cancel()
        await connection.close()


@ON_SQLITE_ONLY
async def test_who_leaves_in_the_middle_of_a_form_leaves_no_traceback(runtime: Runtime, logged: Logged) -> None:
    async with over(runtime) as (slow, _):
        for kind, first in (("application/x-www-form-urlencoded", b"csrf="), ("multipart/form-data; boundary=b", b"--b\r\n")):
            connection = await slow.begin("/console/sign-in", f"Content-Type: {kind}", first=first)
            await connection.close()
        await until(lambda: len([event for event in logged if event["event"] == "request.completed"]) == 2)
    assert {event["status"] for event in logged if event["event"] == "request.completed"} == {499}
    assert not any("exc_info" in event or event["event"] == "console.page_failed" for event in logged)
