"""`bonafide demo`: the sandbox, the service and a worker in one process, ready to be tried.

What it makes (the made-up Canada's files, their index, two organizations with a key each) is kept in the data directory, so that a
second start only opens it. Nothing here is special-cased in the service: the demo uses test keys, and those see the sandbox.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from bonafide.api.app import create_app
from bonafide.errors import ApiError, ConfigurationError
from bonafide.fetch import Fetcher
from bonafide.model.organization import World
from bonafide.runtime import Runtime
from bonafide.sandbox.server import sandbox_app
from bonafide.sandbox.world import WorldManifest, write_world
from bonafide.services import accounts
from bonafide.services.refresh import Import, Progress, Refresh, current_load, refresh
from bonafide.worker import run_worker

DEFAULT_SIZE = 10_000
ORGANIZATIONS = ("Demo", "Other Demo")
# A demo is tried out by scripts too; the limit is the service's own to show, not to get in the way.
DEMO_RATE_LIMIT = 600


@dataclass(frozen=True, slots=True)
class Demo:
    """Where the demo is and how to call it."""

    base_url: str
    api_key: str
    other_api_key: str

    def to_json(self) -> str:
        """The line that `--json` prints. `console` is null: this release has no console."""
        return json.dumps(
            {"baseUrl": self.base_url, "apiKey": self.api_key, "otherApiKey": self.other_api_key, "console": None}
        )


async def prepare_sandbox(runtime: Runtime, size: int, progress: Progress) -> None:
    """Make the made-up Canada and load every source from it, as far as that has not been done before."""
    folder = runtime.settings.data_dir / "sandbox" / str(size)
    manifest = await asyncio.to_thread(write_world, folder, size=size, progress=lambda done: progress("invent", done, size))
    async with _served(runtime, folder, manifest) as address:
        fetcher = Fetcher(runtime.settings, runtime.clock, sandbox=address)
        try:
            for key in manifest.sources:
                await _load(runtime, fetcher, folder, manifest, key, progress)
        finally:
            await fetcher.close()
