import json
from uuid import UUID, uuid4

import httpx2
import pytest

from bonafide.api.description.components import load_examples
from bonafide.i18n.message import Message
from bonafide.model.base import StoredDocument
from bonafide.runtime import Runtime
from bonafide.store.records import searches
from bonafide.store.tenants import organizations
from tests.support.api.clients import ManualClock

pytestmark = pytest.mark.anyio
MATCH = "0c7d1a52-6e0b-5d5e-9a3c-7b1f0d5c4e21"


async def created(client: httpx2.AsyncClient, name: str = "Acme", **request: object) -> str:
    answer = await client.post("/v1/search", json={"name": name, **request})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["meta"]["searchId"])


async def with_matches(runtime: Runtime, client: httpx2.AsyncClient) -> str:
    """A search whose stored result has one business, `MATCH`."""
    search_id = await created(client, matchSelection=True)
    document = json.dumps(load_examples()["search_result"]["value"])
    async with runtime.store.write() as connection:
        (north,) = [each for each in await organizations.list_all(connection) if each.name == "North"]
        await searches.replace_document(connection, north.id, UUID(search_id), StoredDocument(document))
    return search_id


@pytest.mark.parametrize("path", ["/v1/search", "/v1/searches"])
async def test_a_search_is_answered_and_can_be_read_again(north: httpx2.AsyncClient, path: str) -> None:
    answer = await north.post(path, json={"name": "Acme", "sanctionsThreshold": 0.9})
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json")
    meta = answer.json()["meta"]
    assert (meta["submitted"]["name"], meta["submitted"]["params"]["sanctionsThreshold"]) == ("Acme", 0.9)
    for again in (await north.get(f"/v1/search/{meta['searchId']}"), await north.get(f"/v1/searches/{meta['searchId']}")):
        assert (again.status_code, again.content) == (200, answer.content)


@pytest.mark.parametrize("prefer", ["respond-async", "wait=10, respond-async", "Respond-Async; x=1"])
async def test_a_search_can_be_answered_before_it_has_run(north: httpx2.AsyncClient, prefer: str) -> None:
    answer = await north.post("/v1/search", json={"name": "Acme"}, headers={"Prefer": prefer})
    assert (answer.status_code, answer.headers["Preference-Applied"]) == (202, "respond-async")
    assert answer.json()["meta"]["status"] == "loading"
    assert (await north.get(answer.headers["Location"])).json()["meta"]["searchId"] == answer.json()["meta"]["searchId"]


async def test_another_preference_changes_nothing(north: httpx2.AsyncClient) -> None:
    answer = await north.post("/v1/search", json={"name": "Acme"}, headers={"Prefer": "wait=5, return=minimal"})
    assert (answer.status_code, "Preference-Applied" in answer.headers) == (200, False)


async def test_a_reference_to_no_record_is_not_found(north: httpx2.AsyncClient) -> None:
    answer = await north.post("/v1/search", json={"businessId": str(uuid4())})
    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")


async def test_history_is_listed_in_pages(north: httpx2.AsyncClient) -> None:
    for name in ("One", "Two", "Three"):
        await created(north, name)
    page = (await north.get("/v1/search/history?limit=2")).json()
    assert page["pagination"] == {"total": 3, "limit": 2, "offset": 0, "hasMore": True}
    assert len(page["searches"]) == 2
    rest = (await north.get("/v1/searches?limit=2&offset=2")).json()
    assert (len(rest["searches"]), rest["pagination"]["hasMore"]) == (1, False)
    beyond = (await north.get("/v1/searches?offset=2147483647")).json()
    assert (beyond["searches"], beyond["pagination"]["total"]) == ([], 3)


async def test_history_has_a_page_of_25_unless_asked_for_another(north: httpx2.AsyncClient) -> None:
    assert (await north.get("/v1/searches")).json()["pagination"] == {"total": 0, "limit": 25, "offset": 0, "hasMore": False}


async def test_history_is_filtered(north: httpx2.AsyncClient) -> None:
    acme, _ = await created(north, "Acme Café"), await created(north, "Zenith")
    assert [item["id"] for item in (await north.get("/v1/searches?query=café")).json()["searches"]] == [acme]
    await north.patch(f"/v1/search/{acme}", json={"archived": True})
    assert [item["id"] for item in (await north.get("/v1/searches?archived=true")).json()["searches"]] == [acme]
    assert [item["query"] for item in (await north.get("/v1/searches?archived=false")).json()["searches"]] == ["Zenith"]


@pytest.mark.parametrize("path", ["/v1/search", "/v1/searches"])
async def test_a_search_is_archived_and_taken_out_again(north: httpx2.AsyncClient, path: str) -> None:
    search_id = await created(north)
    for archived in (True, False):
        answer = await north.patch(f"{path}/{search_id}", json={"archived": archived})
        assert (answer.status_code, answer.json()["id"], answer.json()["archived"]) == (200, search_id, archived)


@pytest.mark.parametrize("path", ["/v1/search", "/v1/searches"])
async def test_a_match_is_chosen_and_the_choice_reversed(north: httpx2.AsyncClient, runtime: Runtime, path: str) -> None:
    search_id = await with_matches(runtime, north)
    for body, outcome in (
        ({"matchId": MATCH}, {"status": "selected", "selectedMatchId": MATCH}),
        ({"status": "no_selection"}, {"status": "no_selection", "selectedMatchId": None}),
        ({"status": "no_match_found"}, {"status": "no_match_found", "selectedMatchId": None}),
        ({"matchId": MATCH, "status": None}, {"status": "selected", "selectedMatchId": MATCH}),
    ):
        answer = await north.post(f"{path}/{search_id}/selection", json=body)
        assert (answer.status_code, answer.json()) == (200, {"matchSelection": outcome})
    stored = (await north.get(f"/v1/search/{search_id}")).json()
    assert stored["matchSelection"]["selectedMatchId"] == MATCH


