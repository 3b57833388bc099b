"""Services over a real database and the sandbox's made-up Canada of a thousand businesses, loaded once for all tests.

`north` and `south` are two organizations of the sandbox: north owns what a test makes, south must see nothing of it.
"""

import asyncio
import shutil
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bonafide import demo
from bonafide.model.organization import KeyRequest, Principal, World
from bonafide.runtime import Runtime, generations_below
from bonafide.services import accounts
from bonafide.settings import Settings
from bonafide.sources.base import discover
from bonafide.store.engine import Store

NOW = datetime(2026, 11, 20, 14, 33, tzinfo=UTC)
SANDBOX_SIZE = 1000
LOOKUP_TIMEOUT_S = 0.5


@dataclass
class ManualClock:
    """A clock that only the test moves."""

    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        self.now += timedelta(**by)


def runtime_over(store: Store, data_dir: Path, clock: ManualClock, index: Path | None = None) -> Runtime:
    """A runtime on this database, its index below `index` or else in the data directory."""
    return Runtime(
        settings=Settings(data_dir=data_dir, lookup_timeout_s=LOOKUP_TIMEOUT_S, fetch_attempts=1, search_deadline_s=5),
        store=store,
        generations=generations_below(data_dir if index is None else index),
        sources=discover(),
        clock=clock,
    )


@pytest.fixture(scope="session")
def sandbox_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the made-up Canada loaded; read it only."""
    folder = tmp_path_factory.mktemp("sandbox")

    async def load() -> None:
        store = Store.open(f"sqlite+aiosqlite:///{folder / 'unused.sqlite3'}")
        runtime = runtime_over(store, folder, ManualClock())
        await demo.prepare_sandbox(runtime, SANDBOX_SIZE, lambda _what, _done, _total: None)
        await store.close()

    asyncio.run(load())
    return folder


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def runtime(store: Store, sandbox_data: Path, tmp_path: Path, clock: ManualClock) -> Runtime:
    """Every source loaded."""
    return runtime_over(store, tmp_path, clock, sandbox_data)


@pytest.fixture
def own_runtime(store: Store, sandbox_data: Path, tmp_path: Path, clock: ManualClock) -> Runtime:
    """Every source loaded, in a copy that the test may damage."""
    shutil.copytree(sandbox_data / "index", tmp_path / "index")
    return runtime_over(store, tmp_path, clock)


@pytest.fixture
def empty_runtime(store: Store, tmp_path: Path, clock: ManualClock) -> Runtime:
    """No source loaded."""
    return runtime_over(store, tmp_path, clock)


async def principal_of(runtime: Runtime, organization: str, world: World = World.SANDBOX) -> Principal:
    """A caller of the organization, through a key of its own."""
    created = await accounts.create_key(runtime, KeyRequest(organization=organization, world=world))
    return await accounts.authenticate(runtime, created.text)


@pytest.fixture
async def north(runtime: Runtime) -> Principal:
    return await principal_of(runtime, "north")


@pytest.fixture
async def south(runtime: Runtime) -> Principal:
    return await principal_of(runtime, "south")


def without(runtime: Runtime, key: str) -> Runtime:
    """The same installation without one source's folder."""
    return replace(runtime, sources={name: source for name, source in runtime.sources.items() if name != key})
