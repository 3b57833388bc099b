"""The commands of the how-to, typed into a shell: a copy that is made while the database is in use gives everything back."""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from documented import ROOT, blocks
from sqlalchemy import URL, make_url

from bonafide.model.business import Author
from bonafide.model.business_input import BusinessUpsert
from bonafide.model.organization import KeyRequest, World
from bonafide.runtime import Runtime, open_runtime
from bonafide.services import accounts, audit, businesses
from bonafide.settings import Settings
from bonafide.store.migration import upgrade
from postgres import PostgresServer

PAGE = ROOT / "docs" / "howto" / "back-up-and-restore.md"
BACK_UP, RESTORE, DUMP, LOAD = (block.text for block in blocks(PAGE)[:4])
DATA_DIR = "BONAFIDE_DATA_DIR=bonafide-data"
DATABASE = "BONAFIDE_DATABASE_URL=postgresql://bonafide@db/bonafide"


def shell(commands: str, folder: Path) -> None:
    """Run a block as it stands, from this folder and with the programs of this environment."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = ["/bin/sh", "-eu", "-c", commands]
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    assert ended.returncode == 0, ended.stderr


async def fill(runtime: Runtime) -> str:
    """Write a record; returns the text of a key of its organization."""
    created = await accounts.create_key(runtime, KeyRequest(organization="Acme Bank", world=World.LIVE))
    record = BusinessUpsert(external_id="crm-1", name="Maple Bakery Inc.")
    await businesses.upsert(runtime, created.key.organization_id, record, Author("cli:test"))
    return created.text


async def check(runtime: Runtime, key: str) -> None:
    """The key is known, the record there, its trail whole, and links that were signed before are still good."""
    principal = await accounts.authenticate(runtime, key)
    trail = await audit.verify_trail(runtime, principal.organization_id)
    assert trail.is_whole
    assert trail.entries > 0


def test_with_sqlite(tmp_path: Path) -> None:
    data_dir = tmp_path / "bonafide-data"
    assert DATA_DIR in BACK_UP
    assert DATA_DIR in RESTORE

    async def back_up() -> tuple[str, bytes]:
        async with open_runtime(Settings(data_dir=data_dir)) as runtime:
            key = await fill(runtime)
            (data_dir / "files").mkdir(exist_ok=True)
            (data_dir / "files" / "evidence").write_bytes(b"as the register said it")
            await asyncio.to_thread(shell, BACK_UP, tmp_path)
            return key, runtime.signing_key

    key, signing_key = asyncio.run(back_up())
    shutil.rmtree(data_dir)
    shell(RESTORE, tmp_path)

    async def look() -> None:
        async with open_runtime(Settings(data_dir=data_dir)) as runtime:
            assert runtime.signing_key == signing_key
            await check(runtime, key)

    asyncio.run(look())
    assert (data_dir / "files" / "evidence").read_bytes() == b"as the register said it"


def test_with_postgresql(postgres_server: PostgresServer, tmp_path: Path) -> None:
    if shutil.which("pg_dump") is None:
        pytest.skip("PostgreSQL's client programs are not installed: apt-get install postgresql-client")
    first, second = (postgres_server.create_database() for _ in range(2))
    try:
        upgrade(first)

        async def back_up() -> str:
            async with open_runtime(Settings(data_dir=tmp_path / "data", database_url=address(first))) as runtime:
                key = await fill(runtime)
                await asyncio.to_thread(shell, DUMP.replace(DATABASE, f"BONAFIDE_DATABASE_URL='{address(first)}'"), tmp_path)
                return key

        key = asyncio.run(back_up())
        shell(LOAD.replace(DATABASE, f"BONAFIDE_DATABASE_URL='{address(second)}'"), tmp_path)

        async def look() -> None:
            async with open_runtime(Settings(data_dir=tmp_path / "data", database_url=address(second))) as runtime:
                await check(runtime, key)

        asyncio.run(look())
    finally:
        for url in (first, second):
            postgres_server.drop_database(url)


def address(url: URL) -> str:
    """As PostgreSQL's own programs and our setting both read it."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
