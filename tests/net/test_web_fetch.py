"""A stranger's page through the guarded door: what is refused before anything is sent, what is followed, and where reading ends."""

import asyncio
import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
import yaml

from bonafide.errors import AddressRefused, BonafideError, InvalidInput, SourceTimeout, SourceUnavailable, UpstreamFailed
from bonafide.i18n.message import Message
from bonafide.net.address_guard import Resolver
from bonafide.net.web_fetch import MAX_REDIRECTS, WebFetcher
from bonafide.net.web_url import WebUrl
from bonafide.settings import Settings
from tests.support.paths import TESTS
from tests.support.servers.fake_internet import Answerer, Internet, Site, answer, internet, listening, name_server, names, trapped

pytestmark = pytest.mark.anyio
HOSTILE = yaml.safe_load((TESTS / "website" / "hostile.yml").read_text(encoding="utf-8"))
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
SHOP, OTHER = "93.184.215.14", "93.184.215.15"
NAMES = {
    "shop.example": [SHOP],
    "other.example": [OTHER],
    "private.example": ["10.0.0.1"],
    "mixed.example": [SHOP, "127.0.0.1"],
}
PAGE = answer("<p>Hello, shop</p>")
KIB = 1024


def settings(**given: float) -> Settings:
    return Settings.model_validate({"website_timeout_s": 5, "website_max_page_bytes": 64 * KIB, **given})


@asynccontextmanager
async def visiting(
    sites: dict[str, Site], resolve: Resolver | None = None, **given: float
) -> AsyncIterator[tuple[WebFetcher, Internet]]:
    async with internet(sites) as made:
        visitor = WebFetcher(settings(**given), lambda: NOW, resolve=resolve if resolve is not None else names(NAMES), sockets=made)
        yield visitor, made
        await visitor.close()


def test_the_corpus_is_large_enough() -> None:
    assert sum(len(entries) for entries in HOSTILE.values()) >= 60
    assert all(len(entries) == len({str(entry) for entry in entries}) for entries in HOSTILE.values())


@pytest.fixture(scope="module")
async def idle() -> AsyncIterator[tuple[WebFetcher, Internet]]:
    """A door through which nothing goes."""
    async with visiting({SHOP: Site({"*": PAGE})}) as (visitor, made):
        yield visitor, made


@pytest.mark.parametrize("url", HOSTILE["refused"], ids=ascii)
async def test_a_hostile_address_is_refused_before_anything_is_sent(idle: tuple[WebFetcher, Internet], url: str) -> None:
    visitor, made = idle
    with pytest.raises(AddressRefused):
        await visitor.fetch(url)
    assert (made.connected, made.trap.accepted) == ([], 0)


@pytest.mark.parametrize("url", HOSTILE["invalid"], ids=ascii)
async def test_what_is_no_web_address_is_invalid(idle: tuple[WebFetcher, Internet], url: str) -> None:
    visitor, made = idle
    with pytest.raises(InvalidInput):
        await visitor.fetch(url)
    assert (made.connected, made.trap.accepted) == ([], 0)


@pytest.mark.parametrize("location", HOSTILE["redirects"], ids=ascii)
async def test_a_redirect_is_judged_anew(location: str) -> None:
    shop = Site({"/": answer("gone", 302, location=location)})
    async with visiting({SHOP: shop}) as (visitor, made):
        with pytest.raises((AddressRefused, InvalidInput)):
            await visitor.fetch("http://shop.example/")
        assert (made.connected, made.trap.accepted, shop.asked) == ([(SHOP, 80)], 0, ["/"])


@pytest.mark.parametrize("addresses", HOSTILE["names"], ids=" ".join)
async def test_a_name_with_any_address_that_is_not_public_is_refused(addresses: list[str]) -> None:
    async with (
        name_server({"attacker.example": [addresses]}) as (server, resolve),
        visiting({SHOP: Site({"*": PAGE})}, resolve) as (visitor, made),
    ):
        with pytest.raises(AddressRefused):
            await visitor.fetch("http://attacker.example/")
        assert (server.asked, made.connected, made.trap.accepted) == (["attacker.example"], [], 0)


