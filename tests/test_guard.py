"""No request leaves for an address that is not public, however it is written."""

from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from bonafide.errors import AddressRefused
from bonafide.fetch import Fetcher
from bonafide.guard import GuardedTransport, is_public
from bonafide.settings import Settings
from serving import served

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"])
def test_public_addresses_pass(address: str) -> None:
    assert is_public(ip_address(address))


PRIVATE = """
127.0.0.1 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 192.0.2.1 198.18.0.1
::1 :: fe80::1 fc00::1 ff02::1
::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 2002:7f00:1:: 2002:a00:1:: 2001:db8::1
"""


@pytest.mark.parametrize("address", PRIVATE.split())
def test_private_and_special_addresses_do_not(address: str) -> None:
    assert not is_public(ip_address(address))


async def _hello(_request: Request) -> Response:
    return PlainTextResponse("hello")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f000001", "127.1", "[::1]", "[::ffff:127.0.0.1]"])
async def test_a_local_server_is_refused_in_every_spelling(host: str) -> None:
    async with (
        served(Starlette(routes=[Route("/", _hello)])) as address,
        httpx2.AsyncClient(transport=GuardedTransport()) as client,
    ):
        with pytest.raises(AddressRefused):
            await client.get(f"http://{host}:{urlsplit(address).port}/")


async def test_an_allowed_server_is_reached_and_its_redirect_to_another_port_is_refused(tmp_path: Path) -> None:
    async with served(Starlette(routes=[Route("/", _hello)])) as secret:

        async def away(_request: Request) -> Response:
            return RedirectResponse(secret)

        routes = [Route("/host.example/hello", _hello), Route("/host.example/away", away)]
        async with served(Starlette(routes=routes)) as address:
            fetcher = Fetcher(Settings(fetch_attempts=1), lambda: datetime.now(UTC), sandbox=address)
            assert (await fetcher.download("https://host.example/hello", tmp_path / "hello")).size == 5
            with pytest.raises(AddressRefused):
                await fetcher.download("https://host.example/away", tmp_path / "away")
            await fetcher.close()
