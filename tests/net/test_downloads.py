"""Downloads that break off: what is kept of them, what is continued, and what is never taken for the file."""

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

import anyio
import pytest
from starlette.datastructures import Headers
from starlette.responses import Response, StreamingResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from bonafide.errors import SourceNotFound, UpstreamFailed
from bonafide.net.download_cache import get_partial_path
from bonafide.net.fetch import MAX_PAGE_BYTES, Fetcher
from bonafide.settings import Settings
from bonafide_sandbox.publisher_faults import (
    ConnectionCutFault,
    FaultRegistry,
    NoRangesFault,
    PublisherFault,
    ReplacedFileFault,
    WrongRangeFault,
)
from bonafide_sandbox.server import create_sandbox_app
from tests.support.servers.asgi_server import served

pytestmark = pytest.mark.anyio
URL = "https://publisher.example/big.csv"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
CONTENT = b"".join(b"%d,Name %d\n" % (n, n) for n in range(100_000))
HALF = len(CONTENT) // 2


@dataclass
class Recorded:
    """A server, and the headers of all that it was asked."""

    app: ASGIApp
    asked: list[Headers] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked.append(Headers(scope=scope))
        await self.app(scope, receive, send)

    def ranges(self) -> list[str | None]:
        return [headers.get("range") for headers in self.asked]


@dataclass
class Publisher:
    """The sandbox's server with one file, and a client that fetches from it."""

    server: Recorded
    address: str
    fetcher: Fetcher
    faults: FaultRegistry
    file: Path

    async def download(self, into: Path) -> bytes:
        got = await self.fetcher.download(URL, into)
        content = await anyio.Path(into).read_bytes()
        assert got.sha256 == hashlib.sha256(content).hexdigest()
        assert got.size == len(content)
        return content


@asynccontextmanager
async def publishing(tmp_path: Path, fault: PublisherFault | None = None, **settings: float) -> AsyncIterator[Publisher]:
    folder, faults = tmp_path / "published", FaultRegistry()
    folder.mkdir()
    (folder / "big.csv").write_bytes(CONTENT)
    if fault is not None:
        faults.put(URL, fault)
    server = Recorded(create_sandbox_app(folder, {URL: "big.csv"}, faults))
    async with served(server) as address:
        fetcher = Fetcher(Settings.model_validate({"fetch_attempts": 1, **settings}), lambda: NOW, sandbox=address)
        yield Publisher(server, address, fetcher, faults, folder / "big.csv")
        await fetcher.close()


def leftovers(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in tmp_path.iterdir() if ".part" in path.name)


async def test_a_broken_download_is_continued_where_it_broke(tmp_path: Path) -> None:
    async with publishing(tmp_path, ConnectionCutFault(HALF), fetch_attempts=2) as publisher:
        assert await publisher.download(tmp_path / "big.csv") == CONTENT
        [first, second] = publisher.server.asked
    assert "range" not in first
    start = int(second["range"].removeprefix("bytes=").removesuffix("-"))
    assert 0 < start <= HALF
    assert second["if-range"].startswith('"')
    assert leftovers(tmp_path) == []


async def test_a_download_that_breaks_again_and_again_goes_on_each_time(tmp_path: Path) -> None:
    async with publishing(tmp_path, ConnectionCutFault(HALF, then=ConnectionCutFault(HALF))) as publisher:
        for _ in range(2):
            with pytest.raises(UpstreamFailed):
                await publisher.download(tmp_path / "big.csv")
        assert await publisher.download(tmp_path / "big.csv") == CONTENT


async def test_what_one_process_left_the_next_one_continues(tmp_path: Path) -> None:
    async with publishing(tmp_path, ConnectionCutFault(HALF)) as publisher:
        with pytest.raises(UpstreamFailed):
            await publisher.download(tmp_path / "big.csv")
        assert not (tmp_path / "big.csv").exists()
        assert leftovers(tmp_path) == ["big.csv.part", "big.csv.part.json"]
        kept = get_partial_path(tmp_path / "big.csv").stat().st_size
        later = replace(publisher, fetcher=Fetcher(Settings(), lambda: NOW, sandbox=publisher.address))
        assert await later.download(tmp_path / "big.csv") == CONTENT
        await later.fetcher.close()
        assert publisher.server.ranges() == [None, f"bytes={kept}-"]


