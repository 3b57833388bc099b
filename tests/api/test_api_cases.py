"""Cases on the wire: listed as a feed, worked on, decided once, with attachments as forms and in JSON."""

import asyncio
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from bonafide.model.accounts.organizations import Scope
from bonafide.runtime import Runtime
from bonafide.services.cases.following import update_cases
from tests.support.api.clients import NewClient, NewKey

pytestmark = pytest.mark.anyio
PATH = "/v1/cases"
PDF = b"%PDF-1.7 a scanned extract"
DECISION = {"decision": "reject", "reasonCode": "not_verified", "note": "No such register entry."}


async def open_discrepancy(client: httpx2.AsyncClient, name: str = "Acme", owner: str = "Jane Doe") -> str:
    """Open a discrepancy of a business record of this name; returns the ID of the record."""
    record = (await client.post("/v1/businesses", json={"externalId": name, "name": name})).json()["business"]
    found = {"kind": "extra_owner", "registry": {"name": owner}, "reason": "Seen in the register."}
    answer = await client.post(f"/v1/businesses/{record['id']}/discrepancies", json={"riskRating": "low", "discrepancy": found})
    assert answer.status_code == 201, answer.text
    return str(record["id"])


async def listed(runtime: Runtime, client: httpx2.AsyncClient, **query: Any) -> list[dict[str, Any]]:
    while await update_cases(runtime):
        pass
    answer = await client.get(PATH, params=query)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["cases"]
    return found


@pytest.fixture
async def case(runtime: Runtime, north: httpx2.AsyncClient) -> str:
    """The path of a case."""
    await open_discrepancy(north)
    (found,) = await listed(runtime, north)
    return f"{PATH}/{found['id']}"


async def test_the_feed_has_each_change_after_the_cursor(runtime: Runtime, north: httpx2.AsyncClient) -> None:
    for name in ("Acme", "Beta", "Ceta"):
        await open_discrepancy(north, name)
    assert [one["name"] for one in await listed(runtime, north)] == ["Acme", "Beta", "Ceta"]
    first = (await north.get(PATH, params={"limit": 2})).json()
    assert ([one["number"] for one in first["cases"]], first["pagination"]["hasMore"]) == ([1, 2], True)
    cursor = first["cursor"]["next"]
    await north.patch(f"{PATH}/{first['cases'][0]['id']}", json={"priority": "urgent"})
    rest = (await north.get(PATH, params={"cursor": cursor})).json()
    assert [(one["number"], one["priority"]) for one in rest["cases"]] == [(3, "high"), (1, "urgent")]


async def test_the_filters_choose_cases(runtime: Runtime, north: httpx2.AsyncClient) -> None:
    acme, beta = await open_discrepancy(north, "Acme"), await open_discrepancy(north, "Beta")
    assert len(await listed(runtime, north, status="open", kind="ownership_discrepancy", assignee="none")) == 2
    assert await listed(runtime, north, kind="sanctions_hit") == []
    assert await listed(runtime, north, status="decided") == []
    (found,) = await listed(runtime, north, businessId=acme)
    assert found["business"]["id"] == acme
    assert found["openItems"] == [{"kind": "ownership_discrepancy", "count": 1}]
    due = found["dueAt"][:10]
    assert len(await listed(runtime, north, due=due)) == 2
    assert await listed(runtime, north, due="2026-01-01") == []
    assert await listed(runtime, north, businessId=beta, due="9999-12-31") != []
    assert (await north.get(PATH, params={"kind": "other"})).status_code == 400


async def test_a_decision_is_made_once(north: httpx2.AsyncClient, case: str) -> None:
    key = {"Idempotency-Key": uuid4().hex}
    answer = await north.post(f"{case}/decision", json=DECISION, headers=key)
    assert answer.status_code == 200, answer.text
    done = answer.json()
    assert (done["status"], done["outcome"], done["items"][0]["status"]) == ("decided", "rejected", "decided")
    again = await north.post(f"{case}/decision", json=DECISION, headers=key)
    assert (again.json(), again.headers["Idempotent-Replayed"]) == (done, "true")
    refused = await north.post(f"{case}/decision", json=DECISION)
    assert (refused.status_code, refused.json()["code"]) == (409, "CONFLICT")
    assert done["decisions"][0]["decidedBy"] in refused.json()["error"]
    assert (await north.get(case)).json() == done


