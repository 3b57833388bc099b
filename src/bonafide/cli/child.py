"""One of the processes that `serve --processes` starts: `python -m bonafide.cli.child`, with its orders as JSON.

It serves on sockets that it has inherited, and stops when the process that started it is gone. Nobody else calls it.
"""

import asyncio
import json
import os
import socket
import sys
from pathlib import Path
from typing import Any

from bonafide import log
from bonafide.cli import fail
from bonafide.cli.options import settings_for
from bonafide.cli.served import serve_on
from bonafide.cli.stopping import Stopping
from bonafide.errors import BonafideError

_log = log.get_logger(__name__)


def main() -> None:
    """Serve as ordered; what fails is one sentence and status 1, as of every command."""
    orders = json.loads(sys.argv[1])
    settings = settings_for(Path(orders["data_dir"]))
    log.configure(settings.log_level)
    sockets = [socket.socket(fileno=number) for number in orders["sockets"]]
    try:
        asyncio.run(serve_on(settings, sockets, lambda stopping: _is_ready(orders, stopping)))
    except BonafideError as error:
        fail(error.message)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return


def _is_ready(orders: dict[str, Any], stopping: Stopping) -> None:
    _log.info("serving", process=os.getpid())
    os.write(orders["ready"], b"1")
    os.close(orders["ready"])
    loop, lifeline = asyncio.get_running_loop(), orders["lifeline"]

    def orphaned() -> None:
        loop.remove_reader(lifeline)
        stopping.hear()

    loop.add_reader(lifeline, orphaned)


if __name__ == "__main__":
    main()