async def test_a_cancelled_download_is_continued(tmp_path: Path) -> None:
    slow_at: list[int] = []
    async with publishing(tmp_path) as publisher:
        with anyio.CancelScope() as scope:

            def told(done: int, _total: int | None) -> None:
                slow_at.append(done)
                scope.cancel()

            await publisher.fetcher.download(URL, tmp_path / "big.csv", told)
        assert leftovers(tmp_path) == ["big.csv.part", "big.csv.part.json"]
        assert await publisher.download(tmp_path / "big.csv") == CONTENT
        assert publisher.server.ranges()[1] == f"bytes={slow_at[-1]}-"


async def test_a_server_without_ranges_sends_it_all_anew(tmp_path: Path) -> None:
    async with publishing(tmp_path, ConnectionCutFault(HALF, then=NoRangesFault()), fetch_attempts=2) as publisher:
        assert await publisher.download(tmp_path / "big.csv") == CONTENT
        assert publisher.server.ranges()[1] is not None


async def test_a_version_that_changed_in_between_is_never_mixed_with_the_old_one(tmp_path: Path) -> None:
    async with publishing(
        tmp_path, ConnectionCutFault(HALF, then=ReplacedFileFault(b"another\n" * 1000)), fetch_attempts=2
    ) as publisher:
        assert await publisher.download(tmp_path / "big.csv") == b"another\n" * 1000


async def test_a_part_that_nobody_asked_for_is_refused_and_the_file_fetched_anew(tmp_path: Path) -> None:
    async with publishing(tmp_path, ConnectionCutFault(HALF, then=WrongRangeFault())) as publisher:
        for _ in range(2):
            with pytest.raises(UpstreamFailed):
                await publisher.download(tmp_path / "big.csv")
        assert leftovers(tmp_path) == []
        publisher.faults.clear()
        assert await publisher.download(tmp_path / "big.csv") == CONTENT
        assert publisher.server.ranges()[-1] is None


async def test_a_part_beyond_the_end_of_the_file_is_dropped(tmp_path: Path) -> None:
    async with publishing(tmp_path, ConnectionCutFault(HALF)) as publisher:
        with pytest.raises(UpstreamFailed):
            await publisher.download(tmp_path / "big.csv")
        with get_partial_path(tmp_path / "big.csv").open("ab") as part:
            part.write(CONTENT)
        with pytest.raises(UpstreamFailed, match="416"):
            await publisher.download(tmp_path / "big.csv")
        assert leftovers(tmp_path) == []
        assert await publisher.download(tmp_path / "big.csv") == CONTENT


async def test_a_part_of_another_address_is_not_continued(tmp_path: Path) -> None:
    async with publishing(tmp_path) as publisher:
        part = get_partial_path(tmp_path / "big.csv")
        part.write_bytes(b"something else")
        part.with_name("big.csv.part.json").write_text('{"url": "https://publisher.example/old.csv", "validator": "\\"1\\""}')
        assert await publisher.download(tmp_path / "big.csv") == CONTENT
        assert publisher.server.ranges() == [None]


async def test_a_part_that_nothing_describes_is_not_continued(tmp_path: Path) -> None:
    async with publishing(tmp_path) as publisher:
        get_partial_path(tmp_path / "big.csv").write_bytes(CONTENT[:1000])
        assert await publisher.download(tmp_path / "big.csv") == CONTENT
        assert publisher.server.ranges() == [None]


async def test_the_last_good_copy_stays_while_the_new_one_is_only_a_part(tmp_path: Path) -> None:
    async with publishing(tmp_path) as publisher:
        await publisher.download(tmp_path / "big.csv")
        publisher.file.write_bytes(CONTENT + b"100000,One more\n")
        publisher.faults.put(URL, ConnectionCutFault(HALF))
        with pytest.raises(UpstreamFailed):
            await publisher.download(tmp_path / "big.csv")
        assert (tmp_path / "big.csv").read_bytes() == CONTENT
        assert await publisher.download(tmp_path / "big.csv") == CONTENT + b"100000,One more\n"
        assert publisher.server.asked[-1]["if-none-match"] != publisher.server.asked[-1]["if-range"]


@pytest.mark.parametrize("limit", [HALF, len(CONTENT) - 1])
async def test_the_limit_of_size_holds_for_part_and_rest_together(tmp_path: Path, limit: int) -> None:
    async with publishing(tmp_path, ConnectionCutFault(HALF)) as publisher:
        with pytest.raises(UpstreamFailed):
            await publisher.download(tmp_path / "big.csv")
        limited = Settings(fetch_attempts=3, max_download_bytes=limit)
        later = replace(publisher, fetcher=Fetcher(limited, lambda: NOW, sandbox=publisher.address))
        with pytest.raises(UpstreamFailed, match=f"more than {limit:,} bytes"):
            await later.download(tmp_path / "big.csv")
        await later.fetcher.close()
        assert len(publisher.server.asked) == 2
    assert not (tmp_path / "big.csv").exists()


