"""Sites over HTTP, the hostile ones included: each does the harm that it promises, and the server lives on."""

import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from time import perf_counter

import httpx2
import pytest

from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.sites.catalog import load_catalog
from bonafide_sandbox.sites.handwritten import load_handwritten_sites
from bonafide_sandbox.sites.hostile import BOMB_BYTES, HOSTILE_SITES, REDIRECTS
from bonafide_sandbox.world.builder import DEFAULT_SEED
from bonafide_sandbox.world.directory import BusinessDirectory
from tests.support.servers.asgi_server import served
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio

QUIET = [label for label in HOSTILE_SITES if label not in {"endless", "drip", "silent"}]


@pytest.fixture
async def client(live_world: Path) -> AsyncIterator[httpx2.AsyncClient]:
    app = create_sandbox_app(live_world, {}, None, BusinessDirectory(live_world, DEFAULT_SEED))
    async with served(app) as address, httpx2.AsyncClient(base_url=address, timeout=TIMEOUT_S) as client:
        yield client


async def test_a_shops_pages_are_served(client: httpx2.AsyncClient) -> None:
    site = load_catalog(DEFAULT_SEED).site("boulangerie.sandbox.example")
    assert site is not None
    for leaf in site.all_pages:
        answer = await client.get(f"/boulangerie.sandbox.example{leaf.path}")
        page = site.page(leaf.path)
        assert page is not None
        assert (answer.status_code, answer.content) == (200, page.body)
        assert answer.headers["content-type"] == page.media_type


async def test_a_site_written_by_hand_is_served_as_it_is_written(client: httpx2.AsyncClient) -> None:
    site = load_handwritten_sites()["charity.sandbox.example"]
    answer = await client.get("/charity.sandbox.example/about-us")

    assert answer.text == site.pages["/about-us"]
    assert (await client.get("/charity.sandbox.example/about")).status_code == 404


@pytest.mark.parametrize(
    "path", ["/bakery.sandbox.example/nothing-here", "/nobody.sandbox.example/", "/www.unknown.example/", "/sandbox.example/"]
)
async def test_other_pages_and_hosts_are_not_found(client: httpx2.AsyncClient, path: str) -> None:
    assert (await client.get(path)).status_code == 404


@pytest.mark.parametrize(("label", "address"), REDIRECTS.items())
async def test_a_redirect_leads_where_it_says(client: httpx2.AsyncClient, label: str, address: str) -> None:
    answer = await client.get(f"/{label}.sandbox.example/", follow_redirects=False)

    assert (answer.status_code, answer.headers["location"]) == (302, address)


@pytest.mark.slow
@pytest.mark.parametrize("label", QUIET)
async def test_every_hostile_host_answers(client: httpx2.AsyncClient, label: str) -> None:
    async with client.stream("GET", f"/{label}.sandbox.example/", follow_redirects=False) as answer:
        body = b"".join([chunk async for chunk in answer.aiter_raw()])

    assert answer.status_code in {200, 302, 301, 401, 403, 404, 429, 500}
    assert len(body) < 10 << 20


async def test_a_loop_has_no_way_out(client: httpx2.AsyncClient) -> None:
    places = [
        (await client.get(f"/loop.sandbox.example{path}", follow_redirects=False)).headers["location"] for path in ["/a", "/b"]
    ]

    assert places == ["/b", "/a"]


@pytest.mark.parametrize(("label", "layers"), [("bomb", 1), ("double-bomb", 2)])
async def test_a_bomb_is_small_until_it_is_opened(client: httpx2.AsyncClient, label: str, layers: int) -> None:
    async with client.stream("GET", f"/{label}.sandbox.example/") as answer:
        packed = b"".join([chunk async for chunk in answer.aiter_raw()])
    opened = packed
    for _ in range(layers):
        opened = zlib.decompress(opened, 31)

    assert len(packed) < 100_000
    assert len(opened) == BOMB_BYTES


async def test_the_endless_page_ends_with_its_reader(client: httpx2.AsyncClient) -> None:
    read = 0
    async with client.stream("GET", "/endless.sandbox.example/") as answer:
        async for chunk in answer.aiter_raw():
            read += len(chunk)
            if read > 1 << 20:
                break

    assert (await client.get("/bakery.sandbox.example/")).status_code == 200


async def test_a_drip_gives_a_few_bytes_a_second(client: httpx2.AsyncClient) -> None:
    started, read = perf_counter(), bytearray()
    async with client.stream("GET", "/drip.sandbox.example/") as answer:
        async for chunk in answer.aiter_raw():
            read += chunk
            if len(read) >= 4:
                break

    assert len(read) / (perf_counter() - started) <= 10


async def test_robots_are_sent_away_where_they_are_not_wanted(client: httpx2.AsyncClient) -> None:
    assert "Disallow: /\n" in (await client.get("/no-robots.sandbox.example/robots.txt")).text
    assert (await client.get("/robots-down.sandbox.example/robots.txt")).status_code == 503
