"""Whatever is sent, the answer is the API's own: never a failure, always a request id, always the error's shape."""

import json

import httpx2
import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bonafide.api.routes import ROUTERS
from bonafide.app.application import create_app
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from tests.support.api.clients import NewClient, NewKey
from tests.support.api.operation_requests import DESCRIPTION
from tests.support.sampling import examples

# Making up requests takes long: the full tier tries them.
pytestmark = [pytest.mark.anyio, pytest.mark.slow]
# The application lives as long as the test: examples share it, as requests share a service.
SHARED = settings(examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
# From the file, which equals the generated description: generating it takes a second in each process that collects tests.
FIELDS = sorted(json.loads(DESCRIPTION.read_text("utf-8"))["components"]["schemas"]["SearchRequest"]["properties"])
PARAMETERS = ["limit", "offset", "query", "archived", "jurisdiction"]
PATHS = [
    "/v1/search",
    "/v1/searches",
    "/v1/search/history",
    "/v1/prefill",
    "/v1/search/{}",
    "/v1/search/{}/selection",
    "/{}",
    "/v1/{}",
]
WORDS = [
    "Sandbox",
    "Bakery",
    "Inc.",
    "Ltée",
    "&",
    "et",
    "L'Étoile",
    "9123-4567",
    "BC0772006",
    "du",
    "Canada",
    "Québec",
    "Ω",
    "中文",
    "«»",
    "S.E.N.C.",
]
NAMES = st.text(max_size=60) | st.lists(st.sampled_from(WORDS), min_size=1, max_size=20).map(" ".join)
METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS", "QUERY"]

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(["ON", "XX", "0.9", "true"])
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3), max_leaves=8
)
bodies = st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=12), values, max_size=6) | values
header_values = st.binary(max_size=40).map(lambda value: value.translate(None, b"\r\n\0"))
headers = st.lists(
    st.tuples(
        st.sampled_from(
            [
                *(b"X-Request-Id", b"Authorization", b"X-API-Key", b"Idempotency-Key"),
                *(b"Prefer", b"Accept", b"X-Forwarded-For", b"X-Other"),
            ]
        ),
        header_values,
    ),
    max_size=4,
)
queries = st.dictionaries(st.sampled_from(PARAMETERS) | st.text(max_size=8), st.text(max_size=12), max_size=4)


@pytest.fixture
def app(sandbox_runtime: Runtime) -> FastAPI:
    return create_app(sandbox_runtime, ROUTERS)


@pytest.fixture
async def north(new_client: NewClient, new_key: NewKey) -> httpx2.AsyncClient:
    return await new_client(await new_key(world=World.SANDBOX))


def assert_ours(answer: httpx2.Response) -> None:
    assert answer.status_code < 500, answer.text
    assert answer.headers["X-Request-Id"] != ""
    assert int(answer.headers["X-RateLimit-Limit"]) > 0
    if answer.status_code >= 400 and answer.request.method != "HEAD":
        body = answer.json()
        assert {"error", "code", "requestId"} <= set(body) <= {"error", "code", "requestId", "details"}
        assert body["requestId"] == answer.headers["X-Request-Id"]


@SHARED
@given(body=bodies)
@pytest.mark.slow
async def test_any_json_as_a_search(north: httpx2.AsyncClient, body: object) -> None:
    content = json.dumps(body).encode()
    assert_ours(await north.post("/v1/search", content=content, headers={"Content-Type": "application/json"}))


@pytest.mark.slow
@SHARED
@given(name=NAMES, number=st.text(max_size=12))
async def test_any_text_as_a_name_and_a_number(north: httpx2.AsyncClient, name: str, number: str) -> None:
    body = {"name": name, "registrationNumber": number or "1", "sanctionsScreening": True, "matchSelection": True}
    answer = await north.post("/v1/search", content=json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    assert_ours(answer)
    if answer.status_code == 200:
        document = answer.json()
        is_screened = document["sanctions"]["status"] == "screened"
        assert document["meta"]["status"] == ("completed" if is_screened else "completed-with-errors")


@SHARED
@given(content=st.binary(max_size=200), content_type=header_values)
async def test_any_bytes_as_any_type(north: httpx2.AsyncClient, content: bytes, content_type: bytes) -> None:
    for kind in (b"application/json", content_type):
        assert_ours(await north.post("/v1/search", content=content, headers=[(b"Content-Type", kind)]))


@pytest.mark.slow
@SHARED
@given(given_headers=headers)
async def test_any_headers(north: httpx2.AsyncClient, given_headers: list[tuple[bytes, bytes]]) -> None:
    content_type = (b"Content-Type", b"application/json")
    assert_ours(await north.post("/v1/search", content=b'{"name": "Acme"}', headers=[content_type, *given_headers]))
    assert_ours(await north.get("/v1/searches", headers=given_headers))


@SHARED
@given(query=queries, raw=st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters="#"), max_size=30))
async def test_any_query_string(north: httpx2.AsyncClient, query: dict[str, str], raw: str) -> None:
    for path in ("/v1/searches", "/v1/prefill"):
        assert_ours(await north.get(path, params={name: value.encode("utf-8", "replace") for name, value in query.items()}))
        assert_ours(await north.get(f"{path}?{raw}"))


@SHARED
@given(method=st.sampled_from(METHODS), path=st.sampled_from(PATHS), part=st.text(max_size=20))
async def test_any_path_with_any_method(north: httpx2.AsyncClient, method: str, path: str, part: str) -> None:
    escaped = "".join(f"%{byte:02X}" for byte in part.encode("utf-8", "replace"))
    assert_ours(await north.request(method, path.format(escaped)))
