"""What only a real connection shows: that nothing is read or written which HTTP does not allow."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from api_samples import NewKey
from fastapi import FastAPI

from patience import PATIENCE_S
from serving import served

pytestmark = pytest.mark.anyio
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
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), timeout=PATIENCE_S)
    status, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    return status, {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)}


async def test_head_leaves_the_connection_ready_for_the_next_request(connection: Connection) -> None:
    for _ in range(2):
        status, headers = await sent(connection, b"HEAD /docs HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (status, int(headers[b"content-length"]) > 1000) == (b"HTTP/1.1 200 OK", True)


async def test_a_body_that_is_too_large_is_refused_before_it_is_sent(connection: Connection, new_key: NewKey) -> None:
    head = f"POST /v1/search HTTP/1.1\r\nHost: x\r\nX-API-Key: {await new_key()}\r\nContent-Type: application/json\r\n"
    status, headers = await sent(connection, f"{head}Content-Length: 99999999999\r\n\r\n".encode())
    assert status.startswith(b"HTTP/1.1 413 ")
    assert headers[b"connection"] == b"close"
    assert headers[b"x-ratelimit-limit"] != b""


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
    async with asyncio.timeout(PATIENCE_S):
        while not any(event["event"] == "request" for event in logged):  # noqa: ASYNC110 - it is a list
            await asyncio.sleep(0.02)
    (line,) = [event for event in logged if event["event"] == "request"]
    assert (line["status"], line["route"]) == (499, "/v1/search")
    assert not any(event["event"] == "unhandled exception" for event in logged)
