"""Check that the disk has enough free space for files before they are downloaded.

It makes no room.
"""

import errno
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from bonafide.model.loading import InventoryFile

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def check_disk_space(wanted: Mapping[Path, InventoryFile]) -> None:
    """Raises `OSError` where these files, which have yet to come, don't fit. They go to one disk, into folders that are there."""
    needed = sum(file.size for file in wanted.values())
    for path in wanted:
        if shutil.disk_usage(path.parent).free < needed:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path.parent))
        return


def is_full_disk(error: Exception) -> bool:
    """Whether that is what went wrong."""
    return isinstance(error, OSError) and error.errno in _FULL
