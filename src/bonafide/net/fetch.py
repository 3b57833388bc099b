"""Download files from publishers and query live sources over HTTP, with timeouts, retries, size limits and the address guard.

Every failure is raised as a `SourceError` with its code, or `AddressRefused`, so that no source interprets HTTP itself.
"""

import hashlib
import re
from collections.abc import AsyncIterable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import anyio
import httpcore2
import httpx2
import stamina

from bonafide.errors import (
    SourceAuthFailed,
    SourceError,
    SourceNotFound,
    SourceRateLimited,
    SourceTimeout,
    SourceUnavailable,
    UpstreamFailed,
)
from bonafide.i18n.message import Message
from bonafide.net import decompression, download_cache
from bonafide.net.address_guard import GuardedTransport, Resolver, resolve_with_system
from bonafide.net.decompression import Decompressor
from bonafide.net.download_cache import CachedFile, PartialFile
from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.observability.tracing import span
from bonafide.settings import Settings

MAX_REDIRECTS = 5
MAX_RETRY_AFTER_S = 120.0
MAX_PAGE_BYTES = 10 * 1024**2
"""The largest page, in bytes, that is read into memory to find the files' addresses."""
MIN_VALIDATOR_AGE = timedelta(seconds=60)
"""A date is a strong validator only if the file had not changed for this long before it was sent (RFC 9110, 8.8.2.2)."""
DownloadProgress = Callable[[int, int | None], None]
"""Called with the bytes received and the bytes expected, if known."""
_COMPRESSION_HEADERS = {"Accept-Encoding": decompression.ACCEPT_ENCODING}
_ABSENT_STATUSES = frozenset({httpx2.codes.NOT_FOUND, httpx2.codes.GONE})
"""Statuses of a live source that mean that nothing exists at the address."""
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")


