"""The one outbound HTTP door: time limits, retries with backoff, conditional requests, size limits, and the address guard.

Every failure leaves here as a `SourceError` with its code (or `AddressRefused`), so that no source interprets HTTP for itself.
It does not know what any publisher's answer means.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urlsplit

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
from bonafide.guard import GuardedTransport
from bonafide.settings import Settings

MAX_REDIRECTS = 5
MAX_RETRY_AFTER_S = 120.0
CHUNK_BYTES = 1 << 18
Progress = Callable[[int, int | None], None]
"""Told the bytes so far and the bytes expected, if known."""


@dataclass(frozen=True, slots=True)
class Download:
    """A file fetched, or confirmed unchanged (`fresh` false), and what its publisher said of it."""

    path: Path
    url: str
    sha256: str
    size: int
    retrieved_at: datetime
    etag: str | None
    last_modified: str | None
    fresh: bool

    @property
    def as_of(self) -> date | None:
        """The publisher's date of the file, if it sent one."""
        try:
            return parsedate_to_datetime(self.last_modified).date() if self.last_modified is not None else None
        except ValueError:
            return None


class Fetcher:
    """Downloads from publishers. `sandbox`, `http://127.0.0.1:<port>`, sends every request there instead, the host in the path."""

    def __init__(self, settings: Settings, clock: Callable[[], datetime], *, sandbox: str | None = None) -> None:
        self._settings = settings
        self._clock = clock
        self._sandbox = sandbox
        allowed = frozenset[tuple[str, int]]()
        if sandbox is not None:
            local = urlsplit(sandbox)
            allowed = frozenset({(local.hostname or "", local.port or 80)})
        self._client = httpx2.AsyncClient(
            transport=GuardedTransport(allowed),
            timeout=settings.fetch_timeout_s,
            headers={"User-Agent": settings.user_agent},
            follow_redirects=True,
            max_redirects=MAX_REDIRECTS,
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    async def download(self, url: str, into: Path, progress: Progress | None = None) -> Download:
        """Bring a file to disk, or confirm that the copy there is current. Raises `SourceError` or `AddressRefused`.

        The file is replaced whole or not at all; what was known of it stands beside it in `<name>.json`.
        """
        async for attempt in stamina.retry_context(on=_wait_before_retry, attempts=self._settings.fetch_attempts, timeout=None):
            with attempt:
                return await self._download_once(url, into, progress)
        raise AssertionError("stamina either returns or raises")

    async def _download_once(self, url: str, into: Path, progress: Progress | None) -> Download:
        known = _read_known(url, into)
        try:
            async with self._client.stream("GET", self._address(url), headers=_conditions(known)) as response:
                if response.status_code == httpx2.codes.NOT_MODIFIED and known is not None:
                    return self._remember(into, known, fresh=False)
                _raise_for_status(url, response)
                digest, size = await self._save(response, into, progress)
                etag, modified = response.headers.get("etag"), response.headers.get("last-modified")
        except httpx2.HTTPError as error:
            raise _translated(url, error) from error
        fetched = Download(into, url, digest, size, self._clock(), etag, modified, fresh=True)
        return self._remember(into, fetched, fresh=True)

    def _address(self, url: str) -> str:
        if self._sandbox is None:
            return url
        return f"{self._sandbox}/{url.partition('://')[2]}"

    async def _save(self, response: httpx2.Response, into: Path, progress: Progress | None) -> tuple[str, int]:
        into.parent.mkdir(parents=True, exist_ok=True)
        part = into.with_name(into.name + ".part")
        expected = int(response.headers["content-length"]) if "content-length" in response.headers else None
        digest, size = hashlib.sha256(), 0
        with part.open("wb") as file:
            async for chunk in response.aiter_bytes(CHUNK_BYTES):
                size += len(chunk)
                if size > self._settings.max_download_bytes:
                    raise UpstreamFailed(f"{response.url.host} sent more than {self._settings.max_download_bytes:,} bytes")
                file.write(chunk)
                digest.update(chunk)
                if progress is not None:
                    progress(size, expected)
        part.replace(into)
        return digest.hexdigest(), size

    def _remember(self, into: Path, download: Download, *, fresh: bool) -> Download:
        current = Download(**{**asdict(download), "retrieved_at": self._clock(), "fresh": fresh, "path": into})
        facts = asdict(current) | {"path": into.name, "retrieved_at": current.retrieved_at.isoformat()}
        _known_path(into).write_text(json.dumps(facts), encoding="utf-8")
        return current


def _known_path(into: Path) -> Path:
    return into.with_name(into.name + ".json")


def _read_known(url: str, into: Path) -> Download | None:
    """What is known of the copy on disk; None when there is none, when it is of another address, or not the copy described."""
    try:
        facts = json.loads(_known_path(into).read_text(encoding="utf-8"))
        known = Download(**{**facts, "path": into, "retrieved_at": datetime.fromisoformat(facts["retrieved_at"])})
        return known if known.url == url and into.stat().st_size == known.size else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _conditions(known: Download | None) -> Mapping[str, str]:
    if known is None:
        return {}
    pairs = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
    return {name: value for name, value in pairs.items() if value is not None}


def _raise_for_status(url: str, response: httpx2.Response) -> None:
    """Turn an HTTP status into a source error; a 2xx passes."""
    status, host = response.status_code, urlsplit(url).hostname
    if response.is_success:
        return
    if status == httpx2.codes.TOO_MANY_REQUESTS:
        slow_down = SourceRateLimited(f"{host} asked us to slow down (HTTP 429)")
        slow_down.retry_after_s = _retry_after(response)
        raise slow_down
    if status in {httpx2.codes.UNAUTHORIZED, httpx2.codes.FORBIDDEN}:
        raise SourceAuthFailed(f"{host} refused us (HTTP {status})")
    if status in {httpx2.codes.NOT_FOUND, httpx2.codes.GONE}:
        raise SourceNotFound(f"{host} has nothing at {urlsplit(url).path} (HTTP {status})")
    raise UpstreamFailed(f"{host} answered HTTP {status}")


def _retry_after(response: httpx2.Response) -> float | None:
    value = response.headers.get("retry-after", "")
    return min(float(value), MAX_RETRY_AFTER_S) if value.isdigit() else None


def _translated(url: str, error: httpx2.HTTPError) -> SourceError:
    """The source error that an HTTP client's error amounts to."""
    host = urlsplit(url).hostname
    if isinstance(error, httpx2.TimeoutException):
        return SourceTimeout(f"{host} did not answer in time")
    if isinstance(error, httpx2.ConnectError):
        return SourceUnavailable(f"{host} can't be reached: {error}")
    return UpstreamFailed(f"{host}: {error}")


def _wait_before_retry(error: Exception) -> bool | float:
    """Whether a failure is worth another try, and how long the publisher asked us to wait, if it did."""
    if not isinstance(error, SourceError) or not error.retryable:
        return False
    return True if error.retry_after_s is None else error.retry_after_s
