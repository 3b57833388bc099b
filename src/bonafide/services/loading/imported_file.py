"""Files that the operator imports: only regular files of limited size are read."""

import hashlib
import stat
from pathlib import Path

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message


def measure_imported_file(path: Path, max_bytes: int) -> tuple[int, str]:
    """The size of a file and its SHA-256. Raises `ConfigurationError` for anything that can't be imported.

    A device or a pipe may have no end, and opening a pipe without a writer blocks.
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
            raise ConfigurationError(Message("{path} is not a regular file. Devices and pipes can’t be imported.", path=str(path)))
        if found.st_size > max_bytes:
            problem = Message(
                "{path} has {size:,} bytes. The limit is {limit:,}, the setting {setting}.",
                path=str(path),
                size=found.st_size,
                limit=max_bytes,
                setting="BONAFIDE_MAX_DOWNLOAD_BYTES",
            )
            raise ConfigurationError(problem)
        with path.open("rb") as file:
            return found.st_size, hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ConfigurationError(Message("{path} can’t be read: {problem}", path=str(path), problem=str(error.strerror))) from error
