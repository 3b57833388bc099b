"""Business reports and coverage on the wire: shapes, scopes, redirects, files, and what another organization gets to see."""

import base64
import hashlib
import io
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from fastapi import FastAPI
from pypdf import PdfReader

from bonafide.app.application import create_app
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide_sandbox.publisher_faults import FaultRegistry, StatusFault
from tests.support.api.clients import ManualClock, NewClient, NewKey
from tests.support.api.live_registers import open_live_app

pytestmark = pytest.mark.anyio
SLOW = {"jurisdiction": "BC", "registrationNumber": "BC1000033"}
SLOW_NAME = "Sandbox Slow Registry Inc."
BAKERY = {"jurisdiction": "ON", "registrationNumber": "1000017"}


@pytest.fixture
def faults() -> FaultRegistry:
    return FaultRegistry()


@pytest.fixture
async def app(sandbox_runtime: Runtime, live_world: Path, faults: FaultRegistry) -> AsyncIterator[FastAPI]:
    async with open_live_app(sandbox_runtime, live_world, faults) as opened:
        yield opened


@pytest.fixture
def world() -> World:
    return World.SANDBOX


async def obtained(client: httpx2.AsyncClient, body: Mapping[str, object]) -> dict[str, Any]:
    found: dict[str, object] = (await client.post("/v1/business-reports", json=body)).raise_for_status().json()
    return found


def local(url: str) -> str:
    """The path of an absolute address; the tests' client has an address of its own."""
    return urlsplit(url).path


# ------------------------------------------------------------------------------------------------------------ reports


async def test_a_live_register_is_asked(north: httpx2.AsyncClient) -> None:
    report = await obtained(north, SLOW)
    assert (report["legalName"], report["route"], report["source"], report["cached"]) == (
        "Sandbox Slow Registry Inc.",
        "live",
        "bc",
        False,
    )
    assert (await obtained(north, SLOW))["cached"] is True


async def test_a_loaded_register_is_read(north: httpx2.AsyncClient) -> None:
    report = await obtained(north, BAKERY)
    details = report["businessReport"]["details"]
    assert (report["legalName"], report["route"]) == ("Sandbox Bakery Inc.", "import")
    assert details["nameHistory"][0]["name"] == "Sandbox Oven Ltd."
    assert [person["name"] for person in report["people"]] != []


async def test_it_can_be_read_again_with_a_new_address_of_its_pdf(north: httpx2.AsyncClient, clock: ManualClock) -> None:
    report = await obtained(north, BAKERY)
    clock.move(hours=1)
    again = (await north.get(f"/v1/business-reports/{report['reportId']}")).raise_for_status().json()
    assert again["obtainedAt"] == report["obtainedAt"]
    assert again["businessReport"]["reportUrlExpiresAt"] > report["businessReport"]["reportUrlExpiresAt"]


async def test_evidence_is_what_the_register_sent_with_its_digest(north: httpx2.AsyncClient) -> None:
    report = await obtained(north, SLOW)
    for evidence in report["evidence"]:
        answer = (await north.get(evidence["evidenceUrl"])).raise_for_status()
        digest = hashlib.sha256(answer.content)
        assert digest.hexdigest() == evidence["sha256"]
        assert answer.headers["repr-digest"] == f"sha-256=:{base64.b64encode(digest.digest()).decode()}:"
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["content-disposition"].startswith("attachment")
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("number", ["x", "-1", "1.5", "99999", "٣"])
async def test_a_piece_of_evidence_is_named_by_a_whole_number(north: httpx2.AsyncClient, number: str) -> None:
    report = await obtained(north, BAKERY)
    answer = await north.get(f"/v1/business-reports/{report['reportId']}/evidence/{number}")
    assert (answer.status_code, answer.json()["details"][0]["path"]) == (400, "number")


