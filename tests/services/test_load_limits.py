"""Files that would take hours, all memory or all disk to read: each is refused with its limit, and the last good data stays."""

import dataclasses
import json
import os
import zipfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import anyio
import pyarrow as pa
import pyarrow.parquet
import pytest

from bonafide.errors import BonafideError, ConfigurationError, LoadLimitExceeded, ParseFailed, SourceTimeout
from bonafide.model.accounts.organizations import World
from bonafide.model.loading import LoadRecord, RunOutcome
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide.services.loading.load_history import list_runs
from bonafide.services.loading.refresh import FileImport, LoadRequest, get_current_load, load_source
from bonafide.settings import Settings
from bonafide.sources.framework.context import FetchContext, Resource
from bonafide.sources.framework.discovery import ParseFunction, Source
from tests.support.sources import faulty_parsers

pytestmark = pytest.mark.anyio
ParserFault = tuple[ParseFunction, dict[str, int], tuple[str, ...]]
"""A parser, the limits of its source, and parts of the message of the refusal."""
HEADER = "registration_number,legal_name,status,status_code,city\n"
MEGABYTE = 1024**2


@pytest.fixture
async def fetcher(empty_runtime: Runtime) -> AsyncIterator[Fetcher]:
    opened = Fetcher(empty_runtime.settings, empty_runtime.clock, sandbox="http://127.0.0.1:9")
    yield opened
    await opened.close()


@pytest.fixture
async def good(empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path) -> LoadRecord:
    """The data of Nova Scotia that is loaded before the file of the test."""
    return await load(empty_runtime, fetcher, empty_runtime.sources["ns"], canonical(tmp_path / "good.csv", 5))


def canonical(path: Path, count: int) -> Path:
    rows = (f"{1000 + n},Business {n} Inc.,Active,active,Halifax\n" for n in range(count))
    path.write_text(HEADER + "".join(rows), encoding="utf-8")
    return path


async def load(runtime: Runtime, fetcher: Fetcher, source: Source, *files: Path) -> LoadRecord:
    runtime.clock.advance(seconds=1)  # type: ignore[attr-defined]  # runs of one instant have no order
    return await load_source(runtime, fetcher, LoadRequest(source, World.LIVE, FileImport(files)))


def limited(source: Source, **limits: int) -> Source:
    """The source with other limits in its `source.yml`."""
    changed = source.metadata.limits.model_copy(update=limits)
    return dataclasses.replace(source, metadata=source.metadata.model_copy(update={"limits": changed}))


async def assert_refused(runtime: Runtime, error: BonafideError, good: LoadRecord, *texts: str) -> None:
    """The error says why, its run is recorded, and the last good data is in use."""
    assert all(text in error.message for text in texts), error.message
    assert "The last good data stays in use." in error.message
    assert get_current_load(runtime, World.LIVE, runtime.sources["ns"]) == good
    newest, *_ = await list_runs(runtime, World.LIVE, "ns")
    assert (newest.outcome, newest.note) == (RunOutcome.REFUSED, error.message)


def write_parquet(path: Path, rows: int) -> Path:
    numbers = [str(n) for n in range(rows)]
    table = pa.table({"registration_number": numbers, "legal_name": pa.repeat("Heron Inc.", rows)})
    pyarrow.parquet.write_table(table, path, compression="zstd")
    return path


def write_json_lines(path: Path, rows: int) -> Path:
    lines = (json.dumps({"registration_number": str(n), "legal_name": "Heron Inc."}) for n in range(rows))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "write"),
    [("a.csv", canonical), ("a.jsonl", write_json_lines), ("a.parquet", write_parquet)],
    ids=["csv", "json", "parquet"],
)
async def test_a_file_with_too_many_rows_is_refused(
    empty_runtime: Runtime, fetcher: Fetcher, good: LoadRecord, tmp_path: Path, name: str, write: Callable[[Path, int], Path]
) -> None:
    source = limited(empty_runtime.sources["ns"], rows=20)
    assert (await load(empty_runtime, fetcher, source, write(tmp_path / name, 20))).rows == 20
    kept = get_current_load(empty_runtime, World.LIVE, source)
    assert kept is not None
    with pytest.raises(LoadLimitExceeded) as refused:
        await load(empty_runtime, fetcher, source, write(tmp_path / name, 21))
    await assert_refused(empty_runtime, refused.value, kept, name, "more than 20 rows", "`rows`")


