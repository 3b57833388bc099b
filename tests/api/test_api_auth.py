import httpx2
import pytest
from fastapi import FastAPI

from bonafide.model.accounts.organizations import Scope
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from tests.support.api.clients import BASE, ManualClock, NewClient, NewKey
from tests.support.databases import ON_SQLITE_ONLY

pytestmark = pytest.mark.anyio
PATH = "/v1/searches"


async def sent(app: FastAPI, *headers: tuple[str, str]) -> httpx2.Response:
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=BASE) as client:
        return await client.get(PATH, headers=list(headers))


def assert_unauthorised(answer: httpx2.Response, code: str) -> None:
    assert (answer.status_code, answer.json()["code"]) == (401, code)
    assert answer.headers["WWW-Authenticate"] == "Bearer"


async def test_both_headers_are_equivalent(app: FastAPI, new_key: NewKey) -> None:
    key = await new_key()
    assert (await sent(app, ("Authorization", f"Bearer {key}"))).status_code == 200
    assert (await sent(app, ("X-API-Key", key))).status_code == 200


@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "Bearer "])
async def test_the_scheme_is_read_in_any_case_and_with_any_space(app: FastAPI, new_key: NewKey, scheme: str) -> None:
    assert (await sent(app, ("Authorization", f"{scheme} {await new_key()}"))).status_code == 200


async def test_the_same_key_in_both_headers_is_one_key(app: FastAPI, new_key: NewKey) -> None:
    key = await new_key()
    assert (await sent(app, ("Authorization", f"Bearer {key}"), ("X-API-Key", key))).status_code == 200


async def test_two_different_keys_are_refused_even_if_both_are_good(app: FastAPI, new_key: NewKey) -> None:
    headers = ("Authorization", f"Bearer {await new_key()}"), ("X-API-Key", await new_key())
    assert_unauthorised(await sent(app, *headers), "INVALID_API_KEY")


@pytest.mark.parametrize("authorization", ["", "Bearer", "Bearer ", "Basic bm9ib2R5OnNlY3JldA==", "bf_live_something", "Digest x"])
@ON_SQLITE_ONLY
async def test_no_key_at_all(app: FastAPI, authorization: str) -> None:
    assert_unauthorised(await sent(app), "MISSING_API_KEY")
    assert_unauthorised(await sent(app, ("Authorization", authorization)), "MISSING_API_KEY")


@pytest.mark.parametrize("authorization", ["", "Bearer", "Bearer  ", "g{", "g{ x", "Basic", "Basic eDp5"])
@ON_SQLITE_ONLY
async def test_broken_credentials_are_not_mended_by_a_good_key(app: FastAPI, new_key: NewKey, authorization: str) -> None:
    assert_unauthorised(await sent(app, ("Authorization", authorization), ("X-API-Key", await new_key())), "INVALID_API_KEY")


@pytest.mark.parametrize("key", ["bf_live_unknown", "x", "bf_live_é", "a b", "x" * 5000])
async def test_an_unknown_key(app: FastAPI, key: str) -> None:
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=BASE) as client:
        assert_unauthorised(await client.get(PATH, headers=[(b"X-API-Key", key.encode())]), "INVALID_API_KEY")


async def test_a_revoked_key(app: FastAPI, new_key: NewKey, runtime: Runtime) -> None:
    key = await new_key()
    (listed,) = await api_access.list_keys(runtime)
    await api_access.revoke_key(runtime, listed.id)
    assert_unauthorised(await sent(app, ("X-API-Key", key)), "REVOKED_API_KEY")


async def test_an_expired_key(app: FastAPI, new_key: NewKey, clock: ManualClock) -> None:
    key = await new_key(expires_in=60)
    assert (await sent(app, ("X-API-Key", key))).status_code == 200
    clock.move(seconds=61)
    assert_unauthorised(await sent(app, ("X-API-Key", key)), "EXPIRED_API_KEY")


async def test_a_key_without_the_scope_is_told_which_one_it_needs(new_client: NewClient, new_key: NewKey) -> None:
    reader = await new_client(await new_key(scopes=(Scope.SEARCH_READ,)))
    assert (await reader.get(PATH)).status_code == 200
    answer = await reader.post("/v1/search", json={"name": "Acme"})
    assert (answer.status_code, answer.json()["code"]) == (403, "UNAUTHORIZED")
    assert "search:write" in answer.json()["error"]


async def test_writing_does_not_imply_reading(new_client: NewClient, new_key: NewKey) -> None:
    writer = await new_client(await new_key(scopes=(Scope.SEARCH_WRITE,)))
    assert (await writer.post("/v1/search", json={"name": "Acme"})).status_code == 200
    assert (await writer.get(PATH)).status_code == 403


async def test_who_asks_is_settled_before_what_is_asked(anonymous: httpx2.AsyncClient) -> None:
    answer = await anonymous.post("/v1/search?nonsense=1", content=b"not json")
    assert_unauthorised(answer, "MISSING_API_KEY")


@pytest.mark.slow
async def test_what_is_beside_the_api_needs_no_key(anonymous: httpx2.AsyncClient) -> None:
    for path in ("/healthz", "/readyz", "/metrics", "/openapi.json", "/docs", "/changelog", "/changelog.rss"):
        assert (await anonymous.get(path)).status_code == 200
