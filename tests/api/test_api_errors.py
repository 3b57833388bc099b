from collections.abc import MutableMapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2
import pytest
from fastapi import FastAPI

from bonafide.api.description.components import list_api_errors
from bonafide.app.application import create_app
from bonafide.errors import BonafideError, ServerBusy
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.store.database.engine import Store
from tests.support.api.clients import BASE
from tests.support.databases import ON_SQLITE_ONLY

pytestmark = pytest.mark.anyio
SEARCH = "/v1/search/6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"
Logged = list[MutableMapping[str, Any]]


@ON_SQLITE_ONLY
async def test_an_unknown_path_is_not_found(anonymous: httpx2.AsyncClient) -> None:
    for path in (
        "/nothing",
        "/v1",
        "/v1/",
        "/v1/nothing",
        "/v1/search/",
        "/v1//search",
        "/v2/search",
        "/v1/%00",
        "/%2e%2e/etc/passwd",
    ):
        answer = await anonymous.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND"), path


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("DELETE", "/v1/search", "OPTIONS, POST"),
        ("GET", "/v1/search", "OPTIONS, POST"),
        ("PUT", "/v1/searches", "GET, HEAD, OPTIONS, POST"),
        ("PATCH", "/v1/search/history", "GET, HEAD, OPTIONS"),
        ("DELETE", SEARCH, "GET, HEAD, OPTIONS, PATCH"),
        ("GET", f"{SEARCH}/selection", "OPTIONS, POST"),
        ("POST", "/healthz", "GET, HEAD, OPTIONS"),
        ("TRACE", "/v1/prefill", "GET, HEAD, OPTIONS"),
        ("BREW", "/v1/prefill", "GET, HEAD, OPTIONS"),
    ],
)
@ON_SQLITE_ONLY
async def test_a_method_that_a_path_does_not_take(anonymous: httpx2.AsyncClient, method: str, path: str, allow: str) -> None:
    answer = await anonymous.request(method, path)
    assert (answer.status_code, answer.headers["Allow"], answer.json()["code"]) == (405, allow, "METHOD_NOT_ALLOWED")


@ON_SQLITE_ONLY
async def test_options_tells_the_methods(anonymous: httpx2.AsyncClient) -> None:
    answer = await anonymous.options("/v1/searches")
    assert (answer.status_code, answer.headers["Allow"], answer.content) == (204, "GET, HEAD, OPTIONS, POST", b"")
    assert (await anonymous.options("/v1/nothing")).status_code == 404


async def test_head_is_a_get_without_the_body(north: httpx2.AsyncClient) -> None:
    for path in ("/v1/searches", "/healthz", "/docs", SEARCH):
        get, head = await north.get(path), await north.head(path)
        assert (head.status_code, head.content) == (get.status_code, b"")
        assert head.headers["Content-Length"] == get.headers["Content-Length"]


async def failing(runtime: Runtime, exception: Exception, method: str = "GET") -> httpx2.Response:
    app: FastAPI = create_app(runtime)

    @app.api_route("/v1/failing", methods=[method])
    async def fail() -> None:
        raise exception

    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=BASE) as client:
        return await client.request(method, "/v1/failing", headers={"X-Request-Id": "mine"})


@pytest.mark.parametrize(
    "exception", [ValueError("secret of the house"), BonafideError(Message("an internal matter")), KeyError("x")]
)
@ON_SQLITE_ONLY
async def test_a_bug_leaks_nothing_and_is_logged_under_the_request_id(
    runtime: Runtime, logged: Logged, exception: Exception
) -> None:
    answer = await failing(runtime, exception)
    assert answer.status_code == 500
    assert answer.json() == {
        "error": "An internal error occurred. It was logged under the request ID.",
        "code": "INTERNAL_ERROR",
        "requestId": "mine",
    }
    assert answer.headers["X-RateLimit-Remaining"] == "59"
    (event,) = [event for event in logged if event["event"] == "request.failed"]
    assert (event["request_id"], event["exc_info"]) == ("mine", exception)


@ON_SQLITE_ONLY
async def test_a_busy_service_says_when_to_come_back(runtime: Runtime) -> None:
    answer = await failing(runtime, ServerBusy())
    assert (answer.status_code, answer.json()["code"]) == (503, "SERVER_ERROR")
    assert int(answer.headers["Retry-After"]) >= 1


@ON_SQLITE_ONLY
async def test_an_error_of_its_own_keeps_its_headers(runtime: Runtime) -> None:
    answer = await failing(runtime, ServerBusy(Message("Not now."), headers={"Retry-After": "30"}))
    assert (answer.json()["error"], answer.headers["Retry-After"]) == ("Not now.", "30")


async def test_a_database_that_is_away_makes_the_service_busy_and_not_wrong(runtime: Runtime, tmp_path: Path) -> None:
    away = replace(runtime, store=Store.open(f"sqlite+aiosqlite:///{tmp_path}/gone/bonafide.sqlite3"))
    (tmp_path / "gone").rmdir()
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(create_app(away)), base_url=BASE) as client:
        key = {"X-API-Key": api_access.generate_key(World.LIVE)}
        for path in ("/readyz", "/v1/searches"):
            answer = await client.get(path, headers=key)
            assert (answer.status_code, answer.json()["code"]) == (503, "SERVER_ERROR"), path
        assert (await client.get("/v1/nothing", headers=key)).status_code == 404
        assert (await client.get("/healthz")).status_code == 200


async def test_a_valid_key_is_not_counted_as_anonymous_while_the_database_is_away(runtime: Runtime, tmp_path: Path) -> None:
    settings = runtime.settings.model_copy(update={"anonymous_rate_limit": 1})
    away = replace(runtime, settings=settings, store=Store.open(f"sqlite+aiosqlite:///{tmp_path}/gone/bonafide.sqlite3"))
    (tmp_path / "gone").rmdir()
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(create_app(away)), base_url=BASE) as client:
        key = {"X-API-Key": api_access.generate_key(World.LIVE)}
        answers = [await client.get("/v1/searches", headers=key) for _ in range(3)]
        assert [(answer.status_code, answer.headers["X-RateLimit-Limit"]) for answer in answers] == [(503, "1")] * 3
        assert [(await client.get("/v1/searches")).status_code for _ in range(2)] == [401, 429]
    await away.store.close()


async def test_errors_are_not_kept_by_caches(anonymous: httpx2.AsyncClient) -> None:
    assert (await anonymous.get("/v1/searches")).headers["Cache-Control"] == "no-store"


async def test_every_error_has_the_same_shape(north: httpx2.AsyncClient) -> None:
    for answer in (
        await north.get("/v1/nothing"),
        await north.put("/v1/search"),
        await north.get(SEARCH),
        await north.post("/v1/search"),
    ):
        body = answer.json()
        assert list(body) == ["error", "code", "requestId"]
        assert str(UUID(body["requestId"])) == body["requestId"]
        assert body["error"] != ""


def test_every_code_is_explained_in_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "reference" / "errors.md").read_text("utf-8")
    for kind in list_api_errors():
        assert f"`{kind.code}` | {kind.status} |" in text, kind
