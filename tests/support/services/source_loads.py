"""Loads of a source that succeed, fail and are refused."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bonafide.errors import RefreshRefused, SourceUnavailable
from bonafide.model.loading import LoadRecord
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide.services.loading.refresh import FileImport, LoadRequest, load_source

STORES = "agcoCannabis"
"""A source that is downloaded weekly."""
_MANY, _FEW = 20, 1
_HEADER = "License Number,Municipality or First Nation,Store Name,Address,Store Application Status,Website\n"


@asynccontextmanager
async def open_offline_fetcher(runtime: Runtime) -> AsyncIterator[Fetcher]:
    """A fetcher that reaches no publisher."""
    fetcher = Fetcher(runtime.settings, runtime.clock, sandbox="http://127.0.0.1:9")
    try:
        yield fetcher
    finally:
        await fetcher.close()


async def load_stores(runtime: Runtime, fetcher: Fetcher) -> LoadRecord:
    """Load a file of many stores, whatever was loaded before."""
    return await load_source(runtime, fetcher, _create_import(runtime, _MANY, force=True))


async def load_too_few_stores(runtime: Runtime, fetcher: Fetcher) -> None:
    """Load a file that lacks most of its stores, which is refused."""
    with pytest.raises(RefreshRefused):
        await load_source(runtime, fetcher, _create_import(runtime, _FEW, force=False))


async def fail_to_load_stores(runtime: Runtime, fetcher: Fetcher) -> None:
    """Download from a publisher that can't be reached."""
    with pytest.raises(SourceUnavailable):
        await load_source(runtime, fetcher, LoadRequest(runtime.sources[STORES]))


def _create_import(runtime: Runtime, count: int, *, force: bool) -> LoadRequest:
    file = runtime.settings.data_dir / "stores.csv"
    rows = "".join(f"CRSA9{n:06},TORONTO,Store {n},1 Example St,Authorized to Open,\n" for n in range(count))
    file.write_text(f"{_HEADER}{rows}")
    return LoadRequest(runtime.sources[STORES], imported=FileImport((file,)), force=force)
