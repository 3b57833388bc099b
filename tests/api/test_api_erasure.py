"""Erasure and retention on the wire."""

from uuid import uuid4

import httpx2
import pytest

from bonafide.app.worker import work_once
from bonafide.runtime import Runtime
from tests.support.api.clients import ManualClock

pytestmark = pytest.mark.anyio
REASON = {"reason": "Request of 2026-11-20, file 2026-118"}
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