async def test_the_limit_of_size_holds_where_no_size_is_told(tmp_path: Path) -> None:
    async def long() -> AsyncIterator[bytes]:
        for _ in range(4):
            yield CONTENT

    async with answering(StreamingResponse(long()), fetch_attempts=3, max_download_bytes=2 * len(CONTENT)) as (fetcher, server):
        with pytest.raises(UpstreamFailed, match="more than"):
            await fetcher.download(URL, tmp_path / "big.csv")
    assert (len(server.asked), leftovers(tmp_path)) == (1, [])


# --------------------------------------------------------------------------------------------------- what names a version


@asynccontextmanager
async def answering(*answers: Response, **settings: float) -> AsyncIterator[tuple[Fetcher, Recorded]]:
    waiting = list(answers)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await waiting.pop(0)(scope, receive, send)

    server = Recorded(app)
    async with served(server) as address:
        fetcher = Fetcher(Settings.model_validate({"fetch_attempts": 1, **settings}), lambda: NOW, sandbox=address)
        yield fetcher, server
        await fetcher.close()


def cut(**headers: str) -> StreamingResponse:
    """An answer that ends long before its promise is kept."""

    async def body() -> AsyncIterator[bytes]:
        yield CONTENT[:HALF]

    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return StreamingResponse(body(), headers={"content-length": str(len(CONTENT)), **named})


MODIFIED = format_datetime(datetime(2026, 11, 1, tzinfo=UTC), usegmt=True)
JUST_NOW = "just now"
"""Stands for the time at which the test runs."""


@pytest.mark.parametrize(
    ("headers", "condition"),
    [
        ({"etag": '"v1"'}, '"v1"'),
        ({"etag": 'W/"v1"'}, None),
        ({"etag": 'W/"v1"', "last_modified": MODIFIED}, None),
        ({"last_modified": MODIFIED}, MODIFIED),
        ({"last_modified": JUST_NOW}, None),
        ({"last_modified": "yesterday"}, None),
        ({"etag": '"v1"', "content_encoding": "br"}, None),
        ({}, None),
    ],
)
async def test_only_a_strong_validator_is_trusted_to_continue(
    tmp_path: Path, headers: dict[str, str], condition: str | None
) -> None:
    if headers.get("last_modified") == JUST_NOW:
        headers = {"last_modified": format_datetime(datetime.now(UTC), usegmt=True)}
    async with answering(cut(**headers), Response(b"anew")) as (fetcher, server):
        with pytest.raises(UpstreamFailed):
            await fetcher.download(URL, tmp_path / "big.csv")
        got = await fetcher.download(URL, tmp_path / "big.csv")
    assert got.path.read_bytes() == b"anew"
    assert (server.asked[1].get("if-range"), "range" in server.asked[1]) == (condition, condition is not None)


async def test_files_are_asked_for_as_they_are_and_not_compressed(tmp_path: Path) -> None:
    async with answering(Response(b"rows")) as (fetcher, server):
        await fetcher.download(URL, tmp_path / "big.csv")
    assert server.asked[0]["accept-encoding"] == "identity"


# --------------------------------------------------------------------------------------------------- pages


async def test_a_page_is_read_into_memory() -> None:
    async with answering(Response(b'{"data": []}')) as (fetcher, _):
        assert await fetcher.read("https://publisher.example/index.json?page=1") == b'{"data": []}'


async def test_a_page_is_asked_for_again_after_a_passing_failure() -> None:
    async with answering(Response(status_code=503), Response(b"page"), fetch_attempts=2) as (fetcher, _):
        assert await fetcher.read(URL) == b"page"


async def test_a_page_that_is_not_there_is_not_found() -> None:
    async with answering(Response(status_code=404), fetch_attempts=2) as (fetcher, server):
        with pytest.raises(SourceNotFound):
            await fetcher.read(URL)
    assert len(server.asked) == 1


async def test_a_page_that_is_as_large_as_a_file_is_refused() -> None:
    async with answering(Response(b"x" * (MAX_PAGE_BYTES + 1)), fetch_attempts=2) as (fetcher, server):
        with pytest.raises(UpstreamFailed, match="more than"):
            await fetcher.read(URL)
    assert len(server.asked) == 1


async def test_a_page_that_breaks_off_is_an_upstream_error() -> None:
    async with answering(cut()) as (fetcher, _):
        with pytest.raises(UpstreamFailed):
            await fetcher.read(URL)
