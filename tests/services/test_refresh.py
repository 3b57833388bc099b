"""A source loaded anew: what is swapped in, what is refused, and that the last good data survives everything."""

import dataclasses
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bonafide.errors import BonafideError, ConfigurationError, ParseFailed, RefreshRefused, SourceUnavailable, UnknownSourceFailure
from bonafide.model.accounts.organizations import World
from bonafide.model.loading import LoadRecord
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime, build_generation_stores
from bonafide.services.loading.refresh import FileImport, LoadRequest, get_current_load, load_source
from bonafide.services.search.prefill import prefill
from bonafide.sources.canonical.parser import load_mapping
from tests.support.services.loading import last_attempt, source_state
from tests.support.services.runtimes import ManualClock, clock_of, principal_of
from tests.support.sources import faulty_parsers

pytestmark = pytest.mark.anyio
HEADER = "registration_number,legal_name,status,status_code,city\n"


@pytest.fixture
async def fetcher(empty_runtime: Runtime) -> AsyncIterator[Fetcher]:
    opened = Fetcher(empty_runtime.settings, empty_runtime.clock, sandbox="http://127.0.0.1:9")
    yield opened
    await opened.close()


def canonical(folder: Path, *rows: str, name: str = "extract.csv") -> Path:
    path = folder / name
    path.write_text(HEADER + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def businesses(count: int, name: str = "Business") -> list[str]:
    return [f"{1000 + n},{name} {n} Inc.,Active,active,Halifax" for n in range(count)]


async def load(runtime: Runtime, fetcher: Fetcher, key: str, *files: Path, force: bool = False) -> LoadRecord:
    # Runs of one instant have no order.
    clock_of(runtime).advance(seconds=1)
    return await load_source(runtime, fetcher, LoadRequest(runtime.sources[key], World.LIVE, FileImport(files), force=force))


def loaded(runtime: Runtime, key: str) -> LoadRecord | None:
    return get_current_load(runtime, World.LIVE, runtime.sources[key])


async def test_any_register_takes_a_canonical_file(
    empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path, clock: ManualClock
) -> None:
    record = await load(empty_runtime, fetcher, "ns", canonical(tmp_path, *businesses(5)))
    assert (record.rows, record.entries, record.rejected, record.retrieved_at) == (5, 5, 0, clock.now)
    assert loaded(empty_runtime, "ns") == record
    generation = empty_runtime.generations[World.LIVE].current("ns")
    assert generation is not None
    assert len(generation.index.lookup("1003")) == 1


async def test_a_row_that_cannot_be_read_is_reported_and_does_not_stop_the_rest(
    empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path
) -> None:
    record = await load(empty_runtime, fetcher, "ns", canonical(tmp_path, *businesses(199), ",Nameless number,,,"))
    assert (record.entries, record.rejected) == (199, 1)
    assert (record.rejections[0].resource, record.rejections[0].line) == ("extract.csv", 201)
    assert "registration_number" in record.rejections[0].reason


async def test_too_many_bad_rows_stop_the_swap(empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path) -> None:
    good = await load(empty_runtime, fetcher, "ns", canonical(tmp_path, *businesses(5)))
    with pytest.raises(RefreshRefused, match="could not be read"):
        await load(empty_runtime, fetcher, "ns", canonical(tmp_path, *businesses(5), *[",Nameless,,,"] * 6))
    assert loaded(empty_runtime, "ns") == good
    attempt = await last_attempt(empty_runtime, World.LIVE, empty_runtime.sources["ns"])
    assert attempt is not None
    assert attempt.problem is not None
    state = await source_state(empty_runtime, World.LIVE, empty_runtime.sources["ns"])
    assert (state.state, state.entries) == ("failed", 5)


async def test_a_load_that_shrinks_too_far_is_refused_unless_forced(
    empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path
) -> None:
    await load(empty_runtime, fetcher, "ns", canonical(tmp_path, *businesses(100)))
    small = canonical(tmp_path, *businesses(10))
    with pytest.raises(RefreshRefused, match="the last load had 100"):
        await load(empty_runtime, fetcher, "ns", small)
    assert (await load(empty_runtime, fetcher, "ns", small, force=True)).entries == 10


async def test_a_source_that_must_have_thousands_of_entries_refuses_a_sample(
    empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path
) -> None:
    sample = tmp_path / "stores.csv"
    sample.write_text(
        "License Number,Municipality or First Nation,Store Name,Address,Store Application Status,Website\n"
        "CRSA9000001,TORONTO,Maple Leaf Cannabis,1 Example St,Authorized to Open,\n",
        encoding="utf-8",
    )
    with pytest.raises(RefreshRefused, match="at least"):
        await load(empty_runtime, fetcher, "agcoCannabis", sample)
    assert loaded(empty_runtime, "agcoCannabis") is None


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", ParseFailed),
        (b"\x00\xff\xfe garbage \xc3\x28", ParseFailed),
        (b"<!DOCTYPE html><html>maintenance</html>", ParseFailed),
        (b"registration_number,legal_nam\n1,x\n", ParseFailed),
    ],
)
async def test_garbage_is_refused_and_the_last_good_data_stays(
    empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path, content: bytes, error: type[BonafideError]
) -> None:
    good = await load(empty_runtime, fetcher, "ns", canonical(tmp_path, *businesses(5)))
    garbage = tmp_path / "garbage.csv"
    garbage.write_bytes(content)
    with pytest.raises(error):
        await load(empty_runtime, fetcher, "ns", garbage)
    assert loaded(empty_runtime, "ns") == good


