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
from bonafide.net.address_guard import GuardedBackend, GuardedTransport, is_public
from bonafide.net.fetch import Fetcher
from bonafide.settings import Settings
from tests.support.servers.asgi_server import served
from tests.support.servers.fake_internet import Site, answer, internet, trapped

pytestmark = pytest.mark.anyio


PUBLIC = """
8.8.8.8 1.1.1.1 93.184.215.14 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1 172.15.255.255 172.32.0.1 169.253.0.1 198.17.0.1
198.20.0.1 223.255.255.255 168.63.129.15 2606:4700:4700::1111 2001:4860:4860::8888 2620:fe::fe 2a00::1
64:ff9b::808:808 ::ffff:8.8.8.8 2606:4700::5efe:808:808
"""


@pytest.mark.parametrize("address", PUBLIC.split())
def test_public_addresses_pass(address: str) -> None:
    assert is_public(ip_address(address))


PRIVATE = """
127.0.0.1 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 192.0.2.1 198.18.0.1
0.1.2.3 10.255.255.255 100.127.255.255 100.100.100.200 127.255.255.254 168.63.129.16 172.31.255.255 192.0.0.1 192.0.0.192
192.88.99.1 198.19.255.255 198.51.100.1 203.0.113.1 239.255.255.255 240.0.0.1
::1 :: fe80::1 fe80::1%eth0 2606:4700:4700::1111%eth0 febf::1 fec0::1 fc00::1 fdff::1 fd00:ec2::254 fd20:ce::254 ff02::1 ff0e::1
::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::127.0.0.1 ::8.8.8.8 ::ffff:0:127.0.0.1 ::ffff:0:8.8.8.8
64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 64:ff9b:1::808:808 64:ff9b:1:ffff:ffff:ffff:808:808 64:ff9b::1:808:808
2002:7f00:1:: 2002:a00:1:: 2002:808:808:: 2001::1 2001:0:53aa:64c::80ff:fffe 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 3fff::1
2606:4700::5efe:7f00:1 2606:4700::200:5efe:a00:1 100::1 100:0:0:1::1 4000::1 5f00::1 e000::1
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


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2", "127.127.127.127", "::1"])
async def test_nothing_knocks_at_a_local_address_that_a_name_or_a_literal_leads_to(address: str) -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        return [address]

    host = f"[{address}]" if ":" in address else address
    async with (
        trapped(address) as trap,
        httpx2.AsyncClient(transport=GuardedTransport()) as literal,
        httpx2.AsyncClient(transport=GuardedTransport(resolve=resolve)) as named,
    ):
        for client, url in [(literal, f"http://{host}:{trap.port}/"), (named, f"http://attacker.example:{trap.port}/")]:
            with pytest.raises(AddressRefused):
                await client.get(url)
        assert trap.accepted == 0


async def test_what_is_no_address_is_not_connected_to() -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        return ["localhost"]

    async with httpx2.AsyncClient(transport=GuardedTransport(resolve=resolve)) as client:
        with pytest.raises(AddressRefused):
            await client.get("http://attacker.example/")


async def test_the_next_address_is_tried_where_one_does_not_answer_and_a_name_without_any_is_unreachable() -> None:
    addresses = ["93.184.215.13", "93.184.215.14"]

    async def resolve(_host: str, _port: int) -> list[str]:
        return addresses

    async with internet({"93.184.215.14": Site({"*": answer("hello")})}) as made:
        made.places["93.184.215.13", 80] = 1  # nobody listens there
        async with httpx2.AsyncClient(transport=GuardedTransport(resolve=resolve, sockets=made)) as client:
            assert (await client.get("http://shop.example/")).text == "hello"
            assert made.connected == [("93.184.215.13", 80), ("93.184.215.14", 80)]
            addresses.clear()
            with pytest.raises(httpx2.ConnectError, match="no address"):
                await client.get("http://other.example/")


async def test_a_local_socket_is_no_address() -> None:
    with pytest.raises(AddressRefused):
        await GuardedBackend(frozenset()).connect_unix_socket("/run/any.sock")


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
