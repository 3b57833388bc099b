"""The documentation as it is served: with nothing behind it, and over the sandbox's made-up Canada, where its examples are run."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import httpx2
import pytest

from bonafide.app.application import create_app
from bonafide.runtime import Runtime, build_files, build_generation_stores, open_runtime
from bonafide.server.http_server import bind_sockets
from bonafide.settings import Settings
from bonafide.store.database.engine import DatabaseOptions, Store
from bonafide_sandbox.demo import HOST, RunningDemo, build_address, resolve_sandbox_folder, run_demo, serve_sandbox
from tests.support.loaded_sandbox import SANDBOX_SIZE, copy_sandbox
from tests.support.waiting import LOOKUP_S

CHEAP = {"password_memory_kib": 8, "password_passes": 1, "password_lanes": 1}
"""What makes guessing dear must not make tests slow."""


@pytest.fixture(scope="session")
async def reader(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx2.AsyncClient]:
    """Somebody who reads: what is asked for here reads no database and no source."""
    folder = tmp_path_factory.mktemp("reader")
    settings = Settings(
        data_dir=folder, lookup_timeout_s=LOOKUP_S, search_deadline_s=2 * LOOKUP_S, public_url="https://bonafide.example"
    )
    store = Store.open(settings.dsn, DatabaseOptions(is_durable=False))
    runtime = Runtime(
        settings=settings,
        store=store,
        files=build_files(settings),
        signing_key=b"pages",
        generations=build_generation_stores(folder),
        sources={},
        clock=lambda: datetime.now(UTC),
    )
    transport = httpx2.ASGITransport(create_app(runtime))
    async with httpx2.AsyncClient(transport=transport, base_url="https://bonafide.example") as client:
        yield client
    await store.close()


@pytest.fixture(scope="session")
async def demo(sandbox_data: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[RunningDemo]:
    """What `make demo` runs: service, worker and the sandbox's registers, over real HTTP."""
    folder = copy_sandbox(sandbox_data, tmp_path_factory.mktemp("documented") / "data")
    sockets, registers = bind_sockets(HOST, 0), bind_sockets(HOST, 0)
    addresses = {"sandbox_url": build_address(registers), "public_url": build_address(sockets)}
    settings = Settings.model_validate({"data_dir": folder, **addresses, **CHEAP})
    async with (
        open_runtime(settings) as runtime,
        serve_sandbox(resolve_sandbox_folder(settings, SANDBOX_SIZE), runtime.sources, registers),
        run_demo(runtime, sockets) as started,
    ):
        yield started


@pytest.fixture(scope="session")
def api_key(demo: RunningDemo) -> str:
    """The key that the first start of the demo prints."""
    assert demo.api_key is not None
    return demo.api_key


@pytest.fixture(scope="session")
async def caller(demo: RunningDemo) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the demo without any key of its own: examples bring theirs. Answers may take as long as they do."""
    async with httpx2.AsyncClient(base_url=demo.base_url.removesuffix("/v1"), timeout=None) as client:
        yield client
