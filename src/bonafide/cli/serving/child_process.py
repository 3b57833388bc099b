"""A serving process started by `serve --processes`. Its orders are JSON.

It serves on inherited sockets, and stops when the process that started it has ended.
"""

import asyncio
import json
import os
import socket
import sys
from pathlib import Path
from typing import Any

from bonafide.cli import fail
from bonafide.cli.command_runtime import load_settings
from bonafide.cli.serving.server_process import run_server
from bonafide.cli.serving.shutdown import ShutdownSignals
from bonafide.cli.translation import localize
from bonafide.errors import BonafideError
from bonafide.observability import log

_log = log.get_logger(__name__)


def main() -> None:
    """Serve as ordered. A failure becomes one sentence and exit status 1, as for every command."""
    orders = json.loads(sys.argv[1])
    settings = load_settings(Path(orders["data_dir"]))
    log.configure(settings.log_level)
    sockets = [socket.socket(fileno=number) for number in orders["sockets"]]
    try:
        asyncio.run(
            run_server(settings, sockets, lambda stopping: _is_ready(orders, stopping), answer_early=orders["answer_early"])
        )
    except BonafideError as error:
        fail(localize(error.message))
    except (KeyboardInterrupt, asyncio.CancelledError):
        return


def _is_ready(orders: dict[str, Any], stopping: ShutdownSignals) -> None:
    _log.info("process.started", process=os.getpid())
    os.write(orders["ready"], b"1")
    os.close(orders["ready"])
    loop, lifeline = asyncio.get_running_loop(), orders["lifeline"]

    def orphaned() -> None:
        loop.remove_reader(lifeline)
        stopping.handle_signal()

    loop.add_reader(lifeline, orphaned)


if __name__ == "__main__":
    main()
