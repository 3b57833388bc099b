"""What the changelog deprecates is announced by headers of the responses, and marked in the description."""

from datetime import date

import httpx2
import pytest
from fastapi import FastAPI

from bonafide.api.description.deprecations import Deprecation
from bonafide.api.openapi import build_openapi
from bonafide.app.application import create_app
from bonafide.runtime import Runtime

pytestmark = pytest.mark.anyio
SINCE, UNTIL = date(2026, 12, 1), date(2027, 6, 1)
DEPRECATIONS = (
    Deprecation("GET", "/v1/coverage", None, SINCE, UNTIL),
    Deprecation("GET", "/v1/events", "since", date(2027, 1, 1), None),
    Deprecation("POST", "/v1/sanctions", "name", SINCE, UNTIL),
    Deprecation("GET", "/v1/search/{id}", None, SINCE, None),
    Deprecation("GET", "/v1/removed", None, SINCE, UNTIL),
)
HEADERS = {
    "Deprecation": "@1796083200",
    "Sunset": "Tue, 01 Jun 2027 00:00:00 GMT",
    "Link": '</changelog>; rel="deprecation"; type="text/html"',
}


@pytest.fixture
def app(runtime: Runtime) -> FastAPI:
    return create_app(runtime, deprecations=DEPRECATIONS)


def announced(response: httpx2.Response) -> dict[str, str]:
    return {name: response.headers[name] for name in HEADERS if name in response.headers}


async def test_an_operation_says_that_it_is_deprecated(north: httpx2.AsyncClient) -> None:
    assert announced(await north.get("/v1/coverage")) == HEADERS
    assert announced(await north.get("/v1/settings")) == {}


async def test_so_do_its_errors(north: httpx2.AsyncClient, anonymous: httpx2.AsyncClient) -> None:
    unknown = await north.get("/v1/search/0a9b7e54-3f1c-4f0e-8a57-5d2f6f4b8f33")
    assert unknown.status_code == 404
    assert announced(unknown) == {name: value for name, value in HEADERS.items() if name != "Sunset"}
    refused = await anonymous.get("/v1/coverage")
    assert refused.status_code == 401
    assert announced(refused) == HEADERS


async def test_a_parameter_of_the_query_says_so_only_where_it_is_used(north: httpx2.AsyncClient) -> None:
    used = announced(await north.get("/v1/events", params={"since": "2026-11-01T00:00:00Z"}))
    assert used == {"Deprecation": "@1798761600", "Link": HEADERS["Link"]}
    assert announced(await north.get("/v1/events", params={"limit": 1})) == {}


async def test_so_does_a_field_of_the_body(north: httpx2.AsyncClient) -> None:
    assert announced(await north.post("/v1/sanctions", json={"name": "Northgate Shipping"})) == HEADERS
    assert announced(await north.post("/v1/sanctions", json={"query": "Northgate Shipping"})) == {}
    assert announced(await north.post("/v1/sanctions", content=b"not JSON")) == {}


def test_the_description_marks_what_is_deprecated() -> None:
    document = build_openapi(DEPRECATIONS)
    paths = document["paths"]
    assert paths["/v1/coverage"]["get"]["deprecated"] is True
    marked = [one["name"] for one in paths["/v1/events"]["get"]["parameters"] if one.get("deprecated")]
    assert marked == ["since"]
    (content,) = paths["/v1/sanctions"]["post"]["requestBody"]["content"].values()
    fields = document["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]["properties"]
    assert [name for name, field in fields.items() if field.get("deprecated")] == ["name"]
    assert "deprecated" not in paths["/v1/settings"]["get"]
    assert "/v1/removed" not in paths
