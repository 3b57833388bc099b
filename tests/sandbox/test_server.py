"""The server answers at the publishers' addresses as a publisher does, and breaks only what a test breaks."""

import os
from collections.abc import AsyncIterator
from pathlib import Path
from time import perf_counter

import httpx2
import pytest

from bonafide.errors import ConfigurationError
from bonafide_sandbox.publisher_faults import (
    ChangedHeaderFault,
    FaultRegistry,
    GarbageFault,
    HangFault,
    StatusFault,
    TruncatedFault,
)
from bonafide_sandbox.server import create_sandbox_app

pytestmark = pytest.mark.anyio

CSV_URL = "https://data.example.org/open/list.csv"
XLS_URL = "https://publisher.example/report/EXCEL"
XML_URL = "https://lists.example/files/full/content?token=abc"
SPACE_URL = "https://lists.example/a%20list.csv"
CSV = b"\xef\xbb\xbfnumber,name\n" + b"".join(b"%d,Name %d\n" % (n, n) for n in range(20_000))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one").mkdir()
    (tmp_path / "one/list.csv").write_bytes(CSV)
    (tmp_path / "one/report.xls").write_bytes(bytes.fromhex("D0CF11E0A1B11AE1") + bytes(100))
    (tmp_path / "one/list.xml").write_bytes(b"<list/>")
    (tmp_path / "secret.txt").write_text("not published")
    return tmp_path


@pytest.fixture
def faults() -> FaultRegistry:
    return FaultRegistry()


@pytest.fixture
async def client(folder: Path, faults: FaultRegistry) -> AsyncIterator[httpx2.AsyncClient]:
    routes = {CSV_URL: "one/list.csv", XLS_URL: "one/report.xls", XML_URL: "one/list.xml", SPACE_URL: "one/list.csv"}
    transport = httpx2.ASGITransport(app=create_sandbox_app(folder, routes, faults))
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:9") as client:
        yield client


def local(url: str) -> str:
    """As the service's fetcher rewrites a publisher's address."""
    return "/" + url.partition("://")[2]


@pytest.mark.parametrize(
    ("url", "path", "media_type"),
    [
        (CSV_URL, "one/list.csv", "text/csv; charset=utf-8"),
        (XLS_URL, "one/report.xls", "application/vnd.ms-excel"),
        (XML_URL, "one/list.xml", "application/xml"),
        (SPACE_URL, "one/list.csv", "text/csv; charset=utf-8"),
    ],
)
async def test_a_file_is_published_at_its_address(
    client: httpx2.AsyncClient, folder: Path, url: str, path: str, media_type: str
) -> None:
    answer = await client.get(local(url))

    assert answer.status_code == 200
    assert answer.content == (folder / path).read_bytes()
    assert answer.headers["content-type"] == media_type
    assert answer.headers["content-length"] == str(len(answer.content))
    assert answer.headers["etag"].startswith('"')
    assert "GMT" in answer.headers["last-modified"]


async def test_head_tells_the_size_alone(client: httpx2.AsyncClient) -> None:
    answer = await client.head(local(CSV_URL))

    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-length"] == str(len(CSV))


@pytest.mark.parametrize("header", ["etag", "W/etag", "many", "star", "last-modified"])
async def test_a_version_that_is_known_is_not_sent_again(client: httpx2.AsyncClient, header: str) -> None:
    first = await client.get(local(CSV_URL))
    etag = first.headers["etag"]
    conditions = {
        "etag": {"If-None-Match": etag},
        "W/etag": {"If-None-Match": f"W/{etag}"},
        "many": {"If-None-Match": f'"other", {etag}'},
        "star": {"If-None-Match": "*"},
        "last-modified": {"If-Modified-Since": first.headers["last-modified"]},
    }
    again = await client.get(local(CSV_URL), headers=conditions[header])

    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == etag


@pytest.mark.parametrize(
    "condition",
    [
        {"If-None-Match": '"other"'},
        {"If-Modified-Since": "Wed, 01 Jan 2020 00:00:00 GMT"},
        {"If-Modified-Since": "yesterday"},
        # A tag is more exact than a date, so the date does not count beside it.
        {"If-None-Match": '"other"', "If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"},
    ],
)
async def test_a_version_that_is_not_known_is_sent(client: httpx2.AsyncClient, condition: dict[str, str]) -> None:
    answer = await client.get(local(CSV_URL), headers=condition)

    assert (answer.status_code, answer.content) == (200, CSV)


async def test_a_changed_file_has_another_tag(client: httpx2.AsyncClient, folder: Path) -> None:
    first = await client.get(local(CSV_URL))
    (folder / "one/list.csv").write_bytes(CSV + b"20000,Name 20000\n")
    os.utime(folder / "one/list.csv", (2_000_000_000, 2_000_000_000))
    again = await client.get(local(CSV_URL), headers={"If-None-Match": first.headers["etag"]})

    assert again.status_code == 200
    assert again.headers["etag"] != first.headers["etag"]


