"""The manifest of a world's folder: every file, its source and how a service gets it.

It is written last, so a folder that has one is whole. At which address a file is published it says only where the source
has to find that out; of all others the source says it.
"""

import hashlib
from enum import StrEnum
from pathlib import Path

from pydantic import ValidationError

from bonafide.model.base import Document

MANIFEST_NAME = "manifest.json"


class DeliveryRoute(StrEnum):
    """How a file reaches a service."""

    DOWNLOAD = "download"
    """The server publishes it at the publisher's own address."""
    FILE = "file"
    """A person imports it: its publisher lets no program download it."""
    PAGE = "page"
    """The server publishes it, and a source reads in it which files there are; it is no data itself."""
    DIRECTORY = "directory"
    """What the server's live registers look things up in; nobody gets it."""


class WorldFile(Document):
    """One file: the source it belongs to, what that source calls it, and where it lies in the folder."""

    source: str
    resource: str
    path: str
    route: DeliveryRoute
    size: int
    """Bytes."""
    sha256: str
    url: str | None = None
    """Its address, where no resource of the source's metadata has it."""


class WorldManifest(Document):
    """A world's folder: which world it is, and its files."""

    version: int
    """Of the generator and the writers (`compute_world_version`)."""
    seed: int
    size: int
    """Generated businesses; the fixed ones come on top."""
    files: tuple[WorldFile, ...]


def read_manifest(folder: Path) -> WorldManifest | None:
    """The manifest of a folder whose files are all there at their size; None when there is no such world."""
    try:
        manifest = WorldManifest.model_validate_json((folder / MANIFEST_NAME).read_bytes())
        whole = all((folder / file.path).stat().st_size == file.size for file in manifest.files)
    except (OSError, ValidationError):
        return None
    return manifest if whole else None


def compute_digest(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
