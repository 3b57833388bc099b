"""No page of the console shows or changes anything of another organization: all its addresses are walked by a stranger.

`north` has work in every list. An owner of another organization opens every address that holds an id, and sends every form, with
each id that stands in any row of north's: the answer is that of an id which never existed, and north's rows stay as they were.
"""

import re
from collections.abc import AsyncIterator, Iterator
from itertools import permutations
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import httpx2
import pytest
from fastapi.routing import APIRoute

from bonafide.app.application import create_app
from bonafide.console.routes import ROUTERS
from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.model.accounts.users import Role
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access, one_time_links
from bonafide.services.accounts.api_key_usage import write_counts
from tests.support.console.organization_work import Desk, desk_over, elsewhere
from tests.support.console.sessions import csrf_of, signed_in_client
from tests.support.store.organization_rows import dump

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
CANARY = "Quillwander"
FULL = ("searches", "verifications", "businesses", "dismissals", "links", "memberships", "sessions", "api_keys", "discrepancies")
LISTED = "Sandbox Sanctioned Trading Ltd."
BAKERY = {"jurisdiction": "ON", "registrationNumber": "1000017"}
# What forms of all kinds may want, so that none is refused before its id is checked.
FIELDS = {"role": "viewer", "reason": "It was them.", "name": "Plain Trading Ltd.", "label": "Plain", "status": "no_match_found"}
_UUID = re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}")
_CHANGING = (
    (_UUID, "<id>"),
    (re.compile(r'name="csrf" value="[^"]+"|"X-CSRF-Token": "[^"]+"'), "<csrf>"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ][\d:.Z]+"), "<at>"),
)


def list_routes() -> list[APIRoute]:
    routes = [route for router in ROUTERS for route in router.routes]
    found = [route for route in routes if isinstance(route, APIRoute)]
    assert len(found) == len(routes)
    return found


def addresses() -> list[tuple[str, str]]:
    """Each method and address of the console that has an id in it."""
    found = [(method, route.path) for route in list_routes() for method in route.methods or () if "{" in route.path]
    return sorted(set(found) - {("GET", "/console/{rest:path}"), ("GET", "/console/sources/{key}")})


def plain_addresses() -> list[str]:
    """Each page without an id in its address."""
    return sorted({route.path for route in list_routes() if "GET" in (route.methods or ()) and "{" not in route.path})


@pytest.fixture(scope="module")
async def desk(sqlite_template: Path, sandbox_data: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desk]:
    async with desk_over(sqlite_template, tmp_path_factory.mktemp("isolation"), sandbox_data) as opened:
        yield opened


async def north_s_work(desk: Desk) -> UUID:
    """Something in every list of the organization."""
    key = (await api_access.create_key(desk.runtime, KeyRequest(organization=desk.organization, world=World.SANDBOX))).text
    transport = httpx2.ASGITransport(create_app(desk.runtime))
    async with httpx2.AsyncClient(transport=transport, base_url="http://x", headers={"X-API-Key": key}) as api:

        async def sent(path: str, **body: Any) -> Any:
            return (await api.post(f"/v1/{path}", json=body)).raise_for_status().json()

        record = await sent("businesses", name=f"{CANARY} Holdings Ltd.", notes=f"{CANARY} said so")
        parties = [{"id": "b", "kind": "business", "name": f"{CANARY} Holdings Ltd.", "businessId": record["business"]["id"]}]
        owners = {"asOf": "2026-11-01", "parties": parties}
        (await api.put(f"/v1/businesses/{record['business']['id']}/ownership", json=owners)).raise_for_status()
        await sent("search", name=f"Sandbox Bakery {CANARY} Inc.", matchSelection=True, businessId=record["business"]["id"])
        await sent("verify", **BAKERY, legalName=f"Sandbox Bakery {CANARY} Inc.")
        await sent("business-reports", **BAKERY)
        await sent("batches", kind="screen", rows=[{"name": f"{CANARY} Holdings Ltd."}])
        (match,) = (await sent("sanctions", query=LISTED))["screening"]["matches"]
        hit = {name: match[name] for name in ("source", "entryId", "digest")}
        await sent("sanctions/dismissals", subject={"name": LISTED}, hit=hit, reason=f"{CANARY} is another")
        business = f"businesses/{record['business']['id']}"
        await sent(f"{business}/documents", name=f"{CANARY}.pdf", content="JVBERi0xLjcK")
        found = {"kind": "extra_owner", "registry": {"name": f"Ida {CANARY}"}, "reason": "Seen in the register."}
        await sent(f"{business}/discrepancies", riskRating="high", discrepancy=found)
    organization_id = (await api_access.authenticate(desk.runtime, key)).organization_id
    await one_time_links.invite(desk.runtime, organization_id, f"{CANARY}@new.example".lower(), Role.VIEWER, Author("cli:test"))
    return organization_id


