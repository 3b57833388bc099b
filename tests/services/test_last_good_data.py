"""Every source that the sandbox writes for, loaded and then given a worse file: the last good data stays, and it is said why.

Files reach the service as in life: over HTTP from the sandbox's publishers where a source is downloaded, by import where it is not.
"""

import dataclasses
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from zipfile import ZipFile

import openpyxl
import pytest
from lxml import etree

from bonafide.errors import BonafideError
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import SourceKind
from bonafide.model.loading import LoadRecord
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide.services.loading.refresh import get_current_load, load_source
from bonafide.sources.framework.discovery import Source, discover_sources
from bonafide.store.database.engine import Store
from bonafide_sandbox import demo
from bonafide_sandbox.publisher_faults import GARBAGE_BYTES
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.world.builder import write_world
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute, WorldFile, WorldManifest
from tests.support.servers.asgi_server import served
from tests.support.services.loading import last_attempt, source_state
from tests.support.services.runtimes import ManualClock, clock_of, runtime_over

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

LARGE, SMALL = 3_000, 1_000
"""Businesses of the good world and of the one that has lost most of its rows."""
TEXT = {".csv", ".jsonl", ".html", ".cfm", ".txt"}
"""XML is not among them: it says itself in which encoding it is."""
READ = [
    # No publisher is waited for here.
    replace(source, metadata=source.metadata.model_copy(update={"pause_s": 0.0}))
    for source in discover_sources().values()
    if source.parse is not None or source.metadata.kind is SourceKind.REGISTRY
]

every_source = pytest.mark.parametrize("source", READ, ids=lambda source: source.key)


@dataclass(frozen=True)
class MadeUp:
    """A world on disk."""

    folder: Path
    manifest: WorldManifest

    def files(self, source: Source) -> list[WorldFile]:
        """The source's data, without the pages that lead to it."""
        return [file for file in self.manifest.files if file.source == source.key and file.route is not DeliveryRoute.PAGE]

    def copied(self, source: Source, folder: Path) -> "MadeUp":
        """One source's part of it, in a folder that the test may damage."""
        for file in [file for file in self.manifest.files if file.source == source.key]:
            (folder / file.path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.folder / file.path, folder / file.path)
        return MadeUp(folder, self.manifest)


@pytest.fixture(scope="session")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> dict[int, MadeUp]:
    folder = tmp_path_factory.mktemp("worlds")
    return {size: MadeUp(folder / str(size), write_world(folder / str(size), size=size)) for size in (LARGE, SMALL)}


@pytest.fixture
async def live(sqlite_template: Path, tmp_path: Path) -> AsyncIterator[Runtime]:
    """An installation with nothing loaded. What is loaded is not in the database, so one kind of it will do."""
    database = shutil.copyfile(sqlite_template, tmp_path / "bonafide.sqlite3")
    store = Store.open(f"sqlite+aiosqlite:///{database}")
    yield replace(runtime_over(store, tmp_path, ManualClock()), sources={source.key: source for source in READ})
    await store.close()


async def load(runtime: Runtime, source: Source, world: MadeUp, *, force: bool = False) -> LoadRecord:
    """Load a source from a world's files. The first load is forced: a sandbox is smaller than any register may be."""
    order = demo._create_refresh(runtime, world.folder, source.key, world.files(source))
    async with fetching(runtime, world) as fetcher:
        # Runs of one instant have no order.
        clock_of(runtime).advance(seconds=1)
        return await load_source(runtime, fetcher, dataclasses.replace(order, world=World.LIVE, force=force))


@asynccontextmanager
async def fetching(runtime: Runtime, world: MadeUp) -> AsyncIterator[Fetcher]:
    async with served(create_sandbox_app(world.folder, demo._map_urls_to_files(runtime.sources, world.manifest))) as address:
        fetcher = Fetcher(runtime.settings, runtime.clock, sandbox=address)
        try:
            yield fetcher
        finally:
            await fetcher.close()


