"""Batches on the wire: a file or rows are sent once, done by workers, and their results downloaded."""

import io
import json
from uuid import uuid4

import httpx2
import pyarrow.parquet as pq
import pytest

from bonafide.app.worker import work_once
from bonafide.runtime import Runtime
from tests.support.api.clients import ManualClock, NewClient, NewKey

pytestmark = pytest.mark.anyio
PATH = "/v1/batches"
CSV = b'Client;Entreprise\nC-1;Quiet Harbour Ropes Ltd.\nC-2;\n"C-3";"=Acme; Ltd."\n'
FORM = {"kind": "screen", "mapping": json.dumps({"name": "Entreprise", "reference": "Client"}), "parameters": '{"limit": 2}'}


async def work(runtime: Runtime) -> None:
    while await work_once(runtime, "worker"):
        pass


async def test_a_file_is_screened_once_and_its_results_are_downloaded(
    runtime: Runtime, north: httpx2.AsyncClient, south: httpx2.AsyncClient
) -> None:
    files = {"file": ("clients.csv", CSV, "text/csv")}
    key = {"Idempotency-Key": uuid4().hex}
    accepted, repeated = [await north.post(PATH, data=FORM, files=files, headers=key) for _ in range(2)]
    assert (accepted.status_code, repeated.json()) == (202, accepted.json())
    other = await north.post(PATH, data=FORM | {"kind": "search"}, files=files, headers=key)
    assert other.status_code == 409
    queued = accepted.json()
    assert accepted.headers["Location"] == f"{PATH}/{queued['id']}"
    assert (queued["status"], queued["format"], queued["fileName"], queued["rows"]) == ("queued", "csv", "clients.csv", None)
    assert (queued["mapping"]["name"], queued["parameters"]["limit"]) == ("Entreprise", 2)
    results = f"{PATH}/{queued['id']}/results"
    assert (await north.get(results)).status_code == 409
    await work(runtime)
    done = (await north.get(f"{PATH}/{queued['id']}")).json()
    # No list is loaded.
    assert (done["status"], done["rows"], done["done"], done["failed"]) == ("completed", 3, 3, 3)
    lines = [json.loads(line) for line in (await north.get(results)).text.splitlines()]
    assert [(line["row"], line["line"], line["reference"]) for line in lines] == [(1, 2, "C-1"), (2, 3, "C-2"), (3, 4, "C-3")]
    table = await north.get(results, params={"format": "parquet"})
    assert table.headers["Content-Disposition"] == f'attachment; filename="batch-{queued["id"]}.parquet"'
    assert pq.read_table(io.BytesIO(table.content)).to_pylist() == lines
    assert "'=Acme; Ltd." in (await north.get(results, params={"format": "csv"})).text
    assert (await north.get(results, params={"format": "xlsx"})).content.startswith(b"PK")
    errors = (await north.get(f"{PATH}/{queued['id']}/errors", params={"limit": 2})).json()
    assert ([error["line"] for error in errors["errors"]], errors["pagination"]["hasMore"]) == ([2, 3], True)
    assert errors["errors"][1]["reason"] == "name: is required"
    assert (await south.get(results)).status_code == 404


async def test_rows_are_sent_as_json_and_batches_listed(runtime: Runtime, clock: ManualClock, north: httpx2.AsyncClient) -> None:
    body = {"kind": "search", "rows": [{"name": "Quiet Harbour Ropes Ltd.", "jurisdiction": "ON"}]}
    made = []
    for _ in range(3):
        made.append((await north.post(PATH, json=body)).raise_for_status().json()["id"])
        clock.move(seconds=1)
    first = (await north.get(PATH, params={"limit": 2})).json()
    rest = (await north.get(PATH, params={"limit": 2, "cursor": first["cursor"]["next"]})).json()
    assert [batch["id"] for batch in (*first["batches"], *rest["batches"])] == made[::-1]
    assert (first["pagination"]["hasMore"], rest["pagination"]["hasMore"]) == (True, False)


