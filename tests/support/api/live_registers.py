"""The application over a loaded sandbox whose live registers are served."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from fastapi import FastAPI

from bonafide.app.application import create_app
from bonafide.model.accounts.organizations import World
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide_sandbox.publisher_faults import FaultRegistry
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.world.builder import DEFAULT_SEED
from bonafide_sandbox.world.directory import BusinessDirectory
from tests.support.servers.asgi_server import served


@asynccontextmanager
async def open_live_app(runtime: Runtime, live_world: Path, faults: FaultRegistry) -> AsyncIterator[FastAPI]:
    """The application, whose registers have these faults."""
    async with served(create_sandbox_app(live_world, {}, faults, BusinessDirectory(live_world, DEFAULT_SEED))) as address:
        fetcher = Fetcher(runtime.settings, runtime.clock, sandbox=address)
        try:
            yield create_app(replace(runtime, fetchers={World.SANDBOX: fetcher}))
        finally:
            await fetcher.close()
