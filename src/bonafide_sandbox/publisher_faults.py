"""Faults that a test or `--fault` injects at a publisher's URL.

By default no URL has a fault. Faults are added and cleared while the server runs.
"""

import hashlib
import os
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import anyio
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response, StreamingResponse

CHUNK_BYTES = 1 << 16
GARBAGE_BYTES = b"\x00\xff\xfe\x00 this is not the file that was asked for \xc3\x28\n"
BOM = b"\xef\xbb\xbf"
CHALLENGE_PAGE = "<!DOCTYPE html>\n<html><head><title>One moment</title></head><body><form>Are you a person?</form></body></html>\n"
HEADER_PREFIX = b"New "
"""The prefix added to the name of the first column."""


class PublisherFault(Protocol):
    """A fault of a URL."""

    async def answer(self, file: Path, media_type: str) -> Response | None:
        """Return the faulty response, or None to serve the file normally."""


@dataclass(frozen=True, slots=True)
class HangFault:
    """The server waits before it responds normally."""

    seconds: float

    async def answer(self, _file: Path, _media_type: str) -> None:
        """Wait for the configured time."""
        await anyio.sleep(self.seconds)


@dataclass(frozen=True, slots=True)
class StatusFault:
    """The server returns an HTTP status instead of the file."""

    code: int
    retry_after_s: int | None = None

    async def answer(self, _file: Path, _media_type: str) -> Response:
        """Return the status with a one-line text body."""
        headers = {"Retry-After": str(self.retry_after_s)} if self.retry_after_s is not None else {}
        return PlainTextResponse("Fault simulated by the sandbox.\n", self.code, headers)


@dataclass(frozen=True, slots=True)
class TruncatedFault:
    """The connection closes after `keep_bytes`, although `Content-Length` is the full size."""

    keep_bytes: int

    async def answer(self, file: Path, media_type: str) -> Response:
        """Return the truncated file."""
        size = (await anyio.Path(file).stat()).st_size
        return StreamingResponse(
            _stream_file(file, until=self.keep_bytes), media_type=media_type, headers={"Content-Length": str(size)}
        )


@dataclass(slots=True)
class ConnectionCutFault:
    """The first responses are cut off after `keep_bytes`. Afterwards the URL has the fault `then`, or none."""

    keep_bytes: int
    times: int = 1
    then: "PublisherFault | None" = None

    async def answer(self, file: Path, media_type: str) -> Response | None:
        """Return a truncated response with the full file's headers, or `then`'s response after `times` requests."""
        if self.times == 0:
            return await self.then.answer(file, media_type) if self.then is not None else None
        self.times -= 1
        headers = dict(FileResponse(file, stat_result=os.stat_result(await anyio.Path(file).stat())).headers)
        return StreamingResponse(_stream_file(file, until=self.keep_bytes), media_type=media_type, headers=headers)


@dataclass(frozen=True, slots=True)
class NoRangesFault:
    """The server does not support range requests and always returns the whole file."""

    async def answer(self, file: Path, media_type: str) -> Response:
        """Return the whole file."""
        headers = dict(FileResponse(file, stat_result=os.stat_result(await anyio.Path(file).stat())).headers)
        headers["accept-ranges"] = "none"
        return StreamingResponse(_stream_file(file), media_type=media_type, headers=headers)


@dataclass(frozen=True, slots=True)
class WrongRangeFault:
    """The server returns a range that was not requested."""

    async def answer(self, file: Path, media_type: str) -> Response:
        """Return the second byte of the file."""
        size = (await anyio.Path(file).stat()).st_size
        body = (await anyio.Path(file).read_bytes())[1:2]
        return Response(body, 206, media_type=media_type, headers={"Content-Range": f"bytes 1-1/{size}"})


@dataclass(frozen=True, slots=True)
class ReplacedFileFault:
    """The publisher has replaced the file with another version."""

    content: bytes

    async def answer(self, _file: Path, media_type: str) -> Response:
        """Return the new version with its own ETag. Ranges of the old version are no longer available."""
        tag = hashlib.sha256(self.content).hexdigest()[:16]
        return Response(self.content, media_type=media_type, headers={"ETag": f'"{tag}"'})