async def test_a_field_of_the_last_row_alone_is_used(runtime: Runtime, north: httpx2.AsyncClient) -> None:
    rows = [{"name": "Acme"}] * 150 + [{"name": "Acme", "reference": "last"}]
    made = (await north.post(PATH, json={"kind": "screen", "rows": rows})).json()
    assert made["mapping"]["reference"] == "reference"
    await work(runtime)
    lines = (await north.get(f"{PATH}/{made['id']}/results")).text.splitlines()
    assert [json.loads(line)["reference"] for line in (lines[0], lines[-1])] == [None, "last"]


async def test_a_batch_is_paused_resumed_and_cancelled(runtime: Runtime, north: httpx2.AsyncClient) -> None:
    made = (await north.post(PATH, json={"kind": "screen", "rows": [{"name": "Acme"}]})).json()
    path = f"{PATH}/{made['id']}"
    for action, status in (("pause", "paused"), ("pause", "paused"), ("resume", "queued"), ("cancel", "cancelled")):
        changed = await north.patch(path, json={"action": action})
        assert (changed.status_code, changed.json()["status"]) == (200, status)
    assert (await north.patch(path, json={"action": "resume"})).status_code == 409
    assert (await north.patch(path, json={"action": "stop"})).status_code == 400
    assert (await north.patch(f"{PATH}/{uuid4()}", json={"action": "pause"})).status_code == 404
    await work(runtime)
    assert (await north.get(f"{path}/results")).text == ""


@pytest.mark.parametrize(
    ("form", "name", "content", "path"),
    [
        ({}, "a.csv", CSV, "kind"),
        ({"kind": "verify"}, "a.csv", CSV, "mapping.jurisdiction"),
        (FORM | {"mapping": "[1]"}, "a.csv", CSV, "mapping"),
        (FORM | {"mapping": "{"}, "a.csv", CSV, "mapping"),
        (FORM | {"parameters": '{"limit": 11}'}, "a.csv", CSV, "parameters.limit"),
        (FORM | {"other": "x"}, "a.csv", CSV, "other"),
        (FORM, "a.pdf", CSV, "format"),
        (FORM, "a.xlsx", CSV, "file"),
        (FORM, "a.csv", b"", "file"),
    ],
)
async def test_a_form_that_is_invalid_names_the_part(
    north: httpx2.AsyncClient, form: dict[str, str], name: str, content: bytes, path: str
) -> None:
    for headers in ({}, {"Idempotency-Key": uuid4().hex}):
        files = {"file": (name, content, "application/octet-stream")}
        refused = await north.post(PATH, data=form, files=files, headers=headers)
        assert (refused.status_code, refused.json()["details"][0]["path"]) == (400, path)


async def test_a_file_may_be_larger_than_a_document_and_not_larger_than_its_limit(
    runtime: Runtime, north: httpx2.AsyncClient
) -> None:
    large = b"name\n" + b"Quiet Harbour Ropes Ltd.\n" * (runtime.settings.max_body_bytes // 20)
    accepted = await north.post(PATH, data={"kind": "screen"}, files={"file": ("a.csv", large, "text/csv")})
    assert accepted.status_code == 202
    assert (await north.post(PATH, content=b"x" * 2_000_000, headers={"Content-Type": "application/json"})).status_code == 413


async def test_the_name_of_a_file_may_be_anything(north: httpx2.AsyncClient) -> None:
    for name, stored in (
        ("a\u200b\u202e.csv", "a.csv"),
        ("../../etc/x.csv", "../../etc/x.csv"),
        (f"{'é' * 300}.csv", f"{'é' * 196}.csv"),
    ):
        made = await north.post(PATH, data={"kind": "screen"}, files={"file": (name, b"name\nAcme\n", "text/csv")})
        assert (made.status_code, made.json()["fileName"]) == (202, stored)


async def test_a_key_needs_the_scopes_of_the_kind(new_client: NewClient, new_key: NewKey) -> None:
    client = await new_client(await new_key(scopes=("batches:write", "batches:read", "search:write")))
    refused = await client.post(PATH, json={"kind": "screen", "rows": [{"name": "Acme"}]})
    assert (refused.status_code, "sanctions:write" in refused.json()["error"]) == (403, True)
    made = await client.post(PATH, json={"kind": "search", "rows": [{"name": "Acme"}]})
    assert made.status_code == 202
    assert (await client.get(f"{PATH}/{made.json()['id']}/errors")).status_code == 403
