"""Hosts that are malicious or broken.

Each is served at `https://<label>.sandbox.example` and responds to every path alike unless stated otherwise. None belongs to a
business. Well-formed sites with false content are in `markup.misleading`.
"""

import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from functools import cache
from itertools import cycle

import anyio
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse

from bonafide_sandbox.publisher_faults import CHALLENGE_PAGE
from bonafide_sandbox.sites.content.shop import SITES_DOMAIN

BOMB_BYTES = 64 << 20
BLOCK = bytes(1 << 20)
DRIP_S = 0.25
SILENCE_S = 120.0
MANY_LINKS = 100_000
DEPTH = 100_000
LONG_CHAIN = 30
HostileHandler = Callable[[str], Response]
"""Called with the requested path, including the leading slash."""

REDIRECTS = {
    "to-loopback": "http://127.0.0.1/",
    "to-localhost": "http://localhost/admin",
    "to-metadata": "http://169.254.169.254/latest/meta-data/",
    "to-private": "http://10.0.0.1/",
    "to-carrier": "http://100.64.0.1/",
    "to-mapped": "http://[::ffff:127.0.0.1]/",
    "to-translated": "http://[64:ff9b::7f00:1]/",
    "to-local-v6": "http://[fe80::1]/",
    "to-decimal": "http://2130706433/",
    "to-octal": "http://0177.0.0.1/",
    "to-file": "file:///etc/passwd",
    "to-gopher": "gopher://127.0.0.1:6379/_INFO",
    "to-port": f"https://bakery.{SITES_DOMAIN}:22/",
    "to-credentials": f"https://user:secret@bakery.{SITES_DOMAIN}/",
}
"""Hosts that redirect to URLs that a crawler must not follow."""


def _loop(path: str) -> Response:
    return RedirectResponse("/b" if path == "/a" else "/a", 302)


def _chain(path: str) -> Response:
    step = int(path[1:]) if path[1:].isdecimal() else 0
    return RedirectResponse(f"/{step + 1}", 301) if step < LONG_CHAIN else HTMLResponse("<p>The end</p>")


async def _stream_endlessly() -> AsyncIterator[bytes]:
    yield b"<html><body>"
    while True:
        yield b"<p>and so on and so forth</p>" * 1_000
        await anyio.lowlevel.checkpoint()


async def _stream_slowly() -> AsyncIterator[bytes]:
    for sign in cycle(b"<p>slowly</p> "):
        yield bytes([sign])
        await anyio.sleep(DRIP_S)


async def _silence() -> AsyncIterator[bytes]:
    await anyio.sleep(SILENCE_S)
    yield b"<p>Good morning</p>"


