"""`/readyz` tells the truth: what is away and can be done without, what cannot, and that the process is about to end."""

from dataclasses import replace

import httpx2
import pytest
from sqlalchemy import text

from bonafide.app.application import create_app
from bonafide.runtime import Runtime
from bonafide.server.health import ProcessState
from bonafide.sources.framework.discovery import get_source
from bonafide.store.blobs.file_store import FileStore
from bonafide.store.database.engine import Store
from bonafide.store.database.schema_migration import list_revisions
from tests.support.api.clients import BASE

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


async def test_a_source_whose_index_is_damaged_is_named(runtime: Runtime) -> None:
    source = get_source("gleif")
    folder = next(iter(runtime.generations.values())).root / source.key
    folder.mkdir(parents=True)
    (folder / "current").write_text("none", encoding="utf-8")
    answer = await ask(replace(runtime, sources={source.key: source}))
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["checks"]["indexes"] == {"status": "degraded", "note": "damaged indexes: gleif (live)"}
