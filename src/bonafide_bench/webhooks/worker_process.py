"""Run `bonafide worker` as a process of its own."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bonafide.runtime import Runtime
from bonafide_bench.harness.search_requests import HOST


@asynccontextmanager
async def run_worker_process(runtime: Runtime, log: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run `bonafide worker` on the database of the runtime while the block runs."""
    settings = runtime.settings
    environment = {"BONAFIDE_DATA_DIR": str(settings.data_dir), "BONAFIDE_ALLOW_PRIVATE_TARGETS": HOST, "BONAFIDE_RENEW": "off"}
    if settings.database_url is not None:
        environment["BONAFIDE_DATABASE_URL"] = settings.database_url
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bonafide", "worker", env={**os.environ, **environment}, stdout=output, stderr=output
        )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
