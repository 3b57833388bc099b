"""A real PostgreSQL for the tests: started from the machine's own binaries in a temporary folder, and stopped with them.

`BONAFIDE_TEST_POSTGRES_DSN` names an existing server instead; its user must be allowed to create databases. Nothing here knows the
product's tables.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import URL, make_url

from tests.support.waiting import TIMEOUT_S

EXISTING_SERVER = "BONAFIDE_TEST_POSTGRES_DSN"
MISSING = f"PostgreSQL's server is not installed: apt-get install postgresql, or set {EXISTING_SERVER} to one that runs"
# Durability is not under test, and a test's server is thrown away.
SERVER_OPTIONS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "300",
    "shared_buffers": "32MB",
    "timezone": "America/St_Johns",  # not UTC, and not a whole hour from it: what forgets the zone shows
}


@dataclass(frozen=True)
class PostgresServer:
    """A running server, by the address of its maintenance database."""

    url: URL

    def create_database(self) -> URL:
        """A new database without any table."""
        name = f"bonafide_test_{uuid4().hex}"
        with as_psycopg(self.url) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url.set(database=name)

    def drop_database(self, url: URL) -> None:
        """Remove it, whoever is still connected."""
        with as_psycopg(self.url) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(str(url.database))))


def delete_all_rows(url: URL, tables: Iterable[str]) -> None:
    """Empty the tables, in this order. Whoever is still connected holds locks, and is disconnected first.

    It takes a hundredth of the time of making another database, or even of TRUNCATE. Most tables have never had a row, and their
    files are empty.
    """
    with as_psycopg(url) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        found = connection.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND pg_relation_size(oid) > 0").fetchall()
        used = {name for (name,) in found}
        deletions = [sql.SQL("DELETE FROM {}").format(sql.Identifier(table)) for table in tables if table in used]
        if deletions:
            connection.execute(sql.SQL(";").join(deletions))


def as_psycopg(url: URL) -> "psycopg.Connection[tuple[Any, ...]]":
    """A connection without SQLAlchemy, on which every statement stands by itself."""
    return psycopg.connect(url.set(drivername="postgresql").render_as_string(hide_password=False), autocommit=True)


@contextmanager
def running_server() -> Iterator[PostgresServer]:
    """A server for this test process. Skips the test when there is none to be had."""
    existing = os.environ.get(EXISTING_SERVER)
    if existing is not None:
        yield PostgresServer(make_url(existing).set(drivername="postgresql+psycopg"))
        return
    binaries = find_binaries()
    if binaries is None:
        pytest.skip(MISSING)
    # Short: the socket's path must fit 107 bytes.
    folder = Path(tempfile.mkdtemp(prefix="bonafide-pg-", dir="/tmp"))
    try:
        with _server_in(folder, binaries) as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def find_binaries() -> Path | None:
    """Where the newest installed server is; `pg_config` alone may be missing, or be a client's."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name), reverse=True)
    asked = shutil.which("pg_config")
    if asked is not None:
        folders.append(Path(subprocess.run([asked, "--bindir"], check=True, capture_output=True, text=True).stdout.strip()))  # noqa: S603
    return next((folder for folder in folders if (folder / "initdb").is_file() and (folder / "postgres").is_file()), None)


@contextmanager
def _server_in(folder: Path, binaries: Path) -> Iterator[PostgresServer]:
    owner = account()
    if owner is not None:
        shutil.chown(folder, owner)
    make_cluster(folder, binaries)
    with serving(folder, binaries) as server:
        yield server


def make_cluster(folder: Path, binaries: Path) -> None:
    """An empty server in this folder's `data`, yet to be served."""
    run_as_owner(binaries / "initdb", "-D", folder / "data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "-N")


def run_as_owner(program: Path, *words: str | Path) -> None:
    """Run one of PostgreSQL's programs to its end."""
    command = [str(program), *map(str, words)]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, cwd="/", **as_account(account()))  # noqa: S603
    if ended.returncode != 0:
        raise RuntimeError(f"{program.name} failed: {ended.stderr}")


@contextmanager
def serving(folder: Path, binaries: Path) -> Iterator[PostgresServer]:
    """The server of this folder's `data` while the block runs; afterwards it may be served again."""
    log = folder / "log"
    options = [word for name, value in SERVER_OPTIONS.items() for word in ("-c", f"{name}={value}")]
    command = [*dying_with_us(), str(binaries / "postgres"), "-D", str(folder / "data"), "-k", str(folder), *options]
    with log.open("ab") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, cwd="/", **as_account(account()))  # noqa: S603
    try:
        server = PostgresServer(URL.create("postgresql+psycopg", "postgres", database="postgres", query={"host": str(folder)}))
        _wait_until_ready(server, process, log)
        yield server
    finally:
        process.send_signal(signal.SIGINT)  # without waiting for whoever is connected
        process.wait(TIMEOUT_S)


def account() -> str | None:
    """Whom the server runs as: it refuses to be root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


def as_account(name: str | None) -> dict[str, Any]:
    """How to start a process as this account; None for our own."""
    if name is None:
        return {}
    return {"user": name, "group": pwd.getpwnam(name).pw_gid, "extra_groups": []}


def dying_with_us() -> Sequence[str]:
    """The server must not outlive a test run that is killed, where the system can see to that."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "INT"] if setpriv is not None else []


def _wait_until_ready(server: PostgresServer, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while True:
        try:
            as_psycopg(server.url).close()
        except psycopg.OperationalError as error:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start: {log.read_text(errors='replace')}") from error
            time.sleep(0.05)
        else:
            return
