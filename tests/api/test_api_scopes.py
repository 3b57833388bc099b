"""Requests that read or do something of another resource need that resource's scope as well."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from bonafide.runtime import Runtime
from tests.support.api.clients import NewClient, NewKey
from tests.support.api.generated_description import generated_description

pytestmark = pytest.mark.anyio
ADDRESS = "17 Confidential Lane"
RECORD = {
    "externalId": "crm-1",
    "name": "Prairie Widgets Ltd.",
    "registrationNumber": "7654321",
    "jurisdiction": "AB",
    "street": ADDRESS,
}
CLAIM = {"legalName": "Prairie Widgets Ltd.", "jurisdiction": "AB", "registrationNumber": "7654321"}
HIT = {"source": "ca-sanctions-autonomous", "entryId": "1", "digest": "d"}
DISMISSAL = {"subject": {"name": "Prairie Widgets Ltd."}, "hit": HIT, "reason": "Only the name is the same."}


@pytest.fixture
async def record(north: httpx2.AsyncClient) -> str:
    """The id of a stored business record."""
    found: str = (await north.post("/v1/businesses", json=RECORD)).raise_for_status().json()["business"]["id"]
    return found


async def client_with(new_client: NewClient, new_key: NewKey, *scopes: str) -> httpx2.AsyncClient:
    return await new_client(await new_key(scopes=scopes))


def check_refusal(answer: httpx2.Response, scope: str, parameter: str) -> None:
    assert (answer.status_code, answer.json()["code"]) == (403, "UNAUTHORIZED")
    assert answer.json()["error"] == f"This API key lacks the scope `{scope}`, which `{parameter}` requires."
    assert ADDRESS not in answer.text


@pytest.mark.parametrize("preference", [{}, {"Prefer": "respond-async"}], ids=["now", "later"])
async def test_a_search_by_record_needs_the_scope_of_records(
    new_client: NewClient, new_key: NewKey, runtime: Runtime, record: str, preference: Mapping[str, str]
) -> None:
    client = await client_with(new_client, new_key, "search:read", "search:write")
    for body in ({"businessId": record}, {"businessId": str(uuid4())}, {"name": "Prairie", "businessId": record}):
        check_refusal(await client.post("/v1/search", json=body, headers=preference), "businesses:read", "businessId")
    answer = await client.post("/v1/search", json={"businessExternalId": "crm-1"}, headers=preference)
    check_refusal(answer, "businesses:read", "businessExternalId")
    assert (await client.get("/v1/searches")).json()["searches"] == []
    allowed = await client_with(new_client, new_key, "search:read", "search:write", "businesses:read")
    answer = await allowed.post("/v1/search", json={"businessId": record}, headers=preference)
    assert answer.raise_for_status().json()["meta"]["submitted"]["params"]["address"]["street"] == ADDRESS


async def test_a_search_that_screens_needs_the_scope_of_screening(new_client: NewClient, new_key: NewKey) -> None:
    client = await client_with(new_client, new_key, "search:read", "search:write", "sanctions:read")
    answer = await client.post("/v1/search", json={"name": "Prairie", "sanctionsScreening": True})
    check_refusal(answer, "sanctions:write", "sanctionsScreening")
    for flag in (False, None):
        answer = await client.post("/v1/search", json={"name": "Prairie", "sanctionsScreening": flag})
        assert answer.raise_for_status().json()["sanctions"] is None
    allowed = await client_with(new_client, new_key, "search:write", "sanctions:write")
    answer = await allowed.post("/v1/search", json={"name": "Prairie", "sanctionsScreening": True})
    assert answer.raise_for_status().json()["sanctions"] is not None


async def test_screening_that_the_settings_enable_is_neither_run_nor_left_out_silently(
    north: httpx2.AsyncClient, new_client: NewClient, new_key: NewKey
) -> None:
    (await north.put("/v1/settings", json={"search": {"sanctionsScreening": True}})).raise_for_status()
    client = await client_with(new_client, new_key, "search:read", "search:write")
    answer = await client.post("/v1/search", json={"name": "Prairie"})
    assert (answer.status_code, answer.json()["code"]) == (403, "UNAUTHORIZED")
    assert "`sanctions:write`" in answer.json()["error"]
    answer = await client.post("/v1/search", json={"name": "Prairie", "sanctionsScreening": False})
    assert answer.raise_for_status().json()["sanctions"] is None


async def test_a_verification_by_record_needs_the_scope_of_records(new_client: NewClient, new_key: NewKey, record: str) -> None:
    client = await client_with(new_client, new_key, "verify:read", "verify:write")
    for body in ({"businessId": record}, {**CLAIM, "businessId": record}):
        check_refusal(await client.post("/v1/verify", json=body), "businesses:read", "businessId")
    check_refusal(await client.post("/v1/verify", json={"businessExternalId": "crm-1"}), "businesses:read", "businessExternalId")
    assert (await client.post("/v1/verify", json=CLAIM)).status_code == 202
    check_refusal(
        await client.post("/v1/verify", json={**CLAIM, "sanctionsScreening": True}), "sanctions:write", "sanctionsScreening"
    )
    allowed = await client_with(new_client, new_key, "verify:write", "businesses:read")
    assert (await allowed.post("/v1/verify", json={"businessId": record})).status_code == 202


async def test_a_dismissal_for_a_record_needs_the_scope_of_records(new_client: NewClient, new_key: NewKey, record: str) -> None:
    client = await client_with(new_client, new_key, "sanctions:read", "sanctions:write")
    answer = await client.post("/v1/sanctions/dismissals", json={**DISMISSAL, "businessId": record})
    check_refusal(answer, "businesses:read", "businessId")
    assert (await client.post("/v1/sanctions/dismissals", json=DISMISSAL)).status_code == 404


async def test_a_selection_in_the_search_of_a_record_needs_the_scope_of_records(
    north: httpx2.AsyncClient, new_client: NewClient, new_key: NewKey, record: str
) -> None:
    body: dict[str, Any] = {"name": "Prairie", "matchSelection": True}
    linked, plain = [
        (await north.post("/v1/search", json={**body, **more})).raise_for_status().json()["meta"]["searchId"]
        for more in ({"businessId": record}, {})
    ]
    client = await client_with(new_client, new_key, "search:read", "search:write")
    answer = await client.post(f"/v1/search/{linked}/selection", json={"status": "no_selection"})
    check_refusal(answer, "businesses:read", "businessId")
    (await client.post(f"/v1/search/{plain}/selection", json={"status": "no_selection"})).raise_for_status()
    allowed = await client_with(new_client, new_key, "search:write", "businesses:read")
    (await allowed.post(f"/v1/search/{linked}/selection", json={"status": "no_selection"})).raise_for_status()


async def test_the_document_of_a_search_needs_the_scope_of_searches(
    north: httpx2.AsyncClient, new_client: NewClient, new_key: NewKey
) -> None:
    found = (await north.post("/v1/search", json={"name": "Prairie"})).raise_for_status().json()
    query = {"searchId": found["meta"]["searchId"], "registrationNumber": "7654321"}
    client = await client_with(new_client, new_key, "reports:read", "reports:write")
    check_refusal(await client.get("/v1/business-reports/document", params=query), "search:read", "searchId")
    check_refusal(await client.post("/v1/pdf", json={"searchId": query["searchId"]}), "search:read", "searchId")
    check_refusal(await client.post("/v1/pdf", json={"verificationId": str(uuid4())}), "verify:read", "verificationId")
    check_refusal(await client.post("/v1/pdf", json={"screeningId": str(uuid4())}), "sanctions:read", "screeningId")
    check_refusal(
        await client.post("/v1/pdf", json={"ownershipBusinessId": str(uuid4())}), "businesses:read", "ownershipBusinessId"
    )
    # There is no match with this number, but the key may look for it.
    allowed = await client_with(new_client, new_key, "reports:read", "search:read")
    assert (await allowed.get("/v1/business-reports/document", params=query)).status_code == 404


async def test_a_timeline_needs_the_scopes_of_what_it_lists(new_client: NewClient, new_key: NewKey, record: str) -> None:
    path = f"/v1/businesses/{record}/timeline"
    client = await client_with(new_client, new_key, "businesses:read", "sanctions:read")
    check_refusal(await client.get(path), "events:read", "entries.event")
    client = await client_with(new_client, new_key, "businesses:read", "events:read")
    check_refusal(await client.get(path), "sanctions:read", "entries.screening")
    allowed = await client_with(new_client, new_key, "businesses:read", "events:read", "sanctions:read")
    assert (await allowed.get(path)).status_code == 200


PACK_SCOPES = {
    "searches": "search:read",
    "verifications": "verify:read",
    "businesses": "businesses:read",
    "screenings": "sanctions:read",
    "reports": "reports:read",
    "events": "events:read",
    "cases": "cases:read",
}


async def test_a_pack_needs_the_scope_of_everything_in_it(new_client: NewClient, new_key: NewKey) -> None:
    period = {"from": "2026-01-01T00:00:00Z", "to": "2026-02-01T00:00:00Z"}
    for part, missing in PACK_SCOPES.items():
        others = [scope for scope in (*PACK_SCOPES.values(), "reports:write") if scope != missing]
        client = await client_with(new_client, new_key, *others)
        check_refusal(await client.post("/v1/packs", json=period), missing, part)
    allowed = await client_with(new_client, new_key, "reports:write", *PACK_SCOPES.values())
    assert (await allowed.post("/v1/packs", json=period)).status_code == 202


def test_the_description_names_every_further_scope() -> None:
    described = {
        operation["operationId"]: operation["x-further-scopes"]
        for methods in generated_description()["paths"].values()
        for operation in methods.values()
        if "x-further-scopes" in operation and not operation["operationId"].endswith("Alias")
    }
    assert described == {
        "createSearch": {
            "businessId": "businesses:read",
            "businessExternalId": "businesses:read",
            "sanctionsScreening": "sanctions:write",
        },
        "verifyBusiness": {
            "businessId": "businesses:read",
            "businessExternalId": "businesses:read",
            "sanctionsScreening": "sanctions:write",
        },
        "screen": {"businessId": "businesses:read"},
        "listScreenings": {"businessId": "businesses:read"},
        "readTimeline": {"entries.event": "events:read", "entries.screening": "sanctions:read"},
        "listCases": {"businessId": "businesses:read"},
        "listManualChecks": {"businessId": "businesses:read"},
        "createManualCheck": {
            "businessId": "businesses:read",
            "searchId": "search:read",
            "verificationId": "verify:read",
        },
        **dict.fromkeys(("createPack", "readPack"), PACK_SCOPES),
        "createBatch": {"search": "search:write", "verify": "verify:write", "screen": "sanctions:write"},
        "readBatchResults": {"search": "search:read", "verify": "verify:read", "screen": "sanctions:read"},
        "listBatchErrors": {"search": "search:read", "verify": "verify:read", "screen": "sanctions:read"},
        "listPacks": {"businessId": "businesses:read"},
        "listEvents": {"businessId": "businesses:read"},
        "dismissHit": {"businessId": "businesses:read"},
        "createWebhookEndpoint": {"url": "events:read", "businessIds": "businesses:read"},
        "changeWebhookEndpoint": {"url": "events:read", "businessIds": "businesses:read"},
        "replayRiskRules": {"version": "search:read"},
        "downloadBusinessReport": {"searchId": "search:read"},
        "createPdf": {
            "searchId": "search:read",
            "verificationId": "verify:read",
            "screeningId": "sanctions:read",
            "ownershipBusinessId": "businesses:read",
            "ownershipReviewId": "businesses:read",
        },
    }
