"""Fetch one page of a web site through the address guard, with redirects checked and the body limited in size.

Each address and each redirect is checked before anything is sent; resolved IP addresses are checked by the transport. There are no
cookies, no referrer and no retries. Any HTTP status is returned.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlsplit

import anyio
import httpcore2
import httpx2

from bonafide.errors import SourceError, SourceTimeout, SourceUnavailable, UpstreamFailed
from bonafide.net import decompression
from bonafide.net.address_guard import GuardedTransport, Resolver, resolve_with_system
from bonafide.net.decompression import Decompressor
from bonafide.net.web_url import WebUrl
from bonafide.observability.tracing import span
from bonafide.settings import Settings

MAX_REDIRECTS = 5
MAX_OTHER_BYTES = 64 * 1024
"""Read of an answer that is not the page: a redirect's or an error's text."""
MAX_CONNECTIONS = 64
"""Of all visits at once; a slow stranger keeps one busy until its visit is cut."""
KEEPALIVE_S = 5.0
CONNECT_TIMEOUT_S = 4.0
"""For one address of a host; less than a visit may take, so that there is time for another address or scheme."""
HTML = "text/html,application/xhtml+xml;q=0.9"
LANGUAGES = "en-CA,en;q=0.9,fr-CA;q=0.8,fr;q=0.7"
READABLE = frozenset({"", "text/html", "application/xhtml+xml", "text/plain", "text/xml", "application/xml"})
"""Media types whose body is read: of pages, robots.txt and sitemaps. A server that names none usually has a page."""
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PRODUCT = re.compile(r"[A-Za-z_-]+")
AddressCheck = Callable[[WebUrl], Awaitable[None]]
"""Told each address before it is asked, redirects included; what it raises ends the visit."""


@dataclass(frozen=True, slots=True)
class WebResponse:
    """What a site answered, with any status. The body is empty where it is of a type that is not read."""

    url: str
    """After redirects."""
    status: int
    content_type: str
    body: bytes
    headers: Mapping[str, str]
    """By name in lower case."""
    retrieved_at: datetime
    redirects: tuple[str, ...]
    """The addresses that led here, in order."""
    is_truncated: bool
    """Whether the body goes on beyond what was read."""

    @property
    def media_type(self) -> str:
        """The content type without its parameters, in lower case."""
        return self.content_type.partition(";")[0].strip().lower()


class WebFetcher:
    """Visits pages. `sandbox`, `http://127.0.0.1:<port>`, gets every request instead of its host, which then begins the path.

    `resolve` and `sockets` stand in for the system's; whatever they are, only public addresses are connected to.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Callable[[], datetime],
        *,
        sandbox: str | None = None,
        resolve: Resolver = resolve_with_system,
        sockets: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._sandbox = sandbox
        local = urlsplit(sandbox) if sandbox is not None else None
        self._transport = GuardedTransport(
            frozenset({(local.hostname or "", local.port or 80)} if local is not None else ()),
            resolve=resolve,
            sockets=sockets,
            max_connections=MAX_CONNECTIONS,
            keepalive_s=KEEPALIVE_S,
        )

    @property
    def product(self) -> str:
        """The name by which a robots.txt may speak to us (RFC 9309, section 2.2.1)."""
        found = _PRODUCT.match(self._settings.user_agent)
        return found[0] if found is not None else "bonafide"

    async def close(self) -> None:
        """Close all connections."""
        await self._transport.aclose()

    async def fetch(self, url: str, *, accept: str = HTML, permit: AddressCheck | None = None) -> WebResponse:
        """Fetch a page and follow its redirects, within `website_timeout_s` seconds in all.

        Raises `AddressRefused` where an address must not be fetched, `InvalidInput` where it is none, `SourceUnavailable` where
        nobody can be reached, `SourceTimeout`, and `UpstreamFailed` where the answer is broken or leads on too often.
        """
        address = WebUrl.parse(url)
        try:
            with anyio.fail_after(self._settings.website_timeout_s):
                return await self._follow(address, accept, permit)
        except TimeoutError as error:
            raise SourceTimeout(f"{address.host} did not answer in {self._settings.website_timeout_s:g} s") from error
        except httpx2.HTTPError as error:
            raise _to_source_error(address.host, error) from error

    async def _follow(self, address: WebUrl, accept: str, permit: AddressCheck | None) -> WebResponse:
        passed: list[str] = []
        while True:
            if permit is not None:
                await permit(address)
            with span("visit page"):  # no host: it is the business's own
                visit = await self._ask(address, accept, tuple(passed))
            onward = visit.headers.get("location")
            if visit.status not in _REDIRECTS or onward is None:
                return visit
            if len(passed) == MAX_REDIRECTS:
                raise UpstreamFailed(f"{address.host} redirects more than {MAX_REDIRECTS} times")
            passed.append(str(address))
            address = address.join(onward)

    async def _ask(self, address: WebUrl, accept: str, passed: tuple[str, ...]) -> WebResponse:
        response = await self._transport.handle_async_request(self._request(address, accept))
        try:
            content_type = response.headers.get("content-type", "")
            found = WebResponse(
                url=str(address),
                status=response.status_code,
                content_type=content_type,
                body=b"",
                headers=dict(response.headers),
                retrieved_at=self._clock(),
                redirects=passed,
                is_truncated=False,
            )
            limit = self._settings.website_max_page_bytes if response.is_success else MAX_OTHER_BYTES
            return await _read_body(found, response, limit) if found.media_type in READABLE else found
        finally:
            await response.aclose()

    def _request(self, address: WebUrl, accept: str) -> httpx2.Request:
        place = str(address) if self._sandbox is None else f"{self._sandbox}/{str(address).partition('://')[2]}"
        timeout_s = self._settings.website_timeout_s
        return httpx2.Request(
            "GET",
            place,
            headers={
                "User-Agent": self._settings.user_agent,
                "Accept": accept,
                "Accept-Encoding": decompression.ACCEPT_ENCODING,
                "Accept-Language": LANGUAGES,
            },
            extensions={"timeout": httpx2.Timeout(timeout_s, connect=min(CONNECT_TIMEOUT_S, timeout_s)).as_dict()},
        )


async def _read_body(visit: WebResponse, response: httpx2.Response, limit: int) -> WebResponse:
    """The visit with its body up to the limit, counted after decompression."""
    inflater, body = Decompressor(response.headers.get("content-encoding", "")), bytearray()
    async with aclosing(response.aiter_raw()) as chunks:
        async for chunk in chunks:
            body += inflater.decode(chunk, limit + 1 - len(body))
            if len(body) > limit:
                break
    return replace(visit, body=bytes(body[:limit]), is_truncated=len(body) > limit)


def _to_source_error(host: str, error: httpx2.HTTPError) -> SourceError:
    """The source error that an HTTP client's error amounts to."""
    if isinstance(error, httpx2.ConnectTimeout):
        return SourceUnavailable(f"{host} can't be reached: there was no connection in time")
    if isinstance(error, httpx2.TimeoutException):
        return SourceTimeout(f"{host} did not answer in time")
    if isinstance(error, httpx2.ConnectError):
        return SourceUnavailable(f"{host} can't be reached: {error}")
    return UpstreamFailed(f"{host} sent no proper answer: {error}")
