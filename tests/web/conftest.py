"""The application without anything behind it: what is asked for here reads no database and no source."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import httpx2
import pytest

from bonafide.app.application import create_app
from bonafide.runtime import Runtime, build_files, build_generation_stores
from bonafide.settings import Settings
from bonafide.store.database.engine import DatabaseOptions, Store
from tests.support.waiting import LOOKUP_S


@pytest.fixture
async def browser(tmp_path: Path) -> AsyncIterator[httpx2.AsyncClient]:
    """A client in which nobody is signed in."""
    settings = Settings(data_dir=tmp_path, lookup_timeout_s=LOOKUP_S, search_deadline_s=2 * LOOKUP_S)
    store = Store.open(settings.dsn, DatabaseOptions(is_durable=False))
    runtime = Runtime(
        settings=settings,
        store=store,
        files=build_files(settings),
        signing_key=b"web",
        generations=build_generation_stores(tmp_path),
        sources={},
        clock=lambda: datetime.now(UTC),
    )
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(create_app(runtime)), base_url=settings.base_url) as client:
        yield client
    await store.close()
