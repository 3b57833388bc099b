"""Files and folders that only the user of the service can read."""

import os

_OTHERS = 0o077


def restrict_new_files() -> None:
    """Create all files of this process with mode 0600 and all folders with mode 0700, whatever the umask that it has inherited.

    The database, evidence, imports and indexes contain data of customers, and the libraries that write them apply the umask.
    """
    os.umask(os.umask(_OTHERS) | _OTHERS)
