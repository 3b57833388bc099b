"""What the tests of this folder, and the pictures, look at: a sandbox that is served, and an organization that has used it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bonafide.runtime import Runtime, open_runtime
from bonafide.server.http_server import bind_sockets
from bonafide.settings import RenewalMode, Settings
from bonafide_bench.seeding.seed_data import seed_organization
from bonafide_sandbox.demo import HOST, build_address, resolve_sandbox_folder, run_demo, serve_sandbox
from tests.support.browser.members import LivedInBy, People
from tests.support.loaded_sandbox import SANDBOX_SIZE

MOMENT_S = 0.1
"""Between two looks at what the worker does."""


@asynccontextmanager
async def served_sandbox(data_dir: Path) -> AsyncIterator[Runtime]:
    """What `bonafide demo` serves: the console, the API, the made-up Canada with its live registers, and a worker."""
    console, registers = bind_sockets(HOST, 0), bind_sockets(HOST, 0)
    settings = Settings(
        data_dir=data_dir,
        sandbox_url=build_address(registers),
        public_url=build_address(console),
        # Nothing beside what is looked at: workers that find nothing to do, passwords that are dear to guess.
        worker_concurrency=1,
        renew=RenewalMode.OFF,
        password_memory_kib=8,
        password_passes=1,
        password_lanes=1,
    )
    async with (
        open_runtime(settings) as opened,
        serve_sandbox(resolve_sandbox_folder(settings, SANDBOX_SIZE), opened.sources, registers),
        run_demo(opened, console),
    ):
        yield opened


async def lived_in_by(runtime: Runtime) -> LivedInBy:
    """An organization whose pages have something to show."""
    people = People(runtime, "Hautes-Terres")
    created = await people.key()
    async with people.api(created.text) as api:
        return LivedInBy(people, await seed_organization(api, created.key.id, lambda: asyncio.sleep(MOMENT_S)))
