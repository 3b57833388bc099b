"""Files of tests need not survive a power failure, and waiting for the disk is most of the time of tests that write indexes.

`os.fsync` does nothing in the processes that run tests. The services that tests start write their files out, as they always do.
"""

import os


def skip_disk_sync() -> None:
    """Let `os.fsync` return at once in this process. A closed file is an error nevertheless."""
    os.fsync = os.fstat  # type: ignore[assignment]  # of a descriptor, and quick