@pytest.mark.parametrize(
    ("asked", "start", "end"), [("bytes=0-9", 0, 10), ("bytes=1000-1999", 1_000, 2_000), ("bytes=-5", len(CSV) - 5, len(CSV))]
)
async def test_a_part_of_a_file_can_be_had(client: httpx2.AsyncClient, asked: str, start: int, end: int) -> None:
    answer = await client.get(local(CSV_URL), headers={"Range": asked})

    assert (answer.status_code, answer.content) == (206, CSV[start:end])
    assert answer.headers["content-range"] == f"bytes {start}-{end - 1}/{len(CSV)}"


async def test_a_part_behind_the_end_is_refused(client: httpx2.AsyncClient) -> None:
    answer = await client.get(local(CSV_URL), headers={"Range": "bytes=99999999-"})

    assert answer.status_code == 416


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/data.example.org/open/other.csv",
        "/data.example.org/open/list.csv?page=2",
        "/lists.example/files/full/content",
        "/one/list.csv",
        "/secret.txt",
        "/data.example.org/open/%2e%2e/%2e%2e/%2e%2e/secret.txt",
        "/..%2f..%2fsecret.txt",
        "/data.example.org//open/list.csv",
    ],
)
async def test_nothing_else_is_published(client: httpx2.AsyncClient, path: str) -> None:
    answer = await client.get(path)

    assert answer.status_code == 404
    assert b"not published" not in answer.content


async def test_a_file_that_has_gone_is_not_found(client: httpx2.AsyncClient, folder: Path) -> None:
    (folder / "one/list.csv").unlink()

    assert (await client.get(local(CSV_URL))).status_code == 404


async def test_only_reading_is_allowed_by_address_or_by_form(client: httpx2.AsyncClient) -> None:
    assert (await client.post(local(CSV_URL), data={"token": "1"})).content == (await client.get(local(CSV_URL))).content
    assert [(await client.request(method, local(CSV_URL))).status_code for method in ("PUT", "DELETE", "PATCH")] == [405] * 3


@pytest.mark.parametrize("path", ["../secret.txt", "/etc/hostname", "one/../../secret.txt"])
async def test_a_table_that_leads_out_of_the_folder_is_refused(folder: Path, path: str) -> None:
    with pytest.raises(ConfigurationError, match="not in the sandbox"):
        create_sandbox_app(folder / "one", {CSV_URL: path})


async def test_a_hanging_address_answers_late(client: httpx2.AsyncClient, faults: FaultRegistry) -> None:
    faults.put(CSV_URL, HangFault(0.2))
    started = perf_counter()
    answer = await client.get(local(CSV_URL))

    assert perf_counter() - started >= 0.2
    assert answer.content == CSV


async def test_an_address_can_answer_with_a_status(client: httpx2.AsyncClient, faults: FaultRegistry) -> None:
    faults.put(CSV_URL, StatusFault(503, retry_after_s=7))
    answer = await client.get(local(CSV_URL))

    assert (answer.status_code, answer.headers["retry-after"]) == (503, "7")
    assert (await client.get(local(XLS_URL))).status_code == 200


async def test_a_truncated_answer_breaks_its_promise(client: httpx2.AsyncClient, faults: FaultRegistry) -> None:
    faults.put(CSV_URL, TruncatedFault(100_000))
    answer = await client.get(local(CSV_URL))

    assert answer.content == CSV[:100_000]
    assert answer.headers["content-length"] == str(len(CSV))


async def test_garbage_looks_like_the_file_from_outside(client: httpx2.AsyncClient, faults: FaultRegistry) -> None:
    faults.put(CSV_URL, GarbageFault())
    answer = await client.get(local(CSV_URL))

    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/csv; charset=utf-8")
    with pytest.raises(UnicodeDecodeError):
        answer.content.decode("utf-8")


@pytest.mark.parametrize("marked", [True, False])
async def test_a_changed_header_is_all_that_changes(
    client: httpx2.AsyncClient, folder: Path, faults: FaultRegistry, *, marked: bool
) -> None:
    if not marked:
        (folder / "one/list.csv").write_bytes(CSV[3:])
    faults.put(CSV_URL, ChangedHeaderFault())
    answer = await client.get(local(CSV_URL))

    assert answer.content == CSV[: 3 if marked else 0] + b"New " + CSV[3:]


async def test_a_repaired_address_works_again(client: httpx2.AsyncClient, faults: FaultRegistry) -> None:
    faults.put(CSV_URL, StatusFault(500))
    faults.clear()

    assert (await client.get(local(CSV_URL))).content == CSV
