"""A receiver as a process of its own, which notes the ID of each delivery in a file before it responds. It may be killed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.support.servers.ports import HOST


class _JournalHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    journal: int

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        os.write(self.journal, f"{self.headers['webhook-id']}\n".encode())
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Write nothing."""


def main(port: int, journal: Path) -> None:
    """Receive until killed."""
    _JournalHandler.journal = os.open(journal, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    ThreadingHTTPServer((HOST, port), _JournalHandler).serve_forever()


@contextmanager
def receiving_process(port: int, journal: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A receiver on this port; killed when the block ends."""
    with subprocess.Popen([sys.executable, "-m", __name__, str(port), str(journal)]) as process:  # noqa: S603 - our own module
        try:
            yield process
        finally:
            process.kill()


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
