"""Files of earlier downloads on disk: complete copies with their metadata, and partial files that can be resumed.

A JSON file beside each describes it; a file that does not match its description is ignored.
"""

import glob
import hashlib
import json
from dataclasses import asdict, dataclass
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class CachedFile:
    """A file that was fetched, or confirmed unchanged (`fresh` is false), with its publisher's metadata."""

    path: Path
    url: str
    sha256: str
    size: int
    retrieved_at: datetime
    etag: str | None
    last_modified: str | None
    fresh: bool

    @property
    def as_of(self) -> date | None:
        """The publisher's date of the file, if it sent one."""
        try:
            return parsedate_to_datetime(self.last_modified).date() if self.last_modified is not None else None
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class PartialFile:
    """The first `size` bytes of the version of a file that `validator` names; it names that version byte for byte."""

    path: Path
    url: str
    validator: str
    size: int


def read_cached_file(url: str, into: Path) -> CachedFile | None:
    """The metadata of the copy on disk; None when there is none, it is of another address, or does not match its description."""
    known = find_cached_file(into)
    return known if known is not None and known.url == url else None


def find_cached_file(into: Path) -> CachedFile | None:
    """The metadata of the copy on disk, whatever its address."""
    try:
        facts = json.loads(_get_metadata_path(into).read_text(encoding="utf-8"))
        known = CachedFile(**{**facts, "path": into, "retrieved_at": datetime.fromisoformat(facts["retrieved_at"])})
        return known if into.stat().st_size == known.size else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def list_cached_files(folder: Path, prefix: str) -> list[CachedFile]:
    """The copies in a folder whose file names have this prefix, by name."""
    found = (find_cached_file(path) for path in sorted(folder.glob(f"{glob.escape(prefix)}*")))
    return [copy for copy in found if copy is not None]


def delete_cached_file(copy: Path) -> None:
    """Delete the metadata of a copy, so that it is not used any more."""
    _get_metadata_path(copy).unlink(missing_ok=True)
    copy.unlink(missing_ok=True)


def write_metadata(copy: CachedFile) -> CachedFile:
    """Store the metadata of the copy on disk."""
    facts = asdict(copy) | {"path": copy.path.name, "retrieved_at": copy.retrieved_at.isoformat()}
    _get_metadata_path(copy.path).write_text(json.dumps(facts), encoding="utf-8")
    return copy


def get_partial_path(into: Path) -> Path:
    """The path of a file until it is complete."""
    return into.with_name(into.name + ".part")


def read_partial_file(url: str, into: Path) -> PartialFile | None:
    """The partial file on disk that a download of the address can resume; None when there is none or it has no description."""
    path = get_partial_path(into)
    try:
        facts = json.loads(_get_metadata_path(path).read_text(encoding="utf-8"))
        size = path.stat().st_size
        return PartialFile(path, url, str(facts["validator"]), size) if facts["url"] == url and size > 0 else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def begin_partial_file(url: str, into: Path, validator: str | None) -> None:
    """Store the validator of the partial file before its first byte is written; without one it can't be resumed."""
    delete_partial_file(into)
    into.parent.mkdir(parents=True, exist_ok=True)
    if validator is not None:
        _get_metadata_path(get_partial_path(into)).write_text(json.dumps({"url": url, "validator": validator}), encoding="utf-8")


def delete_partial_file(into: Path) -> None:
    """Delete the partial file."""
    # The description is deleted first: a partial file without one is never resumed.
    _get_metadata_path(get_partial_path(into)).unlink(missing_ok=True)
    get_partial_path(into).unlink(missing_ok=True)


def complete_partial_file(into: Path) -> None:
    """Replace the copy with the complete partial file. A crash in between leaves a copy without a description."""
    _get_metadata_path(into).unlink(missing_ok=True)
    get_partial_path(into).replace(into)
    _get_metadata_path(get_partial_path(into)).unlink(missing_ok=True)


def compute_digest(path: Path) -> "hashlib._Hash":
    """The SHA-256 of a file's content, as a hash that can be updated further."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256")


def _get_metadata_path(path: Path) -> Path:
    return path.with_name(path.name + ".json")
