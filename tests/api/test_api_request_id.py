from uuid import UUID

import httpx2
import pytest

from tests.support.databases import ON_SQLITE_ONLY

pytestmark = [pytest.mark.anyio, ON_SQLITE_ONLY]


async def test_a_usable_request_id_is_echoed_as_it_is(north: httpx2.AsyncClient) -> None:
    for given in ("a", "order 17 / retry #2", "~" * 128):
        answer = await north.get("/v1/searches", headers={"X-Request-Id": given})
        assert answer.headers["X-Request-Id"] == given


@pytest.mark.parametrize("given", ["", "x" * 129, "tab\there", "é", "\x7f"])
async def test_an_unusable_request_id_is_replaced_by_a_new_one(north: httpx2.AsyncClient, given: str) -> None:
    answer = await north.get("/v1/searches", headers=[(b"X-Request-Id", given.encode("latin-1"))])
    assert str(UUID(answer.headers["X-Request-Id"])) == answer.headers["X-Request-Id"]


async def test_two_request_ids_are_no_request_id(north: httpx2.AsyncClient) -> None:
    answer = await north.get("/v1/searches", headers=[("X-Request-Id", "one"), ("X-Request-Id", "two")])
    assert str(UUID(answer.headers["X-Request-Id"])) == answer.headers["X-Request-Id"]


async def test_each_request_without_an_id_gets_its_own(north: httpx2.AsyncClient) -> None:
    first, second = await north.get("/v1/searches"), await north.get("/v1/searches")
    assert first.headers["X-Request-Id"] != second.headers["X-Request-Id"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/nothing", 404),
        ("DELETE", "/v1/search", 405),
        ("GET", "/v1/searches", 401),
        ("GET", "/healthz", 200),
        ("GET", "/docs", 200),
        ("OPTIONS", "/v1/search", 204),
        ("HEAD", "/healthz", 200),
    ],
)
async def test_every_kind_of_answer_carries_the_request_id(
    anonymous: httpx2.AsyncClient, method: str, path: str, status: int
) -> None:
    answer = await anonymous.request(method, path, headers={"X-Request-Id": "mine"})
    assert (answer.status_code, answer.headers["X-Request-Id"]) == (status, "mine")


async def test_an_error_repeats_the_request_id_in_its_body(anonymous: httpx2.AsyncClient) -> None:
    answer = await anonymous.get("/v1/searches", headers={"X-Request-Id": "mine"})
    assert answer.json()["requestId"] == "mine"