async def test_nobody_else_sees_any_of_it(north: httpx2.AsyncClient, south: httpx2.AsyncClient) -> None:
    report = await obtained(north, BAKERY)
    document = {"searchId": str(report["searchId"]), "registrationNumber": "1000017", "name": "Sandbox Bakery Inc."}
    paths = [f"/v1/business-reports/{report['reportId']}", f"/v1/business-reports/{report['reportId']}/evidence/0"]
    answers = [await south.get(path) for path in paths] + [await south.get("/v1/business-reports/document", params=document)]
    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(404, "NOT_FOUND")] * 3


async def test_a_number_that_the_register_does_not_have_is_404(north: httpx2.AsyncClient) -> None:
    answer = await north.post("/v1/business-reports", json={**SLOW, "registrationNumber": "BC7654321"})
    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")


async def test_a_register_that_fails_is_503_with_the_time_to_wait(north: httpx2.AsyncClient, faults: FaultRegistry) -> None:
    faults.set_source_fault("bc", StatusFault(429, 30))
    answer = await north.post("/v1/business-reports", json=SLOW)
    assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (503, "SERVER_ERROR", "30")


async def test_an_unknown_field_is_refused_by_name(north: httpx2.AsyncClient) -> None:
    answer = await north.post("/v1/business-reports", json={**BAKERY, "max_age": 3})
    assert answer.status_code == 400
    assert answer.json()["details"][0]["path"] == "max_age"


@pytest.mark.parametrize(("scopes", "read", "write"), [(["reports:read"], 200, 403), (["search:read"], 403, 403)])
async def test_scopes(
    north: httpx2.AsyncClient, new_client: NewClient, new_key: NewKey, scopes: list[str], read: int, write: int
) -> None:
    report = await obtained(north, BAKERY)
    limited = await new_client(await new_key(world=World.SANDBOX, scopes=scopes))
    assert (await limited.get(f"/v1/business-reports/{report['reportId']}")).status_code == read
    assert (await limited.post("/v1/business-reports", json=BAKERY)).status_code == write


# ------------------------------------------------------------------------------------------------------------ documents


async def test_the_document_of_a_match_is_a_redirect_to_a_pdf_that_needs_no_key(
    north: httpx2.AsyncClient, anonymous: httpx2.AsyncClient
) -> None:
    found = (await north.post("/v1/search", json={"name": "Sandbox Bakery"})).raise_for_status().json()
    query = {"searchId": found["meta"]["searchId"], "registrationNumber": "1000017", "name": "Sandbox Bakery Inc."}
    redirect = await north.get("/v1/business-reports/document", params=query)
    assert redirect.status_code == 302
    answer = (await anonymous.get(local(redirect.headers["location"]))).raise_for_status()
    assert answer.headers["content-type"] == "application/pdf"
    assert "Sandbox Bakery Inc." in PdfReader(io.BytesIO(answer.content)).pages[0].extract_text()


async def test_an_address_ends_and_says_so(north: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, clock: ManualClock) -> None:
    report = await obtained(north, BAKERY)
    path = local(report["businessReport"]["reportUrl"])
    assert (await anonymous.get(path)).status_code == 200
    clock.move(minutes=16)
    expired = await anonymous.get(path)
    assert (expired.status_code, expired.json()["code"]) == (404, "NOT_FOUND")
    assert "expired" in expired.json()["error"]


async def test_a_stored_result_has_an_address_that_works_when_it_is_read(
    north: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, clock: ManualClock
) -> None:
    search = (await north.post("/v1/search", json={"name": "Sandbox Bakery Inc."})).raise_for_status().json()
    claim = {**BAKERY, "legalName": "Sandbox Bakery Inc."}
    verification = (await north.post("/v1/verify", json=claim)).raise_for_status().json()
    clock.move(hours=1)
    read = (await north.get(f"/v1/search/{search['meta']['searchId']}")).raise_for_status().json()
    verified = (await north.get(f"/v1/verify/{verification['meta']['verificationId']}")).raise_for_status().json()
    for report in (read["businesses"][0]["businessReport"], verified["registryData"]["businessReport"]):
        path, expires_at = local(report["reportUrl"]), datetime.fromisoformat(report["reportUrlExpiresAt"])
        assert clock.now < expires_at <= clock.now + timedelta(minutes=15)
        assert (await anonymous.get(path)).headers["content-type"] == "application/pdf"
    report["reportUrl"] = verification["registryData"]["businessReport"]["reportUrl"]
    report["reportUrlExpiresAt"] = verification["registryData"]["businessReport"]["reportUrlExpiresAt"]
    assert verified == verification
    clock.move(minutes=15)
    assert (await anonymous.get(path)).status_code == 404


