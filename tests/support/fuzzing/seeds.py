"""Where inputs begin: the files of the made-up Canada and the saved ones of the tests, each cut down to a few of everything."""

import io
import json
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from bonafide_sandbox.world.builder import write_world
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute, WorldFile
from tests.support.paths import SOURCE_TESTS

WORLD_SIZE = 1_000
FEW = 4
LINES = 12
LARGE = 16_000
"""Bytes from which on a file is cut down."""


@dataclass(frozen=True, slots=True)
class SeedFile:
    """One file: what its source calls it, the end of its path, which may say of which day it is, and its beginning."""

    name: str
    place: str
    content: bytes

    @property
    def suffix(self) -> str:
        """How its name ends, with the dot."""
        return Path(self.place).suffix


def made_world(folder: Path) -> list[WorldFile]:
    """The files of a small made-up Canada, which is written if it is not there."""
    return list(write_world(folder, size=WORLD_SIZE).files)


def world_files(folder: Path, source: str, *routes: DeliveryRoute) -> list[SeedFile]:
    """What the made-up Canada has of a source."""
    files = (file for file in made_world(folder) if file.source == source and file.route in routes)
    return [seed_of(file.resource, folder / file.path) for file in files]


def saved_files(source: str) -> list[SeedFile]:
    """What the tests keep of a source's true or imitated files."""
    folders = [
        folder for kind in ("registries", "regulators", "sanctions", "listings") for folder in (SOURCE_TESTS / kind).glob(source)
    ]
    found = (path for folder in folders for path in sorted(folder.rglob("*"), key=_by_depth) if path.is_file())
    return [seed_of(path.stem, path) for path in found if path.suffix != ".json" or "golden" not in path.name]


def _by_depth(path: Path) -> tuple[int, Path]:
    return len(path.parts), path


def seed_of(name: str, path: Path) -> SeedFile:
    """A file, cut down."""
    return SeedFile(name, f"{path.parent.name}/{path.name}", few_of(path.read_bytes(), path.suffix))


def few_of(content: bytes, suffix: str) -> bytes:
    """A little of a file in its own format."""
    if content.startswith(b"PK\x03\x04"):
        return _few_members(content) if suffix == ".zip" else content
    if len(content) <= LARGE and suffix != ".csv":
        return content
    start = content.lstrip()[:1]
    if suffix == ".xml" or (start == b"<" and suffix not in {".html", ".cfm"}):
        return _few_elements(content)
    if suffix == ".json":
        return json.dumps(_few_values(json.loads(content))).encode()
    return b"".join(content.splitlines(keepends=True)[:LINES]) if suffix in {".csv", ".jsonl", ".txt"} else content[:LARGE]


def _few_members(content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as archive, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as few:
        for info in archive.infolist():
            few.writestr(info, few_of(archive.read(info), Path(info.filename).suffix))
    return packed.getvalue()


def _few_elements(content: bytes) -> bytes:
    root = etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    for element in root.iter("*"):
        seen: dict[Any, int] = {}
        for child in list(element):
            seen[child.tag] = seen.get(child.tag, 0) + 1
            if seen[child.tag] > FEW:
                element.remove(child)
    return etree.tostring(root, xml_declaration=True, encoding="utf-8")


def _few_values(value: Any) -> Any:
    if isinstance(value, list):
        return [_few_values(item) for item in value[:FEW]]
    return {name: _few_values(item) for name, item in value.items()} if isinstance(value, dict) else value


def chosen(number: int, contents: Iterable[bytes]) -> list[bytes]:
    """Inputs whose first byte says which of several things they are, from this number on."""
    return [bytes([place % 256]) + content for place, content in enumerate(contents, start=number)]
