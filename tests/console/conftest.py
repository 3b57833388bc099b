"""Who opens pages: people of an organization that only this test knows. A module's `runtime` says what the pages stand on."""

import shutil
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import httpx2
import pytest

from bonafide.model.accounts.users import Role
from bonafide.runtime import Runtime, build_files, build_generation_stores
from bonafide.settings import Settings
from bonafide.store.database.engine import Store
from tests.support.console.organization_work import Desk, desk_over, elsewhere
from tests.support.console.sessions import CHEAP, signed_in_client


@pytest.fixture
def organization() -> str:
    return f"n{uuid4().hex}"


@pytest.fixture
async def analyst(runtime: Runtime, organization: str) -> AsyncIterator[httpx2.AsyncClient]:
    async with await signed_in_client(runtime, Role.ANALYST, organization) as client:
        yield client


@pytest.fixture
async def viewer(runtime: Runtime, organization: str) -> AsyncIterator[httpx2.AsyncClient]:
    async with await signed_in_client(runtime, Role.VIEWER, organization) as client:
        yield client


@pytest.fixture(scope="module")
async def installed(sqlite_template: Path, sandbox_data: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desk]:
    """An installation over the made-up Canada, for the desks of a module's tests."""
    async with desk_over(sqlite_template, tmp_path_factory.mktemp("desk"), sandbox_data) as desk:
        yield desk


@pytest.fixture
def desk(installed: Desk) -> Desk:
    """An organization that only this test knows."""
    return elsewhere(installed)


@pytest.fixture
async def bare_runtime(sqlite_template: Path, tmp_path: Path) -> AsyncIterator[Runtime]:
    """A runtime without sources. SQLite is enough: the pages have no SQL of their own."""
    settings = Settings.model_validate({"data_dir": tmp_path, **CHEAP})
    shutil.copyfile(sqlite_template, tmp_path / "bonafide.sqlite3")
    store = Store.open(settings.dsn)
    yield Runtime(
        settings, store, build_files(settings), b"north", build_generation_stores(tmp_path), {}, lambda: datetime.now(UTC)
    )
    await store.close()