async def test_a_name_that_changes_its_address_between_check_and_use_is_resolved_only_once() -> None:
    shop = Site({"*": PAGE})
    async with (
        name_server({"attacker.example": [[SHOP], ["127.0.0.1"]]}) as (server, resolve),
        visiting({SHOP: shop}, resolve) as (visitor, made),
    ):
        assert (await visitor.fetch("http://attacker.example/")).status == 200
        assert (server.asked, made.connected, made.trap.accepted) == (["attacker.example"], [(SHOP, 80)], 0)


@pytest.mark.parametrize("later", ["127.0.0.1", "127.0.0.2", "::1", "169.254.169.254", "::ffff:127.0.0.1"])
async def test_a_name_that_changes_its_address_before_its_own_redirect_is_refused(later: str) -> None:
    shop = Site({"/": answer("on", 302, location="/next", connection="close")})
    async with (
        name_server({"attacker.example": [[SHOP], [later]]}) as (server, resolve),
        visiting({SHOP: shop}, resolve) as (visitor, made),
    ):
        with pytest.raises(AddressRefused):
            await visitor.fetch("http://attacker.example/")
        assert (len(server.asked), made.connected, made.trap.accepted, shop.asked) == (2, [(SHOP, 80)], 0, ["/"])


async def test_a_redirect_is_followed_to_another_host_and_remembered() -> None:
    shop, other = Site({"/a": answer("", 301, location="http://other.example/b?c=d#e")}), Site({"/b?c=d": PAGE})
    async with visiting({SHOP: shop, OTHER: other}) as (visitor, _):
        visit = await visitor.fetch("http://SHOP.example./a#top")
    assert (visit.url, visit.redirects) == ("http://other.example/b?c=d", ("http://shop.example/a",))
    assert (visit.status, visit.body, visit.content_type, visit.retrieved_at) == (
        200,
        b"<p>Hello, shop</p>",
        "text/html; charset=utf-8",
        NOW,
    )


async def test_redirects_end() -> None:
    shop = Site({"*": answer("", 302, location="/again")})
    async with visiting({SHOP: shop}) as (visitor, _):
        with pytest.raises(UpstreamFailed, match="redirects more than"):
            await visitor.fetch("http://shop.example/")
    assert len(shop.asked) == 1 + MAX_REDIRECTS


async def test_a_request_names_us_and_carries_neither_cookies_nor_a_referrer() -> None:
    shop = Site({"/": answer("", 302, location="/next", set_cookie="a=b"), "/next": PAGE})
    async with visiting({SHOP: shop}) as (visitor, _):
        await visitor.fetch("http://shop.example/")
        await visitor.fetch("http://shop.example/next")
    heads = [head.lower() for head in shop.requests]
    assert len(heads) == 3
    assert all("user-agent: bonafide/" in head and "host: shop.example\r\n" in head for head in heads)
    assert not any("cookie" in head or "referer" in head or "authorization" in head for head in heads)


async def test_the_caller_may_object_to_each_address() -> None:
    async def not_next(url: WebUrl) -> None:
        if url.target == "/next":
            raise UpstreamFailed(Message("not there"))

    shop = Site({"/": answer("", 302, location="/next")})
    async with visiting({SHOP: shop}) as (visitor, _):
        with pytest.raises(UpstreamFailed, match="not there"):
            await visitor.fetch("http://shop.example/", permit=not_next)
    assert shop.asked == ["/"]


async def test_every_status_is_an_answer() -> None:
    shop = Site({"/": answer("<h1>Not here</h1>", 404)})
    async with visiting({SHOP: shop}) as (visitor, _):
        visit = await visitor.fetch("http://shop.example/")
    assert (visit.status, visit.body) == (404, b"<h1>Not here</h1>")


async def test_a_file_is_not_read() -> None:
    shop = Site({"/": answer(b"%PDF" + b"x" * 5000, content_type="application/pdf")})
    async with visiting({SHOP: shop}) as (visitor, _):
        visit = await visitor.fetch("http://shop.example/")
    assert (visit.media_type, visit.body) == ("application/pdf", b"")


