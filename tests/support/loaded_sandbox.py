"""The sandbox's made-up Canada, loaded into a data directory that many tests read, and what a service keeps of it in memory."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from bonafide.runtime import Runtime, build_generation_stores, open_runtime
from bonafide.settings import Settings
from bonafide_sandbox.demo import prepare_sandbox

LOADED_AT = datetime(2026, 11, 20, 14, 33, tzinfo=UTC)
"""What the clock said while it was loaded."""
SANDBOX_SIZE = 1000


async def load_sandbox(folder: Path) -> None:
    """Make the smallest made-up Canada there is and load every source from it."""
    async with open_runtime(Settings(data_dir=folder), clock=lambda: LOADED_AT) as runtime:
        await prepare_sandbox(runtime, SANDBOX_SIZE, lambda _what, _done, _total: None)


@dataclass(frozen=True)
class Remembered:
    """Open indexes, rarities and lists: dear to read, and shared by runtimes that only read as they are by a service's requests."""

    data_dir: Path
    kept: dict[str, Any] = field(default_factory=dict)

    def by(self, runtime: Runtime) -> Runtime:
        """The runtime over what is remembered."""
        if not self.kept:
            self.kept.update(
                generations=build_generation_stores(self.data_dir),
                word_rarities={},
                screening_indexes={},
                screening_indexes_lock=Lock(),
            )
        return replace(runtime, **self.kept)