class Fetcher:
    """Downloads from publishers. `sandbox`, `http://127.0.0.1:<port>`, sends every request there instead, the host in the path.

    `private` is a host and port that is exempt from the address guard. `resolve` and `sockets` replace the system's; connections
    are made only to public addresses in any case.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Callable[[], datetime],
        *,
        sandbox: str | None = None,
        private: tuple[str, int] | None = None,
        resolve: Resolver = resolve_with_system,
        sockets: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._sandbox = sandbox
        allowed = frozenset({private} if private is not None else ())
        if sandbox is not None:
            local = urlsplit(sandbox)
            allowed |= {(local.hostname or "", local.port or 80)}
        self._client = httpx2.AsyncClient(
            transport=GuardedTransport(allowed, resolve=resolve, sockets=sockets),
            timeout=settings.fetch_timeout_s,
            headers={"User-Agent": settings.user_agent},
            follow_redirects=True,
            max_redirects=MAX_REDIRECTS,
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    async def download(
        self, url: str, into: Path, progress: DownloadProgress | None = None, form: Mapping[str, str] | None = None
    ) -> CachedFile:
        """Download a file, or confirm that the copy on disk is current. Raises `SourceError` or `AddressRefused`.

        For a resource with a form, its fields are sent with POST.

        The file is replaced as a whole or not at all. An interrupted download is resumed, now or at the next call, if the publisher
        sent a strong validator; otherwise it starts over.
        """
        async for attempt in self._attempts():
            with attempt, span("download", _build_span_attributes(url)):
                return await self._download_once(url, into, progress, form)
        raise AssertionError("stamina either returns or raises")

    async def read(self, url: str) -> bytes:
        """Fetch a small page, such as an index of files. Raises `SourceError` or `AddressRefused`."""
        async for attempt in self._attempts():
            with attempt, span("call", _build_span_attributes(url)):
                return await self._read_once(url)
        raise AssertionError("stamina either returns or raises")

    async def send(self, call: SourceRequest) -> SourceResponse:
        """Send one request to a live source, once. Raises `SourceError` or `AddressRefused`; a 404 or 410 is returned.

        Redirects are not followed: a key in the headers would be sent along, and an interface that has moved should be noticed.
        """
        with span("call", _build_span_attributes(call.url)):
            try:
                async with self._client.stream(
                    call.method,
                    self._address(call.url),
                    params=call.params or None,
                    headers={**_COMPRESSION_HEADERS, **call.headers},
                    json=call.json,
                    data=call.form,
                    follow_redirects=False,
                ) as response:
                    if response.status_code not in _ABSENT_STATUSES:
                        _raise_for_status(call.url, response)
                    body = await _read_body(call.url, response)
            except httpx2.HTTPError as error:
                raise _to_source_error(call.url, error) from error
        content_type = response.headers.get("content-type", "application/octet-stream")
        return SourceResponse(call, response.status_code, content_type, body, self._clock())

    def _attempts(self) -> AsyncIterable[stamina.Attempt]:
        return stamina.retry_context(on=_wait_before_retry, attempts=self._settings.fetch_attempts, timeout=None)

    async def _read_once(self, url: str) -> bytes:
        try:
            async with self._client.stream("GET", self._address(url), headers=_COMPRESSION_HEADERS) as response:
                _raise_for_status(url, response)
                return await _read_body(url, response)
        except httpx2.HTTPError as error:
            raise _to_source_error(url, error) from error

    async def _download_once(
        self, url: str, into: Path, progress: DownloadProgress | None, form: Mapping[str, str] | None
    ) -> CachedFile:
        known, part = download_cache.read_cached_file(url, into), download_cache.read_partial_file(url, into)
        if form is not None:
            # The response to a form is generated for it, so there is no earlier version and no partial file.
            known = part = None
        method, conditions = ("GET" if form is None else "POST"), _build_conditional_headers(known, part)
        try:
            async with self._client.stream(method, self._address(url), headers=conditions, data=form) as response:
                if response.status_code == httpx2.codes.NOT_MODIFIED and known is not None:
                    download_cache.delete_partial_file(into)
                    return download_cache.write_metadata(replace(known, retrieved_at=self._clock(), fresh=False))
                if response.status_code == httpx2.codes.RANGE_NOT_SATISFIABLE:
                    download_cache.delete_partial_file(into)
                _raise_for_status(url, response)
                digest, size = await self._save(url, response, into, part, progress)
                etag, modified = response.headers.get("etag"), response.headers.get("last-modified")
        except httpx2.HTTPError as error:
            raise _to_source_error(url, error) from error
        download_cache.complete_partial_file(into)
        return download_cache.write_metadata(CachedFile(into, url, digest, size, self._clock(), etag, modified, fresh=True))

    def _address(self, url: str) -> str:
        if self._sandbox is None:
            return url
        return f"{self._sandbox}/{url.partition('://')[2]}"

    async def _save(
        self, url: str, response: httpx2.Response, into: Path, part: PartialFile | None, progress: DownloadProgress | None
    ) -> tuple[str, int]:
        """Append the rest of the body to the partial file, or replace it. Returns the digest and size of the complete file."""
        size, expected = _read_extent(url, response, into, part)
        if expected is not None:
            _check_size(self._settings.max_download_bytes, expected, url)
        if size == 0:
            download_cache.begin_partial_file(url, into, _find_strong_validator(response))
        path = download_cache.get_partial_path(into)
        digest = await anyio.to_thread.run_sync(download_cache.compute_digest, path) if size > 0 else hashlib.sha256()
        with path.open("ab") as file:
            # Chunks are written as they arrive: a buffered one would be lost when the connection breaks.
            async for chunk in response.aiter_bytes():
                size += len(chunk)
                if size > self._settings.max_download_bytes:
                    download_cache.delete_partial_file(into)
                _check_size(self._settings.max_download_bytes, size, url)
                file.write(chunk)
                digest.update(chunk)
                if progress is not None:
                    progress(size, expected)
        if expected is not None and size != expected:
            raise UpstreamFailed(
                Message("{host} sent {size:,} of {expected:,} bytes", host=urlsplit(url).hostname, size=size, expected=expected)
            )
        return digest.hexdigest(), size


def _build_span_attributes(url: str) -> dict[str, str]:
    """The span attribute for the host; the rest of the address contains the query."""
    return {"server.address": urlsplit(url).hostname or ""}


def _build_conditional_headers(known: CachedFile | None, part: PartialFile | None) -> Mapping[str, str]:
    """Headers for a conditional request: the file only if it has changed, and a range only if the partial file is of it."""
    # The bytes of a compressed transfer can't be resumed or counted.
    pairs: dict[str, str | None] = {"Accept-Encoding": "identity"}
    if known is not None:
        pairs |= {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
    if part is not None:
        pairs |= {"Range": f"bytes={part.size}-", "If-Range": part.validator}
    return {name: value for name, value in pairs.items() if value is not None}


def _find_strong_validator(response: httpx2.Response) -> str | None:
    """The strong validator of the file; None where the publisher sends none, or has encoded the response."""
    if "content-encoding" in response.headers:
        return None
    etag = response.headers.get("etag")
    if etag is not None:
        return None if etag.startswith("W/") else etag
    modified, sent = response.headers.get("last-modified"), response.headers.get("date")
    try:
        settled = parsedate_to_datetime(sent or "") - parsedate_to_datetime(modified or "") >= MIN_VALIDATOR_AGE
    except (TypeError, ValueError):
        return None
    return modified if settled else None


def _read_extent(url: str, response: httpx2.Response, into: Path, part: PartialFile | None) -> tuple[int, int | None]:
    """The number of bytes of the partial file that the body continues, and the total size, if it is known."""
    if response.status_code != httpx2.codes.PARTIAL_CONTENT:
        told = response.headers.get("content-length") if "content-encoding" not in response.headers else None
        return 0, int(told) if told is not None else None
    found = _CONTENT_RANGE.fullmatch(response.headers.get("content-range", ""))
    if part is None or found is None or int(found[1]) != part.size:
        download_cache.delete_partial_file(into)
        raise UpstreamFailed(Message("{host} sent a different part of the file than was requested", host=urlsplit(url).hostname))
    return part.size, int(found[2])


async def _read_body(url: str, response: httpx2.Response) -> bytes:
    """The body, decompressed in chunks, so that a small body can't exhaust the memory."""
    body = bytearray()
    try:
        inflater = Decompressor(response.headers.get("content-encoding", ""))
        async for chunk in response.aiter_raw():
            body += inflater.decode(chunk, MAX_PAGE_BYTES + 1 - len(body))
            _check_size(MAX_PAGE_BYTES, len(body), url)
    except decompression.InvalidContentEncoding as error:
        raise UpstreamFailed(Message("{host}: {problem}", host=urlsplit(url).hostname, problem=error.message)) from error
    return bytes(body)


