"""A real load balancer for the tests: haproxy with the configuration of `deploy/`, before two nodes.

Nothing here knows the product beyond its `/readyz`.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.support.paths import ROOT

CONFIGURATION = ROOT / "deploy" / "haproxy.cfg"
MISSING = "haproxy is not installed: apt-get install haproxy"


def program(name: str, missing: str) -> str:
    """Where a program is, Debian's place for servers included; skips the test where it is missing, but not in CI."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is not None:
        return found
    if os.environ.get("CI"):
        pytest.fail(missing)
    pytest.skip(missing)


@contextmanager
def balancing(port: int, nodes: tuple[str, str]) -> Iterator[None]:
    """The balancer at this port of the loopback address, while the block runs."""
    environment = {**os.environ, "PROXY_BIND": f"127.0.0.1:{port}", "NODE_1": nodes[0], "NODE_2": nodes[1]}
    command = [program("haproxy", MISSING), "-db", "-f", str(CONFIGURATION)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:  # noqa: S603
        try:
            yield
        finally:
            process.kill()
