"""A real streaming replica of the PostgreSQL that the tests have started, and a server that can be stopped and started again.

Nothing here knows the product's tables.
"""

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import URL

from tests.support.servers.postgres import MISSING, PostgresServer, account, as_psycopg, find_binaries, run_as_owner, serving
from tests.support.waiting import TIMEOUT_S


class Machine:
    """A PostgreSQL of one's own in a folder: it may be stopped, and started with all that it held."""

    def __init__(self, folder: Path, binaries: Path) -> None:
        self.folder, self.binaries = folder, binaries
        self._running = ExitStack()

    def start(self) -> PostgresServer:
        return self._running.enter_context(serving(self.folder, self.binaries))

    def stop(self) -> None:
        self._running.close()


@contextmanager
def machine() -> Iterator[Machine]:
    """An empty folder that a server's account may write to. Skips the test where there is no server to be had."""
    binaries = find_binaries()
    if binaries is None:
        pytest.skip(MISSING)
    folder = Path(tempfile.mkdtemp(prefix="bonafide-pg-", dir="/tmp"))
    owner = account()
    if owner is not None:
        shutil.chown(folder, owner)
    made = Machine(folder, binaries)
    try:
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)


class Replica:
    """A replica of a server: its machine, and whether it replays what it has received."""

    def __init__(self, machine: Machine, primary: PostgresServer) -> None:
        self.machine, self.primary = machine, primary
        self.server = machine.start()

    def address_of(self, database: URL) -> str:
        """A database of the primary, as the replica has it."""
        return database.set(query=dict(self.server.url.query)).render_as_string(hide_password=False)

    def pause(self) -> None:
        """From now on it shows what it has replayed, and nothing newer."""
        self._run("SELECT pg_wal_replay_pause()")
        self._wait_for("SELECT pg_get_wal_replay_pause_state() = 'paused'")

    def resume(self) -> None:
        self._run("SELECT pg_wal_replay_resume()")

    def catch_up(self) -> None:
        """Wait until it shows all that the primary has."""
        with as_psycopg(self.primary.url) as connection:
            row = connection.execute("SELECT pg_current_wal_insert_lsn()").fetchone()
        assert row is not None
        self._wait_for(f"SELECT pg_last_wal_replay_lsn() >= '{row[0]}'")

    def _run(self, statement: str) -> object:
        with as_psycopg(self.server.url) as connection:
            row = connection.execute(statement.encode()).fetchone()
        return row[0] if row is not None else None

    def _wait_for(self, question: str) -> None:
        deadline = time.monotonic() + TIMEOUT_S
        while not self._run(question):
            assert time.monotonic() < deadline, question
            time.sleep(0.02)


@contextmanager
def replicating(primary: PostgresServer) -> Iterator[Replica]:
    """A replica, made from the server as it is, which follows it while the block runs."""
    if "host" not in primary.url.query:
        pytest.skip("an existing server is not copied for a test")
    with machine() as made:
        source = str(primary.url.query["host"])
        run_as_owner(
            made.binaries / "pg_basebackup", "-h", source, "-U", "postgres", "-D", made.folder / "data", "-R", "-c", "fast"
        )
        yield Replica(made, primary)
