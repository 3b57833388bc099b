"""The section `listings` on the wire: an addition that a client may overlook, and is left out where there is none."""

import httpx2
import pytest
from fastapi import FastAPI

from bonafide.app.application import create_app
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.sources.framework.discovery import list_regulator_keys
from tests.support.api.generated_description import generated_description

pytestmark = pytest.mark.anyio


@pytest.fixture
def app(sandbox_runtime: Runtime) -> FastAPI:
    return create_app(sandbox_runtime)


@pytest.fixture
def world() -> World:
    return World.SANDBOX


async def test_its_elements_have_the_shape_of_a_regulators_and_a_weight(north: httpx2.AsyncClient) -> None:
    request = {"name": "Sandbox Cannabis Co.", "regulatoryRegistryThreshold": 0.7}
    regulators = (await north.post("/v1/search", json=request)).raise_for_status().json()["regulatory"]
    answer = (await north.post("/v1/search", json={"name": "Sandbox Bakery Inc."})).raise_for_status().json()
    listed = answer["listings"]["odbus"][0]
    assert set(listed) == {*regulators["agcoCannabis"][0], "weight"}
    assert (listed["legalName"]["name"], listed["weight"], listed["registrationNumber"]) == ("Sandbox Bakery Inc.", "weak", None)
    assert set(listed["legalName"]) == {"name", "matchScore"}
    assert listed["asOf"] == "2022-05-01"
    assert tuple(answer["regulatory"]) == list_regulator_keys()


async def test_it_is_read_again_as_it_was_answered(north: httpx2.AsyncClient) -> None:
    answer = (await north.post("/v1/search", json={"name": "Sandbox Bakery Inc."})).raise_for_status()
    again = await north.get(f"/v1/search/{answer.json()['meta']['searchId']}")
    assert again.content == answer.content


@pytest.mark.parametrize("prefer", ["respond-async", "wait=10"])
async def test_it_is_left_out_where_it_was_not_asked_for_or_not_yet(north: httpx2.AsyncClient, prefer: str) -> None:
    request = {"name": "Sandbox Bakery Inc.", "regulatoryRegistry": prefer == "respond-async"}
    answer = await north.post("/v1/search", json=request, headers={"Prefer": prefer})
    assert "listings" not in answer.raise_for_status().json()


@pytest.mark.slow
def test_its_schema_is_optional_and_says_weak() -> None:
    schemas = generated_description()["components"]["schemas"]
    assert "listings" in schemas["SearchResult"]["properties"]
    assert "listings" not in schemas["SearchResult"]["required"]
    weight = schemas["ListingMatch"]["properties"]["weight"]
    assert weight["const"] == "weak"
    assert set(schemas["ListingMatch"]["required"]) == {*schemas["RegulatoryMatch"]["required"], "weight"}
