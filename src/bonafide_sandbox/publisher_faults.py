"""Faults that a test or `--fault` puts at a publisher's address.

Nothing here is broken by itself: a test puts a fault at an address, and takes it away.
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
"""Put before the name of the first column."""


class PublisherFault(Protocol):
    """What is wrong with an address."""

    async def answer(self, file: Path, media_type: str) -> Response | None:
        """The broken answer in place of the file; None to go on as if nothing had been."""


@dataclass(frozen=True, slots=True)
class HangFault:
    """The server thinks for so many seconds, and answers then."""

    seconds: float

    async def answer(self, _file: Path, _media_type: str) -> None:
        """Wait."""
        await anyio.sleep(self.seconds)


@dataclass(frozen=True, slots=True)
class StatusFault:
    """The server answers with a status instead of the file."""

    code: int
    retry_after_s: int | None = None

    async def answer(self, _file: Path, _media_type: str) -> Response:
        """A line of text."""
        headers = {"Retry-After": str(self.retry_after_s)} if self.retry_after_s is not None else {}
        return PlainTextResponse("The sandbox was told to fail here.\n", self.code, headers)


@dataclass(frozen=True, slots=True)
class TruncatedFault:
    """The connection ends after so many bytes of the file, though the answer's header promised them all."""

    keep_bytes: int

    async def answer(self, file: Path, media_type: str) -> Response:
        """The beginning of the file."""
        size = (await anyio.Path(file).stat()).st_size
        return StreamingResponse(
            _stream_file(file, until=self.keep_bytes), media_type=media_type, headers={"Content-Length": str(size)}
        )


@dataclass(slots=True)
class ConnectionCutFault:
    """The first answers end after so many bytes, as if the line broke; then the address has another fault, or none."""

    keep_bytes: int
    times: int = 1
    then: "PublisherFault | None" = None

    async def answer(self, file: Path, media_type: str) -> Response | None:
        """The beginning of the file, with all the headers of the whole; when the cuts are spent, what follows them."""
        if self.times == 0:
            return await self.then.answer(file, media_type) if self.then is not None else None
        self.times -= 1
        headers = dict(FileResponse(file, stat_result=os.stat_result(await anyio.Path(file).stat())).headers)
        return StreamingResponse(_stream_file(file, until=self.keep_bytes), media_type=media_type, headers=headers)


@dataclass(frozen=True, slots=True)
class NoRangesFault:
    """The server knows no ranges: whatever part is asked for, it sends the whole."""

    async def answer(self, file: Path, media_type: str) -> Response:
        """The whole file."""
        headers = dict(FileResponse(file, stat_result=os.stat_result(await anyio.Path(file).stat())).headers)
        headers["accept-ranges"] = "none"
        return StreamingResponse(_stream_file(file), media_type=media_type, headers=headers)


@dataclass(frozen=True, slots=True)
class WrongRangeFault:
    """The server answers every request with a part of the file that nobody asked for."""

    async def answer(self, file: Path, media_type: str) -> Response:
        """The second byte."""
        size = (await anyio.Path(file).stat()).st_size
        body = (await anyio.Path(file).read_bytes())[1:2]
        return Response(body, 206, media_type=media_type, headers={"Content-Range": f"bytes 1-1/{size}"})


@dataclass(frozen=True, slots=True)
class ReplacedFileFault:
    """The publisher has put another version in the place of the file."""

    content: bytes

    async def answer(self, _file: Path, media_type: str) -> Response:
        """The other version, under its own tag; no part of the old one is to be had any more."""
        tag = hashlib.sha256(self.content).hexdigest()[:16]
        return Response(self.content, media_type=media_type, headers={"ETag": f'"{tag}"'})


@dataclass(frozen=True, slots=True)
class GarbageFault:
    """The answer looks well and holds no file."""

    async def answer(self, _file: Path, media_type: str) -> Response:
        """Some bytes that are no text in any encoding, and no workbook."""
        return Response(GARBAGE_BYTES, media_type=media_type)


@dataclass(frozen=True, slots=True)
class ChallengePageFault:
    """A page for people stands before the data: they have to prove that they are none of us."""

    async def answer(self, _file: Path, _media_type: str) -> Response:
        """The page, with a status that says all is well."""
        return HTMLResponse(CHALLENGE_PAGE)


@dataclass(frozen=True, slots=True)
class FixedResponseFault:
    """The source says this, whatever it is asked."""

    body: bytes
    media_type: str = "application/json"
    code: int = 200

    async def answer(self, _file: Path, _media_type: str) -> Response:
        """What it says."""
        return Response(self.body, self.code, media_type=self.media_type)


@dataclass(slots=True)
class RateLimitFault:
    """The source is asked too often: the first answers are 429 with a time to wait; then it goes on as if nothing had been."""

    times: int
    retry_after_s: int = 1

    async def answer(self, file: Path, media_type: str) -> Response | None:
        """A refusal, until they are spent."""
        if self.times == 0:
            return None
        self.times -= 1
        return await StatusFault(429, self.retry_after_s).answer(file, media_type)


LiveFault = HangFault | StatusFault | GarbageFault | ChallengePageFault | FixedResponseFault | RateLimitFault
"""What can be wrong with a source that is asked questions: the faults that need no file."""


NAMED_FAULTS: Mapping[str, LiveFault] = {
    "silent": HangFault(60),
    "slow": HangFault(2),
    "busy": StatusFault(429, 5),
    "down": StatusFault(503),
    "refusing": StatusFault(403),
    "challenge": ChallengePageFault(),
    "garbage": GarbageFault(),
}
"""The faults that a person can switch on by name."""


@dataclass(frozen=True, slots=True)
class ChangedHeaderFault:
    """The first column of a delimited file has another name."""

    async def answer(self, file: Path, media_type: str) -> Response:
        """The whole file with that name changed."""
        return StreamingResponse(_stream_with_changed_header(file), media_type=media_type)


class FaultRegistry:
    """Which addresses are broken, and how. Changed while the server runs."""

    def __init__(self) -> None:
        self._faults: dict[str, PublisherFault] = {}
        self._sources: dict[str, LiveFault] = {}

    def put(self, url: str, fault: PublisherFault) -> None:
        """Break the publisher's address, in place of what was wrong with it before."""
        self._faults[url] = fault

    def set_source_fault(self, source: str, fault: LiveFault) -> None:
        """Break every live address of a source."""
        self._sources[source] = fault

    def clear(self) -> None:
        """Repair everything."""
        self._faults.clear()
        self._sources.clear()

    def of(self, source: str) -> LiveFault | None:
        """What is wrong with a live source, if anything is."""
        return self._sources.get(source)

    def at(self, url: str) -> PublisherFault | None:
        """What is wrong with an address, if anything is."""
        return self._faults.get(url)


async def _stream_file(file: Path, *, skip: int = 0, until: int | None = None) -> AsyncIterator[bytes]:
    """The bytes of a file from `skip`, up to the place `until`."""
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
