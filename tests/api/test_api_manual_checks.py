"""Manual checks and accepted discrepancies on the wire."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from fastapi import FastAPI

from bonafide.app.application import create_app
from bonafide.model.accounts.organizations import Scope
from bonafide.runtime import Runtime
from bonafide.sources.framework.discovery import discover_sources
from tests.support.api.clients import NewClient, NewKey

pytestmark = pytest.mark.anyio
CHECKS = "/v1/manual-checks"
PDF = b"%PDF-1.7 a page of the register"


@pytest.fixture
def app(runtime: Runtime) -> FastAPI:
    """Every source, of which none is loaded."""
    return create_app(replace(runtime, sources=discover_sources()))


@pytest.fixture
async def check(north: httpx2.AsyncClient) -> dict[str, Any]:
    """An open check of a record."""
    sent = {"externalId": "cod", "name": "Cod & Capelin Ltd.", "jurisdiction": "NL", "registrationNumber": "77001"}
    business = (await north.post("/v1/businesses", json=sent)).json()["business"]["id"]
    answer = await north.post(CHECKS, json={"businessId": business})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def test_a_check_is_created_once_uploaded_to_and_answered(north: httpx2.AsyncClient, check: dict[str, Any]) -> None:
    again = await north.post(CHECKS, json={"businessId": check["businessId"]})
    assert (again.status_code, again.json()) == (200, check)
    assert (check["status"], check["name"], check["registrationNumber"]) == ("open", "Cod & Capelin Ltd.", "77001")
    path = f"{CHECKS}/{check['id']}"
    files = {"file": ("page.pdf", PDF, "application/pdf")}
    attached = await north.post(f"{path}/attachments", files=files)
    assert attached.status_code == 201, attached.text
    found = await north.get(f"{path}/attachments/{attached.json()['id']}")
    assert (found.content, found.headers["Content-Type"]) == (PDF, "application/octet-stream")
    body = {"found": True, "name": "COD & CAPELIN LTD.", "registrationNumber": "77001", "attachmentId": attached.json()["id"]}
    key = {"Idempotency-Key": uuid4().hex}
    done = await north.post(f"{path}/result", json=body, headers=key)
    assert done.status_code == 200, done.text
    repeated = await north.post(f"{path}/result", json=body, headers=key)
    assert (repeated.content, repeated.headers["Idempotent-Replayed"]) == (done.content, "true")
    assert (await north.get(path)).json() == done.json()
    refused = await north.post(f"{path}/result", json=body)
    assert (refused.status_code, refused.json()["code"]) == (409, "CONFLICT")
    verified = await north.post("/v1/verify", json={"businessId": check["businessId"]})
    assert verified.status_code == 200, verified.text
    assert verified.json()["manualCheck"]["id"] == check["id"]
    assert verified.json()["registryData"]["route"] == "manual"
    entries = (await north.get(f"{path}/audit")).json()["entries"]
    assert [entry["field"].removeprefix("manual_check.") for entry in entries] == ["opened", "attached", "completed"]


async def test_the_feed_of_checks_skips_none(north: httpx2.AsyncClient, check: dict[str, Any]) -> None:
    other = (await north.post(CHECKS, json={"businessId": check["businessId"], "source": "nb"})).json()
    first = (await north.get(CHECKS, params={"limit": 1})).json()
    assert [one["id"] for one in first["manualChecks"]] == [check["id"]]
    second = (await north.get(CHECKS, params={"cursor": first["cursor"]["next"]})).json()
    assert [one["id"] for one in second["manualChecks"]] == [other["id"]]
    await north.post(f"{CHECKS}/{check['id']}/cancel", json={"note": "Withdrawn."})
    third = (await north.get(CHECKS, params={"cursor": second["cursor"]["next"]})).json()
    assert [(one["id"], one["status"]) for one in third["manualChecks"]] == [(check["id"], "cancelled")]
    for query, expected in ({"status": "open"}, [other]), ({"source": "nl"}, [check]), ({"businessId": str(uuid4())}, []):
        listed = (await north.get(CHECKS, params=query)).json()["manualChecks"]
        assert [one["id"] for one in listed] == [one["id"] for one in expected]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"found": True, "name": "Cod"}, "registrationNumber"),
        ({"found": True, "registrationNumber": "1"}, "name"),
        ({"found": False, "name": "Cod"}, "name"),
        ({"found": False, "people": [{"name": "Ada"}]}, "people"),
        ({}, "found"),
    ],
)
async def test_a_result_says_what_it_must(
    north: httpx2.AsyncClient, check: dict[str, Any], body: dict[str, Any], field: str
) -> None:
    answer = await north.post(f"{CHECKS}/{check['id']}/result", json=body)
    assert answer.status_code == 400
    assert answer.json()["details"][0]["path"] == field


async def test_a_reference_needs_the_scope_to_read_it(
    north: httpx2.AsyncClient, check: dict[str, Any], new_client: NewClient, new_key: NewKey
) -> None:
    limited = await new_client(await new_key(scopes=(Scope.CASES_READ, Scope.CASES_WRITE)))
    for field in ("businessId", "searchId", "verificationId"):
        answer = await limited.post(CHECKS, json={field: check["businessId"], "jurisdiction": "NL"})
        assert (answer.status_code, answer.json()["code"]) == (403, "UNAUTHORIZED")
    assert (await limited.get(CHECKS, params={"businessId": check["businessId"]})).status_code == 403
    nothing = await north.post(CHECKS, json={})
    assert nothing.status_code == 400


async def test_a_discrepancy_is_accepted_and_revoked(north: httpx2.AsyncClient, check: dict[str, Any]) -> None:
    seen = {"found": True, "name": "Another Name Inc.", "registrationNumber": "77001"}
    await north.post(f"{CHECKS}/{check['id']}/result", json=seen)
    document = (await north.post("/v1/verify", json={"businessId": check["businessId"]})).json()
    path = f"/v1/verify/{document['meta']['verificationId']}"
    listed = (await north.get(f"{path}/discrepancies")).json()
    assert (listed["openCount"], [one["field"] for one in listed["discrepancies"]]) == (1, ["legalName"])
    sent = {"reasonCode": "discrepancy_explained", "note": "See the certificate."}
    accepted = await north.post(f"{path}/discrepancies/legalName/accept", json=sent)
    assert accepted.status_code == 200, accepted.text
    assert accepted.json()["openCount"] == 0
    shown = (await north.get(path)).json()
    assert [one["reasonCode"] for one in shown.pop("acceptedDiscrepancies")] == ["discrepancy_explained"]
    assert shown["results"] == document["results"]
    assert not (await north.get(f"/v1/businesses/{check['businessId']}")).json()["business"]["hasUnresolvedDiscrepancies"]
    printed = await north.post("/v1/pdf", json={"verificationId": document["meta"]["verificationId"]})
    assert printed.status_code == 200
    revoked = await north.post(f"{path}/discrepancies/legalName/revoke", json={})
    assert (revoked.json()["openCount"], "acceptedDiscrepancies" in (await north.get(path)).json()) == (1, False)
    for field, status in ("legalName", 409), ("people.0", 404):
        assert (await north.post(f"{path}/discrepancies/{field}/revoke", json={})).status_code == status