async def loaded(runtime: Runtime, source: Source, world: MadeUp) -> LoadRecord:
    if not world.files(source):
        pytest.skip("the sandbox writes nothing for this source")
    record = await load(runtime, source, world, force=True)
    assert record.entries > 0
    return record


async def assert_refused(runtime: Runtime, source: Source, world: MadeUp, good: LoadRecord) -> str:
    """The load fails, nothing has changed, and `bonafide sources` says why. Gives the reason."""
    with pytest.raises(BonafideError) as refused:
        await load(runtime, source, world)
    assert get_current_load(runtime, World.LIVE, source) == good
    attempt = await last_attempt(runtime, World.LIVE, source)
    assert attempt is not None
    assert attempt.problem == refused.value.message
    state = await source_state(runtime, World.LIVE, source)
    assert (state.state, state.entries, state.note) == ("failed", good.entries, attempt.problem)
    return refused.value.message


@every_source
async def test_most_of_the_rows_missing(live: Runtime, worlds: dict[int, MadeUp], source: Source, tmp_path: Path) -> None:
    good = await loaded(live, source, worlds[LARGE])
    few = worlds[SMALL].copied(source, tmp_path / "few")
    if source.metadata.kind is SourceKind.SANCTIONS:
        for file in few.files(source):
            thin_out(few.folder / file.path)
    reason = await assert_refused(live, source, few, good)
    assert f"but the last load had {good.entries:,}" in reason


def thin_out(path: Path) -> None:
    """Leave one party in four: the sandbox's sanctions lists are as long in every world."""
    {".xml": thin_out_document, ".xlsx": thin_out_workbook, ".ods": thin_out_sheet}[path.suffix](path)


def thin_out_document(path: Path) -> None:
    tree = etree.parse(path)
    thin_out_element(max(tree.iter(), key=len))
    tree.write(path, encoding="utf-8", xml_declaration=True)


def thin_out_element(parent: etree._Element, *, head: int = 0) -> None:
    for place, record in enumerate(list(parent)[head:]):
        if place % 4 != 0:
            parent.remove(record)


def thin_out_workbook(path: Path) -> None:
    book = openpyxl.load_workbook(path)
    rows = list(book.worksheets[0].values)
    thin = openpyxl.Workbook()
    for row in [rows[0], *rows[1::4]]:
        thin.worksheets[0].append(row)
    thin.save(path)


def thin_out_sheet(path: Path) -> None:
    with ZipFile(path) as archive:
        root = etree.fromstring(archive.read("content.xml"))
    thin_out_element(max(root.iter(), key=len), head=3)
    with ZipFile(path, "w") as archive:
        archive.writestr("content.xml", etree.tostring(root, encoding="UTF-8", xml_declaration=True))


def cut_off(content: bytes) -> bytes:
    return content[: len(content) // 3] + GARBAGE_BYTES


def with_another_header(content: bytes) -> bytes:
    mark = b"\xef\xbb\xbf" if content.startswith(b"\xef\xbb\xbf") else b""
    return mark + b"New " + content[len(mark) :]


def in_another_encoding(content: bytes) -> bytes:
    return content.decode("utf-8-sig", errors="replace").encode("utf-16")


@every_source
@pytest.mark.parametrize(
    ("damage", "suffixes"),
    [(cut_off, None), (with_another_header, {".csv"}), (in_another_encoding, TEXT)],
    ids=["damaged", "another header", "another encoding"],
)
async def test_a_bad_file_among_the_good(
    live: Runtime,
    worlds: dict[int, MadeUp],
    source: Source,
    tmp_path: Path,
    damage: Callable[[bytes], bytes],
    suffixes: set[str] | None,
) -> None:
    good = await loaded(live, source, worlds[LARGE])
    world = worlds[LARGE].copied(source, tmp_path / "world")
    paths = [world.folder / file.path for file in world.files(source)]
    fitting = [path for path in paths if suffixes is None or path.suffix in suffixes]
    if not fitting:
        pytest.skip("none of its files is of this format")
    worst = max(fitting, key=lambda path: path.stat().st_size)
    worst.write_bytes(damage(worst.read_bytes()))
    await assert_refused(live, source, world, good)