@pytest.mark.parametrize(
    ("coding", "encode"),
    [
        ("gzip", gzip.compress),
        ("GZIP", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda body: zlib.compress(body, wbits=-15)),
        ("identity", bytes),
        ("", bytes),
    ],
)
async def test_a_compressed_answer_is_read(coding: str, encode: Callable[[bytes], bytes]) -> None:
    shop = Site({"/": answer(encode(b"<p>Hello</p>" * 1000), content_encoding=coding)})
    async with visiting({SHOP: shop}) as (visitor, _):
        visit = await visitor.fetch("http://shop.example/")
    assert (visit.body, visit.is_truncated) == (b"<p>Hello</p>" * 1000, False)


def _bomb(wbits: int, size: int) -> bytes:
    made = zlib.compressobj(9, wbits=wbits)
    return b"".join(made.compress(bytes(2**20)) for _ in range(size // 2**20)) + made.flush()


@pytest.mark.slow
@pytest.mark.parametrize(("coding", "wbits"), [("gzip", 31), ("deflate", 15), ("deflate", -15)])
async def test_a_compressed_bomb_is_cut_without_being_unpacked(coding: str, wbits: int) -> None:
    bomb = _bomb(wbits, 256 * 2**20)
    shop = Site({"/": answer(bomb, content_encoding=coding)})
    async with visiting({SHOP: shop}) as (visitor, _):
        tracemalloc.start()
        visit = await visitor.fetch("http://shop.example/")
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert (len(visit.body), visit.is_truncated) == (64 * KIB, True)
    assert peak < 2 * 2**20


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip, gzip", "gzip, br", "compress", "x" * 500])
async def test_an_encoding_that_was_not_asked_for_is_not_read(coding: str) -> None:
    shop = Site({"/": answer(gzip.compress(gzip.compress(b"<p>Hello</p>")), content_encoding=coding)})
    async with visiting({SHOP: shop}) as (visitor, _):
        with pytest.raises(UpstreamFailed, match="not requested"):
            await visitor.fetch("http://shop.example/")


async def test_a_body_that_is_not_in_its_encoding_is_a_failure() -> None:
    shop = Site({"/": answer(b"<p>Hello</p>", content_encoding="gzip")})
    async with visiting({SHOP: shop}) as (visitor, _):
        with pytest.raises(UpstreamFailed, match="encoding"):
            await visitor.fetch("http://shop.example/")


async def _endless_body(_path: str, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        writer.write(b"x" * 4096)
        await writer.drain()


async def _endless_chunks(_path: str, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"1000\r\n" + b"x" * 4096 + b"\r\n")
        await writer.drain()


@pytest.mark.parametrize("endless", [_endless_body, _endless_chunks])
async def test_an_endless_answer_is_cut(endless: Answerer) -> None:
    async with visiting({SHOP: Site({"/": endless})}) as (visitor, _):
        visit = await visitor.fetch("http://shop.example/")
    assert (len(visit.body), visit.is_truncated) == (64 * KIB, True)


async def _dripping_body(_path: str, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    await _drip(writer, b"x")


async def _dripping_head(_path: str, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    await _drip(writer, b"X-A: b\r\n")


async def _always_continue(_path: str, writer: asyncio.StreamWriter) -> None:
    await _drip(writer, b"HTTP/1.1 103 Early Hints\r\n\r\n")


async def _silent(_path: str, writer: asyncio.StreamWriter) -> None:
    await _drip(writer, b"")


async def _drip(writer: asyncio.StreamWriter, drop: bytes) -> None:
    while not writer.is_closing():
        writer.write(drop)
        await writer.drain()
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("slow", [_dripping_body, _dripping_head, _always_continue, _silent])
async def test_a_slow_answer_is_cut_by_the_time_for_the_whole_visit(slow: Answerer) -> None:
    async with visiting({SHOP: Site({"/": slow})}, website_timeout_s=0.3) as (visitor, _):
        with pytest.raises(SourceTimeout):
            await visitor.fetch("http://shop.example/")


async def test_slow_redirects_share_the_time_of_one_visit() -> None:
    async def slow_redirect(_path: str, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.15)
        writer.write(answer("", 302, location="/on"))
        await writer.drain()

    shop = Site({"*": slow_redirect})
    async with visiting({SHOP: shop}, website_timeout_s=0.4) as (visitor, _):
        with pytest.raises(SourceTimeout):
            await visitor.fetch("http://shop.example/")
    assert len(shop.asked) <= 3


async def _endless_head(_path: str, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"X-Header: " + b"x" * 1000 + b"\r\n")
        await writer.drain()


def _raw(data: bytes) -> Answerer:
    async def send(_path: str, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()

    return send


@pytest.mark.parametrize(
    "broken",
    [
        _endless_head,
        _raw(b""),
        _raw(b"SSH-2.0-OpenSSH_9.6\r\n"),
        _raw(b"220 mail.example ESMTP\r\n"),
        _raw(b"\x15\x03\x01\x00\x02\x02\x16"),
        _raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\nshort"),
        _raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: -1\r\n\r\nx"),
        _raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"),
        _raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
        _raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n" + b"f" * 40 + b"\r\n"),
        _raw(b"HTTP/1.1 99999 OK\r\n\r\n"),
        _raw(b"HTTP/1.1 200 OK\r\nNo colon here\r\n\r\n"),
    ],
)
async def test_an_answer_that_is_not_http_is_a_failure(broken: Answerer) -> None:
    async with visiting({SHOP: Site({"/": broken})}) as (visitor, _):
        with pytest.raises(UpstreamFailed):
            await visitor.fetch("http://shop.example/")


async def test_a_name_without_an_address_and_a_closed_port_are_unreachable() -> None:
    async with visiting({SHOP: Site({"*": PAGE})}) as (visitor, made):
        with pytest.raises(SourceUnavailable, match="can't be resolved"):
            await visitor.fetch("http://nowhere.example/")
        made.places[SHOP, 80] = 1
        with pytest.raises(SourceUnavailable):
            await visitor.fetch("http://shop.example/")


async def test_a_server_without_tls_is_unreachable_by_https() -> None:
    shop = Site({"*": PAGE})
    async with visiting({SHOP: shop}) as (visitor, made):
        made.places[SHOP, 443] = made.trap.port  # answers at once, in plain HTTP
        with pytest.raises((SourceUnavailable, UpstreamFailed)):
            await visitor.fetch("https://shop.example/")
    assert shop.asked == []


async def test_with_a_sandbox_every_host_is_in_its_path_and_redirects_stay_there() -> None:
    sandbox = Site({"/shop.sandbox.example/": answer("", 302, location="https://other.sandbox.example/x"), "*": PAGE})
    async with listening(sandbox.serve) as port:
        visitor = WebFetcher(settings(), lambda: NOW, sandbox=f"http://127.0.0.1:{port}")
        visit = await visitor.fetch("https://shop.sandbox.example")
        await visitor.close()
    assert sandbox.asked == ["/shop.sandbox.example/", "/other.sandbox.example/x"]
    assert visit.url == "https://other.sandbox.example/x"


async def test_a_sandbox_site_leads_neither_to_the_sandbox_itself_nor_to_a_neighbour_of_it() -> None:
    sandbox = Site()
    async with listening(sandbox.serve) as port, trapped() as trap, trapped("127.0.0.2") as neighbour, trapped("::1") as sixth:
        own = f"http://127.0.0.1:{port}"
        visitor = WebFetcher(settings(), lambda: NOW, sandbox=own)
        targets = [own, f"http://127.0.0.1:{trap.port}", f"http://127.0.0.2:{neighbour.port}", f"http://[::1]:{sixth.port}"]
        for target in [*targets, "http://127.0.0.1/", "http://localhost/", *HOSTILE["refused"]]:
            if target.isprintable():
                sandbox.answers["/shop.sandbox.example/"] = answer("", 302, location=target)
                with pytest.raises(BonafideError) as refusal:
                    await visitor.fetch("https://shop.sandbox.example/")
                assert isinstance(refusal.value, AddressRefused | InvalidInput)
        await visitor.close()
        assert (trap.accepted, neighbour.accepted, sixth.accepted) == (0, 0, 0)
    assert set(sandbox.asked) == {"/shop.sandbox.example/"}