async def ids_in(runtime: Runtime, organization_id: UUID) -> list[str]:
    """Every id of the organization's that stands in a row, and those of its matches."""
    rows = await dump(runtime, organization_id)
    in_columns = {str(value) for table in rows.values() for row in table for value in row if isinstance(value, UUID)}
    matches = {
        found for row in rows["searches"] for value in row for found in re.findall(r'"matchId":"([0-9a-f-]{36})"', str(value))
    }
    return sorted(in_columns) + sorted(matches)[:2]


def filled(path: str, one: str, other: str) -> str:
    return path.format_map(
        {"id": one, "key": one, "match_id": other, "item_id": other, "number": "0", "action": "resolve", "claimant": "declared"}
        | {"file_name": "searches.csv", "rule_id": "inactive", "version": "0", "format": "csv"}
    )


async def told(client: httpx2.AsyncClient, method: str, path: str, csrf: str, ids: tuple[str, str]) -> tuple[int, str, str]:
    """The status, the body and where it leads, without what is never the same twice."""
    data = {"csrf": csrf, "matchId": ids[1], **FIELDS} if method == "POST" else None
    answer = await client.request(method, filled(path, *ids), data=data)
    assert CANARY.lower() not in answer.text.lower(), path
    text, led = answer.text, answer.headers.get("Location", "")
    for pattern, name in _CHANGING:
        text, led = pattern.sub(name, text), pattern.sub(name, led)
    return answer.status_code, text, led


def related_in(rows: dict[str, list[tuple[Any, ...]]]) -> set[tuple[str, str]]:
    """Each two ids that stand in one row, in both orders: whatever belongs to something else has its id."""
    found = ([str(value) for value in row if isinstance(value, UUID)] for table in rows.values() for row in table)
    return {pair for ids in found for pair in permutations(ids, 2)}


def pairs(ids: list[str], related: set[tuple[str, str]], *, has_match: bool, has_item: bool) -> Iterator[tuple[str, str]]:
    for one in ids:
        yield from ((one, other) for other in (ids[-2:] if has_match else ids[-1:]))
    if has_item:
        yield from ((ids[-1], other) for other in ids)
        yield from sorted(related)


async def test_an_owner_of_another_organization_is_shown_and_changes_nothing(desk: Desk) -> None:
    async with desk.someone(Role.OWNER), elsewhere(desk).someone(Role.OWNER) as stranger:
        north_id = await north_s_work(desk)
        await write_counts(desk.runtime)
        ids, before = await ids_in(desk.runtime, north_id), await dump(desk.runtime, north_id)
        related = related_in(before)
        assert all(before[table] for table in FULL)
        csrf = csrf_of(await stranger.get("/console/search"))
        for method, path in addresses():
            nobody_s = (str(uuid4()), str(uuid4()))
            unknown = await told(stranger, method, path, csrf, nobody_s)
            for pair in pairs(ids, related, has_match="match_id" in path, has_item="item_id" in path):
                assert await told(stranger, method, path, csrf, pair) == unknown, (method, path, pair)
        assert await dump(desk.runtime, north_id) == before


async def test_no_list_or_query_of_another_organization_shows_anything(desk: Desk) -> None:
    north_id = await north_s_work(elsewhere(desk))
    async with elsewhere(desk).someone(Role.OWNER) as stranger:
        ids = await ids_in(desk.runtime, north_id)
        for path in plain_addresses():
            for query in ("", *(f"?business={one}&match={one}&for={one}&at={one}&done={one}&shown={one}" for one in ids[:6])):
                answer = await stranger.get(f"{path}{query}")
                assert CANARY.lower() not in answer.text.lower(), path
                assert answer.status_code < 500, path


async def test_no_session_stands_in_an_address_and_none_is_taken_from_one(desk: Desk) -> None:
    async with await signed_in_client(desk.runtime, Role.OWNER, elsewhere(desk).organization) as client:
        ((name, token),) = [(name, value) for name, value in client.cookies.items() if "session" in name]
        for path in ("/console/searches", "/console/profile", "/console/members"):
            page = await client.get(path)
            assert token not in page.text
            assert token not in str(page.url)
        client.cookies.clear()
        for query in (f"{name}={token}", f"session={token}", f"token={token}"):
            sent_away = await client.get(f"/console/profile?{query}")
            assert (sent_away.status_code, urlsplit(sent_away.headers["Location"]).path) == (303, "/console/sign-in")
        assert (await client.get("/console/profile", headers={"Authorization": f"Bearer {token}"})).status_code == 303
