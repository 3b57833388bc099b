"""Messages of responses in the language that the caller prefers; field names and codes never change."""

from collections.abc import Mapping
from typing import Any

import httpx2
import pytest

from bonafide.api.description.components import list_api_errors
from bonafide.errors import ApiError
from bonafide.i18n.catalog import load_catalog, translate
from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import World
from tests.support.api.clients import NewClient, NewKey
from tests.support.databases import ON_SQLITE_ONLY

pytestmark = pytest.mark.anyio
FRENCH = {"Accept-Language": "fr-CA, en;q=0.5"}
SOME_ID = "6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"
JSON = {"Content-Type": "application/json"}
PROBLEMS: tuple[tuple[str, str, str], ...] = (
    ("POST", "/v1/search", "{}"),
    ("POST", "/v1/search", "["),
    ("POST", "/v1/search", "[]"),
    ("POST", "/v1/search", '{"name": "a", "name": "b"}'),
    ("POST", "/v1/search", '{"limit": NaN}'),
    ("POST", "/v1/search", '{"nmae": "Sandbox Bakery Inc."}'),
    ("POST", "/v1/search", '{"name": ""}'),
    ("POST", "/v1/search", '{"name": "---"}'),
    ("POST", "/v1/search", '{"name": "a\\u0000b"}'),
    ("POST", "/v1/search", '{"name": 1, "businessId": "x", "matchSelection": "yes", "address": []}'),
    ("POST", "/v1/search", '{"name": "a", "sanctionsThreshold": 0.5, "limit": 1.5, "jurisdictions": []}'),
    ("POST", "/v1/search", '{"name": "a", "sanctionsThreshold": 2, "limit": "x", "jurisdictions": ["XX"]}'),
    ("POST", "/v1/verify", '{"legalName": "a"}'),
    ("POST", "/v1/verify", '{"legalName": "a", "jurisdiction": "Atlantis", "registrationNumber": "1"}'),
    ("POST", "/v1/sanctions", "{}"),
    ("POST", "/v1/sanctions", '{"query": "a", "name": "b"}'),
    ("POST", "/v1/sanctions", '{"query": "a", "dateOfBirth": "soon", "countries": ["Canada"]}'),
    ("POST", "/v1/sanctions", '{"query": "a", "countries": ["1A"], "source": "x"}'),
    ("POST", "/v1/sanctions/dismissals", '{"until": "2026-01-01T00:00:00"}'),
    ("POST", "/v1/sanctions/dismissals", '{"until": "soon"}'),
    ("POST", "/v1/pdf", "{}"),
    ("POST", "/v1/businesses", '{"name": "a", "email": "x", "incorporationDate": "soon", "notes": "a\\u0007"}'),
    ("PUT", "/v1/settings", '{"branding": {"primary": "blue", "secondary": "#ffffff", "logo": "AAAA"}}'),
    ("PUT", "/v1/settings", '{"branding": {"logo": "!"}}'),
    ("POST", f"/v1/search/{SOME_ID}/selection", "{}"),
    ("GET", "/v1/businesses?limit=0&updated_since=soon", ""),
    ("GET", "/v1/businesses?updated_since=2026-01-01T00:00:00Z&updatedSince=2026-01-01T00:00:00Z", ""),
    ("GET", "/v1/businesses?cursor=x", ""),
    ("GET", "/v1/searches?limit=1&limit=2&strange=1", ""),
    ("GET", "/v1/searches?query=%FF", ""),
    ("GET", "/v1/search/1", ""),
    ("GET", f"/v1/search/{SOME_ID}", ""),
    ("GET", f"/v1/verify/{SOME_ID}", ""),
    ("GET", f"/v1/businesses/{SOME_ID}", ""),
    ("GET", f"/v1/business-reports/{SOME_ID}", ""),
    ("GET", f"/v1/business-reports/{SOME_ID}/evidence/x", ""),
    ("GET", f"/v1/sanctions/dismissals/{SOME_ID}", ""),
    ("GET", "/v1/nothing", ""),
    ("BREW", "/v1/search", ""),
)


async def send(client: httpx2.AsyncClient, problem: tuple[str, str, str], headers: Mapping[str, str]) -> httpx2.Response:
    method, path, body = problem
    return await client.request(method, path, content=body, headers={**(JSON if body else {}), **headers})


def list_messages(body: Mapping[str, Any]) -> list[str]:
    return [body["error"], *(problem["message"] for problem in body.get("details", ()))]


def check_language(response: httpx2.Response, language: str) -> None:
    assert response.headers["Content-Language"] == language
    assert "Accept-Language" in response.headers["Vary"]