async def test_two_requests_at_once_are_one_decision(north: httpx2.AsyncClient, case: str) -> None:
    both = await asyncio.gather(*(north.post(f"{case}/decision", json=DECISION) for _ in range(2)))
    assert sorted(answer.status_code for answer in both) == [200, 409]


async def test_notes_and_the_audit_log(north: httpx2.AsyncClient, case: str) -> None:
    added = await north.post(f"{case}/notes", json={"text": "Asked the client."})
    assert added.status_code == 201, added.text
    assert (await north.get(case)).json()["notes"] == [added.json()]
    fields = [entry["field"] for entry in (await north.get(f"{case}/audit")).json()["entries"]]
    assert fields == ["case.opened", "case.item_opened", "case.noted"]


async def test_a_file_is_attached_by_a_form_once(north: httpx2.AsyncClient, case: str) -> None:
    key = {"Idempotency-Key": uuid4().hex}
    # Each request has its own boundary.
    first, again = [
        await north.post(f"{case}/attachments", files={"file": ("extract.pdf", PDF, "application/pdf")}, headers=key)
        for _ in range(2)
    ]
    assert first.status_code == 201, first.text
    made = first.json()
    assert (made["name"], made["mediaType"], made["size"]) == ("extract.pdf", "application/pdf", len(PDF))
    assert (again.json(), again.headers["Idempotent-Replayed"]) == (made, "true")
    other = await north.post(f"{case}/attachments", files={"file": ("other.pdf", PDF, "application/pdf")}, headers=key)
    assert other.status_code == 409
    content = await north.get(f"{case}/attachments/{made['id']}")
    assert (content.content, content.headers["content-type"]) == (PDF, "application/octet-stream")
    assert (await north.get(case)).json()["attachments"] == [made]


async def test_a_file_is_attached_in_json(north: httpx2.AsyncClient, case: str) -> None:
    added = await north.post(f"{case}/attachments", json={"name": "extract.pdf", "content": "JVBERi0xLjcK"})
    assert added.status_code == 201, added.text


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"files": {"file": ("a.exe", b"MZ\x90", "application/pdf")}}, "file"),
        ({"files": {"other": ("a.pdf", PDF, "application/pdf")}}, "file"),
        ({"files": [("file", ("a.pdf", PDF)), ("file", ("b.pdf", PDF))]}, "file"),
        ({"content": b"--x\r\nnothing", "headers": {"Content-Type": "multipart/form-data; boundary=x"}}, "file"),
        ({"content": PDF, "headers": {"Content-Type": "multipart/form-data"}}, "file"),
        ({"json": {"name": "a.pdf", "content": "%%%"}}, "content"),
    ],
    ids=["program", "other part", "two files", "cut off", "no boundary", "no base64"],
)
async def test_another_body_is_no_attachment(north: httpx2.AsyncClient, case: str, sent: dict[str, Any], field: str) -> None:
    for key in ({}, {"Idempotency-Key": uuid4().hex}):
        answer = await north.post(f"{case}/attachments", **{**sent, "headers": {**sent.get("headers", {}), **key}})
        assert answer.status_code == 400, answer.text
        assert [detail["path"] for detail in answer.json()["details"]] == [field]
    assert (await north.get(case)).json()["attachments"] == []


async def test_a_business_needs_its_scope(new_client: NewClient, new_key: NewKey) -> None:
    reader = await new_client(await new_key(scopes=(Scope.CASES_READ,)))
    assert (await reader.get(PATH)).status_code == 200
    refused = await reader.get(PATH, params={"businessId": str(uuid4())})
    assert (refused.status_code, "`businesses:read`" in refused.json()["error"]) == (403, True)


async def test_what_is_not_a_change_is_refused(north: httpx2.AsyncClient, case: str) -> None:
    for change in ({"status": "decided"}, {"assignee": "nobody@north.example"}, {"priority": None}):
        assert (await north.patch(case, json=change)).status_code == 400
    stale = await north.patch(case, json={"priority": "low", "expectedUpdatedAt": "2020-01-01T00:00:00Z"})
    assert (stale.status_code, stale.json()["code"]) == (409, "STALE_WRITE")
    assert (await north.patch(f"{PATH}/{uuid4()}", json={})).status_code == 404
