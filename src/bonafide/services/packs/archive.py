"""Write the ZIP file of an examiner's pack, one file after the other, with the digest of each.

A pack has one form, so that `verification` can find every altered byte: files without extra fields or comments follow each other
from the first byte to the directory, and the comment of the archive is the SHA-256 of everything before the end record.
"""

import hashlib
import os
import zipfile
from contextlib import suppress
from datetime import UTC, datetime
from io import BytesIO
from typing import IO

from bonafide.errors import PackTooLarge
from bonafide.model.packs.manifest import MANIFEST, MAX_BYTES, MAX_FILES, PackedFile, PackManifest

COMMENT_PREFIX = b"sha256:"
END_RECORD_BYTES = 22
"""The size of the end record without its comment."""
COMMENT_BYTES = len(COMMENT_PREFIX) + 64
_FILE_MODE = 0o644 << 16
_UNIX = 3
_CHUNK_BYTES = 1024**2
_LEVEL = 6
_FIRST_YEAR = 1980


class PackArchive:
    """The archive that is being written. Blocking: use it in a thread."""

    def __init__(self, file: IO[bytes], written_at: datetime, max_bytes: int = MAX_BYTES) -> None:
        """`file` is empty, and can be read and written. Every file in the archive has the time `written_at`.

        All files together have up to `max_bytes` without compression.
        """
        self.files: dict[str, PackedFile] = {}
        """The files so far by name, in their order."""
        self._bytes = 0
        self._max_bytes = max_bytes
        self._file = file
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, allowZip64=False, compresslevel=_LEVEL)
        day = written_at.astimezone(UTC)
        self._date = (max(day.year, _FIRST_YEAR), day.month, day.day, day.hour, day.minute, day.second // 2 * 2)

    def add(self, name: str, content: bytes) -> PackedFile:
        """Add a file, unless the archive has one of that name. Raises `PackTooLarge`."""
        return self.add_stream(name, BytesIO(content))

    def add_stream(self, name: str, content: IO[bytes]) -> PackedFile:
        """The same with a file that is read from its beginning, a piece at a time."""
        if name in self.files:
            return self.files[name]
        size = content.seek(0, os.SEEK_END)
        self._bytes += size
        if self._bytes > self._max_bytes or len(self.files) >= MAX_FILES:
            raise PackTooLarge
        content.seek(0)
        entry, digest = self._describe(name), hashlib.sha256()
        entry.file_size = size
        with self._zip.open(entry, "w") as packed:
            while piece := content.read(_CHUNK_BYTES):
                digest.update(piece)
                packed.write(piece)
        self.files[name] = PackedFile(name=name, size=size, sha256=digest.hexdigest())
        return self.files[name]

    def finish(self, manifest: PackManifest) -> None:
        """Add the manifest, the directory, and the digest of the archive."""
        self._zip.writestr(self._describe(MANIFEST), manifest.to_json().encode())
        self.close()

    def close(self) -> None:
        """Add the directory and the digest of the archive."""
        self._zip.close()
        write_comment(self._file)

    def discard(self) -> None:
        """Close an archive that is not finished, or was closed; its file is not used any more."""
        with suppress(ValueError):  # a thread is still writing
            self._zip.close()

    def _describe(self, name: str) -> zipfile.ZipInfo:
        entry = zipfile.ZipInfo(name, self._date)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = _FILE_MODE
        entry.create_system = _UNIX
        return entry


def write_comment(file: IO[bytes]) -> None:
    """Add the digest of everything before the end record of a ZIP file as its comment."""
    size = file.seek(0, os.SEEK_END) - END_RECORD_BYTES
    digest = compute_digest(file, size)
    file.seek(size + END_RECORD_BYTES - 2)
    file.write(COMMENT_BYTES.to_bytes(2, "little") + COMMENT_PREFIX + digest.encode())
    file.flush()


def compute_digest(file: IO[bytes], size: int) -> str:
    """The SHA-256 of the first bytes of a file."""
    file.seek(0)
    digest = hashlib.sha256()
    while size > 0:
        piece = file.read(min(size, _CHUNK_BYTES))
        digest.update(piece)
        size -= len(piece)
    return digest.hexdigest()
