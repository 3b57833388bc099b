"""The reconciliation service: its documents against their schemas, candidates, values, and keys in addresses."""

import json
from collections.abc import Mapping, MutableMapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from fastapi import FastAPI
from jsonschema_rs import ValidationError

from bonafide.api.reconciliation.requests import BATCH_SIZE
from bonafide.app.application import create_app
from bonafide.model.accounts.organizations import Scope, World
from bonafide.runtime import Runtime, build_generation_stores
from tests.support.api.clients import BASE, NewClient, NewKey
from tests.support.reconciliation.schemas import SCHEMAS, validate

pytestmark = pytest.mark.anyio
BAKERY = "ON:1000017"
BAKERY_NAME = "Sandbox Bakery Inc."


@pytest.fixture
def app(sandbox_runtime: Runtime) -> FastAPI:
    return create_app(sandbox_runtime)


@pytest.fixture
def world() -> World:
    return World.SANDBOX


@pytest.fixture
async def key(new_key: NewKey) -> str:
    """A key that may be in an address."""
    return await new_key(world=World.SANDBOX, scopes=[Scope.SEARCH_READ])


async def reconcile(client: httpx2.AsyncClient, **queries: Mapping[str, object]) -> dict[str, Any]:
    response = (await client.post("/reconcile", data={"queries": json.dumps(queries)})).raise_for_status()
    found: dict[str, Any] = response.json()
    validate("results", found)
    assert found.keys() == queries.keys()
    return found


async def find(client: httpx2.AsyncClient, query: Mapping[str, object]) -> list[dict[str, Any]]:
    """The candidates of one query."""
    found: list[dict[str, Any]] = (await reconcile(client, q0=query))["q0"]["result"]
    return found


def name_property(pid: str, value: object) -> dict[str, object]:
    return {"pid": pid, "v": value}


# ------------------------------------------------------------------------------------------------------------ manifest


async def test_the_manifest_names_the_loaded_registers(north: httpx2.AsyncClient) -> None:
    manifest = (await north.get("/reconcile")).raise_for_status().json()
    validate("manifest", manifest)
    assert "ON" in manifest["name"]
    assert manifest["authentication"]["name"] == "X-API-Key"
    assert (await north.get(urlsplit(manifest["documentation"]).path)).status_code == 200
    assert (await north.get("/reconcile", headers={"Accept-Language": "fr"})).json()["name"] != manifest["name"]


async def test_only_the_manifest_needs_no_key(anonymous: httpx2.AsyncClient) -> None:
    manifest = (await anonymous.get("/reconcile")).raise_for_status().json()
    validate("manifest", manifest)
    assert "ON" not in manifest["name"]
    queries = json.dumps({"q0": {"query": BAKERY_NAME}})
    for path in (f"/reconcile?queries={queries}", "/reconcile/suggest/type", "/reconcile/properties", "/reconcile/preview"):
        assert (await anonymous.get(path)).status_code == 401


def test_the_schemas_refuse_what_the_specification_forbids() -> None:
    wrong: dict[str, Any] = {
        "manifest": {"versions": ["0.1"], "name": "x", "identifierSpace": "urn:x", "schemaSpace": "urn:y"},
        "results": {"q0": [{"id": "1", "name": "x", "score": 1}]},
        "entities": {"result": [{"id": "1"}]},
        "properties": {"result": {}},
        "types": {"result": ["registration"]},
        "proposals": {"result": []},
        "values": {"meta": [], "rows": {"1": {"p": ["text"]}}},
    }
    assert wrong.keys() == SCHEMAS.keys()
    for kind, document in wrong.items():
        with pytest.raises(ValidationError):
            validate(kind, document)


# ---------------------------------------------------------------------------------------------------------- candidates


async def test_a_name_finds_its_registration(north: httpx2.AsyncClient) -> None:
    [best, *_] = await find(north, {"query": BAKERY_NAME, "properties": [name_property("jurisdiction", "Ontario")]})
    assert (best["id"], best["name"], best["score"], best["match"]) == (BAKERY, BAKERY_NAME, 100, True)
    assert "Ontario" in best["description"]
    assert {"id": "legalName", "value": 100} in best["features"]
    assert [kind["id"] for kind in best["type"]] == ["corporation", "registration"]


async def test_the_properties_of_a_row_are_evidence(north: httpx2.AsyncClient) -> None:
    properties = [
        name_property("registrationNumber", 1000017.0),
        name_property("address", "100 King Street West, Toronto ON"),
        name_property("postalCode", "M5X 1A9"),
    ]
    [best, *_] = await find(north, {"query": "Bakery", "properties": properties})
    assert (best["id"], best["match"]) == (BAKERY, True)
    assert {"registrationNumber", "address"} <= {feature["id"] for feature in best["features"]}


async def test_a_number_alone_is_looked_up(north: httpx2.AsyncClient) -> None:
    number = name_property("registrationNumber", "1000017")
    certain = await find(north, {"properties": [number, name_property("jurisdiction", "ON")]})
    anywhere = await find(north, {"properties": [number]})
    assert [(one["id"], one["match"]) for one in certain] == [(BAKERY, True)]
    assert BAKERY in {one["id"] for one in anywhere}
    assert not any(one["match"] for one in anywhere)