async def test_columns_named_otherwise_are_mapped(empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path) -> None:
    theirs = tmp_path / "rjsc.csv"
    theirs.write_text("Registry ID,Entity,State\n3001,Fundy Example Ltd.,In force\n", encoding="utf-8")
    mapping = tmp_path / "rjsc.yml"
    mapping.write_text(
        "columns: {registration_number: Registry ID, legal_name: Entity, status: State}\nstatuses: {In force: active}\n",
        encoding="utf-8",
    )
    order = LoadRequest(empty_runtime.sources["ns"], World.LIVE, FileImport((theirs,), load_mapping(mapping)))
    assert (await load_source(empty_runtime, fetcher, order)).entries == 1


async def test_a_missing_file_is_said_to_be_missing(empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"nowhere\.csv"):
        await load(empty_runtime, fetcher, "ns", tmp_path / "nowhere.csv")


async def test_a_source_that_cannot_be_downloaded_says_why(empty_runtime: Runtime, fetcher: Fetcher) -> None:
    with pytest.raises(ConfigurationError, match="can’t be downloaded"):
        await load_source(empty_runtime, fetcher, LoadRequest(empty_runtime.sources["nu"]))


async def test_the_world_of_a_load_is_its_own(empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path) -> None:
    await load(empty_runtime, fetcher, "ns", canonical(tmp_path, *businesses(5)))
    assert get_current_load(empty_runtime, World.SANDBOX, empty_runtime.sources["ns"]) is None


async def test_an_unreachable_publisher_leaves_the_last_good_data(empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path) -> None:
    stores = tmp_path / "stores.csv"
    rows = "".join(f"CRSA9{n:06},TORONTO,Store {n},1 Example St,Authorized to Open,\n" for n in range(5))
    stores.write_text(f"License Number,Municipality or First Nation,Store Name,Address,Store Application Status,Website\n{rows}")
    good = await load(empty_runtime, fetcher, "agcoCannabis", stores, force=True)
    with pytest.raises(SourceUnavailable):
        await load_source(empty_runtime, fetcher, LoadRequest(empty_runtime.sources["agcoCannabis"]))
    assert loaded(empty_runtime, "agcoCannabis") == good


async def test_an_unforeseen_fault_of_a_parser_is_that_sources_failure(
    empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path
) -> None:
    faulty = dataclasses.replace(empty_runtime.sources["agcoCannabis"], parse=faulty_parsers.parse_with_error)
    with pytest.raises(UnknownSourceFailure, match="agcoCannabis"):
        await load_source(empty_runtime, fetcher, LoadRequest(faulty, World.LIVE, FileImport((canonical(tmp_path),))))
    attempt = await last_attempt(empty_runtime, World.LIVE, faulty)
    assert attempt is not None
    assert attempt.problem is not None


async def test_a_damaged_index_is_reported_passed_over_and_mended_by_the_next_load(
    empty_runtime: Runtime, fetcher: Fetcher, tmp_path: Path
) -> None:
    await load(empty_runtime, fetcher, "ns", canonical(tmp_path, *businesses(5)))
    for file in empty_runtime.generations[World.LIVE].root.rglob("*.npy"):
        file.write_bytes(b"")
    restarted = dataclasses.replace(empty_runtime, generations=build_generation_stores(empty_runtime.settings.data_dir))
    state = await source_state(restarted, World.LIVE, restarted.sources["ns"])
    assert (state.state, state.entries) == ("failed", None)
    assert state.note is not None
    principal = await principal_of(restarted, "north", World.LIVE)
    assert (await prefill(restarted, principal, "business", None, 10)).candidates == ()
    assert (await load(restarted, fetcher, "ns", canonical(tmp_path, *businesses(6)))).entries == 6
    assert (await source_state(restarted, World.LIVE, restarted.sources["ns"])).state == "loaded"
    assert len((await prefill(restarted, principal, "business", None, 10)).candidates) == 6
