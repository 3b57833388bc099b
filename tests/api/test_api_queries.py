import httpx2
import pytest

from tests.support.api.responses import refused_fields
from tests.support.databases import ON_SQLITE_ONLY

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("query", "path", "message"),
    [
        ("limit=0", "limit", "must be at least 1"),
        ("limit=101", "limit", "must be at most 100"),
        ("limit=ten", "limit", "must be a whole number"),
        ("limit=", "limit", "must be a whole number"),
        ("limit=5.0", "limit", "must be a whole number"),
        ("limit=%205", "limit", "must be a whole number"),
        ("limit=1_0", "limit", "must be a whole number"),
        ("limit=05", "limit", "must be a whole number"),
        ("limit=%D9%A5", "limit", "must be a whole number"),
        (f"limit={'9' * 5000}", "limit", "must be a whole number"),
        ("offset=-1", "offset", "must be at least 0"),
        ("offset=99999999999999", "offset", "must be at most 2147483647"),
        ("archived=1", "archived", "must be true or false"),
        ("archived=True", "archived", "must be true or false"),
        ("query=", "query", "must have at least 1 character"),
        ("query=a%00b", "query", "control characters are not allowed"),
        ("Limit=5", "Limit", "unknown parameter 'Limit'; did you mean 'limit'?"),
        ("page=2", "page", "unknown parameter 'page'"),
        ("limit=5&limit=5", "limit", "is given more than once"),
    ],
)
@ON_SQLITE_ONLY
async def test_a_refused_parameter_is_named_and_explained(north: httpx2.AsyncClient, query: str, path: str, message: str) -> None:
    assert refused_fields(await north.get(f"/v1/search/history?{query}")) == {path: message}


@pytest.mark.parametrize("query", ["query=%FF", "query=%ED%A0%80", "&".join(f"a{number}=1" for number in range(51))])
@ON_SQLITE_ONLY
async def test_a_query_string_that_is_none(north: httpx2.AsyncClient, query: str) -> None:
    answer = await north.get(f"/v1/searches?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert [detail["path"] for detail in answer.json()["details"]] == [""]


@pytest.mark.parametrize("query", ["", "limit=1", "limit=100", "offset=0", "archived=false", "query=caf%C3%A9+noir", "query=a%26b"])
async def test_a_query_string_that_is_one(north: httpx2.AsyncClient, query: str) -> None:
    assert (await north.get(f"/v1/searches?{query}")).status_code == 200


@ON_SQLITE_ONLY
async def test_operations_without_parameters_take_none(north: httpx2.AsyncClient) -> None:
    assert refused_fields(await north.post("/v1/search?async=true", json={"name": "Acme"})) == {
        "async": "unknown parameter 'async'"
    }
    path = "/v1/search/6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"
    assert refused_fields(await north.get(f"{path}?full=1")) == {"full": "unknown parameter 'full'"}


@pytest.mark.parametrize(
    "search_id", ["17", "not-an-id", "6f1c2a0e8f5d4c559d0a2f6f4b8f3a11", "6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a1", "%00", "%FF"]
)
@ON_SQLITE_ONLY
async def test_a_malformed_id(north: httpx2.AsyncClient, search_id: str) -> None:
    for answer in (
        await north.get(f"/v1/search/{search_id}"),
        await north.patch(f"/v1/searches/{search_id}", json={"archived": True}),
        await north.post(f"/v1/search/{search_id}/selection", json={"status": "no_selection"}),
    ):
        assert refused_fields(answer) == {"id": "must be a UUID"}


async def test_prefill_wants_two_characters(north: httpx2.AsyncClient) -> None:
    assert refused_fields(await north.get("/v1/prefill")) == {"query": "is required"}
    assert refused_fields(await north.get("/v1/prefill?query=%20a%20")) == {"query": "must have at least 2 characters"}
    assert (await north.get("/v1/prefill?query=ab&jurisdiction=ON&limit=50")).json() == {"candidates": []}
    assert list(refused_fields(await north.get("/v1/prefill?query=ab&jurisdiction=XX&limit=51"))) == ["jurisdiction", "limit"]
