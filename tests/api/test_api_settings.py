"""Account settings on the wire."""

import httpx2
import pytest

from bonafide.api.description.components import load_examples
from tests.support.api.clients import NewClient, NewKey

pytestmark = pytest.mark.anyio
DEFAULTS = load_examples()["account_settings"]["value"]


async def test_defaults_are_filled_in(north: httpx2.AsyncClient) -> None:
    answer = await north.get("/v1/settings")
    assert (answer.status_code, answer.json()) == (200, DEFAULTS)


async def test_what_is_sent_is_set_and_the_rest_stays(north: httpx2.AsyncClient, south: httpx2.AsyncClient) -> None:
    change = {"search": {"sanctionsScreening": True}, "verification": {"address": {"threshold": 0.8}}}
    answer = await north.put("/v1/settings", json=change)
    expected = {
        **DEFAULTS,
        "search": DEFAULTS["search"] | {"sanctionsScreening": True},
        "verification": DEFAULTS["verification"] | {"address": {"enabled": True, "threshold": 0.8}},
    }
    assert (answer.status_code, answer.json()) == (200, expected)
    assert (await north.get("/v1/settings")).json() == expected
    assert (await south.get("/v1/settings")).json() == DEFAULTS


async def test_settings_that_were_read_can_be_sent_back(north: httpx2.AsyncClient) -> None:
    assert (await north.put("/v1/settings", json=DEFAULTS)).json() == DEFAULTS
    assert (await north.get("/v1/settings/audit")).json()["entries"] == []


async def test_they_are_the_defaults_of_a_search(north: httpx2.AsyncClient) -> None:
    await north.put("/v1/settings", json={"search": {"regulatoryRegistry": False}, "matchSelection": {"enabled": True}})
    params = (await north.post("/v1/search", json={"name": "Acme"})).json()["meta"]["submitted"]["params"]
    assert (params["regulatoryRegistry"], params["matchSelection"]) == (False, True)


async def test_changes_stand_in_the_trail(north: httpx2.AsyncClient) -> None:
    await north.put("/v1/settings", json={"matchSelection": {"enabled": True}}, headers={"X-Request-Id": "mine"})
    (entry,) = (await north.get("/v1/settings/audit")).json()["entries"]
    assert (entry["field"], entry["old"], entry["new"], entry["requestId"]) == ("matchSelection.enabled", False, True, "mine")


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"search": {"sanctionsThreshold": 0.5}}, "search.sanctionsThreshold"),
        ({"search": {"sanctionScreening": True}}, "search.sanctionScreening"),
        ({"search": {"sanctionsScreening": None}}, "search.sanctionsScreening"),
        ({"verification": {"legalName": {"enabled": False}}}, "verification.legalName.enabled"),
        ({"matchSelection": {"reviewThreshold": 0.99}}, "matchSelection.reviewThreshold"),
        ({"notifications": {"timeZone": "Mars"}}, "notifications.timeZone"),
        ({"notifications": {"digest": "hourly"}}, "notifications.digest"),
        ({"notifications": {"types": ["search.lost"]}}, "notifications.types.0"),
    ],
)
async def test_what_is_no_setting_is_refused(north: httpx2.AsyncClient, change: object, path: str) -> None:
    answer = await north.put("/v1/settings", json=change)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert answer.json()["details"][0]["path"] == path


async def test_a_key_for_searches_alone_can_not_loosen_them(new_client: NewClient, new_key: NewKey) -> None:
    client = await new_client(await new_key(scopes=["search:read", "search:write", "verify:read", "verify:write"]))
    for answer in (
        await client.get("/v1/settings"),
        await client.put("/v1/settings", json={}),
        await client.get("/v1/settings/audit"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "UNAUTHORIZED")
