"""Write a world to disk: every publisher's files and a manifest, moved into place atomically.

Existing worlds are reused or replaced. A folder that is not a world is never deleted.
"""

import shutil
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import mkdtemp
from typing import TypeVar

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.businesses import MAX_SIZE, MIN_SIZE, create_businesses
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.world.directory import DirectoryWriter
from bonafide_sandbox.writers.discovery import compute_world_version, discover_list_writers, discover_register_writers
from bonafide_sandbox.writers.framework.manifest import (
    MANIFEST_NAME,
    WorldFile,
    WorldManifest,
    compute_digest,
    read_manifest,
)
from bonafide_sandbox.writers.framework.writer import ListWriter, SourceWriter, TargetFile
from bonafide_sandbox.writers.naics import write_naics

__all__ = ["DEFAULT_SEED", "WorldManifest", "write_world"]

DEFAULT_SEED = 1867
PROGRESS_STEP = 10_000
"""The number of businesses between progress reports."""

W = TypeVar("W", bound=SourceWriter)
BusinessConsumer = Callable[[SandboxBusiness], None]


def write_world(
    folder: Path, *, size: int, seed: int = DEFAULT_SEED, progress: Callable[[int], None] | None = None
) -> WorldManifest:
    """Write the world of this size and seed, or reuse it if the folder already contains it. Replaces any other world.

    `progress` is called with the number of businesses written so far. Raises `ConfigurationError` if the size is out of range or
    the folder contains anything other than a world.
    """
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ConfigurationError(
            Message.untranslated(f"the size must be from {MIN_SIZE:,} to {MAX_SIZE:,} businesses, not {size:,}")
        )
    version = compute_world_version()
    known = read_manifest(folder)
    if known is not None and (known.version, known.seed, known.size) == (version, seed, size):
        return known
    if folder.exists() and any(folder.iterdir()) and not (folder / MANIFEST_NAME).exists():
        raise ConfigurationError(Message.untranslated(f"{folder} contains files other than sandbox data; it was not changed"))
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        targets = [*_write_files(draft, size, seed, progress), *write_naics(draft)]
        manifest = WorldManifest(
            version=version, seed=seed, size=size, files=tuple(_describe_file(draft, target) for target in targets)
        )
        (draft / MANIFEST_NAME).write_text(manifest.to_json(), encoding="utf-8")
        _move_into_place(draft, folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return manifest


def _write_files(folder: Path, size: int, seed: int, progress: Callable[[int], None] | None) -> list[TargetFile]:
    """Write every file, fixed businesses first. Returns the files written."""
    with ExitStack() as stack:

        def opened(writer: W) -> W:
            stack.callback(writer.close)
            return writer

        registers = {
            register: [opened(factory.create(folder)) for factory in factories]
            for register, factories in discover_register_writers().items()
        }
        lists = {source: opened(factory.create(folder, seed)) for source, factory in discover_list_writers().items()}
        directory = opened(DirectoryWriter(folder))
        for fixed in KNOWN_BUSINESSES:
            for writer in registers[fixed.business.register]:
                writer.take(fixed.business)
            for source in fixed.lists:
                lists[source].list_known(fixed)
            directory.take(fixed.business)
        _distribute(_list_consumers(registers, lists, directory), size, seed, progress)
    return [
        target
        for writer in (*(writer for row in registers.values() for writer in row), *lists.values(), directory)
        for target in writer.targets
    ]


def _list_consumers(
    registers: Mapping[Jurisdiction, list[SourceWriter]], lists: Mapping[str, ListWriter], directory: DirectoryWriter
) -> dict[Jurisdiction, list[BusinessConsumer]]:
    """Return the functions that receive the businesses of each register."""
    consumers: dict[Jurisdiction, list[BusinessConsumer]] = {
        jurisdiction: [*(writer.take for writer in writers), directory.take] for jurisdiction, writers in registers.items()
    }
    for source, factory in discover_list_writers().items():
        for register in factory.registers:
            consumers[register].append(lists[source].take)
    return consumers


def _distribute(
    consumers: Mapping[Jurisdiction, list[BusinessConsumer]], size: int, seed: int, progress: Callable[[int], None] | None
) -> None:
    for number, business in enumerate(create_businesses(seed, 0, size), start=1):
        for consume in consumers[business.register]:
            consume(business)
        if progress is not None and (number % PROGRESS_STEP == 0 or number == size):
            progress(number)


def _describe_file(folder: Path, target: TargetFile) -> WorldFile:
    path = folder / target.path
    return WorldFile(
        source=target.source,
        resource=target.resource,
        path=target.path,
        route=target.route,
        size=path.stat().st_size,
        sha256=compute_digest(path),
        url=target.url,
    )


def _move_into_place(draft: Path, folder: Path) -> None:
    """Rename the draft to the folder. The previous folder is deleted after the new world is in place."""
    old = draft.with_name(f"{draft.name}-old")
    if folder.exists():
        folder.rename(old)
    draft.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
