"""The sandbox's made-up Canada, loaded into a data directory that many tests read, and what a service keeps of it in memory."""

import os
import shutil
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


def copy_sandbox(loaded: Path, folder: Path) -> Path:
    """Copy a loaded data directory, or its indexes, for a test that changes it. Returns the copy.

    The arrays of the indexes, most of the files, are hard links, which take a fifth of the time: nothing changes an array. A test
    that damages one uses `replace_with_truncated`.
    """
    return Path(shutil.copytree(loaded, folder, copy_function=_link_array))


def replace_with_truncated(file: Path) -> None:
    """Replace a file, which may be a hard link, by one without its last byte."""
    content = file.read_bytes()
    file.unlink()
    file.write_bytes(content[:-1])


def _link_array(source: str, target: str) -> str:
    if not source.endswith(".npy"):
        return shutil.copy2(source, target)
    os.link(source, target)
    return target


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
