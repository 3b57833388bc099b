"""The sandbox's made-up Canada, loaded into a data directory that many tests read."""

from datetime import UTC, datetime
from pathlib import Path

from bonafide.demo import prepare_sandbox
from bonafide.runtime import open_runtime
from bonafide.settings import Settings

LOADED_AT = datetime(2026, 11, 20, 14, 33, tzinfo=UTC)
"""What the clock said while it was loaded."""
SANDBOX_SIZE = 1000


async def load_sandbox(folder: Path) -> None:
    """Make the smallest made-up Canada there is and load every source from it."""
    async with open_runtime(Settings(data_dir=folder), clock=lambda: LOADED_AT) as runtime:
        await prepare_sandbox(runtime, SANDBOX_SIZE, lambda _what, _done, _total: None)
