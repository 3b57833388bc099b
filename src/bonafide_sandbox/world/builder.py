"""Write a world to disk: every publisher's files and a manifest, moved into place atomically.

Existing worlds are reused or replaced. A folder that is not a world is never deleted.
"""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import mkdtemp
from typing import TypeVar

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.businesses import MAX_SIZE, MIN_SIZE
from bonafide_sandbox.generator.changes.business_changes import WorldPopulation
from bonafide_sandbox.generator.changes.known_changes import evolve_known_businesses, evolve_known_licence
from bonafide_sandbox.generator.changes.licence_changes import LicenceChanges
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


def write_world(
    folder: Path,
    *,
    size: int,
    seed: int = DEFAULT_SEED,
    day: int = 0,
    earlier: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> WorldManifest:
    """Write the world of this size and seed on a day, or reuse it if the folder already contains it. Replaces any other world.

    Files that are the same in the world of the folder `earlier` become links to those. `progress` is called with the number of
    businesses written so far. Raises `ConfigurationError` if the size or the day is out of range or the folder contains anything
    other than a world.
    """
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ConfigurationError(
            Message.untranslated(f"the size must be from {MIN_SIZE:,} to {MAX_SIZE:,} businesses, not {size:,}")
        )
    population = WorldPopulation(seed, size, day)
    version = compute_world_version()
    known = read_manifest(folder)
    if known is not None and (known.version, known.seed, known.size, known.day) == (version, seed, size, day):
        return known
    if folder.exists() and any(folder.iterdir()) and not (folder / MANIFEST_NAME).exists():
        raise ConfigurationError(Message.untranslated(f"{folder} contains files other than sandbox data; it was not changed"))
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        targets = [*_write_files(draft, population, progress), *write_naics(draft)]
        manifest = WorldManifest(
            version=version, seed=seed, size=size, day=day, files=tuple(_describe_file(draft, target) for target in targets)
        )
        if earlier is not None:
            _link_unchanged_files(draft, manifest, earlier)
        (draft / MANIFEST_NAME).write_text(manifest.to_json(), encoding="utf-8")
        _move_into_place(draft, folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return manifest


@dataclass(frozen=True, slots=True)
class _WorldWriters:
    """The writers of a world."""

    registers: Mapping[Jurisdiction, Sequence[SourceWriter]]
    lists: Mapping[str, ListWriter]
    directory: DirectoryWriter

    def list_targets(self) -> list[TargetFile]:
        """Return the files written."""
        registers = (writer for writers in self.registers.values() for writer in writers)
        return [target for writer in (*registers, *self.lists.values(), self.directory) for target in writer.targets]


def _write_files(folder: Path, population: WorldPopulation, progress: Callable[[int], None] | None) -> list[TargetFile]:
    """Write every file, fixed businesses first. Returns the files written."""
    with ExitStack() as stack:

        def opened(writer: W) -> W:
            stack.callback(writer.close)
            return writer

        seed, day = population.seed, population.day
        writers = _WorldWriters(
            {
                register: [opened(factory.create(folder)) for factory in factories]
                for register, factories in discover_register_writers().items()
            },
            {source: opened(factory.open(folder, seed, day)) for source, factory in discover_list_writers().items()},
            opened(DirectoryWriter(folder)),
        )
        for fixed in evolve_known_businesses(day):
            for writer in writers.registers[fixed.business.register]:
                writer.take(fixed.business)
            for source in fixed.lists:
                writers.lists[source].list_known(evolve_known_licence(fixed, source, day))
            writers.directory.take(fixed.business)
        _distribute(population, writers, progress)
    return writers.list_targets()


def _distribute(population: WorldPopulation, writers: _WorldWriters, progress: Callable[[int], None] | None) -> None:
    factories = discover_list_writers()
    changes = {source: LicenceChanges(population.seed, source, population.day) for source in factories}
    businesses = iter(population)
    written = 0
    while block := list(islice(businesses, PROGRESS_STEP)):
        for evolved in block:
            if evolved.now is None:
                writers.directory.skip()
                continue
            writers.directory.take(evolved.now)
            for register in writers.registers[evolved.now.register]:
                register.take(evolved.now)
        for source, factory in factories.items():
            if factory.follows_register:
                holders = [evolved.now for evolved in block if evolved.now and evolved.now.register in factory.registers]
            else:
                registered = [evolved.first for evolved in block if evolved.first.register in factory.registers]
                holders = changes[source].apply(registered)
            for holder in holders:
                writers.lists[source].take(holder)
        written += len(block)
        if progress is not None:
            progress(written)


def _link_unchanged_files(folder: Path, manifest: WorldManifest, earlier: Path) -> None:
    """Replace the files that another world has too by links to those, which keep their dates of modification."""
    before = read_manifest(earlier)
    digests = {file.path: file.sha256 for file in before.files} if before is not None else {}
    for file in manifest.files:
        if digests.get(file.path) == file.sha256:
            (folder / file.path).unlink()
            os.link(earlier / file.path, folder / file.path)


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
