"""A real PgBouncer for the tests, before the PostgreSQL that they have started: transaction mode, as a fleet runs it.

It refuses to be root, as PostgreSQL does, and runs as the same account. Nothing here knows the product's tables.
"""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from sqlalchemy import URL

from patience import PATIENCE_S
from postgres import PostgresServer, account, as_account, dying_with_us
from proxy import program

MISSING = "PgBouncer is not installed: apt-get install pgbouncer"
PORT = 6432
"""Part of the name of a Unix socket in a folder of its own, so that nobody else can have it."""
CONFIGURATION = """[databases]
* = host={host} user=postgres
[pgbouncer]
listen_addr =
listen_port = {port}
unix_socket_dir = {folder}
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
server_login_retry = 0.1
query_wait_timeout = 2
"""


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
        deadline = time.monotonic() + PATIENCE_S
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
            self._process.wait(PATIENCE_S)
            for left in self._folder.glob(".s.PGSQL.*"):
                left.unlink()


@contextmanager
def pooling(server: PostgresServer) -> Iterator[Pooler]:
    """A pooler before the server. Skips the test, and says so, where there is none to be had."""
    program("pgbouncer", MISSING)
    folder = Path(tempfile.mkdtemp(prefix="bonafide-pool-", dir="/tmp"))
    pooler = Pooler(folder, server)
    try:
        (folder / "pgbouncer.ini").write_text(
            CONFIGURATION.format(host=server.url.query.get("host", server.url.host), port=PORT, folder=folder), encoding="utf-8"
        )
        owner = account()
        if owner is not None:
            shutil.chown(folder, owner)
        pooler.start()
        yield pooler
    finally:
        pooler.kill()
        shutil.rmtree(folder, ignore_errors=True)