async def test_the_name_of_a_document_must_be_one_of_the_business(north: httpx2.AsyncClient) -> None:
    search = (await north.post("/v1/search", json={"name": "Sandbox Bakery Inc."})).raise_for_status().json()
    report = await obtained(north, BAKERY)
    for search_id in (search["meta"]["searchId"], report["reportId"]):
        for name, status in (("Sandbox Bakery Inc.", 302), ("SANDBOX BAKERY", 302), ("Sandbox Twin Holdings Inc.", 404)):
            query = {"searchId": str(search_id), "registrationNumber": "1000017", "name": name}
            assert (await north.get("/v1/business-reports/document", params=query)).status_code == status


async def test_data_that_is_older_than_was_requested_says_so(north: httpx2.AsyncClient, clock: ManualClock) -> None:
    clock.move(days=1)
    claim = {"legalName": "Sandbox Bakery Inc.", "jurisdiction": "ontario", "registrationNumber": "1000017"}
    for max_age in (None, 0):
        report = await obtained(north, {**BAKERY, "jurisdiction": "Ontario", "maxAge": max_age})
        verified = (await north.post("/v1/verify", json={**claim, "maxAge": max_age})).raise_for_status().json()["registryData"]
        for notes in (report["notes"], verified["notes"]):
            assert ("maxAge" in " ".join(notes)) is (max_age == 0)
    fresh = await obtained(north, {**SLOW, "maxAge": 0})
    assert (fresh["route"], fresh["cached"], "maxAge" in str(fresh["notes"])) == ("live", False, False)


async def test_no_document_without_its_search_or_number(north: httpx2.AsyncClient) -> None:
    found = (await north.post("/v1/search", json={"name": "Sandbox Bakery"})).raise_for_status().json()
    query = {"searchId": found["meta"]["searchId"], "registrationNumber": "424242", "name": "Sandbox Bakery Inc."}
    assert (await north.get("/v1/business-reports/document", params=query)).status_code == 404
    missing = await north.get("/v1/business-reports/document", params={"searchId": query["searchId"]})
    assert (missing.status_code, missing.json()["details"][0]["path"]) == (400, "registrationNumber")


# ------------------------------------------------------------------------------------------------------------ coverage


async def test_every_jurisdiction_is_told_with_its_state(north: httpx2.AsyncClient) -> None:
    overview = (await north.get("/v1/coverage")).raise_for_status().json()
    jurisdictions = {row["jurisdiction"]: row for row in overview["jurisdictions"]}
    assert len(jurisdictions) == 14
    assert all(row["page"].startswith("https://") for row in jurisdictions.values())
    assert (jurisdictions["BC"]["status"], jurisdictions["ON"]["status"]) == ("searched", "searched")
    sources = {row["source"]: row for row in overview["sources"]}
    assert (sources["bc"]["routes"], sources["fed"]["routes"], sources["on"]["routes"]) == (["live"], ["bulk", "live"], ["import"])
    assert sources["cbr"]["status"] == "not_available"
    assert sources["cbr"]["terms"]["acceptedBy"] is None
    assert sources["cbr"]["terms"]["text"] in sources["cbr"]["note"]


async def test_with_nothing_loaded_every_register_that_nobody_can_ask_says_where_a_person_can(
    runtime: Runtime, sandbox_runtime: Runtime, new_key: NewKey, new_client: NewClient
) -> None:
    bare = create_app(replace(sandbox_runtime, generations=runtime.generations))
    client = await replace(new_client, app=bare)(await new_key(world=World.SANDBOX))
    overview = (await client.get("/v1/coverage")).raise_for_status().json()
    for row in overview["jurisdictions"]:
        assert row["status"] == "not_available"
        assert row["note"].endswith(f"You can search it yourself: {row['page']}")
