"""A source loaded again: only what has changed is stored, and every check holds as it does for a first load."""

import dataclasses
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bonafide.errors import RefreshRefused
from bonafide.index import GenerationStore
from bonafide.index.generations.writer import CompactionPolicy
from bonafide.model.accounts.organizations import World
from bonafide.model.loading import LoadRecord, LoadStorage
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide.services.loading.refresh import FileImport, LoadRequest, get_current_load, load_source

pytestmark = pytest.mark.anyio


@pytest.fixture
def runtime(empty_runtime: Runtime) -> Runtime:
    """Registers of ten entries are worth a delta here."""
    root = empty_runtime.generations[World.LIVE].root
    store = GenerationStore(root, LoadRecord.from_manifest, CompactionPolicy(smallest_base=10, share=0.5))
    return dataclasses.replace(empty_runtime, generations={World.LIVE: store})


@pytest.fixture
async def fetcher(runtime: Runtime) -> AsyncIterator[Fetcher]:
    opened = Fetcher(runtime.settings, runtime.clock, sandbox="http://127.0.0.1:9")
    yield opened
    await opened.close()


def rows(*numbers: int, city: str = "Halifax") -> list[str]:
    return [f"{1000 + number},Business {number} Inc.,Active,active,{city}" for number in numbers]


async def load(runtime: Runtime, fetcher: Fetcher, folder: Path, lines: list[str], *, force: bool = False) -> LoadRecord:
    file = folder / "extract.csv"
    file.write_text("\n".join(["registration_number,legal_name,status,status_code,city", *lines, ""]), encoding="utf-8")
    return await load_source(runtime, fetcher, LoadRequest(runtime.sources["ns"], World.LIVE, FileImport((file,)), force=force))


async def test_a_load_says_what_it_has_changed_and_how_it_is_stored(runtime: Runtime, fetcher: Fetcher, tmp_path: Path) -> None:
    first = await load(runtime, fetcher, tmp_path, rows(*range(20)))
    assert first.stored == LoadStorage(added=20, changed=0, removed=0, written=20, segments=1)
    again = await load(runtime, fetcher, tmp_path, rows(*range(20)))
    assert again.stored == LoadStorage(added=0, changed=0, removed=0, written=0, segments=1)
    second = await load(runtime, fetcher, tmp_path, [*rows(0, city="Truro"), *rows(*range(2, 21))])
    assert second.stored == LoadStorage(added=1, changed=1, removed=1, written=2, segments=2)
    assert (second.rows, second.entries, get_current_load(runtime, World.LIVE, runtime.sources["ns"])) == (20, 20, second)
    generation = runtime.generations[World.LIVE].current("ns")
    assert generation is not None
    assert [len(generation.index.lookup(number)) for number in ("1000", "1001", "1020")] == [1, 0, 1]
    assert b"Truro" in generation.index.payload(generation.index.lookup("1000")[0])


async def test_what_outgrows_a_delta_is_read_again_and_counted_once(runtime: Runtime, fetcher: Fetcher, tmp_path: Path) -> None:
    await load(runtime, fetcher, tmp_path, rows(*range(20)))
    lines = [*rows(*range(20), city="Truro"), ",Nameless number,,,"]
    record = await load(runtime, fetcher, tmp_path, lines)
    assert record.stored == LoadStorage(added=0, changed=20, removed=0, written=20, segments=1)
    assert (record.rows, record.entries, record.rejected, len(record.rejections)) == (21, 20, 1, 1)


async def test_a_load_that_is_refused_leaves_no_trace(runtime: Runtime, fetcher: Fetcher, tmp_path: Path) -> None:
    good = await load(runtime, fetcher, tmp_path, rows(*range(20)))
    with pytest.raises(RefreshRefused, match="the last load had 20"):
        await load(runtime, fetcher, tmp_path, rows(*range(5)))
    generation = runtime.generations[World.LIVE].current("ns")
    assert generation is not None
    assert (generation.manifest, len(generation.index)) == (good, 20)
    assert len(list((runtime.generations[World.LIVE].root / "ns" / "segments").iterdir())) == 1


async def test_a_forced_load_is_a_base(runtime: Runtime, fetcher: Fetcher, tmp_path: Path) -> None:
    await load(runtime, fetcher, tmp_path, rows(*range(20)))
    await load(runtime, fetcher, tmp_path, rows(*range(21)))
    record = await load(runtime, fetcher, tmp_path, rows(*range(21)), force=True)
    assert record.stored == LoadStorage(added=0, changed=0, removed=0, written=21, segments=1)