@cache
def _bomb(layers: int) -> bytes:
    """Return compressed zeros. More layers mean fewer bytes to transfer and more work to decompress."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = b"".join(packer.compress(BLOCK) for _ in range(BOMB_BYTES // len(BLOCK))) + packer.flush()
    for _ in range(layers - 1):
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        packed = packer.compress(packed) + packer.flush()
    return packed


def _compressed(layers: int) -> HostileHandler:
    encoding = ", ".join(["gzip"] * layers)
    return lambda _: Response(_bomb(layers), media_type="text/html", headers={"Content-Encoding": encoding})


def _robots(text: str, code: int = 200) -> HostileHandler:
    """Serve a robots.txt, and a page at every other path that a compliant crawler must not request."""
    return lambda path: PlainTextResponse(text, code) if path == "/robots.txt" else HTMLResponse("<p>© 2026 Unread Inc.</p>")


def _page(body: str) -> HostileHandler:
    """Serve a page at every path except `/robots.txt` and `/sitemap.xml`."""
    return lambda path: (
        _nothing() if path in {"/robots.txt", "/sitemap.xml"} else HTMLResponse(f"<!DOCTYPE html><html><body>{body}</body></html>")
    )


def _nothing() -> Response:
    return PlainTextResponse("Not found\n", 404)


def _status(code: int, headers: Mapping[str, str] | None = None) -> HostileHandler:
    return lambda path: _nothing() if path == "/robots.txt" else HTMLResponse(f"<h1>Error {code}</h1>", code, headers)


def _streamed(stream: Callable[[], AsyncIterator[bytes]]) -> HostileHandler:
    return lambda path: _nothing() if path == "/robots.txt" else StreamingResponse(stream(), media_type="text/html")


def _typed(body: bytes, media_type: str) -> Response:
    """Create a response without the charset that Starlette adds to text types."""
    return Response(body, headers={"Content-Type": media_type})


def _redirect(address: str) -> HostileHandler:
    # `RedirectResponse` would percent-encode the URL.
    return lambda path: _nothing() if path == "/robots.txt" else Response(status_code=302, headers={"Location": address})


def _file(body: bytes, media_type: str) -> HostileHandler:
    return lambda path: _nothing() if path == "/robots.txt" else _typed(body, media_type)


_LINKS = "".join(f'<a href="/about/{number}">About us {number}</a>' for number in range(1_000))
_TRAPS = "".join(
    f'<a href="{address}">{word}</a>'
    for address, word in (
        ("http://127.0.0.1:8080/contact", "Contact"),
        ("http://169.254.169.254/latest/", "About us"),
        ("file:///etc/passwd", "Privacy policy"),
        ("javascript:alert(1)", "Terms"),
        ("data:text/html,<p>Legal</p>", "Legal notice"),
        ("//localhost/contact", "Contact us"),
        ("https://elsewhere.example/about", "About"),
    )
)
SCRIPT_ONLY = (
    "<noscript>You need to enable JavaScript to run this app.</noscript>"
    '<div id="root"></div><script src="/static/main.js"></script>'
)

HOSTILE_SITES: Mapping[str, HostileHandler] = {
    **{label: _redirect(address) for label, address in REDIRECTS.items()},
    "loop": _loop,
    "long-chain": _chain,
    "refresh": _page('<meta http-equiv="refresh" content="0;url=http://127.0.0.1/">'),
    "endless": _streamed(_stream_endlessly),
    "drip": _streamed(_stream_slowly),
    "silent": _streamed(_silence),
    "bomb": _compressed(1),
    "double-bomb": _compressed(2),
    "garbled": lambda _: Response(b"this is no gzip", media_type="text/html", headers={"Content-Encoding": "gzip"}),
    "no-robots": _robots("User-agent: *\nDisallow: /\n"),
    "robots-down": _robots("down for maintenance", 503),
    "robots-huge": _robots("User-agent: *\nAllow: /\n" + "Disallow: /x\n" * 200_000),
    "forbidden": _status(403),
    "locked": _status(401),
    "busy": _status(429),
    "down": _status(500),
    "gone": _status(404),
    # The header with which a content delivery network marks its bot challenge page.
    "challenge": _status(403, {"cf-mitigated": "challenge"}),
    "interstitial": _file(CHALLENGE_PAGE.encode(), "text/html"),
    "pdf": _file(b"%PDF-1.7\n%%EOF\n", "application/pdf"),
    "image": _file(b"\x89PNG\r\n\x1a\n" + bytes(100), "image/png"),
    "untyped": _file(bytes(range(256)) * 40, "application/octet-stream"),
    "empty": _file(b"", "text/html"),
    "garbage": _file(bytes(range(128, 256)) * 500, "text/html; charset=utf-8"),
    "deep": _page("<div>" * DEPTH + "© 2026 Deep Inc." + "</div>" * DEPTH),
    "links": _page(_LINKS * (MANY_LINKS // 1_000)),
    "bad-links": _page(_TRAPS),
    "based": _page('<base href="http://127.0.0.1/"><a href="contact">Contact</a><a href="about">About us</a>'),
    "attribute": _page(f'<p class="{"x" * (1 << 20)}">hello</p>'),
    "script-only": _page(SCRIPT_ONLY),
    "parked": _page("<h1>parked.sandbox.example</h1><p>This domain may be for sale. Inquire at Nameharbour Brokers Inc.</p>"),
}
"""Handlers by host label."""
