"""The outbound door against a real server: what is kept, what is asked again, and what each failure is called."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from bonafide.errors import (
    SourceAuthFailed,
    SourceError,
    SourceNotFound,
    SourceRateLimited,
    SourceTimeout,
    SourceUnavailable,
    UpstreamFailed,
)
from bonafide.net.fetch import Fetcher
from bonafide.net.http_messages import SourceRequest
from bonafide.settings import Settings
from tests.support.servers.asgi_server import served

pytestmark = pytest.mark.anyio
URL = "https://publisher.example/list.csv"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@dataclass
class Publisher:
    """A publisher that answers as it is told, one answer a request, the last one for ever."""

    answers: list[Response]
    requests: list[Request] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.requests.append(Request(scope))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        await answer(scope, receive, send)


@asynccontextmanager
async def fetching(publisher: Publisher, **settings: float) -> AsyncIterator[Fetcher]:
    async with served(publisher) as address:
        fetcher = Fetcher(Settings.model_validate({"fetch_attempts": 1, **settings}), lambda: NOW, sandbox=address)
        yield fetcher
        await fetcher.close()


async def test_a_download_says_what_it_is_and_when_it_was_made(tmp_path: Path) -> None:
    headers = {"Last-Modified": "Tue, 03 Nov 2026 08:00:00 GMT"}
    async with fetching(Publisher([Response(b"a,b\n1,2\n", headers=headers)])) as fetcher:
        got = await fetcher.download(URL, tmp_path / "list.csv")
    assert (got.path.read_bytes(), got.size, got.as_of, got.retrieved_at, got.fresh) == (
        b"a,b\n1,2\n",
        8,
        date(2026, 11, 3),
        NOW,
        True,
    )


async def test_an_unchanged_file_is_asked_for_conditionally_and_kept(tmp_path: Path) -> None:
    publisher = Publisher([Response(b"rows", headers={"ETag": '"v1"'}), Response(status_code=304)])
    async with fetching(publisher) as fetcher:
        first = await fetcher.download(URL, tmp_path / "list.csv")
        second = await fetcher.download(URL, tmp_path / "list.csv")
    assert publisher.requests[1].headers["if-none-match"] == '"v1"'
    assert (second.fresh, second.sha256, second.path.read_bytes()) == (False, first.sha256, b"rows")


async def test_a_copy_from_another_address_is_asked_for_whole(tmp_path: Path) -> None:
    publisher = Publisher([Response(b"rows", headers={"ETag": '"v1"'})])
    async with fetching(publisher) as fetcher:
        await fetcher.download("https://publisher.example/old.csv", tmp_path / "list.csv")
        await fetcher.download(URL, tmp_path / "list.csv")
    assert "if-none-match" not in publisher.requests[1].headers


async def test_a_damaged_copy_is_asked_for_whole(tmp_path: Path) -> None:
    publisher = Publisher([Response(b"rows", headers={"ETag": '"v1"'})])
    async with fetching(publisher) as fetcher:
        await fetcher.download(URL, tmp_path / "list.csv")
        (tmp_path / "list.csv").write_bytes(b"ro")
        again = await fetcher.download(URL, tmp_path / "list.csv")
    assert "if-none-match" not in publisher.requests[1].headers
    assert again.path.read_bytes() == b"rows"


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (401, SourceAuthFailed), (403, SourceAuthFailed), (404, SourceNotFound), (410, SourceNotFound), (429, SourceRateLimited),
        (500, UpstreamFailed), (503, UpstreamFailed), (418, UpstreamFailed),
    ],
)  # fmt: skip
async def test_each_status_is_the_source_error_that_it_means(tmp_path: Path, status: int, error: type[SourceError]) -> None:
    async with fetching(Publisher([Response(status_code=status)])) as fetcher:
        with pytest.raises(error, match=r"publisher\.example"):
            await fetcher.download(URL, tmp_path / "list.csv")
    assert not (tmp_path / "list.csv").exists()


async def test_a_passing_failure_is_tried_again_after_the_time_that_the_publisher_asks_for(tmp_path: Path) -> None:
    publisher = Publisher([Response(status_code=429, headers={"Retry-After": "0"}), Response(status_code=503), Response(b"rows")])
    async with fetching(publisher, fetch_attempts=3) as fetcher:
        assert (await fetcher.download(URL, tmp_path / "list.csv")).size == 4
    assert len(publisher.requests) == 3


async def test_a_final_failure_is_not_tried_again(tmp_path: Path) -> None:
    publisher = Publisher([Response(status_code=404)])
    async with fetching(publisher, fetch_attempts=3) as fetcher:
        with pytest.raises(SourceNotFound):
            await fetcher.download(URL, tmp_path / "list.csv")
    assert len(publisher.requests) == 1


async def test_a_failed_download_leaves_the_last_good_copy(tmp_path: Path) -> None:
    async with fetching(Publisher([Response(b"good"), Response(status_code=500)])) as fetcher:
        await fetcher.download(URL, tmp_path / "list.csv")
        with pytest.raises(UpstreamFailed):
            await fetcher.download(URL, tmp_path / "list.csv")
    assert (tmp_path / "list.csv").read_bytes() == b"good"


async def test_a_body_that_stops_short_is_an_upstream_error(tmp_path: Path) -> None:
    async def cut() -> AsyncIterator[bytes]:
        yield b"half"

    async with fetching(Publisher([StreamingResponse(cut(), headers={"Content-Length": "1000"})])) as fetcher:
        with pytest.raises(UpstreamFailed):
            await fetcher.download(URL, tmp_path / "list.csv")
    assert not (tmp_path / "list.csv").exists()


async def test_too_large_a_body_is_refused(tmp_path: Path) -> None:
    async with fetching(Publisher([Response(b"x" * 5000)]), max_download_bytes=2048) as fetcher:
        with pytest.raises(UpstreamFailed, match="2,048 bytes"):
            await fetcher.download(URL, tmp_path / "list.csv")
    assert not (tmp_path / "list.csv").exists()


async def test_silence_is_a_timeout(tmp_path: Path) -> None:
    async def silent() -> AsyncIterator[bytes]:
        await asyncio.sleep(1)
        yield b""

    async with fetching(Publisher([StreamingResponse(silent())]), fetch_timeout_s=0.1) as fetcher:
        with pytest.raises(SourceTimeout):
            await fetcher.download(URL, tmp_path / "list.csv")


async def test_a_host_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    fetcher = Fetcher(Settings(fetch_attempts=1), lambda: NOW, sandbox="http://127.0.0.1:9")
    with pytest.raises(SourceUnavailable):
        await fetcher.download(URL, tmp_path / "list.csv")
    await fetcher.close()


async def test_a_form_is_sent_as_one_and_never_asked_for_conditionally(tmp_path: Path) -> None:
    bodies: list[bytes] = []
    publisher = Publisher([Response(b"rows", headers={"ETag": '"v1"'})])

    async def taking(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        bodies.append(await request.body())
        await publisher(scope, receive, send)

    async with served(taking) as address:
        fetcher = Fetcher(Settings(fetch_attempts=1), lambda: NOW, sandbox=address)
        for _ in range(2):
            got = await fetcher.download(URL, tmp_path / "list.csv", form={"token": "A&B 1", "name": ""})
        await fetcher.close()
    assert bodies == [b"token=A%26B+1&name="] * 2
    assert [request.method for request in publisher.requests] == ["POST", "POST"]
    assert "if-none-match" not in publisher.requests[1].headers
    assert (got.fresh, got.path.read_bytes()) == (True, b"rows")


# ------------------------------------------------------------------------------------------------------------ questions


@pytest.mark.parametrize(("status", "found"), [(200, True), (404, False), (410, False)])
async def test_an_answer_is_what_came_and_nothing_there_is_one_too(status: int, found: bool) -> None:  # noqa: FBT001
    publisher = Publisher([Response(b'{"a": 1}', status, media_type="application/json")])
    async with fetching(publisher) as fetcher:
        answer = await fetcher.send(SourceRequest("https://register.example/api", (("q", "a b"), ("q", "c"))))
    assert (answer.status, answer.found, answer.body, answer.content_type) == (status, found, b'{"a": 1}', "application/json")
    assert (answer.retrieved_at, answer.sha256) == (NOW, hashlib.sha256(b'{"a": 1}').hexdigest())
    assert publisher.requests[0].url.query == "q=a+b&q=c"


async def test_a_question_is_put_once_whatever_comes_back() -> None:
    publisher = Publisher([Response(status_code=503)])
    async with fetching(publisher, fetch_attempts=4) as fetcher:
        with pytest.raises(UpstreamFailed):
            await fetcher.send(SourceRequest("https://register.example/api"))
    assert len(publisher.requests) == 1


async def test_a_key_in_the_headers_follows_no_redirect() -> None:
    publisher = Publisher([Response(status_code=302, headers={"Location": "https://elsewhere.example/"})])
    async with fetching(publisher) as fetcher:
        with pytest.raises(SourceUnavailable, match=r"redirects programs to elsewhere\.example"):
            await fetcher.send(SourceRequest("https://register.example/api", headers={"user-key": "secret"}))
    assert len(publisher.requests) == 1
