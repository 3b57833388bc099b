"""One small world for all tests of the sandbox: writing it takes a second, reading it nothing."""

import csv
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from bonafide_sandbox.world.builder import write_world
from bonafide_sandbox.writers.framework.manifest import WorldManifest

SIZE = 1_000


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a world of the smallest size."""
    folder = tmp_path_factory.mktemp("sandbox") / "world"
    write_world(folder, size=SIZE)
    return folder


@pytest.fixture(scope="session")
def manifest(world: Path) -> WorldManifest:
    return write_world(world, size=SIZE)


@pytest.fixture(scope="session")
def rows(world: Path) -> Callable[[str], list[dict[str, str]]]:
    """The rows of a CSV file of the world, by its path there."""

    def read(path: str) -> list[dict[str, str]]:
        with (world / path).open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))

    return read


@pytest.fixture(scope="session")
def quebec(world: Path) -> Callable[[str], list[dict[str, str]]]:
    """The rows of a file of Quebec's archive, by its name."""

    def read(name: str) -> list[dict[str, str]]:
        with zipfile.ZipFile(world / "qc/JeuxDonnees.zip") as archive:
            return list(csv.DictReader(io.StringIO(archive.read(name).decode("utf-8-sig"), newline="")))

    return read


@pytest.fixture(scope="session")
def ontario_corporations(world: Path) -> list[dict[str, object]]:
    with (world / "on/corporations.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]
