"""The folder of a backup: compressed JSON lines, copies of stored files, the signing key, and a manifest with checksums.

    manifest.json              written last: a folder without it is no backup
    tables/<table>.jsonl.gz    the rows of a table, each an array
    files.jsonl.gz             the stored files, each an array: organization, name, size, sha256
    files/<organization>/…     their contents
    signing.key

Everything is synced to disk before the manifest is written. Files are readable only by their owner.
"""

import gzip
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import ValidationError

from bonafide.errors import BackupDamaged, ConfigurationError
from bonafide.i18n.message import Message
from bonafide.model.backup import FORMAT, BackedUpFile, BackupManifest

MANIFEST, FILE_LIST, SIGNING_KEY = "manifest.json", "files.jsonl.gz", "signing.key"
COMPRESSION = 3
"""zlib's compression level: half the time of the default for a tenth more bytes."""
LINES_AT_ONCE = 250
OWN_FILE, OWN_FOLDER = 0o600, 0o700
_CHECKSUM_KEY = "sha256"
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
BackupRow = Sequence[Any]


def build_table_path(table: str) -> str:
    """The path of a table's rows in the folder."""
    return f"tables/{table}.jsonl.gz"


def build_file_path(organization: str, name: str) -> str:
    """The path of a stored file's content."""
    return f"files/{organization}/{name}"


# ------------------------------------------------------------------------------------------------------------ writing


class BackupWriter:
    """A backup that is being written. It is complete only after `finish`."""

    def __init__(self, root: Path) -> None:
        """Begin a backup in a new or empty folder. Raises `ConfigurationError` for any other."""
        if root.exists() and (not root.is_dir() or any(root.iterdir())):
            raise ConfigurationError(Message("{root} is not empty. Write a backup to a new folder.", root=root))
        root.mkdir(mode=OWN_FOLDER, parents=True, exist_ok=True)
        root.chmod(OWN_FOLDER)
        self.root = root
        self._folders = {root}

    @contextmanager
    def lines(self, name: str) -> Iterator["BackupLineWriter"]:
        """Open a compressed file of rows for writing; it is synced and described when the block ends."""
        with self._created(name) as file:
            writer = BackupLineWriter(file)
            yield writer
            writer.finish()

    def write(self, name: str, content: bytes) -> BackedUpFile:
        """Copy a file unchanged."""
        with self._created(name) as file:
            file.write(content)
        return BackedUpFile(size=len(content), sha256=hashlib.sha256(content).hexdigest())

    def finish(self, manifest: BackupManifest) -> None:
        """Write the manifest, once everything that it describes is on disk."""
        for folder in sorted(self._folders, reverse=True):
            _sync_folder(folder)
        facts = manifest.model_dump(mode="json", by_alias=True)
        draft = f"{MANIFEST}.draft"
        self.write(draft, json.dumps({**facts, _CHECKSUM_KEY: _compute_checksum(facts)}, indent=1).encode())
        (self.root / draft).rename(self.root / MANIFEST)
        for folder in (self.root, self.root.parent):
            _sync_folder(folder)

    def discard(self) -> None:
        """Remove everything that was written."""
        for path in self.root.iterdir():
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)

    @contextmanager
    def _created(self, name: str) -> Iterator[BinaryIO]:
        path = self.root / name
        for folder in reversed([path.parent, *path.parent.parents]):
            if folder.is_relative_to(self.root) and folder not in self._folders:
                folder.mkdir(mode=OWN_FOLDER, exist_ok=True)
                self._folders.add(folder)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWN_FILE), "wb") as file:  # noqa: PTH123 - a mode from its first moment
            yield file
            file.flush()
            os.fsync(file.fileno())


class BackupLineWriter:
    """Rows as compressed JSON lines; `described` once all are written."""

    def __init__(self, file: BinaryIO) -> None:
        self.rows = 0
        self._summed = _ChecksummedFile(file)
        # Without a time and a name in the gzip header, the same rows give the same bytes.
        self._zipped = gzip.GzipFile("", "wb", COMPRESSION, self._summed, 0)

    def write(self, rows: Sequence[BackupRow]) -> None:
        """Add rows of JSON values."""
        if rows:
            self._zipped.write("".join([f"{_encode(row)}\n" for row in rows]).encode())
            self.rows += len(rows)

    def finish(self) -> None:
        """Write the end of the compressed file."""
        self._zipped.close()

    @property
    def described(self) -> BackedUpFile:
        """The description of the file on disk."""
        return BackedUpFile(size=self._summed.size, sha256=self._summed.sha256.hexdigest())


class _ChecksummedFile:
    """Writes to a file and updates its digest."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.size = 0
        self.sha256 = hashlib.sha256()

    def write(self, content: bytes) -> int:
        self.sha256.update(content)
        self.size += len(content)
        return self._file.write(content)

    def flush(self) -> None:
        self._file.flush()


def _sync_folder(folder: Path) -> None:
    """Sync a folder, so that its entries survive a power failure."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# ------------------------------------------------------------------------------------------------------------ reading


def read_manifest(root: Path) -> BackupManifest:
    """Read the manifest of a backup. Raises `BackupDamaged`, and `ConfigurationError` for one of a newer release."""
    try:
        facts = json.loads((root / MANIFEST).read_bytes())
        written = facts.pop(_CHECKSUM_KEY)
        newer = facts["format"] > FORMAT
    except FileNotFoundError:
        raise BackupDamaged(
            Message(
                "{root} contains no complete backup: {manifest}, which is written last, is missing", root=root, manifest=MANIFEST
            )
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BackupDamaged(Message("{manifest} is damaged", manifest=root / MANIFEST)) from None
    if newer:
        raise ConfigurationError(
            Message(
                "{root} was written by release {release}. Restore it with that release or a later one.",
                root=root,
                release=str(facts.get("release")),
            )
        )
    if written != _compute_checksum(facts):
        raise BackupDamaged(Message("{manifest} is damaged: its checksum differs", manifest=root / MANIFEST))
    try:
        return BackupManifest.model_validate(facts)
    except ValidationError as error:
        raise BackupDamaged(
            Message("{manifest} is damaged: {error}", manifest=root / MANIFEST, error=error.errors()[0]["msg"])
        ) from error


def check_file(root: Path, name: str, written: BackedUpFile) -> None:
    """Raise `BackupDamaged` unless a file matches its size and digest."""
    path = root / name
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        raise BackupDamaged(Message("{path} is missing from the backup", path=path)) from None
    if size != written.size:
        raise BackupDamaged(
            Message("{path} has {size:,} bytes instead of {expected:,}", path=path, size=size, expected=written.size)
        )
    if digest != written.sha256:
        raise BackupDamaged(Message("{path} is damaged: its checksum differs", path=path))


def read_lines(root: Path, name: str) -> Iterator[list[list[Any]]]:
    """Read the rows of a checked file in batches."""
    with gzip.open(root / name, "rb") as lines:
        while batch := [json.loads(line) for line in islice(lines, LINES_AT_ONCE)]:
            yield batch


def _compute_checksum(facts: object) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
