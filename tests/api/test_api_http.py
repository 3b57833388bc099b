"""What only a real connection shows: that nothing is read or written which HTTP does not allow."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
import uvicorn
from fastapi import FastAPI
from uvicorn.server import ServerState

from bonafide.server.http_server import MAX_HEADER_BYTES, HeaderLimitProtocol
from tests.support.api.clients import NewKey
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.servers.asgi_server import served
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
HEADER = b"X-Many: " + b"x" * 1000 + b"\r\n"
ENDLESS = 50_000_000
Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture
async def connection(app: FastAPI) -> AsyncIterator[Connection]:
    async with served(app) as address:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))
        yield reader, writer
        writer.close()


async def sent(connection: Connection, request: bytes) -> tuple[bytes, dict[bytes, bytes]]:
    """The status line and the headers of the answer."""
    reader, writer = connection
    writer.write(request)
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), timeout=TIMEOUT_S)
    status, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    return status, {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)}


@ON_SQLITE_ONLY
async def test_head_leaves_the_connection_ready_for_the_next_request(connection: Connection) -> None:
    for _ in range(2):
        status, headers = await sent(connection, b"HEAD /docs HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (status, int(headers[b"content-length"]) > 1000) == (b"HTTP/1.1 200 OK", True)


@ON_SQLITE_ONLY
async def test_a_body_that_is_too_large_is_refused_before_it_is_sent(connection: Connection, new_key: NewKey) -> None:
    head = f"POST /v1/search HTTP/1.1\r\nHost: x\r\nX-API-Key: {await new_key()}\r\nContent-Type: application/json\r\n"
    status, headers = await sent(connection, f"{head}Content-Length: 99999999999\r\n\r\n".encode())
    assert status.startswith(b"HTTP/1.1 413 ")
    assert headers[b"connection"] == b"close"
    assert headers[b"x-ratelimit-limit"] != b""


@ON_SQLITE_ONLY
async def test_a_chunked_body_that_is_too_large_is_refused_on_the_way(connection: Connection, new_key: NewKey) -> None:
    head = f"POST /v1/search HTTP/1.1\r\nHost: x\r\nX-API-Key: {await new_key()}\r\nContent-Type: application/json\r\n"
    chunk = b"80000\r\n" + b" " * 0x80000 + b"\r\n"
    status, _ = await sent(connection, f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + chunk * 3)
    assert status.startswith(b"HTTP/1.1 413 ")


async def test_a_caller_who_leaves_is_no_failure(connection: Connection, new_key: NewKey, logged: list[dict[str, object]]) -> None:
    head = f"POST /v1/search HTTP/1.1\r\nHost: x\r\nX-API-Key: {await new_key()}\r\nContent-Length: 100\r\n\r\n"
    writer = connection[1]
    writer.write(head.encode())
    await writer.drain()
    writer.close()
    async with asyncio.timeout(TIMEOUT_S):
        while not any(event["event"] == "request.completed" for event in logged):  # noqa: ASYNC110 - it is a list
            await asyncio.sleep(0.02)
    (line,) = [event for event in logged if event["event"] == "request.completed"]
    assert (line["status"], line["route"]) == (499, "/v1/search")
    assert not any(event["event"] == "request.failed" for event in logged)


@ON_SQLITE_ONLY
async def test_the_server_says_nothing_of_itself(connection: Connection) -> None:
    _, headers = await sent(connection, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    assert b"server" not in headers


@ON_SQLITE_ONLY
async def test_headers_that_never_end_are_refused_and_the_connection_ends(connection: Connection) -> None:
    writer = connection[1]
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n")
    written = 0
    with suppress(ConnectionError):
        async with asyncio.timeout(TIMEOUT_S):
            while written < ENDLESS:
                written += len(HEADER)
                writer.write(HEADER)
                await writer.drain()
    # Of what was written, buffers on the way hold a part that nobody has read.
    assert written < ENDLESS


@ON_SQLITE_ONLY
async def test_one_header_that_never_ends_is_refused_too(connection: Connection) -> None:
    status, headers = await sent(connection, b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: " + b"x" * (MAX_HEADER_BYTES + 1))
    assert (status, headers[b"connection"]) == (b"HTTP/1.1 431 Request Header Fields Too Large", b"close")


@ON_SQLITE_ONLY
async def test_many_requests_on_one_connection_are_not_taken_for_one_large_head(connection: Connection) -> None:
    for _ in range(10):
        status, _ = await sent(
            connection, b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: " + b"x" * (MAX_HEADER_BYTES // 4) + b"\r\n\r\n"
        )
        assert status == b"HTTP/1.1 200 OK"
        await connection[0].readexactly(len(b'{"status":"ok"}'))


async def read_error(connection: Connection, request: bytes) -> tuple[int, dict[bytes, bytes], dict[str, object]]:
    """The status, headers and body of an error."""
    status, headers = await sent(connection, request)
    body = await asyncio.wait_for(connection[0].readexactly(int(headers[b"content-length"])), timeout=TIMEOUT_S)
    return int(status.split()[1]), headers, json.loads(body)


@pytest.mark.parametrize(
    "hosts",
    [b"", b"Host: x\r\nHost: y\r\n", b"Host: x\r\nHost: x\r\n", b"Host: x, y\r\n", b"Host: \r\n", b"Host: ann@x\r\n"],
)
@ON_SQLITE_ONLY
async def test_a_request_names_one_host(connection: Connection, hosts: bytes) -> None:
    for path in (b"/v1/searches", b"/healthz", b"/console/sign-in"):
        status, _, body = await read_error(connection, b"GET " + path + b" HTTP/1.1\r\n" + hosts + b"\r\n")
        assert (status, body["code"]) == (400, "VALIDATION_ERROR")
        assert [detail["path"] for detail in body["details"]] == ["Host"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("head", [b"HTTP/1.0\r\n", b"HTTP/1.1\r\nHost: [::1]:8080\r\n", b"HTTP/1.1\r\nHost: a_b.example:80\r\n"])
@ON_SQLITE_ONLY
async def test_a_health_check_and_every_host_name_are_served(connection: Connection, head: bytes) -> None:
    assert (await sent(connection, b"GET /healthz " + head + b"\r\n"))[0].endswith(b" 200 OK")


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        (b"NONSENSE / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"GET / HTTX/1.1\r\nHost: x\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nX-Long: " + b"x" * (MAX_HEADER_BYTES + 1), 431),
    ],
)
@ON_SQLITE_ONLY
async def test_an_error_of_the_parser_has_the_form_of_every_error(
    connection: Connection, request_text: bytes, expected: int
) -> None:
    status, headers, body = await read_error(connection, request_text)
    assert (status, body["code"], headers[b"connection"]) == (expected, "VALIDATION_ERROR", b"close")
    assert body["requestId"] == headers[b"x-request-id"].decode()
    assert (headers[b"x-ratelimit-limit"], headers[b"x-ratelimit-remaining"]) == (b"60", b"60")
    assert int(headers[b"x-ratelimit-reset"]) > 0


class Impatient(HeaderLimitProtocol):
    head_timeout_s = 0.05


@ON_SQLITE_ONLY
async def test_who_says_nothing_is_not_waited_for(app: FastAPI) -> None:
    config = uvicorn.Config(app, lifespan="off", ws="none", log_config=None)
    config.load()
    listening = await asyncio.get_running_loop().create_server(lambda: Impatient(config, ServerState(), {}), "127.0.0.1", 0)
    async with listening:
        for said in (b"", b"GET /healthz HTTP/1.1\r\nHos"):
            reader, writer = await asyncio.open_connection(*listening.sockets[0].getsockname())
            writer.write(said)
            assert await asyncio.wait_for(reader.read(), timeout=TIMEOUT_S) == b""
            writer.close()
            await writer.wait_closed()


@pytest.mark.parametrize(
    "request_head",
    [
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /v1/search HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"POST /v1/search HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/search HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nX : y\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n",
    ],
    ids=["length and chunks", "two lengths", "a negative length", "an unknown coding", "space before the colon", "folding", "NUL"],
)
@ON_SQLITE_ONLY
async def test_what_two_servers_could_read_in_two_ways_is_refused(connection: Connection, request_head: bytes) -> None:
    status, headers = await sent(connection, request_head)
    assert (status, headers[b"connection"]) == (b"HTTP/1.1 400 Bad Request", b"close")
