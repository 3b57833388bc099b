"""End a child process together with the process that has started it."""

import os
from multiprocessing import parent_process
from threading import Thread


def exit_with_parent() -> None:
    """Watch the parent from a thread and exit when it ends: a child would wait for ever for work of a parent that was killed."""
    parent = parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
