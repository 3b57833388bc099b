"""Do at start what the first request would otherwise wait for."""

import asyncio

from bonafide.runtime import Runtime
from bonafide.services.screening.list_cache import preload_lists


async def warm_up(runtime: Runtime) -> None:
    """Read the sanctions lists into memory."""
    await asyncio.to_thread(preload_lists, runtime)