@pytest.mark.parametrize("kind", list_api_errors(), ids=lambda kind: kind.__name__)
def test_every_error_has_a_french_message(kind: type[ApiError]) -> None:
    message = kind().message
    assert message.template is not None
    assert translate(message, Language.FRENCH) != str(message)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: f"{problem[0]} {problem[1]} {problem[2]}"[:60])
@ON_SQLITE_ONLY
async def test_an_error_is_written_in_the_preferred_language(north: httpx2.AsyncClient, problem: tuple[str, str, str]) -> None:
    english, french = await send(north, problem, {}), await send(north, problem, FRENCH)
    check_language(english, "en")
    check_language(french, "fr")
    one, other = english.json(), french.json()
    assert english.status_code == french.status_code >= 400
    assert one["code"] == other["code"]
    assert [item["path"] for item in one.get("details", ())] == [item["path"] for item in other.get("details", ())]
    for sentence, translated in zip(list_messages(one), list_messages(other), strict=True):
        assert sentence != translated


async def test_401_403_413_415_and_429_are_french(
    anonymous: httpx2.AsyncClient, north: httpx2.AsyncClient, new_client: NewClient, new_key: NewKey
) -> None:
    limited = await new_client(await new_key(rate_limit=1, scopes=["verify:read"]))
    responses = [
        await anonymous.get("/v1/searches", headers=FRENCH),
        await anonymous.get("/v1/searches", headers={**FRENCH, "X-API-Key": "bf_live_x"}),
        await limited.get("/v1/searches", headers=FRENCH),
        await limited.get("/v1/searches", headers=FRENCH),
        await north.post("/v1/search", content="a" * 2_000_000, headers={**FRENCH, **JSON}),
        await north.post("/v1/search", content="a", headers={**FRENCH, "Content-Type": "text/plain"}),
    ]
    assert [response.status_code for response in responses] == [401, 401, 403, 429, 413, 415]
    known = {str(text) for text in load_catalog(Language.FRENCH)._catalog}  # type: ignore[attr-defined]  # not documented
    for response in responses:
        check_language(response, "fr")
        assert response.json()["error"] not in known


async def test_a_search_that_was_stored_in_english_is_read_in_french(north: httpx2.AsyncClient) -> None:
    made = await north.post("/v1/search", json={"name": "Sandbox Bakery Inc."})
    check_language(made, "en")
    path = f"/v1/search/{made.json()['meta']['searchId']}"
    assert (await north.get(path)).content == made.content
    french = await north.get(path, headers=FRENCH)
    check_language(french, "fr")
    one, other = made.json(), french.json()
    errors = [name for name, error in one["errors"].items() if error is not None]
    assert errors != []
    for name in errors:
        assert one["errors"][name]["code"] == other["errors"][name]["code"]
        assert one["errors"][name]["message"] != other["errors"][name]["message"]
    assert one["meta"]["submitted"] == other["meta"]["submitted"]


async def test_a_search_that_is_not_finished_is_answered_in_french(north: httpx2.AsyncClient) -> None:
    pending = await north.post("/v1/search", json={"name": "Sandbox Bakery Inc."}, headers={**FRENCH, "Prefer": "respond-async"})
    assert pending.status_code == 202
    check_language(pending, "fr")


@pytest.mark.parametrize("body", [{"name": ""}, {"name": "Sandbox Bakery Inc."}])
async def test_a_replayed_response_has_the_language_of_its_own_request(north: httpx2.AsyncClient, body: dict[str, str]) -> None:
    key = {"Idempotency-Key": "one"}
    first = await north.post("/v1/search", json=body, headers={**FRENCH, **key})
    check_language(first, "fr")
    english, french = [await north.post("/v1/search", json=body, headers={**other, **key}) for other in ({}, FRENCH)]
    for again, language in ((english, "en"), (french, "fr")):
        assert (again.status_code, again.headers["Idempotent-Replayed"]) == (first.status_code, "true")
        check_language(again, language)
    assert messages_of(french) == messages_of(first) != messages_of(english)


def messages_of(response: httpx2.Response) -> list[str]:
    """The sentences of a refusal, or of the errors of a search."""
    document = response.json()
    if "error" in document:
        return [document["error"]]
    return [error["message"] for error in document["errors"].values() if error is not None]


async def test_what_is_loaded_is_described_in_the_preferred_language(new_client: NewClient, new_key: NewKey) -> None:
    client = await new_client(await new_key(world=World.SANDBOX))
    for path in ("/v1/coverage", "/v1/searches", "/v1/settings", "/v1/businesses", "/v1/prefill?query=sandbox"):
        check_language(await client.get(path, headers=FRENCH), "fr")
        check_language(await client.get(path), "en")
