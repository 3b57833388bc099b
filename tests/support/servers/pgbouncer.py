"""A real PgBouncer for the tests, before the PostgreSQL that they have started, with the configuration of `deploy/`.

It refuses to be root, as PostgreSQL does, and runs as the same account. Nothing here knows the product's tables.
"""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from configparser import ConfigParser
from contextlib import contextmanager
from pathlib import Path

import psycopg
from sqlalchemy import URL

from tests.support.paths import ROOT
from tests.support.servers.haproxy import program
from tests.support.servers.postgres import PostgresServer, account, as_account, dying_with_us
from tests.support.waiting import TIMEOUT_S

MISSING = "PgBouncer is not installed: apt-get install pgbouncer"
PORT = 6432
"""Part of the name of a Unix socket in a folder of its own, so that nobody else can have it."""
CONFIGURATION = ROOT / "deploy" / "pgbouncer.ini"
OVERRIDES = {"listen_addr": "", "listen_port": str(PORT), "auth_type": "any", "default_pool_size": "4", "query_wait_timeout": "2"}
"""What of it is other for a test: it is reached through a Unix socket by whoever may see the folder, and refuses sooner."""


def _write(folder: Path, server: PostgresServer) -> None:
    """The fleet's configuration, for every database of this server."""
    written = ConfigParser(interpolation=None)
    written.read(CONFIGURATION, encoding="utf-8")
    assert written["pgbouncer"].pop("auth_file") is not None
    written["databases"] = {"*": f"host={server.url.query.get('host', server.url.host)} user=postgres"}
    written["pgbouncer"].update({**OVERRIDES, "unix_socket_dir": str(folder)})
    with (folder / "pgbouncer.ini").open("w", encoding="utf-8") as file:
        written.write(file)


class Pooler:
    """A PgBouncer that can be killed and started again at the same address."""

    def __init__(self, folder: Path, server: PostgresServer) -> None:
        self._folder, self._server = folder, server
        self._process: subprocess.Popen[bytes] | None = None

    def address_of(self, database: URL) -> str:
        """A database of the server, by way of the pooler."""
        url = database.set(host=None, port=PORT, query={"host": str(self._folder)})
        return url.render_as_string(hide_password=False)

    def start(self) -> None:
        """Run it, and wait until it answers."""
        command = [*dying_with_us(), program("pgbouncer", MISSING), str(self._folder / "pgbouncer.ini")]
        log = (self._folder / "log").open("ab")
        with log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", **as_account(account()))  # noqa: S603 - fixed words
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            try:
                psycopg.connect(host=str(self._folder), port=PORT, user="postgres", dbname="postgres").close()
            except psycopg.OperationalError as error:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"PgBouncer did not start: {(self._folder / 'log').read_text()}") from error
                time.sleep(0.05)
            else:
                return

    def kill(self) -> None:
        """End it as `kill -9` does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(TIMEOUT_S)
            for left in self._folder.glob(".s.PGSQL.*"):
                left.unlink()


@contextmanager
def pooling(server: PostgresServer) -> Iterator[Pooler]:
    """A pooler before the server. Skips the test, and says so, where there is none to be had."""
    program("pgbouncer", MISSING)
    folder = Path(tempfile.mkdtemp(prefix="bonafide-pool-", dir="/tmp"))
    pooler = Pooler(folder, server)
    try:
        _write(folder, server)
        owner = account()
        if owner is not None:
            shutil.chown(folder, owner)
        pooler.start()
        yield pooler
    finally:
        pooler.kill()
        shutil.rmtree(folder, ignore_errors=True)