async def test_an_identifier_finds_its_entity(north: httpx2.AsyncClient) -> None:
    [best] = await find(north, {"query": BAKERY})
    assert (best["id"], best["score"], best["match"]) == (BAKERY, 100, True)


async def test_a_type_filters(north: httpx2.AsyncClient) -> None:
    assert await find(north, {"query": BAKERY_NAME, "type": "corporation"}) != []
    kinds = {kind["id"] for one in await find(north, {"query": BAKERY_NAME, "type": "trust"}) for kind in one["type"]}
    assert "corporation" not in kinds


async def test_a_cell_that_is_no_jurisdiction_fails_no_batch_and_is_never_certain(north: httpx2.AsyncClient) -> None:
    query = {"query": BAKERY_NAME, "properties": [name_property("jurisdiction", "Narnia"), name_property("city", "")]}
    found = await reconcile(north, q0=query, q1={"query": BAKERY_NAME})
    assert "Narnia" in found["q0"]["warnings"][0]
    assert not any(one["match"] for one in found["q0"]["result"])
    assert found["q1"]["result"][0]["name"] == BAKERY_NAME


async def test_a_huge_or_empty_cell_fails_no_batch(north: httpx2.AsyncClient) -> None:
    huge = "x" * 10_000
    cells: dict[str, Mapping[str, object]] = {
        "name": {"query": f"{BAKERY_NAME} {huge}"},
        "value": {"query": BAKERY_NAME, "properties": [name_property("street", huge), name_property("city", None)]},
        "control": {"query": f"{BAKERY_NAME}\0", "properties": [name_property("registrationNumber", "\0")]},
        "number": {"query": BAKERY_NAME, "properties": [name_property("registrationNumber", 1e300)]},
        "good": {"query": BAKERY_NAME},
    }
    found = await reconcile(north, **cells)
    assert found["good"]["result"][0]["match"]
    for key in ("name", "value"):
        assert len(found[key]["warnings"]) == 1
        assert not any(one["match"] for one in found[key]["result"])
    assert found["control"]["result"][0]["id"] == found["number"]["result"][0]["id"] == BAKERY


async def test_an_unknown_property_is_refused(north: httpx2.AsyncClient) -> None:
    queries = json.dumps({"q0": {"query": BAKERY_NAME, "properties": [name_property("colour", "red")]}})
    refused = await north.post("/reconcile", data={"queries": queries})
    assert (refused.status_code, refused.json()["code"]) == (400, "VALIDATION_ERROR")
    assert "registrationNumber" in refused.json()["error"]


@pytest.mark.parametrize(
    ("queries", "status"),
    [
        ("[]", 400),
        ("{", 400),
        ('{"q0": {}}', 400),
        ('{"q0": {"query": "x", "colour": 1}}', 400),
        ('{"q0": {"query": "x", "limit": 0}}', 400),
        (json.dumps({f"q{number}": {"query": "x"} for number in range(BATCH_SIZE + 1)}), 413),
    ],
)
async def test_a_malformed_batch_is_refused(north: httpx2.AsyncClient, queries: str, status: int) -> None:
    assert (await north.post("/reconcile", data={"queries": queries})).status_code == status


async def test_the_body_must_be_a_form(north: httpx2.AsyncClient) -> None:
    assert (await north.post("/reconcile", json={"queries": {}})).status_code == 415


async def test_what_is_not_loaded_is_no_empty_answer(
    sandbox_runtime: Runtime, runtime: Runtime, north: httpx2.AsyncClient, key: str
) -> None:
    ontario = replace(sandbox_runtime, sources={"on": sandbox_runtime.sources["on"]})
    query = {"query": BAKERY_NAME, "properties": [name_property("jurisdiction", ["ON", "QC"])]}
    values = {"extend": json.dumps({"ids": ["QC:1000017"], "properties": [{"id": "status"}]})}
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(create_app(ontario)), base_url=BASE, headers=north.headers
    ) as some:
        found = (await reconcile(some, q0=query))["q0"]
        refused = await some.post("/reconcile", data=values)
    assert found["result"][0]["id"] == BAKERY
    assert [missing["jurisdiction"] for missing in found["notSearched"]] == ["QC"]
    assert (refused.status_code, refused.json()["code"]) == (503, "SERVER_ERROR")
    none = replace(runtime, generations=build_generation_stores(runtime.settings.data_dir / "none"))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(create_app(none)), base_url=BASE) as client:
        queries = json.dumps({"q0": {"query": BAKERY_NAME}})
        assert (await client.post(f"/reconcile/key/{key}", data={"queries": queries})).status_code == 503


# ------------------------------------------------------------------------------------------------- suggestions and values


