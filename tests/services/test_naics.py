"""The classification of industries loaded: from files and from its publisher, what is refused, and that the last good one stays."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bonafide.errors import BonafideError, ConfigurationError, ParseFailed, RefreshRefused, SourceNotFound
from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import World
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide.services.indexing.naics_transfer import KEPT
from bonafide.services.loading.naics import (
    KEY,
    NaicsLoad,
    NaicsLoadRequest,
    classify_website,
    find_naics_problems,
    get_industries,
    get_loaded_naics,
    load_naics,
)
from bonafide.store.database.engine import Store
from bonafide.website.industry.naics_tables import ADDRESSES, NaicsTable
from bonafide.website.page_content.markup import SitePage
from bonafide_sandbox import demo
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.writers.framework.manifest import read_manifest
from bonafide_sandbox.writers.naics import write_naics
from tests.support.loaded_sandbox import LOADED_AT
from tests.support.servers.asgi_server import served
from tests.support.services.runtimes import ManualClock, runtime_over

pytestmark = pytest.mark.anyio
PAGE = SitePage("https://bakery.example/", "<title>Oak Bakery</title><p>Our bakery bakes bread and croissants.</p>", LOADED_AT)


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[Runtime]:
    """Nothing loaded, on a database that nobody opens."""
    store = Store.open(f"sqlite+aiosqlite:///{tmp_path / 'unused.sqlite3'}")
    yield runtime_over(store, tmp_path, ManualClock())
    await store.close()


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """The sandbox's tables, one file each."""
    write_naics(tmp_path)
    return tmp_path / KEY


@asynccontextmanager
async def fetching(runtime: Runtime, tables: Path, *served_tables: NaicsTable) -> AsyncIterator[Fetcher]:
    """A door behind which these tables stand at their publisher's addresses."""
    routes = {ADDRESSES[table]: f"{table}.csv" for table in served_tables}
    async with served(create_sandbox_app(tables, routes)) as address:
        fetcher = Fetcher(runtime.settings, runtime.clock, sandbox=address)
        try:
            yield fetcher
        finally:
            await fetcher.close()


async def imported(runtime: Runtime, *files: Path, world: World = World.SANDBOX, force: bool = False) -> NaicsLoad:
    async with fetching(runtime, runtime.settings.data_dir) as fetcher:
        return await load_naics(runtime, fetcher, NaicsLoadRequest(world, files, date(2026, 1, 31), force), lambda *_: None)


async def downloaded(runtime: Runtime, tables: Path, *served_tables: NaicsTable, world: World = World.SANDBOX) -> NaicsLoad:
    async with fetching(runtime, tables, *served_tables) as fetcher:
        return await load_naics(runtime, fetcher, NaicsLoadRequest(world), lambda *_: None)


def english(tables: Path) -> tuple[Path, Path]:
    return tables / "en-structure.csv", tables / "en-elements.csv"


async def test_nothing_is_loaded_at_first_and_that_is_the_reason(live: Runtime) -> None:
    assert get_loaded_naics(live, World.LIVE) is None
    assert get_industries(live, World.LIVE) is None
    found = classify_website(live, World.LIVE, [PAGE])
    assert (found.naics_code, found.reasoning) == (None, "No code: the tables of NAICS Canada 2022 are not loaded.")


async def test_files_are_loaded_with_what_they_are_from(live: Runtime, tables: Path) -> None:
    load = await imported(live, *english(tables))
    assert get_loaded_naics(live, World.SANDBOX) == load
    assert (load.as_of, load.retrieved_at, load.languages) == (date(2026, 1, 31), LOADED_AT, (Language.ENGLISH,))
    assert (load.files[0].name, load.files[0].url) == ("en-structure.csv", "file:en-structure.csv")
    industries = get_industries(live, World.SANDBOX)
    assert industries is not None
    assert load.classes == len(industries.index.codes)
    assert classify_website(live, World.SANDBOX, [PAGE]).naics_code == "311811"


async def test_each_world_has_its_own(live: Runtime, tables: Path) -> None:
    await imported(live, *english(tables))
    assert get_loaded_naics(live, World.LIVE) is None
    assert classify_website(live, World.LIVE, [PAGE]).naics_code is None


async def test_all_tables_are_downloaded_from_their_publisher(live: Runtime, tables: Path) -> None:
    load = await downloaded(live, tables, *NaicsTable)
    assert load.languages == (Language.ENGLISH, Language.FRENCH)
    assert [file.url for file in load.files] == [ADDRESSES[table] for table in NaicsTable]
    assert load.notes == ()
    industries = get_industries(live, World.SANDBOX)
    assert industries is not None
    assert industries.get_title("311811", Language.FRENCH) == "Boulangeries de quartier"


async def test_french_tables_that_are_not_there_are_told_of(live: Runtime, tables: Path) -> None:
    load = await downloaded(live, tables, NaicsTable.EN_STRUCTURE, NaicsTable.EN_ELEMENTS)
    assert load.languages == (Language.ENGLISH,)
    [note] = load.notes
    assert note.startswith("The French tables could not be downloaded: ")


async def test_french_tables_of_unknown_columns_are_told_of(live: Runtime, tables: Path) -> None:
    path = tables / "fr-elements.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("Niveau", "Palier"), encoding="utf-8")
    load = await downloaded(live, tables, *NaicsTable)
    assert load.languages == (Language.ENGLISH,)
    assert "Palier" in load.notes[0]
    assert [file.name for file in load.files] == ["en-structure", "en-elements"]


