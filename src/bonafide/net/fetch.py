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
"""Of a page that is read into memory to find out where the files are."""
MIN_VALIDATOR_AGE = timedelta(seconds=60)
"""A date names a version only when the file had not changed for so long before it was sent (RFC 9110, section 8.8.2.2)."""
DownloadProgress = Callable[[int, int | None], None]
"""Told the bytes so far and the bytes expected, if known."""
_COMPRESSION_HEADERS = {"Accept-Encoding": decompression.ACCEPT_ENCODING}
_ABSENT_STATUSES = frozenset({httpx2.codes.NOT_FOUND, httpx2.codes.GONE})
"""Statuses that a live source uses to say that it has no such thing."""
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")


class Fetcher:
    """Downloads from publishers. `sandbox`, `http://127.0.0.1:<port>`, sends every request there instead, the host in the path.

    `private` is a host and port that need not be public. `resolve` and `sockets` stand in for the system's; whatever they are, only
    public addresses are connected to.
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
        """Bring a file to disk, or confirm that the copy there is current. Raises `SourceError` or `AddressRefused`.

        Where the publisher hands the file out for a form, the fields of that are sent.

        The file is replaced whole or not at all. What a broken connection or an interrupted process left of it is continued, now or
        at the next call, if the publisher said by a strong validator of which version it is; otherwise the download begins anew.
        """
        async for attempt in self._attempts():
            with attempt, span("download", _build_span_attributes(url)):
                return await self._download_once(url, into, progress, form)
        raise AssertionError("stamina either returns or raises")

    async def read(self, url: str) -> bytes:
        """A small page, such as the index that tells where the files are. Raises `SourceError` or `AddressRefused`."""
        async for attempt in self._attempts():
            with attempt, span("call", _build_span_attributes(url)):
                return await self._read_once(url)
        raise AssertionError("stamina either returns or raises")

    async def send(self, call: SourceRequest) -> SourceResponse:
        """Send one request to a live source, once. Raises `SourceError` or `AddressRefused`; a 404 or 410 is an answer.

        A redirect is not followed: a key in the headers would go along, and an interface that has moved should be noticed.
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
            # What a form brings is made for it: there is no earlier version of it, nor the rest of one.
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
        """The rest of the body behind the part, or all of it in place of the part. Returns the digest and size of the whole."""
        size, expected = _read_extent(url, response, into, part)
        if expected is not None:
            _check_size(self._settings.max_download_bytes, expected, url)
        if size == 0:
            download_cache.begin_partial_file(url, into, _find_strong_validator(response))
        path = download_cache.get_partial_path(into)
        digest = await anyio.to_thread.run_sync(download_cache.compute_digest, path) if size > 0 else hashlib.sha256()
        with path.open("ab") as file:
            # As it comes: what waits for a chunk to be full would be lost when the line breaks.
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
            raise UpstreamFailed(f"{urlsplit(url).hostname} sent {size:,} of {expected:,} bytes")
        return digest.hexdigest(), size


def _build_span_attributes(url: str) -> dict[str, str]:
    """The attribute of a span that says whom we ask; what we ask for stands in the rest of the address."""
    return {"server.address": urlsplit(url).hostname or ""}


