"""The manifest of a world's folder: every file, its source and how a service gets it.

The manifest is written last, so a folder with a manifest is complete. It contains a file's URL only if the source discovers it from
a page. All other URLs are in the sources' metadata.
"""

import hashlib
from enum import StrEnum
from pathlib import Path

from pydantic import ValidationError

from bonafide.model.base import Document

MANIFEST_NAME = "manifest.json"


class DeliveryRoute(StrEnum):
    """How a service gets a file."""

    DOWNLOAD = "download"
    """Served at the publisher's own URL."""
    FILE = "file"
    """Imported by hand, because the publisher does not permit automated downloads."""
    PAGE = "page"
    """Served. A source reads the URLs of its files from it. It contains no data itself."""
    DIRECTORY = "directory"
    """The lookup database of the live registers. Not available to services."""


class WorldFile(Document):
    """A file: its source, its resource name within that source, and its path in the folder."""

    source: str
    resource: str
    path: str
    route: DeliveryRoute
    size: int
    """In bytes."""
    sha256: str
    url: str | None = None
    """The URL, if the source's metadata does not contain it."""


class WorldManifest(Document):
    """The parameters and files of a world."""

    version: int
    """The version of the generator and the writers (`compute_world_version`)."""
    seed: int
    size: int
    """The number of generated businesses on day 0, excluding the fixed ones."""
    day: int = 0
    """The day of the calendar. Day 0 is the world as it was first generated."""
    files: tuple[WorldFile, ...]


def read_manifest(folder: Path) -> WorldManifest | None:
    """Return the manifest if every file exists with the expected size, otherwise None."""
    try:
        manifest = WorldManifest.model_validate_json((folder / MANIFEST_NAME).read_bytes())
        whole = all((folder / file.path).stat().st_size == file.size for file in manifest.files)
    except (OSError, ValidationError):
        return None
    return manifest if whole else None


def compute_digest(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
