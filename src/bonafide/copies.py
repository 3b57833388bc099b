"""What is on disk of a download: the whole copy with what its publisher said of it, and the part that a broken connection left.

Both are described in a JSON file beside them, and count only while they agree with it. Nothing here speaks HTTP.
"""

import glob
import hashlib
import json
from dataclasses import asdict, dataclass
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Download:
    """A file fetched, or confirmed unchanged (`fresh` false), and what its publisher said of it."""

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
class Part:
    """The first `size` bytes of the version of a file that `validator` names; it names that version byte for byte."""

    path: Path
    url: str
    validator: str
    size: int


def read_copy(url: str, into: Path) -> Download | None:
    """What is known of the copy on disk; None when there is none, when it is of another address, or not the copy described."""
    known = find_copy(into)
    return known if known is not None and known.url == url else None


def find_copy(into: Path) -> Download | None:
    """The same, of whatever address it is."""
    try:
        facts = json.loads(_facts_of(into).read_text(encoding="utf-8"))
        known = Download(**{**facts, "path": into, "retrieved_at": datetime.fromisoformat(facts["retrieved_at"])})
        return known if into.stat().st_size == known.size else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def copies_in(folder: Path, prefix: str) -> list[Download]:
    """The copies in a folder whose file names begin so, by name."""
    found = (find_copy(path) for path in sorted(folder.glob(f"{glob.escape(prefix)}*")))
    return [copy for copy in found if copy is not None]


def discard(copy: Path) -> None:
    """Forget a copy."""
    _facts_of(copy).unlink(missing_ok=True)
    copy.unlink(missing_ok=True)


def describe(copy: Download) -> Download:
    """Write down what is known of the copy on disk."""
    facts = asdict(copy) | {"path": copy.path.name, "retrieved_at": copy.retrieved_at.isoformat()}
    _facts_of(copy.path).write_text(json.dumps(facts), encoding="utf-8")
    return copy


def part_of(into: Path) -> Path:
    """Where a file stands until it is whole."""
    return into.with_name(into.name + ".part")


def read_part(url: str, into: Path) -> Part | None:
    """The part on disk from which the address can be continued; None when there is none, or nothing says what it is a part of."""
    path = part_of(into)
    try:
        facts = json.loads(_facts_of(path).read_text(encoding="utf-8"))
        size = path.stat().st_size
        return Part(path, url, str(facts["validator"]), size) if facts["url"] == url and size > 0 else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def begin_part(url: str, into: Path, validator: str | None) -> None:
    """Say of which version the part will be, before the first byte of it is written; without a validator it can't be continued."""
    discard_part(into)
    into.parent.mkdir(parents=True, exist_ok=True)
    if validator is not None:
        _facts_of(part_of(into)).write_text(json.dumps({"url": url, "validator": validator}), encoding="utf-8")


def discard_part(into: Path) -> None:
    """Forget the part."""
    # Its description goes first: bytes that nothing describes are never continued.
    _facts_of(part_of(into)).unlink(missing_ok=True)
    part_of(into).unlink(missing_ok=True)


def complete(into: Path) -> None:
    """Put the part, which is whole now, in the place of the copy. A crash in between leaves a copy that nothing describes."""
    _facts_of(into).unlink(missing_ok=True)
    part_of(into).replace(into)
    _facts_of(part_of(into)).unlink(missing_ok=True)


def digest_of(path: Path) -> "hashlib._Hash":
    """The SHA-256 of what is in a file, to be gone on with."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256")


def _facts_of(path: Path) -> Path:
    return path.with_name(path.name + ".json")
