"""No operation of the API tells or changes anything of another organization: `docs/openapi.json` is walked with a foreign key.

`north` makes one of everything. Whoever else then asks for it, with every id of north's in every place an id can stand, gets the
answer of an id that never existed, and all that is kept of north stays as it was to the byte.
"""

import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest
from fastapi import FastAPI

from bonafide.app.application import create_app
from bonafide.model.accounts.organizations import Scope, World
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.accounts.api_key_usage import write_counts
from bonafide.services.cases.reading import FIRST_ITEM, encode_item_cursor
from bonafide.services.cases.timeline import NEWEST, encode_timeline_cursor
from bonafide.store.tenants import organizations
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.world.builder import DEFAULT_SEED
from bonafide_sandbox.world.directory import BusinessDirectory
from tests.support.api.clients import HIGH_LIMIT, ManualClock, NewClient, NewKey
from tests.support.api.operation_requests import Described, Probe, described_operations, filled
from tests.support.api.organization_resources import CANARY, made, never_made
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.servers.asgi_server import served
from tests.support.store.organization_rows import COUNTERS, dump, uuids_in

pytestmark = pytest.mark.anyio
OPERATIONS = described_operations()
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_CHANGING = (
    (_UUID, "<id>"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z"), "<instant>"),
    (re.compile(r'"(duration|durationMs)":\d+'), "<time>"),
    (re.compile(r"api@[a-z0-9-]+\.invalid"), "<caller>"),
    (re.compile(r'"hash":"[0-9a-f]{64}"'), "<hash>"),
    (re.compile(r"/v1/documents/[\w-]+"), "<document>"),
    (re.compile(r'"next":"[\w-]+"'), "<cursor>"),
)
_CHANGING_HEADERS = frozenset(
    {"x-request-id", "x-ratelimit-remaining", "x-ratelimit-reset", "content-length", "repr-digest", "location"}
)


@dataclass(frozen=True)
class Sent:
    """A probe as it was sent, and what was answered."""

    answer: httpx2.Response
    ids: Mapping[str, Any]

    @property
    def text(self) -> str:
        """The answer's body without what the request itself said."""
        text = self.answer.text
        for kind in sorted(self.ids, key=lambda kind: -len(str(self.ids[kind]))):
            text = text.replace(str(self.ids[kind]), f"<{kind}>")
        return text

    @property
    def told(self) -> tuple[int, dict[str, str], str]:
        """What can be told from the answer, without what is never the same twice."""
        text = self.text
        for pattern, name in _CHANGING:
            text = pattern.sub(name, text)
        headers = {name: value for name, value in self.answer.headers.items() if name not in _CHANGING_HEADERS}
        return self.answer.status_code, headers, text


async def send(
    client: httpx2.AsyncClient, described: Described, probe: Probe, ids: Mapping[str, Any], idempotency_key: str
) -> Sent:
    path = described.path.format_map(filled(probe.path, ids))
    headers = {"Idempotency-Key": idempotency_key} if described.method == "POST" else {}
    body = filled(probe.body, ids)
    answer = await client.request(described.method, path, params=filled(probe.query, ids), json=body, headers=headers)
    return Sent(answer, ids)


def every_probe() -> list[tuple[str, Described, Probe]]:
    """Each request of each operation under a name of its own."""
    return [
        (f"{described.operation_id}-{number}", described, probe)
        for described in OPERATIONS
        for number, probe in enumerate(described.probes)
    ]


# ------------------------------------------------------------------------------------------------------------ the walk itself


@pytest.mark.parametrize("described", OPERATIONS, ids=lambda described: described.operation_id)
def test_every_operation_has_requests_that_put_an_id_wherever_one_can_stand(described: Described) -> None:
    assert described.probes != (), (
        f"{described.operation_id} has no request in operation_requests.py: nobody proves that it tells nothing"
    )
    named = set().union(*(probe.named() for probe in described.probes))
    assert described.places() <= named, described.places() - named


@pytest.fixture
async def app(sandbox_runtime: Runtime, live_world: Path) -> AsyncIterator[FastAPI]:
    """The service on the loaded sandbox, whose live registers are served."""
    async with served(create_sandbox_app(live_world, {}, None, BusinessDirectory(live_world, DEFAULT_SEED))) as address:
        fetcher = Fetcher(sandbox_runtime.settings, sandbox_runtime.clock, sandbox=address)
        try:
            yield create_app(replace(sandbox_runtime, fetchers={World.SANDBOX: fetcher}))
        finally:
            await fetcher.close()


async def organization_of(runtime: Runtime, name: str, world: World) -> UUID:
    async with runtime.store.read() as connection:
        found = await organizations.list_all(connection)
    (organization,) = [each for each in found if (each.name, each.world) == (name, world)]
    return organization.id


@pytest.mark.slow
async def test_nobody_else_s_key_tells_or_changes_anything(
    app: FastAPI, runtime: Runtime, new_client: NewClient, new_key: NewKey, clock: ManualClock
) -> None:
    north = await new_client(await new_key(world=World.SANDBOX))
    theirs = await made(north, runtime)
    for name, described, probe in every_probe():
        own = await send(north, described, probe, theirs.ids, name)
        # A request that north itself can't make would prove nothing.
        assert own.answer.status_code < 400, (name, own.answer.text)
    await write_counts(runtime)
    north_id = await organization_of(runtime, "North", World.SANDBOX)
    before = await dump(runtime, north_id)
    records = (
        *("searches", "verifications", "extracts", "businesses", "dismissals", "screenings", "ownership_statements"),
        *("business_documents", "ownership_reviews", "discrepancies", "business_traits", "events"),
        *("cases", "case_items", "case_notes", "case_attachments", "case_decisions"),
        *("manual_checks", "manual_check_files", "accepted_discrepancies", "packs", "legal_holds", "erasures", "batches"),
    )
    assert all(before[table] for table in (*records, "jobs", "files"))
    secret = {*theirs.secret, *uuids_in(before)}
    for organization, world in (("South", World.SANDBOX), ("North", World.LIVE)):
        curious, ignorant = [
            await new_client(await new_key(organization=name, world=world))
            for name in (organization, f"{organization} {uuid4().hex}")
        ]
        asked_for = await with_own_search(curious, theirs.ids), await with_own_search(ignorant, never_made(theirs.ids))
        await walk((curious, ignorant), asked_for, secret, clock)
    assert await dump(runtime, north_id) == before


async def walk(
    clients: tuple[httpx2.AsyncClient, httpx2.AsyncClient],
    asked_for: tuple[dict[str, Any], dict[str, Any]],
    secret: set[str],
    clock: ManualClock,
) -> None:
    """Two strangers make the same requests, one of them with ids that never existed; both are told the same, and no secret."""
    for name, described, probe in every_probe():
        clock.move(seconds=1)
        # What north has sent under this key, to the byte: it must not be answered as north was.
        asked = await send(clients[0], described, probe, asked_for[0], name)
        unknown = await send(clients[1], described, probe, asked_for[1], uuid4().hex)
        assert asked.told == unknown.told, name
        assert asked.answer.status_code < 500, name
        assert "Idempotent-Replayed" not in asked.answer.headers, name
        assert {one for one in secret if one in asked.text or one in str(asked.answer.headers)} == set(), name


async def with_own_search(client: httpx2.AsyncClient, ids: dict[str, Any]) -> dict[str, Any]:
    """The ids, and that of a search of the client's own, in which another's match is to be selected."""
    search = (await client.post("/v1/search", json={"name": "Sandbox Bakery Inc.", "matchSelection": True})).raise_for_status()
    return {**ids, "ownSearch": search.json()["meta"]["searchId"]}


async def test_a_report_that_another_organization_has_is_obtained_anew(
    app: FastAPI, new_client: NewClient, new_key: NewKey
) -> None:
    north, south = [await new_client(await new_key(organization=name, world=World.SANDBOX)) for name in ("North", "South")]
    body = {"jurisdiction": "BC", "registrationNumber": "BC1000033"}
    mine, theirs = [(await client.post("/v1/business-reports", json=body)).raise_for_status().json() for client in (north, south)]
    assert (mine["cached"], theirs["cached"]) == (False, False)
    assert mine["reportId"] != theirs["reportId"]


# ------------------------------------------------------------------------------------------------------------ keys and scopes


@dataclass(frozen=True)
class Plain:
    """The service without any source: who is refused is settled before anything is looked up."""

    app: FastAPI
    runtime: Runtime
    client: NewClient


@pytest.fixture
async def plain(runtime: Runtime, new_client: NewClient) -> Plain:
    # A caller over its rate limit would be refused after a delay, and not by the operation.
    runtime = replace(runtime, settings=runtime.settings.model_copy(update={"anonymous_rate_limit": HIGH_LIMIT}))
    app = create_app(runtime)
    return Plain(app, runtime, replace(new_client, app=app))


NOBODY_S = {
    **dict.fromkeys(("business", "search", "ownSearch", "linkedSearch", "match", "verification"), str(uuid4())),
    **dict.fromkeys(("pending", "report", "dismissal", "screening", "discrepancy", "review", "document", "event"), str(uuid4())),
    **dict.fromkeys(("alert", "webhook", "otherWebhook", "openCase", "attachment", "pack", "batch", "doneBatch"), str(uuid4())),
    **dict.fromkeys(("manualCheck", "otherCheck", "checkFile"), str(uuid4())),
    **dict.fromkeys(("erasedBusiness", "erasedSearch", "erasedVerification", "erasedScreening", "erasedReport"), str(uuid4())),
    **dict.fromkeys(("erasedCase", "heldBusiness"), str(uuid4())),
    "deliveryCursor": "ZDEuMA",
    "timelineCursor": encode_timeline_cursor(NEWEST),
    "itemCursor": encode_item_cursor(FIRST_ITEM),
    "errorCursor": "0.0",
    "externalId": "x",
    "number": "BC7654321",
    "hit": {"source": "ca-sanctions-autonomous", "entryId": "1", "digest": "d"},
    "case": "y",
    "eventCursor": "ZTEuMA",
    "cursor": "MS4wLjAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw",
    "name": f"{CANARY} Ltd.",
}


@pytest.mark.slow
@ON_SQLITE_ONLY
async def test_a_key_that_is_over_or_was_never_made_opens_nothing(plain: Plain, new_key: NewKey, clock: ManualClock) -> None:
    expired, revoked = await new_key(expires_in=60), await new_key(label="revoked")
    (listed,) = [key for key in await api_access.list_keys(plain.runtime) if key.label == "revoked"]
    await api_access.revoke_key(plain.runtime, listed.id)
    clock.move(seconds=61)
    before = await dump(plain.runtime, listed.organization_id, without=COUNTERS)
    refused = {"EXPIRED_API_KEY": expired, "REVOKED_API_KEY": revoked, "INVALID_API_KEY": "bf_live_x", "MISSING_API_KEY": None}
    for code, key in refused.items():
        client = await plain.client(key)
        for described in OPERATIONS:
            answer = (await send(client, described, described.probes[0], NOBODY_S, uuid4().hex)).answer
            assert (answer.status_code, answer.json()["code"]) == (401, code), described.operation_id
    assert await dump(plain.runtime, listed.organization_id, without=COUNTERS) == before


NEEDS_FURTHER = {
    "replayRiskRules": Scope.SEARCH_READ,
    **dict.fromkeys(("createSearch", "verifyBusiness", "dismissHit", "createManualCheck"), Scope.BUSINESSES_READ),
    **dict.fromkeys(("createPdf", "createPack", "readPack"), Scope.SEARCH_READ),
    **dict.fromkeys(("createWebhookEndpoint", "readTimeline"), Scope.EVENTS_READ),
    "changeWebhookEndpoint": Scope.BUSINESSES_READ,
    "createBatch": Scope.SANCTIONS_WRITE,
}
"""Operations whose first probe reads something of another resource."""


@pytest.mark.slow
@ON_SQLITE_ONLY
async def test_each_operation_needs_the_scope_that_it_states_and_no_other(plain: Plain, new_key: NewKey) -> None:
    organization = "North"
    for scope in Scope:
        client = await plain.client(await new_key(organization=organization, scopes=(scope,)))
        for described in OPERATIONS:
            answer = (await send(client, described, described.probes[0], NOBODY_S, uuid4().hex)).answer
            if described.scope != scope:
                assert (answer.status_code, answer.json()["code"]) == (403, "UNAUTHORIZED"), (scope, described.operation_id)
                assert f"scope `{described.scope}`," in answer.json()["error"]
            elif described.operation_id.removesuffix("Alias") in NEEDS_FURTHER:
                assert f"scope `{NEEDS_FURTHER[described.operation_id.removesuffix('Alias')]}`," in answer.json()["error"]
            else:
                assert answer.status_code not in {401, 403}, (scope, described.operation_id)