async def test_entries_that_are_larger_than_their_file_are_refused(
    empty_runtime: Runtime, fetcher: Fetcher, good: LoadRecord, tmp_path: Path
) -> None:
    table = pa.table({"registration_number": [str(n) for n in range(1500)], "legal_name": pa.repeat("Heron " * 150, 1500)})
    pyarrow.parquet.write_table(table, tmp_path / "long.parquet")
    assert (tmp_path / "long.parquet").stat().st_size < MEGABYTE // 4
    source = limited(empty_runtime.sources["ns"], unpacked_bytes=MEGABYTE)
    with pytest.raises(LoadLimitExceeded) as refused:
        await load(empty_runtime, fetcher, source, tmp_path / "long.parquet")
    await assert_refused(empty_runtime, refused.value, good, "long.parquet", "1,048,576 bytes", "`unpacked_bytes`")


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault",
    [
        (faulty_parsers.parse_forever, {"seconds": 1}, ("not read within 1 s", "`seconds`")),
        (faulty_parsers.parse_into_memory, {"memory_bytes": 400 * MEGABYTE}, ("419,430,400 bytes of memory", "`memory_bytes`")),
        (faulty_parsers.parse_until_abort, {}, ("ended by SIGABRT", "`memory_bytes`")),
        (faulty_parsers.parse_empty_rows, {"rows": 10}, ("more than 10 rows", "`rows`")),
    ],
    ids=["without an end", "all memory", "the process ends", "skipped rows"],
)
async def test_a_parser_that_a_file_has_brought_to_a_limit_is_stopped(
    empty_runtime: Runtime, fetcher: Fetcher, good: LoadRecord, tmp_path: Path, fault: ParserFault
) -> None:
    parse, limits, texts = fault
    (tmp_path / "native.csv").write_text("A column of the register\n", encoding="utf-8")
    source = dataclasses.replace(limited(empty_runtime.sources["ns"], **limits), parse=parse)
    with pytest.raises(LoadLimitExceeded) as refused:
        await load(empty_runtime, fetcher, source, tmp_path / "native.csv")
    await assert_refused(empty_runtime, refused.value, good, "native.csv", *texts)
    assert (await load(empty_runtime, fetcher, empty_runtime.sources["ns"], canonical(tmp_path / "next.csv", 6))).entries == 6


@pytest.mark.slow
async def test_a_zip_bomb_is_refused_before_it_is_unpacked(empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path) -> None:
    with (
        zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("OPEN_DATA_1.xml", "w") as member,
    ):
        member.write(b"<corpcan><corporation>")
        for _ in range(80):
            member.write(b"0" * MEGABYTE)
    with pytest.raises(LoadLimitExceeded, match="`unpacked_ratio`"):
        await load(empty_runtime, fetcher, empty_runtime.sources["fed"], tmp_path / "bomb.zip")
    source = limited(empty_runtime.sources["fed"], unpacked_bytes=MEGABYTE)
    with pytest.raises(LoadLimitExceeded, match="`unpacked_bytes`"):
        await load(empty_runtime, fetcher, source, tmp_path / "bomb.zip")


@pytest.mark.parametrize("key", ["fed", "ns"])
async def test_a_tag_with_hundreds_of_thousands_of_attributes_is_refused(
    empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path, key: str
) -> None:
    attributes = " ".join(f'a{n}="{n}"' for n in range(400_000))
    (tmp_path / "attributes.xml").write_text(f"<corpcan><corporation {attributes}/></corpcan>", encoding="utf-8")
    with pytest.raises(ParseFailed, match=r"attributes\.xml"):
        await load(empty_runtime, fetcher, empty_runtime.sources[key], tmp_path / "attributes.xml")


async def test_a_line_of_a_table_has_a_limited_length(empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path) -> None:
    (tmp_path / "line.csv").write_text(HEADER + "1" * 5_000_000, encoding="utf-8")
    with pytest.raises(ParseFailed, match=r"line\.csv: a line has more than 4,000,000 characters"):
        await load(empty_runtime, fetcher, empty_runtime.sources["ns"], tmp_path / "line.csv")


async def test_a_pipe_and_a_device_are_not_opened(empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    for path in (tmp_path / "pipe.csv", Path("/dev/zero")):
        with pytest.raises(ConfigurationError, match=f"{path} is not a regular file"):
            await load(empty_runtime, fetcher, empty_runtime.sources["ns"], path)
    assert await list_runs(empty_runtime, World.LIVE, "ns") == []


async def test_a_file_larger_than_the_setting_is_not_read(empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path) -> None:
    with (tmp_path / "sparse.csv").open("wb") as file:
        file.truncate(empty_runtime.settings.max_download_bytes + 1)
    with pytest.raises(ConfigurationError, match=r"sparse\.csv .*BONAFIDE_MAX_DOWNLOAD_BYTES"):
        await load(empty_runtime, fetcher, empty_runtime.sources["ns"], tmp_path / "sparse.csv")


async def test_the_operator_changes_a_limit(empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path) -> None:
    def changed(limits: dict[str, int]) -> Runtime:
        return dataclasses.replace(
            empty_runtime, settings=empty_runtime.settings.model_copy(update={"load_limits": {"ns": limits}})
        )

    path = canonical(tmp_path / "a.csv", 30)
    with pytest.raises(LoadLimitExceeded, match="more than 20 rows"):
        await load(changed({"rows": 20}), fetcher, empty_runtime.sources["ns"], path)
    assert (await load(changed({"rows": 30}), fetcher, limited(empty_runtime.sources["ns"], rows=5), path)).entries == 30
    for limits in ({"lines": 5}, {"rows": 0}):
        with pytest.raises(ConfigurationError, match="BONAFIDE_LOAD_LIMITS: ns: "):
            await load(changed(limits), fetcher, empty_runtime.sources["ns"], path)


def test_limits_are_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BONAFIDE_LOAD_LIMITS", '{"on": {"rows": 20000000}}')
    assert Settings().load_limits == {"on": {"rows": 20_000_000}}


async def test_a_download_that_does_not_end_is_given_up(empty_runtime: Runtime, fetcher: Fetcher) -> None:
    async def wait_forever(_context: FetchContext) -> list[Resource]:
        await anyio.sleep_forever()
        return []

    endless = dataclasses.replace(limited(empty_runtime.sources["agcoCannabis"], download_seconds=1), fetch=wait_forever)
    with pytest.raises(SourceTimeout, match=r"not downloaded within 1 s, the limit `download_seconds`"):
        await load_source(empty_runtime, fetcher, LoadRequest(endless))
