"""What every test may ask for.

`store` is a migrated, empty database, and a test that asks for it runs twice: on SQLite and on a real PostgreSQL, which this
process starts (see `postgres`). A test that changes the schema asks for `empty_database_url` instead, for the tables are shared
from test to test. Real data lies beside the checkout and is not part of it; tests that read it skip where it is missing.
"""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Generator, Iterator
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import URL, make_url

from bonafide.sources.framework.discovery import get_source
from bonafide.store.database.engine import DatabaseOptions, Store
from bonafide.store.database.schema_migration import upgrade
from bonafide.store.database.tables import metadata
from bonafide_sandbox.world.builder import write_world
from tests.support.disk_sync import skip_disk_sync
from tests.support.garbage import paused_garbage_collection
from tests.support.internal_errors import InternalErrors
from tests.support.loaded_sandbox import Remembered, load_sandbox
from tests.support.log_watch import check_lines, watch_logs
from tests.support.memory import MemoryCheck
from tests.support.recorded_figures import FIGURES
from tests.support.sampling import use_samples
from tests.support.servers.postgres import PostgresServer, delete_all_rows, running_server
from tests.support.servers.valkey import ValkeyServer
from tests.support.servers.valkey import running_server as running_valkey
from tests.support.session_cache import cached_folder
from tests.support.sources.selection import is_of_another_source, select_tests
from tests.support.tiers import Tier, is_outside_tier, select_tier

skip_disk_sync()
watch_logs()
SHARED_DATA = Path(os.environ.get("BONAFIDE_SHARED_DATA", Path(__file__).parents[2] / "shared" / "data"))
DATABASES = ("sqlite", "postgresql")


@pytest.fixture(autouse=True)
def no_secret_in_a_log() -> Iterator[None]:
    """Every test fails whose log has a line that no log may have (`log_watch`)."""
    yield
    check_lines()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real sample files; skips the test, and says so, where it is missing."""
    if not SHARED_DATA.is_dir():
        pytest.skip("real sample data is not beside this checkout (set BONAFIDE_SHARED_DATA to its folder)")
    return SHARED_DATA


@pytest.fixture(scope="session")
def sandbox_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the made-up Canada loaded; it is shared, so read it only."""
    return cached_folder(tmp_path_factory, "sandbox", lambda folder: asyncio.run(load_sandbox(folder)))


@pytest.fixture(scope="session")
def sandbox_memory(sandbox_data: Path) -> Remembered:
    """What a service keeps in memory of the loaded sandbox."""
    return Remembered(sandbox_data)


@pytest.fixture(scope="session")
def live_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The smallest made-up Canada on disk, for the tests that ask its live registers; read it only."""
    return cached_folder(tmp_path_factory, "live", partial(write_world, size=1000))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A running PostgreSQL; skips the test, and says so, where there is none."""
    with running_server() as server:
        yield server


@pytest.fixture(scope="session")
def postgres_database(postgres_server: PostgresServer) -> Iterator[URL]:
    """A migrated database, which each test leaves empty."""
    url = postgres_server.create_database()
    upgrade(url)
    yield url
    postgres_server.drop_database(url)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated file to copy from."""
    path = tmp_path_factory.mktemp("sqlite") / "template.sqlite3"
    upgrade(make_url(f"sqlite:///{path}"))
    return path


@pytest.fixture(params=DATABASES)
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database without any table, on each of the databases in turn."""
    if request.param == "sqlite":
        yield f"sqlite+aiosqlite:///{tmp_path / 'empty.sqlite3'}"
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    url = server.create_database()
    yield url.render_as_string(hide_password=False)
    server.drop_database(url)


@pytest.fixture(params=DATABASES)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a migrated database that holds nothing yet, on each of the databases in turn."""
    if request.param == "sqlite":
        path = tmp_path / "bonafide.sqlite3"
        shutil.copyfile(request.getfixturevalue("sqlite_template"), path)
        yield f"sqlite+aiosqlite:///{path}"
        return
    url: URL = request.getfixturevalue("postgres_database")
    yield url.render_as_string(hide_password=False)
    delete_all_rows(url, [table.name for table in reversed(metadata.sorted_tables)])


@pytest.fixture(scope="session")
def valkey_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyServer]:
    """A running Valkey; skips the test, and says so, where there is none. A test that stops it starts one of its own."""
    with running_valkey(tmp_path_factory.mktemp("valkey")) as server:
        yield server


@pytest.fixture
def empty_valkey(valkey_server: ValkeyServer) -> ValkeyServer:
    """The same with nothing in it."""
    valkey_server.empty()
    return valkey_server


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    """An open store on a database of its own, which no power failure needs to survive."""
    opened = Store.open(database_url, DatabaseOptions(is_durable=False))
    yield opened
    await opened.close()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--source KEY`, the tests of one source, and `--tier`, those of `make test` or `make test-all`."""
    parser.addoption("--source", help="Run only the tests of the source of this key.")
    parser.addoption("--tier", choices=list(Tier), help="Run only the tests of this tier (tests/support/tiers.py).")


def pytest_configure(config: pytest.Config) -> None:
    """Set how many examples properties try, check the memory of the processes, and print internal errors last."""
    use_samples(every_example=config.getoption("--tier") == Tier.FULL)
    config.pluginmanager.register(MemoryCheck(), "memory-check")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(InternalErrors(), "internal-errors")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while tests are collected, and exclude the tests from later garbage collections."""
    with paused_garbage_collection():
        return (yield)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the files of other sources with `--source`, and folders without tests of the tier with `--tier`."""
    source, tier = config.getoption("--source"), config.getoption("--tier")
    if source is not None and is_of_another_source(collection_path, get_source(source)):
        return True
    return True if tier is not None and is_outside_tier(collection_path, Tier(tier)) else None


@pytest.hookimpl(trylast=True)  # Hypothesis marks its tests before, and the full tier is selected by that mark
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the files that take long, so that the processes that share the tests end together."""
    chosen = config.getoption("--source")
    if chosen is not None:
        select_tests(config, items, get_source(chosen))
    tier = config.getoption("--tier")
    if tier is not None:
        select_tier(config, items, Tier(tier))
    slow = {item.path for item in items if item.get_closest_marker("slow") is not None}
    items.sort(key=lambda item: item.path not in slow)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print, at the end, the figures that tests on real data have recorded; workers of xdist send them along with their results."""
    reports = [done for name in ("passed", "failed") for done in terminalreporter.stats.get(name, ())]
    texts = [str(text) for done in reports if done.when == "call" for name, text in done.user_properties if name == FIGURES]
    if texts:
        terminalreporter.section(FIGURES)
        terminalreporter.write_line("\n\n".join(texts))