def _build_conditional_headers(known: CachedFile | None, part: PartialFile | None) -> Mapping[str, str]:
    """Headers that ask for the file only if it is another than the copy, and for the rest only if the part is of it."""
    # Compressed on the way, a file has other bytes, which can't be continued nor counted.
    pairs: dict[str, str | None] = {"Accept-Encoding": "identity"}
    if known is not None:
        pairs |= {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
    if part is not None:
        pairs |= {"Range": f"bytes={part.size}-", "If-Range": part.validator}
    return {name: value for name, value in pairs.items() if value is not None}


def _find_strong_validator(response: httpx2.Response) -> str | None:
    """What names this very version of the file; None where the publisher says nothing so exact, or has encoded what it sends."""
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
    """How many bytes of the part the body continues, and how many there will be in all, if it is said."""
    if response.status_code != httpx2.codes.PARTIAL_CONTENT:
        told = response.headers.get("content-length") if "content-encoding" not in response.headers else None
        return 0, int(told) if told is not None else None
    found = _CONTENT_RANGE.fullmatch(response.headers.get("content-range", ""))
    if part is None or found is None or int(found[1]) != part.size:
        download_cache.delete_partial_file(into)
        raise UpstreamFailed(f"{urlsplit(url).hostname} sent another part of the file than was asked for")
    return part.size, int(found[2])


async def _read_body(url: str, response: httpx2.Response) -> bytes:
    """The body, unpacked a little at a time: a small one must not grow into one that fills the memory."""
    body = bytearray()
    try:
        inflater = Decompressor(response.headers.get("content-encoding", ""))
        async for chunk in response.aiter_raw():
            body += inflater.decode(chunk, MAX_PAGE_BYTES + 1 - len(body))
            _check_size(MAX_PAGE_BYTES, len(body), url)
    except decompression.InvalidContentEncoding as error:
        raise UpstreamFailed(f"{urlsplit(url).hostname}: {error.message}") from error
    return bytes(body)


class ResponseTooLarge(UpstreamFailed):
    """The source sends more than is read. Later it may send less, but what was sent is not fetched again at once."""


def _check_size(limit: int, size: int, url: str) -> None:
    if size > limit:
        raise ResponseTooLarge(f"{urlsplit(url).hostname} sent more than {limit:,} bytes")


def _raise_for_status(url: str, response: httpx2.Response) -> None:
    """Turn an HTTP status into a source error; a 2xx passes."""
    status, host = response.status_code, urlsplit(url).hostname
    if response.is_success:
        return
    if status == httpx2.codes.TOO_MANY_REQUESTS:
        slow_down = SourceRateLimited(f"{host} asked us to slow down (HTTP 429)")
        slow_down.retry_after_s = _parse_retry_after(response)
        raise slow_down
    if status in {httpx2.codes.UNAUTHORIZED, httpx2.codes.FORBIDDEN}:
        raise SourceAuthFailed(f"{host} refused us (HTTP {status})")
    if status in _ABSENT_STATUSES:
        raise SourceNotFound(f"{host} has nothing at {urlsplit(url).path} (HTTP {status})")
    if response.has_redirect_location:
        raise _build_moved_error(url, response)
    raise UpstreamFailed(f"{host} answered HTTP {status}")


def _build_moved_error(url: str, response: httpx2.Response) -> SourceError:
    """That the source is elsewhere, and where."""
    status, host = response.status_code, urlsplit(url).hostname
    elsewhere = response.next_request.url.host if response.next_request is not None else host
    moved = (
        SourceUnavailable(f"{host} sends programs away to {elsewhere} (HTTP {status})")
        if elsewhere != response.request.url.host
        else UpstreamFailed(f"{host} has moved what is at {urlsplit(url).path} (HTTP {status})")
    )
    with suppress(ValueError):
        moved.moved_to = urljoin(url, response.headers["location"])
    return moved


def _parse_retry_after(response: httpx2.Response) -> float | None:
    value = response.headers.get("retry-after", "")
    return min(float(value), MAX_RETRY_AFTER_S) if value.isdigit() else None


def _to_source_error(url: str, error: httpx2.HTTPError) -> SourceError:
    """The source error that an HTTP client's error amounts to."""
    host = urlsplit(url).hostname
    if isinstance(error, httpx2.TimeoutException):
        return SourceTimeout(f"{host} did not answer in time")
    if isinstance(error, httpx2.ConnectError):
        return SourceUnavailable(f"{host} can't be reached: {error}")
    return UpstreamFailed(f"{host}: {error}")


def _wait_before_retry(error: Exception) -> bool | float:
    """Whether a failure is worth another try, and how long the publisher asked us to wait, if it did."""
    if not isinstance(error, SourceError) or not error.retryable or isinstance(error, ResponseTooLarge):
        return False
    return True if error.retry_after_s is None else error.retry_after_s