async def test_a_language_that_was_loaded_is_not_lost(live: Runtime, tables: Path) -> None:
    good = await downloaded(live, tables, *NaicsTable)
    with pytest.raises(RefreshRefused, match="no French tables, which the last load had"):
        await downloaded(live, tables, NaicsTable.EN_STRUCTURE, NaicsTable.EN_ELEMENTS)
    assert get_loaded_naics(live, World.SANDBOX) == good


async def test_without_the_english_tables_nothing_is_loaded(live: Runtime, tables: Path) -> None:
    with pytest.raises(SourceNotFound):
        await downloaded(live, tables, NaicsTable.FR_STRUCTURE, NaicsTable.FR_ELEMENTS)
    assert get_loaded_naics(live, World.SANDBOX) is None


async def test_a_changed_header_keeps_the_last_good_tables(live: Runtime, tables: Path) -> None:
    good = await imported(live, *english(tables))
    structure, elements = english(tables)
    structure.write_text(structure.read_text(encoding="utf-8").replace("Class title", "Title", 1), encoding="utf-8")
    with pytest.raises(ParseFailed, match="not a table of"):
        await imported(live, structure, elements)
    assert get_loaded_naics(live, World.SANDBOX) == good
    assert classify_website(live, World.SANDBOX, [PAGE]).naics_code == "311811"


async def test_a_file_that_can_not_be_read_is_named(live: Runtime, tables: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"nowhere\.csv can’t be read: No such file"):
        await imported(live, tables / "nowhere.csv")


async def test_tables_as_small_as_the_sandbox_s_are_no_classification_of_a_country(live: Runtime, tables: Path) -> None:
    with pytest.raises(RefreshRefused, match=r"classes \(en\), expected at least 2,000"):
        await imported(live, *english(tables), world=World.LIVE)
    assert get_loaded_naics(live, World.LIVE) is None
    await imported(live, *english(tables), world=World.LIVE, force=True)
    assert classify_website(live, World.LIVE, [PAGE]).naics_code == "311811"


def test_a_collapse_of_the_counts_is_refused() -> None:
    def load(phrases: int) -> NaicsLoad:
        return NaicsLoad(
            edition="NAICS Canada 2022",
            publisher="Statistics Canada",
            world=World.LIVE,
            loaded_at=LOADED_AT,
            retrieved_at=LOADED_AT,
            as_of=None,
            files=(),
            languages=(Language.ENGLISH,),
            classes=923,
            titles={Language.ENGLISH: 2059},
            phrases={Language.ENGLISH: phrases},
        )

    assert find_naics_problems(load(21_000), None) == find_naics_problems(load(20_000), load(21_000)) == []
    assert find_naics_problems(load(18_500), load(21_000)) == ["18,500 phrases (en), but the last load had 21,000"]
    assert find_naics_problems(load(3), None) == ["3 phrases (en), expected at least 18,000"]


async def test_a_damaged_index_gives_no_code_and_is_mended_by_the_next_load(live: Runtime, tables: Path) -> None:
    await imported(live, *english(tables))
    home = live.settings.data_dir / "reference" / KEY / World.SANDBOX
    [index] = home.glob("*.npz")
    index.with_name("damaged.npz").write_bytes(index.read_bytes()[:1000])
    (home / "current").write_text("damaged.npz", encoding="ascii")
    assert get_loaded_naics(live, World.SANDBOX) is None
    assert "not loaded" in classify_website(live, World.SANDBOX, [PAGE]).reasoning
    await imported(live, *english(tables))
    assert classify_website(live, World.SANDBOX, [PAGE]).naics_code == "311811"


@pytest.mark.slow
async def test_the_index_before_stays_for_who_is_about_to_read_it_and_older_ones_go(live: Runtime, tables: Path) -> None:
    for day in range(4):
        assert isinstance(live.clock, ManualClock)
        live.clock.now = datetime(2026, 11, 20 + day, tzinfo=UTC)
        await imported(live, *english(tables))
    home = live.settings.data_dir / "reference" / KEY / World.SANDBOX
    assert len(list(home.glob("*.npz"))) == KEPT
    assert not list(home.glob(".draft*"))


async def test_the_demo_loads_it_once(live: Runtime, live_world: Path) -> None:
    manifest = read_manifest(live_world)
    assert manifest is not None
    assert not demo._is_classification_loaded(live, manifest)
    async with served(create_sandbox_app(live_world, demo._map_urls_to_files(live.sources, manifest))) as address:
        fetcher = Fetcher(live.settings, live.clock, sandbox=address)
        load = await load_naics(live, fetcher, NaicsLoadRequest(World.SANDBOX), lambda *_: None)
        await fetcher.close()
    assert demo._is_classification_loaded(live, manifest)
    assert load.languages == tuple(Language)


async def test_a_load_that_fails_leaves_no_draft(live: Runtime, tables: Path) -> None:
    structure, elements = english(tables)
    elements.write_text(elements.read_text(encoding="utf-8").replace("All examples", "Hearsay", 1), encoding="utf-8")
    with pytest.raises(BonafideError, match="unknown type of phrase"):
        await imported(live, structure, elements)
    assert not list((live.settings.data_dir / "reference").rglob("*.npz"))
