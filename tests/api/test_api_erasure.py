"""Erasure and retention on the wire."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import uuid4

import httpx2
import pytest

from bonafide.app.application import create_app
from bonafide.app.worker import work_once
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.services.cases.following import update_cases
from tests.support.api.clients import ManualClock, NewClient, NewKey
from tests.support.api.operation_requests import BAKERY

pytestmark = pytest.mark.anyio
REASON = {"reason": "Request of 2026-11-20, file 2026-118"}
BAKERY_NAME = "Sandbox Bakery Inc."
RECORD = {"name": "Quillwander Inc.", "jurisdiction": "AB", "registrationNumber": "7654321"}


async def create_record(client: httpx2.AsyncClient, key: str | None = None) -> str:
    headers = {"Idempotency-Key": key} if key is not None else {}
    found: str = (await client.post("/v1/businesses", json=RECORD, headers=headers)).raise_for_status().json()["business"]["id"]
    return found


async def test_an_erased_business_is_unknown_and_its_stored_responses_are_gone(
    north: httpx2.AsyncClient, runtime: Runtime, clock: ManualClock
) -> None:
    created, erased = str(uuid4()), str(uuid4())
    business = await create_record(north, created)
    path = f"/v1/businesses/{business}"
    answer = await north.post(f"{path}/erase", json=REASON, headers={"Idempotency-Key": erased})
    assert answer.status_code == 202
    again = await north.post(f"{path}/erase", json=REASON, headers={"Idempotency-Key": erased})
    assert (again.status_code, again.json()) == (202, answer.json())
    for suffix in ("", "/audit", "/ownership", "/timeline", "/documents"):
        assert (await north.get(f"{path}{suffix}")).status_code == 404, suffix
    assert (await north.post(f"{path}/erase", json=REASON)).status_code == 404
    assert await work_once(runtime, "worker")
    # Neither is the record created again, nor is its content repeated.
    repeated = await north.post("/v1/businesses", json=RECORD, headers={"Idempotency-Key": created})
    assert (repeated.status_code, repeated.json()["code"]) == (404, "NOT_FOUND")
    assert (await north.get("/v1/businesses")).json()["businesses"] == []
    (event,) = (await north.get("/v1/events")).json()["events"]
    assert (event["type"], event["business"], event["subject"]["id"]) == ("data.erased", None, answer.json()["erasureId"])
    assert "Quillwander" not in (await north.get("/v1/events")).text
    # The number is free again.
    assert await create_record(north) != business


@pytest.mark.parametrize("body", [{}, {"reason": ""}, {"reason": "a\nb"}, {"reason": "x" * 501}])
async def test_an_erasure_needs_a_reason(north: httpx2.AsyncClient, body: dict[str, str]) -> None:
    business = await create_record(north)
    answer = await north.post(f"/v1/businesses/{business}/erase", json=body)
    assert (answer.status_code, answer.json()["details"][0]["path"]) == (400, "reason")
    assert (await north.get(f"/v1/businesses/{business}")).status_code == 200


async def test_a_legal_hold_refuses_erasures_until_it_is_lifted(north: httpx2.AsyncClient, runtime: Runtime) -> None:
    business = await create_record(north)
    settings = (await north.put("/v1/settings", json={"legalHold": True, "retention": {"searches": 365}})).json()
    assert (settings["legalHold"], settings["retention"]["searches"], settings["retention"]["cases"]) == (True, 365, None)
    refused = await north.post(f"/v1/businesses/{business}/erase", json=REASON)
    assert (refused.status_code, refused.json()["code"]) == (409, "CONFLICT")
    # What is not sent stays as it is, and null ends a limit.
    settings = (await north.put("/v1/settings", json={"retention": {"searches": None}})).json()
    assert (settings["legalHold"], settings["retention"]["searches"]) == (True, None)
    await north.put("/v1/settings", json={"legalHold": False})
    assert (await north.post(f"/v1/businesses/{business}/erase", json=REASON)).status_code == 202


@dataclass(frozen=True)
class StoredChecks:
    """A record and the paths of a check of each kind, of which only the screening belongs to no record."""

    record: str
    paths: Mapping[str, str]


async def create_checks(client: httpx2.AsyncClient, runtime: Runtime) -> StoredChecks:
    """A search, a verification, a report and a case of a record, and a screening of nobody."""
    record = (await client.post("/v1/businesses", json={"name": BAKERY_NAME, **BAKERY})).raise_for_status().json()["business"]["id"]
    search = (await client.post("/v1/search", json={"name": BAKERY_NAME, "businessId": record})).raise_for_status().json()
    claim = {**BAKERY, "legalName": BAKERY_NAME, "businessId": record}
    verification = (await client.post("/v1/verify", json=claim)).raise_for_status().json()
    report = (await client.post("/v1/business-reports", json=BAKERY)).raise_for_status().json()
    screening = (await client.post("/v1/sanctions", json={"query": "Quillwander"})).raise_for_status().json()
    comparison = {"declared": [{"name": "Jane Doe"}], "registry": {"consultedOn": "2026-11-01", "individuals": []}}
    review = {"riskRating": "high", "comparison": comparison}
    (await client.post(f"/v1/businesses/{record}/discrepancies", json=review)).raise_for_status()
    while await update_cases(runtime):
        pass
    (case,) = (await client.get("/v1/cases", params={"businessId": record})).raise_for_status().json()["cases"]
    paths = {
        "search": f"/v1/search/{search['meta']['searchId']}",
        "verification": f"/v1/verify/{verification['meta']['verificationId']}",
        "screening": f"/v1/sanctions/{screening['meta']['screeningId']}",
        "report": f"/v1/business-reports/{report['reportId']}",
        "case": f"/v1/cases/{case['id']}",
    }
    return StoredChecks(record, paths)


@pytest.fixture
async def client(sandbox_runtime: Runtime, new_client: NewClient, new_key: NewKey) -> httpx2.AsyncClient:
    """A client of the service on the loaded sandbox."""
    return await replace(new_client, app=create_app(sandbox_runtime))(await new_key(world=World.SANDBOX))


async def test_each_check_is_erased_once_and_its_record_is_kept(
    client: httpx2.AsyncClient, sandbox_runtime: Runtime, clock: ManualClock
) -> None:
    stored = await create_checks(client, sandbox_runtime)
    for kind, path in stored.paths.items():
        clock.move(seconds=1)
        assert (await client.get(path)).status_code == 200, kind
        key = {"Idempotency-Key": str(uuid4())}
        answer = await client.post(f"{path}/erase", json=REASON, headers=key)
        assert (answer.status_code, set(answer.json())) == (202, {"erasureId", "requestedAt"}), kind
        again = await client.post(f"{path}/erase", json=REASON, headers=key)
        assert (again.status_code, again.json()) == (202, answer.json()), kind
        assert (await client.get(path)).status_code == 404, kind
        assert (await client.post(f"{path}/erase", json=REASON)).status_code == 404, kind
    assert (await client.get(f"/v1/businesses/{stored.record}")).json()["business"]["name"] == BAKERY_NAME
    while await work_once(sandbox_runtime, "worker"):
        pass
    events = (await client.get("/v1/events", params={"limit": 100})).json()["events"]
    erased = {event["subject"]["id"] for event in events if event["type"] == "data.erased"}
    assert len(erased) == len(stored.paths)
    assert not {path.rsplit("/", 1)[1] for path in stored.paths.values()} & {event["subject"]["id"] for event in events}


async def test_a_hold_on_a_record_refuses_its_erasure_and_that_of_its_checks(
    client: httpx2.AsyncClient, sandbox_runtime: Runtime, clock: ManualClock
) -> None:
    stored = await create_checks(client, sandbox_runtime)
    record, hold = f"/v1/businesses/{stored.record}", f"/v1/businesses/{stored.record}/legal-hold"
    free = {"businessId": stored.record, "held": False, "reason": None, "setAt": None, "setBy": None}
    assert (await client.get(hold)).json() == free
    held = (await client.put(hold, json={"held": True, "reason": "Court file 118"})).raise_for_status().json()
    assert (held["held"], held["reason"], held["setBy"].startswith("api@")) == (True, "Court file 118", True)
    assert (await client.get(hold)).json() == held
    for path in (record, *(path for kind, path in stored.paths.items() if kind != "screening")):
        clock.move(seconds=1)
        refused = await client.post(f"{path}/erase", json=REASON)
        assert (refused.status_code, refused.json()["code"]) == (409, "CONFLICT"), path
        assert (await client.get(path)).status_code == 200
    assert (await client.post(f"{stored.paths['screening']}/erase", json=REASON)).status_code == 202
    assert (await client.put(hold, json={"held": False, "reason": "Settled"})).json() == free
    log = (await client.get(f"{record}/audit", params={"limit": 100})).json()["entries"]
    assert [entry["new"] for entry in log if entry["field"].startswith("legalHold")] == [
        {"reason": "Court file 118"},
        {"reason": "Settled"},
    ]
    assert (await client.post(f"{record}/erase", json=REASON)).status_code == 202
    assert (await client.get(hold)).status_code == 404


@pytest.mark.parametrize("body", [{}, {"held": True}, {"reason": "x"}, {"held": True, "reason": " "}])
async def test_a_hold_needs_a_reason(north: httpx2.AsyncClient, body: dict[str, object]) -> None:
    business = await create_record(north)
    assert (await north.put(f"/v1/businesses/{business}/legal-hold", json=body)).status_code == 400
    assert (await north.get(f"/v1/businesses/{business}/legal-hold")).json()["held"] is False


async def test_a_key_that_may_only_search_erases_nothing(new_client: NewClient, new_key: NewKey) -> None:
    client = await new_client(await new_key(scopes=("search:read", "search:write")))
    search = (await client.post("/v1/search", json={"name": "Quillwander"})).raise_for_status().json()["meta"]["searchId"]
    refused = await client.post(f"/v1/search/{search}/erase", json=REASON)
    assert (refused.status_code, refused.json()["code"]) == (403, "UNAUTHORIZED")
    assert "`businesses:write`" in refused.json()["error"]
    assert (await client.get(f"/v1/search/{search}")).status_code == 200
