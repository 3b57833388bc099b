"""`/readyz` tells the truth: what is away and can be done without, what cannot, and that the process is about to end."""

import shutil
from collections.abc import MutableMapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import text

from bonafide.app.application import create_app
from bonafide.runtime import Runtime
from bonafide.server.health import ProcessState
from bonafide.services.operations import readiness
from bonafide.sources.framework.discovery import get_source
from bonafide.store.blobs.file_store import FileStore
from bonafide.store.database.engine import Store
from bonafide.store.database.schema_migration import list_revisions
from tests.support.api.clients import BASE
from tests.support.fleet.small_disks import MEGABYTE, small_disk
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
BEFORE, NEWEST = list_revisions()[-2:]
CLOSED = {"endpoint": "http://127.0.0.1:1", "region": "ca", "access_key_id": "a", "secret_access_key": "b"}


async def ask(runtime: Runtime, path: str = "/readyz") -> httpx2.Response:
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(create_app(runtime)), base_url=BASE) as client:
        return await client.get(path)


async def set_revision(store: Store, revision: str) -> None:
    async with store.write() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})


async def test_a_service_that_is_about_to_end_wants_nobody_new_and_still_answers(runtime: Runtime) -> None:
    ending = replace(runtime, process_state=ProcessState())
    assert "Connection" not in (await ask(ending, "/v1/coverage")).headers
    ending.process_state.drain()
    answer = await ask(ending)
    assert (answer.status_code, answer.json()["code"]) == (503, "SERVER_ERROR")
    assert answer.json()["error"] == "Not ready. life: draining: the service is stopping."
    other = await ask(ending, "/v1/coverage")
    assert (other.status_code, other.headers["Connection"]) == (401, "close")
    assert (await ask(ending, "/healthz")).status_code == 200


async def test_an_older_schema_is_not_ready_and_a_newer_one_serves_until_the_node_is_changed_over(runtime: Runtime) -> None:
    try:
        await set_revision(runtime.store, BEFORE)
        older = await ask(runtime)
        await set_revision(runtime.store, "9999")
        newer = await ask(runtime)
    finally:
        await set_revision(runtime.store, NEWEST)
    assert (older.status_code, older.json()["error"]) == (
        503,
        "Not ready. database: the schema is older: run `bonafide migrate`.",
    )
    assert (newer.status_code, newer.json()["status"], newer.json()["checks"]["database"]["status"]) == (
        200,
        "degraded",
        "degraded",
    )


async def test_without_its_files_a_service_is_degraded_and_ready(runtime: Runtime) -> None:
    without = replace(runtime, files=FileStore.open("s3://documents/", CLOSED), process_state=ProcessState())
    for _ in range(2):
        answer = await ask(without)
        assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
        assert answer.json()["checks"]["files"]["status"] == "degraded"
    assert (await ask(replace(runtime, process_state=ProcessState()))).json()["status"] == "ready"


async def test_a_full_disk_is_noticed_and_named_in_the_log_alone(
    runtime: Runtime,
    sqlite_template: Path,
    tmp_path: Path,
    logged: list[MutableMapping[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("TIMEOUT_S", "WRITE_TIMEOUT_S"):  # a database that is only slow counts as ready
        monkeypatch.setattr(readiness, name, TIMEOUT_S)
    with small_disk(tmp_path / "disk", 8 * MEGABYTE) as disk:
        if not disk.is_mounted:
            pytest.skip("this user can't mount a file system")
        shutil.copyfile(sqlite_template, disk.folder / "bonafide.sqlite3")
        store = Store.open(f"sqlite+aiosqlite:///{disk.folder}/bonafide.sqlite3")
        settings = runtime.settings.model_copy(update={"data_dir": disk.folder})
        small = replace(runtime, store=store, settings=settings, process_state=ProcessState())
        ready = await ask(small)
        disk.fill()
        assert (await ask(small)).json() == ready.json()  # probed a moment ago
        full = await ask(replace(small, process_state=ProcessState()))
        disk.free()
        again = await ask(replace(small, process_state=ProcessState()))
        await store.close()
    assert (ready.status_code, again.status_code) == (200, 200)
    assert (full.status_code, full.json()["error"]) == (
        503,
        "Not ready. database: the database can’t be written: its disk is full, or it is read-only.",
    )
    assert ready.json()["checks"]["data directory"]["status"] == "ok"
    events = {event["event"]: event for event in logged}
    for name in ("database.not_writable", "data_directory.not_writable"):
        assert events[name]["path"] == str(disk.folder)
        assert "Free space" in events[name]["advice"]
    assert "full" in events["database.not_writable"]["problem"]


async def test_a_data_directory_that_is_gone_degrades_the_service(runtime: Runtime, tmp_path: Path) -> None:
    settings = runtime.settings.model_copy(update={"data_dir": tmp_path / "gone"})
    answer = await ask(replace(runtime, settings=settings, process_state=ProcessState()))
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["checks"]["data directory"] == {
        "status": "degraded",
        "note": "the data directory can’t be written: its disk is full, or it is read-only",
    }


async def test_a_source_whose_index_is_damaged_is_named(runtime: Runtime) -> None:
    source = get_source("gleif")
    folder = next(iter(runtime.generations.values())).root / source.key
    folder.mkdir(parents=True)
    (folder / "current").write_text("none", encoding="utf-8")
    answer = await ask(replace(runtime, sources={source.key: source}))
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["checks"]["indexes"] == {"status": "degraded", "note": "damaged indexes: gleif (live)"}
