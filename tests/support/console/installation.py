"""An installation for the tests of sources, keys and settings: one SQLite file, and the made-up Canada where it is asked for."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bonafide.runtime import Runtime, build_files, build_generation_stores
from bonafide.settings import Settings
from bonafide.sources.framework.discovery import discover_sources
from bonafide.store.database.engine import DatabaseOptions, Store
from tests.support.loaded_sandbox import LOADED_AT
from tests.support.waiting import LOOKUP_S


@asynccontextmanager
async def installation(template: Path, folder: Path, index: Path | None = None) -> AsyncIterator[Runtime]:
    """A runtime whose clock stands still. `template` is a migrated database, `index` a data directory with loaded sources."""
    settings = Settings(data_dir=folder, lookup_timeout_s=LOOKUP_S, search_deadline_s=2 * LOOKUP_S)
    shutil.copyfile(template, folder / "bonafide.sqlite3")
    store = Store.open(settings.dsn, DatabaseOptions(is_durable=False))
    generations = build_generation_stores(index if index is not None else folder)
    yield Runtime(settings, store, build_files(settings), b"north", generations, discover_sources(), lambda: LOADED_AT)
    await store.close()
