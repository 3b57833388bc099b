"""A live source asked through its real client, over HTTP, at the sandbox: what the tests of the connectors share."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from bonafide.net.fetch import Fetcher
from bonafide.settings import Settings
from bonafide.sources.framework.discovery import Source, get_source
from bonafide.sources.framework.live import LiveContext
from bonafide_sandbox.publisher_faults import FaultRegistry, LiveFault
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.world.builder import DEFAULT_SEED
from bonafide_sandbox.world.directory import BusinessDirectory
from tests.support.servers.asgi_server import served

ASKED_AT = datetime(2026, 11, 20, 14, 33, tzinfo=UTC)


@asynccontextmanager
async def asking(
    source: Source | str, world: Path, fault: LiveFault | None = None, key: str | None = None
) -> AsyncIterator[LiveContext]:
    """What a connector is given, while the sandbox serves a world; `fault` is wrong with the source all the while."""
    known = get_source(source) if isinstance(source, str) else source
    faults = FaultRegistry()
    if fault is not None:
        faults.set_source_fault(known.key, fault)
    async with served(create_sandbox_app(world, {}, faults, BusinessDirectory(world, DEFAULT_SEED))) as address:
        fetcher = Fetcher(Settings(), lambda: ASKED_AT, sandbox=address)
        try:
            yield LiveContext(known.metadata, fetcher.send, key)
        finally:
            await fetcher.close()
