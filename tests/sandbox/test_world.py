"""A world's folder is written whole or not at all, is reused while it is the same world, and nothing else is ever deleted."""

import hashlib
from pathlib import Path

import pytest

from bonafide.errors import ConfigurationError
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.discovery import discover_sources
from bonafide.sources.framework.metadata import AccessMethod
from bonafide_sandbox.world.builder import write_world
from bonafide_sandbox.writers.discovery import compute_source_digest, compute_world_version
from bonafide_sandbox.writers.framework.manifest import MANIFEST_NAME, DeliveryRoute, WorldManifest, read_manifest
from bonafide_sandbox.writers.naics import SOURCE as NAICS

pytestmark = pytest.mark.slow

ISSUED = {"ab", "mb", "sk"}
"""Registers of which issue after issue is published."""
OPTIONAL = {"opensanctions"}
"""Not in the sandbox: it repeats the official lists under a licence of its own."""


def test_the_manifest_describes_every_file(world: Path, manifest: WorldManifest) -> None:
    assert (manifest.version, manifest.seed, manifest.size) == (compute_world_version(), 1867, 1_000)
    on_disk = {path.relative_to(world).as_posix() for path in world.rglob("*") if path.is_file()}
    assert {file.path for file in manifest.files} == on_disk - {MANIFEST_NAME}
    for file in manifest.files:
        content = (world / file.path).read_bytes()
        assert (file.size, file.sha256) == (len(content), hashlib.sha256(content).hexdigest())


@pytest.mark.all_sources
def test_every_source_of_the_sandbox_has_its_files_and_route(manifest: WorldManifest) -> None:
    known = discover_sources()
    addresses = {(key, item.name): item.url for key, source in known.items() for item in source.metadata.resources}
    for file in manifest.files:
        if file.route is DeliveryRoute.DIRECTORY:
            assert file.source == "sandbox"
        elif file.source in known and file.route is DeliveryRoute.FILE:
            # A register can always be brought by hand; another source only where it says so.
            metadata = known[file.source].metadata
            assert metadata.kind is SourceKind.REGISTRY or metadata.access is AccessMethod.IMPORT
        elif file.source in known:
            assert (file.url or addresses.get((file.source, file.resource))) is not None, file.path


@pytest.mark.all_sources
def test_every_source_that_can_be_read_is_written(manifest: WorldManifest) -> None:
    readable = {key for key, source in discover_sources().items() if source.parse is not None and key not in OPTIONAL}
    registers = {code.value.lower() for code in Jurisdiction}
    assert readable | registers <= {file.source for file in manifest.files}


def test_issues_of_gazettes_have_addresses_of_their_own_and_pages_that_lead_to_them(manifest: WorldManifest) -> None:
    for source, pages, least in (("ab", 2, 45), ("mb", 1, 2), ("sk", 4, 10)):
        files = [file for file in manifest.files if file.source == source]
        issues = [file for file in files if file.route is DeliveryRoute.DOWNLOAD]
        assert len([file for file in files if file.route is DeliveryRoute.PAGE]) == pages
        assert len(issues) >= least
        assert all(file.url is not None for file in issues if file.resource != "non_profits")
        assert len({file.url for file in issues}) == len(issues)


def test_the_same_world_is_the_same_bytes_wherever_it_is_written(tmp_path: Path, manifest: WorldManifest) -> None:
    assert write_world(tmp_path / "again", size=1_000) == manifest


def test_a_larger_world_begins_with_the_smaller_one(tmp_path: Path, world: Path) -> None:
    write_world(tmp_path / "larger", size=1_500)

    for path in ("bc/register.csv", "on/corporations.jsonl", "fed/corporations-active-cbca-en.csv", "yt/corporate_entities.csv"):
        assert (tmp_path / "larger" / path).read_bytes().startswith((world / path).read_bytes())


def test_a_world_that_is_there_is_reused(world: Path, manifest: WorldManifest) -> None:
    before = {path: path.stat().st_mtime_ns for path in world.rglob("*")}
    told: list[int] = []

    assert write_world(world, size=1_000, progress=told.append) == manifest
    assert {path: path.stat().st_mtime_ns for path in world.rglob("*")} == before
    assert told == []


def test_a_world_of_other_writers_is_written_again(tmp_path: Path) -> None:
    folder = tmp_path / "world"
    manifest = write_world(folder, size=1_000)
    (folder / MANIFEST_NAME).write_text(manifest.model_copy(update={"version": manifest.version + 1}).to_json())
    told: list[int] = []

    assert write_world(folder, size=1_000, progress=told.append) == manifest
    assert told == [1_000]


@pytest.mark.parametrize("changed", ["writers/osfi.py", "data/places.yml"])
def test_a_changed_writer_or_table_changes_the_version(tmp_path: Path, changed: str) -> None:
    for path in ("writers/osfi.py", "data/places.yml", "notes.txt"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("one")
    before = compute_source_digest([tmp_path])
    (tmp_path / "notes.txt").write_text("two")
    assert compute_source_digest([tmp_path]) == before
    (tmp_path / changed).write_text("two")
    assert compute_source_digest([tmp_path]) != before


def test_another_seed_or_size_replaces_the_world(tmp_path: Path) -> None:
    folder = tmp_path / "world"
    first = write_world(folder, size=1_000, seed=1)
    second = write_world(folder, size=1_000, seed=2)

    assert second.seed == 2
    # Issues in which nothing is announced are the same everywhere; so are pages that only lead to files, and the classification.
    first_files, second_files = (
        {file.sha256 for file in world.files if file.source not in {*ISSUED, NAICS} and file.route is not DeliveryRoute.PAGE}
        for world in (first, second)
    )
    assert first_files & second_files == set()
    assert read_manifest(folder) == second
    assert [path.name for path in tmp_path.iterdir()] == ["world"]


def test_a_world_with_a_damaged_file_is_written_again(tmp_path: Path) -> None:
    folder = tmp_path / "world"
    manifest = write_world(folder, size=1_000)
    (folder / "bc/register.csv").write_text("short")

    assert write_world(folder, size=1_000) == manifest
    assert (folder / "bc/register.csv").stat().st_size > 10_000


def test_progress_is_told_and_ends_at_the_size(tmp_path: Path) -> None:
    told: list[int] = []
    write_world(tmp_path / "world", size=10_500, progress=told.append)

    assert told == [10_000, 10_500]


def test_an_interrupted_world_leaves_nothing_behind(tmp_path: Path) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_world(tmp_path / "world", size=1_000, progress=interrupt)

    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_no_world_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").write_text("Dear all")

    with pytest.raises(ConfigurationError, match="not changed"):
        write_world(tmp_path / "letters", size=1_000)
    assert (tmp_path / "letters" / "dear.txt").read_text() == "Dear all"


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "world").mkdir()

    assert write_world(tmp_path / "world", size=1_000).size == 1_000


@pytest.mark.parametrize("size", [0, 999, 10_000_001])
def test_a_size_out_of_range_is_refused(tmp_path: Path, size: int) -> None:
    with pytest.raises(ConfigurationError, match="1,000 to 10,000,000"):
        write_world(tmp_path / "world", size=size)