class ResponseTooLarge(UpstreamFailed):
    """The response is larger than the limit. It may be smaller later, but is not fetched again at once."""


def _check_size(limit: int, size: int, url: str) -> None:
    if size > limit:
        raise ResponseTooLarge(Message("{host} sent more than {limit:,} bytes", host=urlsplit(url).hostname, limit=limit))


def _raise_for_status(url: str, response: httpx2.Response) -> None:
    """Turn an HTTP status into a source error; a 2xx passes."""
    status, host = response.status_code, urlsplit(url).hostname
    if response.is_success:
        return
    if status == httpx2.codes.TOO_MANY_REQUESTS:
        slow_down = SourceRateLimited(Message("{host} limits the rate of requests (HTTP 429)", host=host))
        slow_down.retry_after_s = _parse_retry_after(response)
        raise slow_down
    if status in {httpx2.codes.UNAUTHORIZED, httpx2.codes.FORBIDDEN}:
        raise SourceAuthFailed(Message("{host} refused the request (HTTP {status})", host=host, status=status))
    if status in _ABSENT_STATUSES:
        raise SourceNotFound(
            Message("{host} has nothing at {path} (HTTP {status})", host=host, path=urlsplit(url).path, status=status)
        )
    if response.has_redirect_location:
        raise _build_moved_error(url, response)
    raise UpstreamFailed(Message("{host} returned HTTP {status}", host=host, status=status))


def _build_moved_error(url: str, response: httpx2.Response) -> SourceError:
    """The error for a redirect, with its target."""
    status, host = response.status_code, urlsplit(url).hostname
    elsewhere = response.next_request.url.host if response.next_request is not None else host
    moved = (
        SourceUnavailable(
            Message("{host} redirects programs to {elsewhere} (HTTP {status})", host=host, elsewhere=elsewhere, status=status)
        )
        if elsewhere != response.request.url.host
        else UpstreamFailed(Message("{host} has moved {path} (HTTP {status})", host=host, path=urlsplit(url).path, status=status))
    )
    with suppress(ValueError):
        moved.moved_to = urljoin(url, response.headers["location"])
    return moved


def _parse_retry_after(response: httpx2.Response) -> float | None:
    value = response.headers.get("retry-after", "")
    return min(float(value), MAX_RETRY_AFTER_S) if value.isdigit() else None


def _to_source_error(url: str, error: httpx2.HTTPError) -> SourceError:
    """Convert an HTTP client's error to a source error."""
    host = urlsplit(url).hostname
    if isinstance(error, httpx2.TimeoutException):
        return SourceTimeout(Message("{host} did not respond in time", host=host))
    if isinstance(error, httpx2.ConnectError):
        return SourceUnavailable(Message("{host} can’t be reached: {error}", host=host, error=error))
    return UpstreamFailed(Message("{host}: {error}", host=host, error=error))


def _wait_before_retry(error: Exception) -> bool | float:
    """Whether to retry after a failure, and the wait that the publisher requires, if any."""
    if not isinstance(error, SourceError) or not error.is_retryable or isinstance(error, ResponseTooLarge):
        return False
    return True if error.retry_after_s is None else error.retry_after_s