@pytest.mark.parametrize(
    "body", [{}, {"matchId": MATCH, "status": "no_selection"}, {"matchId": ""}, {"status": "selected"}, {"matchId": 7}]
)
async def test_a_choice_that_is_none(north: httpx2.AsyncClient, runtime: Runtime, body: object) -> None:
    answer = await north.post(f"/v1/search/{await with_matches(runtime, north)}/selection", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")


@pytest.mark.parametrize("match_id", ["207279bd-c13b-4672-967b-18a2b104f9e2", "not-an-id"])
async def test_a_match_of_another_search(north: httpx2.AsyncClient, runtime: Runtime, match_id: str) -> None:
    answer = await north.post(f"/v1/search/{await with_matches(runtime, north)}/selection", json={"matchId": match_id})
    assert (answer.status_code, answer.json()["code"]) == (400, "MATCH_NOT_FOUND")


async def test_selection_must_be_enabled(north: httpx2.AsyncClient) -> None:
    answer = await north.post(f"/v1/search/{await created(north)}/selection", json={"status": "no_selection"})
    assert (answer.status_code, answer.json()["code"]) == (409, "CONFLICT")


async def test_a_match_is_selected_only_in_a_search_that_has_a_result(north: httpx2.AsyncClient, clock: ManualClock) -> None:
    running = await north.post("/v1/search", json={"name": "Acme", "matchSelection": True}, headers={"Prefer": "respond-async"})
    selection = f"{running.headers['Location']}/selection"
    for state in ("loading", "error"):
        answer = await north.post(selection, json={"status": "no_selection"})
        assert (answer.status_code, answer.json()["code"]) == (409, "CONFLICT")
        assert f"`{state}`" in answer.json()["error"]
        clock.move(days=1)


async def test_jurisdictions_are_codes_or_names_in_either_language(north: httpx2.AsyncClient) -> None:
    for given in (["on", "QC", "Fed", "ns"], ["Ontario", "QUÉBEC", "fédéral", "nouvelle-ecosse"]):
        answer = (await north.post("/v1/search", json={"name": "Acme", "jurisdictions": given})).raise_for_status().json()
        assert answer["meta"]["submitted"]["params"]["jurisdictions"] == ["ON", "QC", "FED", "NS"]
    for name in ("ab", "Alberta", "Terre-Neuve-et-Labrador"):
        assert (await north.get("/v1/prefill", params={"query": "acme", "jurisdiction": name})).status_code == 200
    refused = await north.get("/v1/prefill", params={"query": "acme", "jurisdiction": "Atlantis"})
    assert (refused.status_code, refused.json()["details"][0]["path"]) == (400, "jurisdiction")


@pytest.mark.parametrize("website", ["https://ann:s3cret@example.com/a@b", "ann:s3cret@example.com", "https://s3cret@example.com"])
async def test_credentials_in_a_url_are_not_echoed(north: httpx2.AsyncClient, website: str) -> None:
    search = await north.post("/v1/search", json={"name": "Acme", "website": website})
    record = await north.post("/v1/businesses", json={"name": "Acme", "website": website, "additionalWebsites": [website]})
    audit = await north.get(f"/v1/businesses/{record.json()['business']['id']}/audit")
    for answer in (search, record, audit, await north.get("/v1/searches"), await north.get("/v1/businesses")):
        assert answer.raise_for_status().status_code < 300
        assert "s3cret" not in answer.text
    assert "***@example.com" in search.json()["meta"]["submitted"]["website"]


async def test_a_check_that_is_unavailable_can_be_retried(north: httpx2.AsyncClient) -> None:
    wanted = {"name": "Acme", "sanctionsScreening": True, "website": "https://shop.example"}
    errors = (await north.post("/v1/search", json=wanted)).raise_for_status().json()["errors"]
    found = [error for error in errors.values() if error is not None]
    assert {(error["code"], error["retryable"]) for error in found} == {("UNAVAILABLE", True)}
    assert len(found) == 4


async def test_no_match_is_not_claimed_where_no_register_was_searched(north: httpx2.AsyncClient) -> None:
    answer = (await north.post("/v1/search", json={"name": "Acme", "matchSelection": True})).raise_for_status().json()
    selection = answer["matchSelection"]
    assert (selection["status"], selection["selectedMatchId"]) == ("needs_review", None)
    assert selection["reason"] == Message("No register was searched.")


async def test_nobody_else_can_see_or_change_a_search(
    north: httpx2.AsyncClient, south: httpx2.AsyncClient, runtime: Runtime
) -> None:
    search_id = await with_matches(runtime, north)
    for other in (search_id, str(uuid4())):
        codes = [
            (answer.status_code, answer.json()["code"])
            for answer in (
                await south.get(f"/v1/search/{other}"),
                await south.patch(f"/v1/search/{other}", json={"archived": True}),
                await south.post(f"/v1/search/{other}/selection", json={"matchId": MATCH}),
            )
        ]
        assert codes == [(404, "NOT_FOUND"), (404, "NOT_FOUND"), (404, "SEARCH_NOT_FOUND")]
    assert (await south.get("/v1/searches")).json()["searches"] == []
    assert (await north.get("/v1/searches?archived=false")).json()["pagination"]["total"] == 1
