"""Services over a real database and the sandbox's made-up Canada of a thousand businesses, loaded once for all tests.

`north` and `south` are two organizations of the sandbox: north owns what a test makes, south must see nothing of it.
"""

import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import URL

from bonafide.model.accounts.organizations import Principal, World
from bonafide.net.fetch import Fetcher
from bonafide.net.web_fetch import WebFetcher
from bonafide.runtime import Runtime
from bonafide.store.database.engine import Store
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.world.builder import DEFAULT_SEED
from bonafide_sandbox.world.directory import BusinessDirectory
from tests.support.loaded_sandbox import Remembered, copy_sandbox
from tests.support.servers.asgi_server import served
from tests.support.servers.postgres import delete_all_rows
from tests.support.servers.valkey import ValkeyServer
from tests.support.services.accounts import CHEAP, with_settings
from tests.support.services.live_register import Register, with_register
from tests.support.services.runtimes import ManualClock, principal_of, runtime_over


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def runtime(store: Store, sandbox_memory: Remembered, tmp_path: Path, clock: ManualClock) -> Runtime:
    """Every source loaded."""
    return sandbox_memory.by(runtime_over(store, tmp_path, clock))


@pytest.fixture
async def served_runtime(runtime: Runtime, live_world: Path) -> AsyncIterator[Runtime]:
    """Everything loaded that is loaded, and the live registers and web sites of the sandbox served."""
    async with served(create_sandbox_app(live_world, {}, None, BusinessDirectory(live_world, DEFAULT_SEED))) as address:
        fetcher = Fetcher(runtime.settings, runtime.clock, sandbox=address)
        visitor = WebFetcher(runtime.settings, runtime.clock, sandbox=address)
        yield replace(runtime, fetchers={World.SANDBOX: fetcher}, web_fetchers={World.SANDBOX: visitor})
        await visitor.close()
        await fetcher.close()


@pytest.fixture
def own_runtime(store: Store, sandbox_data: Path, tmp_path: Path, clock: ManualClock) -> Runtime:
    """Every source loaded, in a copy that the test may damage."""
    copy_sandbox(sandbox_data / "index", tmp_path / "index")
    return runtime_over(store, tmp_path, clock)


@pytest.fixture
def empty_runtime(store: Store, tmp_path: Path, clock: ManualClock) -> Runtime:
    """No source loaded."""
    return runtime_over(store, tmp_path, clock)


@pytest.fixture
def register() -> Register:
    return Register()


@pytest.fixture
async def asked(empty_runtime: Runtime, register: Register) -> AsyncIterator[Runtime]:
    """A runtime with one live register and nothing loaded."""
    async with with_register(empty_runtime, register) as runtime:
        yield runtime


@pytest.fixture
async def north(runtime: Runtime) -> Principal:
    return await principal_of(runtime, "north")


@pytest.fixture
async def south(runtime: Runtime) -> Principal:
    return await principal_of(runtime, "south")


@pytest.fixture
def installation(empty_runtime: Runtime) -> Runtime:
    """No source loaded, and passwords that are hashed at once."""
    return with_settings(empty_runtime, **CHEAP)


@pytest.fixture(params=["valkey", "sqlite", "postgresql"])
def shared_address(request: pytest.FixtureRequest) -> Iterator[str]:
    """Where requests are counted, on each kind of place in turn; empty."""
    if request.param == "valkey":
        server: ValkeyServer = request.getfixturevalue("empty_valkey")
        yield server.url
        return
    if request.param == "sqlite":
        path: Path = request.getfixturevalue("tmp_path") / "bonafide.sqlite3"
        shutil.copyfile(request.getfixturevalue("sqlite_template"), path)
        yield f"sqlite+aiosqlite:///{path}"
        return
    url: URL = request.getfixturevalue("postgres_database")
    yield url.render_as_string(hide_password=False)
    delete_all_rows(url, ["rate_windows", "paces"])
