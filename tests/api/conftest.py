"""The application over a real database (each kind in turn), with a clock that only the test moves and keys that the test names.

`north` owns what the tests make; `south` must see nothing of it. No source is loaded, so a search finds nothing: what it looks
like on the wire is what is tested here.
"""

from collections.abc import AsyncIterator, Iterator, MutableMapping
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
import structlog
from fastapi import FastAPI

from bonafide.app.application import create_app
from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.runtime import Runtime, build_files, build_generation_stores
from bonafide.services.accounts import api_access
from bonafide.settings import Settings
from bonafide.sources.framework.discovery import discover_sources
from bonafide.store.database.engine import Store
from tests.support.api.clients import HIGH_LIMIT, ManualClock, NewClient, NewKey
from tests.support.loaded_sandbox import Remembered
from tests.support.log_watch import seen
from tests.support.waiting import LOOKUP_S


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[MutableMapping[str, Any]]]:
    """What was logged during the test, with what was bound to it."""
    with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars, seen]) as events:
        yield events


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(scope="session")
def environment_settings() -> Settings:
    """Settings read once: reading the environment takes longer than most tests."""
    return Settings(lookup_timeout_s=LOOKUP_S, search_deadline_s=LOOKUP_S)


@pytest.fixture
def settings(environment_settings: Settings, tmp_path: Path) -> Settings:
    return environment_settings.model_copy(update={"data_dir": tmp_path})


@pytest.fixture
def runtime(store: Store, settings: Settings, clock: ManualClock, tmp_path: Path) -> Runtime:
    generations = build_generation_stores(tmp_path)
    return Runtime(
        settings=settings,
        store=store,
        files=build_files(settings),
        signing_key=b"north",
        generations=generations,
        sources={},
        clock=clock,
    )


@pytest.fixture
def sandbox_runtime(runtime: Runtime, sandbox_memory: Remembered) -> Runtime:
    """The same with every source there is, as far as the made-up Canada has it; keys of the sandbox see it."""
    return replace(sandbox_memory.by(runtime), sources=discover_sources())


@pytest.fixture
def app(runtime: Runtime) -> FastAPI:
    return create_app(runtime)


@pytest.fixture
def new_key(runtime: Runtime) -> NewKey:
    """Makes a key: `await new_key(scopes=…, rate_limit=…)`."""

    async def make(organization: str = "North", rate_limit: int = HIGH_LIMIT, **wanted: object) -> str:
        request = KeyRequest.model_validate({"organization": organization, "rate_limit": rate_limit, **wanted})
        return (await api_access.create_key(runtime, request)).text

    return make


@pytest.fixture
async def new_client(app: FastAPI) -> AsyncIterator[NewClient]:
    async with AsyncExitStack() as stack:
        yield NewClient(app, stack)


@pytest.fixture
async def anonymous(new_client: NewClient) -> httpx2.AsyncClient:
    return await new_client(None)


@pytest.fixture
def world() -> World:
    """The world of the keys of `north` and `south`."""
    return World.LIVE


@pytest.fixture
async def north(new_client: NewClient, new_key: NewKey, world: World) -> httpx2.AsyncClient:
    return await new_client(await new_key(world=world))


@pytest.fixture
async def south(new_client: NewClient, new_key: NewKey, world: World) -> httpx2.AsyncClient:
    return await new_client(await new_key(organization="South", world=world))