async def test_entities_properties_and_types_are_suggested(north: httpx2.AsyncClient) -> None:
    entities = (await north.get("/reconcile/suggest/entity?prefix=sandbox bak")).raise_for_status().json()
    validate("entities", entities)
    assert BAKERY in {one["id"] for one in entities["result"]}
    assert (await north.get(f"/reconcile/suggest/entity?prefix={BAKERY}")).json()["result"][0]["name"] == BAKERY_NAME
    properties = (await north.get("/reconcile/suggest/property?prefix=num")).raise_for_status().json()
    validate("properties", properties)
    assert [one["id"] for one in properties["result"]] == ["registrationNumber"]
    types = (await north.get("/reconcile/suggest/type?prefix=corp")).raise_for_status().json()
    validate("types", types)
    assert [one["id"] for one in types["result"]] == ["corporation"]


async def test_a_table_is_extended_with_values(north: httpx2.AsyncClient) -> None:
    proposals = (await north.get("/reconcile/properties?type=registration&limit=500")).raise_for_status().json()
    validate("proposals", proposals)
    wanted = [{"id": one["id"]} for one in proposals["properties"]]
    query = json.dumps({"ids": [BAKERY, "ON:0", "nonsense"], "properties": wanted})
    values = (await north.post("/reconcile", data={"extend": query})).raise_for_status().json()
    validate("values", values)
    bakery = values["rows"][BAKERY]
    assert bakery["legalName"] == [{"str": BAKERY_NAME}]
    assert bakery["incorporationDate"] == [{"date": "2001-04-17T00:00:00Z"}]
    assert bakery["source"] == [{"str": "on"}]
    assert all(cell == [] for row in ("ON:0", "nonsense") for cell in values["rows"][row].values())
    refused = await north.post("/reconcile", data={"extend": json.dumps({"ids": [], "properties": [{"id": "colour"}]})})
    assert refused.status_code == 400


async def test_a_preview_may_be_framed_and_runs_nothing(north: httpx2.AsyncClient) -> None:
    page = (await north.get("/reconcile/preview", params={"id": BAKERY})).raise_for_status()
    policy = page.headers["content-security-policy"]
    assert BAKERY_NAME in page.text
    assert "default-src 'none'" in policy
    assert "frame-ancestors *" in policy
    assert (await north.get("/reconcile/preview", params={"id": "<script>"})).status_code == 404


# ------------------------------------------------------------------------------------------------------------------ keys


async def test_a_key_in_the_address_suffices(anonymous: httpx2.AsyncClient, key: str) -> None:
    path = f"/reconcile/key/{key}"
    manifest = (await anonymous.get(path)).raise_for_status().json()
    validate("manifest", manifest)
    assert "authentication" not in manifest
    assert manifest["suggest"]["entity"]["service_url"].endswith(path)
    queries = json.dumps({"q0": {"query": BAKERY_NAME}})
    assert (await anonymous.post(path, data={"queries": queries})).raise_for_status().json()["q0"]["result"][0]["id"] == BAKERY
    for inner in ("suggest/entity?prefix=sand", "suggest/type", "suggest/property", "properties", f"preview?id={BAKERY}"):
        (await anonymous.get(f"{path}/{inner}")).raise_for_status()


async def test_a_key_that_may_do_more_is_refused_in_an_address(
    anonymous: httpx2.AsyncClient, new_client: NewClient, new_key: NewKey, key: str
) -> None:
    powerful = await new_key(world=World.SANDBOX)
    refused = await anonymous.get(f"/reconcile/key/{powerful}")
    assert (refused.status_code, refused.json()["code"]) == (403, "UNAUTHORIZED")
    assert (await anonymous.get("/reconcile/key/bf_test_wrong")).status_code == 401
    both = await new_client(powerful)
    assert (await both.get(f"/reconcile/key/{key}")).status_code == 401
    weak = await new_client(await new_key(world=World.SANDBOX, scopes=[Scope.EVENTS_READ]))
    assert (await weak.post("/reconcile", data={"queries": "{}"})).status_code == 403


async def test_a_request_counts_towards_the_rate_limit_of_the_key_in_its_address(
    anonymous: httpx2.AsyncClient, new_key: NewKey
) -> None:
    path = f"/reconcile/key/{await new_key(world=World.SANDBOX, scopes=[Scope.SEARCH_READ], rate_limit=1)}"
    assert (await anonymous.get(path)).status_code == 200
    assert (await anonymous.get(path)).status_code == 429


async def test_no_log_has_the_key_of_an_address(
    anonymous: httpx2.AsyncClient, key: str, logged: list[MutableMapping[str, Any]]
) -> None:
    (await anonymous.get(f"/reconcile/key/{key}")).raise_for_status()
    assert "/reconcile/key/{key}" in {entry.get("route") for entry in logged}
    assert key not in str(logged)


async def test_pages_of_other_sites_may_use_the_service(anonymous: httpx2.AsyncClient, north: httpx2.AsyncClient) -> None:
    preflight = await anonymous.options("/reconcile", headers={"Origin": "https://openrefine.example"})
    assert (preflight.status_code, preflight.headers["access-control-allow-origin"]) == (204, "*")
    assert "X-API-Key" in preflight.headers["access-control-allow-headers"]
    for response in (await north.get("/reconcile"), await anonymous.get("/reconcile/properties")):
        assert response.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in response.headers
    assert "access-control-allow-origin" not in (await north.get("/v1/coverage")).headers
