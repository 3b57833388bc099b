"""The pages of API keys: a key's text is shown once and works at once; what owners change holds, and nobody else may."""

import json
import re
import shlex
from collections.abc import AsyncIterator
from datetime import date, timedelta
from html import unescape
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from structlog.testing import capture_logs

from bonafide.model.accounts.organizations import ApiKey, World
from bonafide.model.accounts.users import Role
from bonafide.runtime import Runtime
from bonafide.services.accounts import organization_api_keys
from bonafide.services.accounts.api_key_usage import write_counts
from bonafide.services.accounts.organizations import list_organizations
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.key_usage import KeyDay, RequestTotals
from tests.support.console.installation import installation
from tests.support.console.sessions import send, signed_in_client
from tests.support.loaded_sandbox import LOADED_AT

pytestmark = pytest.mark.anyio
KEYS = "/console/keys"
SECRET = re.compile(r"bf_(?:test|live)_[0-9A-Za-z]{49}")


@pytest.fixture
async def runtime(sqlite_template: Path, tmp_path: Path) -> AsyncIterator[Runtime]:
    async with installation(sqlite_template, tmp_path) as opened:
        yield opened


@pytest.fixture
async def owner(runtime: Runtime) -> AsyncIterator[httpx2.AsyncClient]:
    async with await signed_in_client(runtime) as client:
        yield client


async def made(owner: httpx2.AsyncClient, **form: object) -> httpx2.Response:
    answer = await send(owner, KEYS, label="Web form", **{"allScopes": "true", **form})
    assert answer.status_code == 201
    return answer


async def keys_of(runtime: Runtime, organization: str = "north", world: World = World.SANDBOX) -> list[ApiKey]:
    found = next((one for one in await list_organizations(runtime) if (one.name, one.world) == (organization, world)), None)
    return await organization_api_keys.list_keys(runtime, found.id) if found is not None else []


def secret_of(page: httpx2.Response) -> str:
    found = SECRET.search(page.text)
    assert found is not None
    return found[0]


# ----------------------------------------------------------------------------------------------------------------- make


@pytest.mark.parametrize(
    "scope", ["search:write", "verify:write", "sanctions:write", "search:read", "businesses:read", "sanctions:read"]
)
async def test_the_call_beside_a_new_key_works_as_it_stands(owner: httpx2.AsyncClient, scope: str) -> None:
    page = await made(owner, allScopes="", scopes=[scope])
    sample = re.search(r'<pre class="secret"[^>]*>(.*?)</pre>', page.text, re.DOTALL)
    assert sample is not None
    words = shlex.split(unescape(sample[1]).replace("\\\n", ""))
    assert words[:2] == ["curl", "-s"]
    headers = dict(word.split(": ", 1) for flag, word in pairwise(words) if flag == "-H")
    body = next((word for flag, word in pairwise(words) if flag == "-d"), None)
    async with httpx2.AsyncClient(transport=owner._transport, base_url=owner.base_url) as shell:
        method = "GET" if body is None else "POST"
        answer = await shell.request(method, urlsplit(words[2]).path, headers=headers, content=body)
    assert answer.status_code < 300, answer.text
    assert words[2].startswith(str(owner.base_url).rstrip("/"))
    assert body is None or json.loads(body)


