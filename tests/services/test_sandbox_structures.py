"""The ownership structures of the sandbox have the answers that the documentation promises, from the running API."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx2
import pytest

from bonafide.app.application import create_app
from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide_sandbox.demo_records import store_records_by_name
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.generator.ownership_structures import load_structures

pytestmark = pytest.mark.anyio


@pytest.fixture
async def client(runtime: Runtime) -> AsyncIterator[httpx2.AsyncClient]:
    created = await api_access.create_key(runtime, KeyRequest(organization="Demo", world=World.SANDBOX))
    headers = {"Authorization": f"Bearer {created.text}"}
    transport = httpx2.ASGITransport(create_app(runtime))
    async with httpx2.AsyncClient(transport=transport, base_url="http://bonafide.test/v1", headers=headers) as opened:
        yield opened


@pytest.fixture
async def records(runtime: Runtime, client: httpx2.AsyncClient) -> dict[str, UUID]:
    assert client.headers
    return await store_records_by_name(runtime, "Demo")


async def read(client: httpx2.AsyncClient, business_id: UUID) -> dict[str, Any]:
    answer = await client.get(f"/businesses/{business_id}/ownership")
    assert answer.status_code == 200, answer.text
    document: dict[str, Any] = answer.json()
    return document


def get_owners(ownership: dict[str, Any]) -> dict[str, tuple[float, float]]:
    return {owner["party"]: (owner["share"]["min"], owner["share"]["max"]) for owner in ownership["beneficialOwners"]}


async def test_a_chain_over_three_jurisdictions(client: httpx2.AsyncClient, records: dict[str, UUID]) -> None:
    ownership = await read(client, records["sandbox-chain"])
    assert get_owners(ownership) == {"odile": (0.6, 0.6)}
    path = ownership["beneficialOwners"][0]["paths"][0]["parties"]
    jurisdictions = {party["id"]: party["jurisdiction"] for party in ownership["parties"]}
    assert [jurisdictions[party] for party in path] == [None, "LU", "AB", "QC"]
    assert ownership["deemedSanctioned"]["status"] == "not_deemed"
    assert ownership["unknownShare"] == {"min": 0, "max": 0}


async def test_a_cycle(client: httpx2.AsyncClient, records: dict[str, UUID]) -> None:
    ownership = await read(client, records["sandbox-cycle"])
    assert get_owners(ownership) == {"harold": (0.666667, 0.666667), "priscilla": (0.333333, 0.333333)}
    assert ownership["deemedSanctioned"]["status"] == "not_deemed"


async def test_bands_that_straddle_the_threshold(client: httpx2.AsyncClient, records: dict[str, UUID]) -> None:
    ownership = await read(client, records["sandbox-bands"])
    found = {owner["party"]: (owner["share"], owner["isCertain"]) for owner in ownership["beneficialOwners"]}
    assert found == {"fern": ({"min": 0.5, "max": 0.75}, True), "tobias": ({"min": 0.2, "max": 0.3}, False)}
    assert ownership["unknownShare"] == {"min": 0, "max": 0.3}
    assert ownership["deemedSanctioned"]["status"] == "not_deemed"


async def test_a_listed_owner_with_two_holdings(client: httpx2.AsyncClient, records: dict[str, UUID]) -> None:
    business_id = records["sandbox-listed-owner"]
    ownership = await read(client, business_id)
    deemed = ownership["deemedSanctioned"]
    assert (deemed["status"], deemed["share"], deemed["parties"]) == ("deemed", {"min": 0.55, "max": 0.55}, ["listed"])
    assert get_owners(ownership) == {"listed": (0.55, 0.55), "nadia": (0.45, 0.45)}
    assert ownership["unknownShare"] == {"min": 0.55, "max": 0.55}
    request = {"query": "Sandbox Money Services Inc.", "businessId": str(business_id)}
    screening = (await client.post("/sanctions", json=request)).json()["screening"]
    assert (screening["ownership"]["status"], screening["totalMatches"]) == ("deemed", 0)
    search = (await client.post("/search", json={"businessId": str(business_id), "sanctionsScreening": True})).json()
    assert search["sanctions"]["ownership"] == screening["ownership"]


async def test_a_trust(client: httpx2.AsyncClient, records: dict[str, UUID]) -> None:
    ownership = await read(client, records["sandbox-trust"])
    found = {
        owner["party"]: (owner["share"]["max"], owner["controlled"]["min"], owner["controlled"]["max"], owner["isCertain"])
        for owner in ownership["beneficialOwners"]
    }
    assert ownership["unknownShare"] == {"min": 0, "max": 0}
    assert ownership["deemedSanctioned"]["status"] == "not_deemed"
    assert found == {"basil": (0, 1, 1, True), "agatha": (0, 0, 1, False), "rowan": (0.8, 1, 1, True)}


async def test_records_that_exist_stay_as_they_are(runtime: Runtime, client: httpx2.AsyncClient, records: dict[str, UUID]) -> None:
    body = {"asOf": "2026-11-02", "parties": [], "interests": []}
    assert (await client.put(f"/businesses/{records['sandbox-trust']}/ownership", json=body)).status_code == 200
    assert await store_records_by_name(runtime, "Demo") == records
    assert (await read(client, records["sandbox-trust"]))["statements"] == []


async def test_every_structure_is_of_a_fixed_business() -> None:
    known = {(fixed.business.name, fixed.business.register, fixed.business.number) for fixed in KNOWN_BUSINESSES}
    assert {(item.name, item.register, item.number) for item in load_structures()} <= known
