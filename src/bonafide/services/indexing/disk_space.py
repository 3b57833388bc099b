"""Check that the disk has enough free space for files before they are downloaded."""

import errno
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from bonafide.model.loading import InventoryFile

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def check_disk_space(files: Mapping[Path, InventoryFile]) -> None:
    """Raise `OSError` if these files would not fit. Their folders exist and are on one disk."""
    needed = sum(file.size for file in files.values())
    for path in files:
        if shutil.disk_usage(path.parent).free < needed:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path.parent))
        return


def is_full_disk(error: Exception) -> bool:
    """Whether the error is a full disk."""
    return isinstance(error, OSError) and error.errno in _FULL