@dataclass(frozen=True, slots=True)
class GarbageFault:
    """The response has status 200 but the body is not a valid file."""

    async def answer(self, _file: Path, media_type: str) -> Response:
        """Return bytes that are neither valid text in any encoding nor a workbook."""
        return Response(GARBAGE_BYTES, media_type=media_type)


@dataclass(frozen=True, slots=True)
class ChallengePageFault:
    """The server returns a bot challenge page instead of the data."""

    async def answer(self, _file: Path, _media_type: str) -> Response:
        """Return the challenge page with status 200."""
        return HTMLResponse(CHALLENGE_PAGE)


@dataclass(frozen=True, slots=True)
class FixedResponseFault:
    """The source returns the same response to every request."""

    body: bytes
    media_type: str = "application/json"
    code: int = 200

    async def answer(self, _file: Path, _media_type: str) -> Response:
        """Return the configured response."""
        return Response(self.body, self.code, media_type=self.media_type)


@dataclass(slots=True)
class RateLimitFault:
    """The source returns 429 with `Retry-After` for the first requests, then responds normally."""

    times: int
    retry_after_s: int = 1

    async def answer(self, file: Path, media_type: str) -> Response | None:
        """Return 429 until `times` requests have been refused."""
        if self.times == 0:
            return None
        self.times -= 1
        return await StatusFault(429, self.retry_after_s).answer(file, media_type)


LiveFault = HangFault | StatusFault | GarbageFault | ChallengePageFault | FixedResponseFault | RateLimitFault
"""Faults that can apply to a live source: those that don't need a file."""


NAMED_FAULTS: Mapping[str, LiveFault] = {
    "silent": HangFault(60),
    "slow": HangFault(2),
    "busy": StatusFault(429, 5),
    "down": StatusFault(503),
    "refusing": StatusFault(403),
    "challenge": ChallengePageFault(),
    "garbage": GarbageFault(),
}
"""The faults that can be selected by name on the command line."""


@dataclass(frozen=True, slots=True)
class ChangedHeaderFault:
    """The first column of a delimited file has a different name."""

    async def answer(self, file: Path, media_type: str) -> Response:
        """Return the file with the renamed column."""
        return StreamingResponse(_stream_with_changed_header(file), media_type=media_type)


class FaultRegistry:
    """The current faults by URL and by source. Can be changed while the server runs."""

    def __init__(self) -> None:
        self._faults: dict[str, PublisherFault] = {}
        self._sources: dict[str, LiveFault] = {}

    def put(self, url: str, fault: PublisherFault) -> None:
        """Set the fault of a URL, replacing any previous one."""
        self._faults[url] = fault

    def set_source_fault(self, source: str, fault: LiveFault) -> None:
        """Set a fault for every live endpoint of a source."""
        self._sources[source] = fault

    def clear(self) -> None:
        """Remove all faults."""
        self._faults.clear()
        self._sources.clear()

    def of(self, source: str) -> LiveFault | None:
        """Return the fault of a live source, or None."""
        return self._sources.get(source)

    def at(self, url: str) -> PublisherFault | None:
        """Return the fault of a URL, or None."""
        return self._faults.get(url)


async def _stream_file(file: Path, *, skip: int = 0, until: int | None = None) -> AsyncIterator[bytes]:
    """Yield the bytes of a file from offset `skip` up to offset `until`."""
    async with await anyio.open_file(file, "rb") as opened:
        await opened.seek(skip)
        place = skip
        while chunk := await opened.read(CHUNK_BYTES if until is None else min(CHUNK_BYTES, until - place)):
            place += len(chunk)
            yield chunk


async def _stream_with_changed_header(file: Path) -> AsyncIterator[bytes]:
    async with await anyio.open_file(file, "rb") as opened:
        marked = await opened.read(len(BOM)) == BOM
    yield (BOM if marked else b"") + HEADER_PREFIX
    async for chunk in _stream_file(file, skip=len(BOM) if marked else 0):
        yield chunk