async def test_a_key_is_shown_on_one_page_and_in_no_log_and_no_trail(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    with capture_logs() as logs:
        page = await made(owner)
    text = secret_of(page)
    assert page.headers["Cache-Control"] == "no-store"
    [key] = await keys_of(runtime)
    later = [await owner.get(address) for address in (KEYS, f"{KEYS}/{key.id}", f"{KEYS}/{key.id}/revoke")]
    assert all(answer.status_code == 200 for answer in later)
    assert not any(text in answer.text for answer in later)
    assert text not in str(logs)
    async with runtime.store.read() as connection:
        entries = (await audit_log.list_for_subject(connection, key.organization_id, key.id, 10, 0)).entries
    [entry] = entries
    assert entry.actor == "owner@north.example"
    assert text not in entry.to_json()


async def test_a_key_has_what_was_chosen_for_it(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    await made(owner, allScopes="", scopes=["search:write", "search:read"], lifetimeDays=30, rateLimit=7)
    [key] = await keys_of(runtime)
    assert (key.label, [*key.scopes], key.rate_limit) == ("Web form", ["search:read", "search:write"], 7)
    assert (key.owner, key.expires_at) == ("owner@north.example", LOADED_AT + timedelta(days=30))
    await made(owner, lifetimeDays=0)
    assert {listed.expires_at for listed in await keys_of(runtime)} == {key.expires_at, None}


async def test_a_form_with_mistakes_makes_nothing_and_comes_back_as_it_was(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    answer = await send(owner, KEYS, label="Web form", rateLimit=0)
    assert answer.status_code == 422
    assert 'value="Web form"' in answer.text
    assert 'aria-describedby="field-rateLimit-hint field-rateLimit-problem"' in answer.text
    none_chosen = await send(owner, KEYS, label="Web form")
    assert "select at least one permission" in none_chosen.text
    assert await keys_of(runtime) == []


async def test_owners_of_both_worlds_choose_the_world(runtime: Runtime) -> None:
    async with await signed_in_client(runtime, world=World.LIVE) as owner:
        live, test = await made(owner), await made(owner, world="sandbox")
    assert (secret_of(live)[:8], secret_of(test)[:8]) == ("bf_live_", "bf_test_")
    assert [len(await keys_of(runtime, world=world)) for world in World] == [1, 1]


async def test_no_key_is_made_in_a_world_that_one_does_not_own(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    answer = await send(owner, KEYS, label="Web form", allScopes="true", world="live")
    assert answer.status_code == 403
    assert await keys_of(runtime, world=World.LIVE) == []


# ------------------------------------------------------------------------------------------------- change, rotate, revoke


async def test_rotation_shows_a_new_key_and_leaves_the_old_one_its_time(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    first = secret_of(await made(owner))
    [old] = await keys_of(runtime)
    page = await send(owner, f"{KEYS}/{old.id}", f"{KEYS}/{old.id}/rotate", overlapHours=1)
    assert page.status_code == 201
    assert "works until" in page.text
    assert secret_of(page) != first
    old, new = sorted(await keys_of(runtime), key=lambda key: key.id != old.id)
    assert (new.label, new.expires_at) == (old.label, LOADED_AT + timedelta(days=90))
    assert old.expires_at == LOADED_AT + timedelta(hours=1)


async def test_expiry_and_limit_can_be_changed(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    await made(owner)
    [key] = await keys_of(runtime)
    answer = await send(owner, f"{KEYS}/{key.id}", lifetimeDays=180, rateLimit=5)
    assert answer.status_code == 303
    [changed] = await keys_of(runtime)
    assert (changed.expires_at, changed.rate_limit) == (LOADED_AT + timedelta(days=180), 5)
    assert (await send(owner, f"{KEYS}/{key.id}", rateLimit="many")).status_code == 422
    assert (await keys_of(runtime)) == [changed]


async def test_a_key_ignores_unknown_fields_if_its_owner_says_so(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    page = await made(owner, lenient="true")
    [key] = await keys_of(runtime)
    assert (key.lenient, "Ignored with a warning" in page.text) == (True, True)
    assert 'name="lenient" value="true" checked' in (await owner.get(f"{KEYS}/{key.id}")).text
    assert (await send(owner, f"{KEYS}/{key.id}", rateLimit=60)).status_code == 303
    [changed] = await keys_of(runtime)
    assert changed.lenient is False
    async with runtime.store.read() as connection:
        entries = (await audit_log.list_for_subject(connection, key.organization_id, key.id, 10, 0)).entries
    assert [entry.new["lenient"] for entry in entries if isinstance(entry.new, dict)] == [True, False]


async def test_a_key_is_revoked_after_one_more_question(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    text = secret_of(await made(owner))
    [key] = await keys_of(runtime)
    assert "Revoke this key?" in (await owner.get(f"{KEYS}/{key.id}/revoke")).text
    answer = await send(owner, f"{KEYS}/{key.id}/revoke")
    assert answer.status_code == 303
    refused = await owner.get("/v1/coverage", headers={"Authorization": f"Bearer {text}"})
    assert refused.status_code == 401
    page = (await owner.get(f"{KEYS}/{key.id}")).text
    assert "Revoked" in page
    assert "/rotate" not in page
    assert (await send(owner, KEYS, f"{KEYS}/{key.id}", rateLimit=5)).status_code == 409


# ---------------------------------------------------------------------------------------------------------------- usage


async def test_requests_are_drawn_by_day_and_stand_in_a_table(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    text = secret_of(await made(owner, rateLimit=1))
    [key] = await keys_of(runtime)
    asked = [await owner.get("/v1/coverage", headers={"Authorization": f"Bearer {text}"}) for _ in range(2)]
    assert [answer.status_code for answer in asked] == [200, 429]
    runtime.request_counts.add(KeyDay(key.organization_id, key.id, date(2026, 11, 18)), RequestTotals(1200, 34))
    await write_counts(runtime)
    listed, page = (await owner.get(KEYS)).text, (await owner.get(f"{KEYS}/{key.id}")).text
    assert "1,202" in listed
    assert "Total requests: 1,202. Rejected: 35. Daily maximum: 1,200." in page
    assert page.count("<rect") == 4
    table = page[page.index("View as table") :].partition("</table>")[0]
    assert re.findall(r'datetime="([^"]+)"', table) == ["2026-11-20", "2026-11-18"]


# --------------------------------------------------------------------------------------------------------------- others


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST])
async def test_only_owners_see_and_make_keys(runtime: Runtime, role: Role) -> None:
    async with await signed_in_client(runtime, role) as member:
        assert (await member.get(KEYS)).status_code == 403
        assert (await send(member, "/console/profile", KEYS, label="Mine", allScopes="true")).status_code == 403
        assert KEYS not in (await member.get("/console/searches")).text
    assert await keys_of(runtime) == []


async def test_another_organizations_key_is_not_there(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    await made(owner)
    [key] = await keys_of(runtime)
    async with await signed_in_client(runtime, organization="south") as stranger:
        assert "Web form" not in (await stranger.get(KEYS)).text
        for address in (f"{KEYS}/{key.id}", f"{KEYS}/{key.id}/revoke", f"{KEYS}/nothing"):
            assert (await stranger.get(address)).status_code == 404
        for action in ("", "/rotate", "/revoke"):
            assert (await send(stranger, KEYS, f"{KEYS}/{key.id}{action}")).status_code == 404
    assert await keys_of(runtime) == [key]


async def test_the_pages_speak_french(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    await made(owner)
    [key] = await keys_of(runtime)
    french = {"Accept-Language": "fr-CA"}
    assert "Clés actives" in (await owner.get(KEYS, headers=french)).text
    assert "Requêtes par jour" in (await owner.get(f"{KEYS}/{key.id}", headers=french)).text
