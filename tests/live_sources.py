"""A live source asked through its real client, over HTTP, at the sandbox: what the tests of the connectors share."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from bonafide.net.fetch import Fetcher
from bonafide.sandbox.broken import Faults, LiveFault
from bonafide.sandbox.directory import Directory
from bonafide.sandbox.server import sandbox_app
from bonafide.sandbox.world import DEFAULT_SEED
from bonafide.settings import Settings
from bonafide.sources.framework.discovery import Source, get_source
from bonafide.sources.framework.live import LiveContext
from serving import served

ASKED_AT = datetime(2026, 11, 20, 14, 33, tzinfo=UTC)


@asynccontextmanager
async def asking(
    source: Source | str, world: Path, fault: LiveFault | None = None, key: str | None = None
) -> AsyncIterator[LiveContext]:
    """What a connector is given, while the sandbox serves a world; `fault` is wrong with the source all the while."""
    known = get_source(source) if isinstance(source, str) else source
    faults = Faults()
    if fault is not None:
        faults.put_source(known.key, fault)
    async with served(sandbox_app(world, {}, faults, Directory(world, DEFAULT_SEED))) as address:
        fetcher = Fetcher(Settings(), lambda: ASKED_AT, sandbox=address)
        try:
            yield LiveContext(known.metadata, fetcher.ask, key)
        finally:
            await fetcher.close()
