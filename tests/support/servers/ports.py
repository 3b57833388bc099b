"""Ports of this machine for the servers that tests start, and one that refuses."""

import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager

HOST = "127.0.0.1"
NEVER_HANDED_OUT = range(20_000, 32_768)
"""Below what Linux gives to whoever asks for any port, so that none is given to another test between the look at it and its use."""


def free_port() -> int:
    """A port that nobody listens on. Two who draw at once seldom draw the same."""
    while True:
        port = random.choice(NEVER_HANDED_OUT)  # noqa: S311 - nobody is to be surprised
        with socket.socket() as drawn:
            try:
                drawn.bind((HOST, port))
            except OSError:
                continue
            return port


@contextmanager
def refusing_port() -> Iterator[int]:
    """A port that refuses connections for as long as the block lasts: it is taken, and nobody listens."""
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        yield taken.getsockname()[1]
