"""The commands of the how-to, typed into a shell: a copy that is made while the database is in use gives everything back."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import URL, make_url

from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime, open_runtime
from bonafide.services.accounts import api_access
from bonafide.services.records import audit_check, business_records
from bonafide.settings import Settings
from bonafide.store.database.schema_migration import upgrade
from tests.support.documented_examples import blocks
from tests.support.paths import ROOT
from tests.support.servers.postgres import PostgresServer

PAGE = ROOT / "docs" / "howto" / "back-up-and-restore.md"
BACK_UP, CHECK, RESTORE, MOVE, _, DUMP, LOAD = (block.text for block in blocks(PAGE)[:7])
DATA_DIR = "BONAFIDE_DATA_DIR=bonafide-data"
DATABASE = "BONAFIDE_DATABASE_URL=postgresql://bonafide@db/bonafide"
EVIDENCE = ("imports/sent.csv", b"as the register said it")


def shell(commands: str, folder: Path, database: URL | None = None) -> None:
    """Run a block from this folder and with the programs of this environment, on this database in place of the page's."""
    if database is not None:
        assert DATABASE in commands
        commands = commands.replace(DATABASE, f"BONAFIDE_DATABASE_URL='{address(database)}'")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = ["/bin/sh", "-eu", "-c", commands]
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    assert ended.returncode == 0, ended.stderr


async def fill(runtime: Runtime) -> str:
    """Write a record and a file; returns the text of a key of its organization."""
    created = await api_access.create_key(runtime, KeyRequest(organization="Acme Bank", world=World.LIVE))
    record = BusinessUpsert(external_id="crm-1", name="Maple Bakery Inc.")
    await business_records.upsert(runtime, created.key.organization_id, record, Author("cli:test"))
    await runtime.files.put(created.key.organization_id, *EVIDENCE, "text/csv")
    return created.text


async def filled(settings: Settings, commands: str, folder: Path, database: URL | None = None) -> tuple[str, bytes]:
    """Fill what is there, and run the commands while it is in use; returns a key, and what signs addresses."""
    async with open_runtime(settings) as runtime:
        key = await fill(runtime)
        await asyncio.to_thread(shell, commands, folder, database)
        return key, runtime.signing_key


async def check(settings: Settings, key: str, signing_key: bytes) -> None:
    """The key is known, the trail whole, the file there, and links that were signed before are still good."""
    async with open_runtime(settings) as runtime:
        principal = await api_access.authenticate(runtime, key)
        trail = await audit_check.verify_audit_log(runtime, principal.organization_id)
        assert trail.is_whole
        assert trail.entries > 0
        assert await runtime.files.get(principal.organization_id, EVIDENCE[0]) == EVIDENCE[1]
        assert runtime.signing_key == signing_key


@pytest.fixture
def database(postgres_server: PostgresServer) -> Iterator[URL]:
    """An empty one."""
    url = postgres_server.create_database()
    yield url
    postgres_server.drop_database(url)


@pytest.mark.slow
def test_a_backup_is_made_checked_and_restored(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "bonafide-data")
    assert DATA_DIR in BACK_UP
    assert DATA_DIR in RESTORE
    key, signing_key = asyncio.run(filled(settings, BACK_UP + CHECK, tmp_path))
    shutil.rmtree(settings.data_dir)
    shell(RESTORE, tmp_path)
    asyncio.run(check(settings, key, signing_key))


def test_an_installation_moves_to_postgresql(tmp_path: Path, database: URL) -> None:
    settings = Settings(data_dir=tmp_path / "bonafide-data")
    key, signing_key = asyncio.run(filled(settings, MOVE, tmp_path, database))
    asyncio.run(check(settings.model_copy(update={"database_url": address(database)}), key, signing_key))


def test_postgresql_is_dumped_and_loaded(postgres_server: PostgresServer, database: URL, tmp_path: Path) -> None:
    if shutil.which("pg_dump") is None:
        pytest.skip("PostgreSQL's client programs are not installed: apt-get install postgresql-client")
    first = postgres_server.create_database()
    try:
        upgrade(first)
        settings = Settings(data_dir=tmp_path / "data", database_url=address(first))
        key, signing_key = asyncio.run(filled(settings, DUMP, tmp_path, first))
        shell(LOAD, tmp_path, database)
        asyncio.run(check(settings.model_copy(update={"database_url": address(database)}), key, signing_key))
    finally:
        postgres_server.drop_database(first)


def address(url: URL) -> str:
    """As PostgreSQL's own programs and our setting both read it."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
