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
from bonafide.i18n.message import Message
from bonafide.net import decompression
from bonafide.net.address_guard import GuardedTransport, Resolver, resolve_with_system
from bonafide.net.decompression import Decompressor
from bonafide.net.web_url import WebUrl
from bonafide.observability.tracing import span
from bonafide.settings import Settings

MAX_REDIRECTS = 5
MAX_OTHER_BYTES = 64 * 1024
"""Bytes that are read of a redirect or an error page."""
MAX_CONNECTIONS = 64
"""Connections of all fetches together; a slow site occupies one until its time limit."""
KEEPALIVE_S = 5.0
CONNECT_TIMEOUT_S = 4.0
"""The time limit for one address of a host; shorter than that of a fetch, so that another address can be tried."""
HTML = "text/html,application/xhtml+xml;q=0.9"
LANGUAGES = "en-CA,en;q=0.9,fr-CA;q=0.8,fr;q=0.7"
READABLE = frozenset({"", "text/html", "application/xhtml+xml", "text/plain", "text/xml", "application/xml"})
"""Media types whose body is read: pages, robots.txt and sitemaps. A response without a type is usually a page."""
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PRODUCT = re.compile(r"[A-Za-z_-]+")
AddressCheck = Callable[[WebUrl], Awaitable[None]]
"""Called with each address before it is requested, redirects included; an exception ends the fetch."""


@dataclass(frozen=True, slots=True)
class WebResponse:
    """A site's response, with any status. The body is empty for a media type that is not read."""

    url: str
    """The address after redirects."""
    status: int
    content_type: str
    body: bytes
    headers: Mapping[str, str]
    """Headers by their names in lower case."""
    retrieved_at: datetime
    redirects: tuple[str, ...]
    """The addresses that redirected here, in order."""
    is_truncated: bool
    """Whether the body is longer than what was read."""

    @property
    def media_type(self) -> str:
        """The content type without its parameters, in lower case."""
        return self.content_type.partition(";")[0].strip().lower()


class WebFetcher:
    """Fetches pages. With `sandbox`, `http://127.0.0.1:<port>`, every request goes there instead, with the host in the path.

    `resolve` and `sockets` replace the system's; connections are made only to public addresses in any case.
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
        """The product token for robots.txt (RFC 9309, section 2.2.1)."""
        found = _PRODUCT.match(self._settings.user_agent)
        return found[0] if found is not None else "bonafide"

    async def close(self) -> None:
        """Close all connections."""
        await self._transport.aclose()

    async def fetch(self, url: str, *, accept: str = HTML, permit: AddressCheck | None = None) -> WebResponse:
        """Fetch a page and follow its redirects, within `website_timeout_s` seconds in all.

        Raises `AddressRefused` for an address that must not be fetched, `InvalidInput` for an invalid one, `SourceUnavailable` when
        the host can't be reached, `SourceTimeout`, and `UpstreamFailed` for an invalid response or too many redirects.
        """
        address = WebUrl.parse(url)
        try:
            with anyio.fail_after(self._settings.website_timeout_s):
                return await self._follow(address, accept, permit)
        except TimeoutError as error:
            raise SourceTimeout(
                Message(
                    "{host} did not respond within {seconds:g} s",
                    host=address.host,
                    seconds=self._settings.website_timeout_s,
                )
            ) from error
        except httpx2.HTTPError as error:
            raise _to_source_error(address.host, error) from error

    async def _follow(self, address: WebUrl, accept: str, permit: AddressCheck | None) -> WebResponse:
        passed: list[str] = []
        while True:
            if permit is not None:
                await permit(address)
            with span("visit page"):  # the host is left out: it identifies the business
                visit = await self._ask(address, accept, tuple(passed))
            onward = visit.headers.get("location")
            if visit.status not in _REDIRECTS or onward is None:
                return visit
            if len(passed) == MAX_REDIRECTS:
                raise UpstreamFailed(Message("{host} redirects more than {count} times", host=address.host, count=MAX_REDIRECTS))
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
    """The response with its body up to the limit, counted after decompression."""
    inflater, body = Decompressor(response.headers.get("content-encoding", "")), bytearray()
    async with aclosing(response.aiter_raw()) as chunks:
        async for chunk in chunks:
            body += inflater.decode(chunk, limit + 1 - len(body))
            if len(body) > limit:
                break
    return replace(visit, body=bytes(body[:limit]), is_truncated=len(body) > limit)


def _to_source_error(host: str, error: httpx2.HTTPError) -> SourceError:
    """Convert an HTTP client's error to a source error."""
    if isinstance(error, httpx2.ConnectTimeout):
        return SourceUnavailable(Message("{host} can’t be reached: the connection timed out", host=host))
    if isinstance(error, httpx2.TimeoutException):
        return SourceTimeout(Message("{host} did not respond in time", host=host))
    if isinstance(error, httpx2.ConnectError):
        return SourceUnavailable(Message("{host} can’t be reached: {error}", host=host, error=error))
    return UpstreamFailed(Message("{host} sent an invalid response: {error}", host=host, error=error))
