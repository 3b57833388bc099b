"""Requests with an idempotency key whose process ends after any of its commits: repeated, each does its work exactly once."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest
from fastapi import FastAPI

from bonafide.api.protocol.idempotency import RESERVED_FOR
from bonafide.app.application import create_app
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.cases.following import update_cases
from tests.support.api.clients import ManualClock, NewClient, NewKey
from tests.support.api.operation_requests import ALIAS, BAKERY, LISTED, described_operations
from tests.support.store.interrupted_store import InterruptedStore, Killed
from tests.support.store.organization_rows import COUNTERS, dump

pytestmark = pytest.mark.anyio
NO_EFFECT = frozenset({*COUNTERS, "idempotency_keys"})
MOST_COMMITS = 8
SLOW = {"jurisdiction": "BC", "registrationNumber": "BC1000033", "legalName": "Sandbox Slow Registry Inc."}
RECENT = {**BAKERY, "legalName": "Sandbox Bakery Inc."}


@dataclass(frozen=True)
class Repeated:
    """A request of an operation; `@kind` in it stands for what was made before, and `@new` for a text that is never the same."""

    operation: str
    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)
    is_final: bool = False
    """Whether it can be done once, so that each attempt needs something of its own (`make_afresh`)."""


SEARCH = {"name": "Sandbox Bakery Inc.", "businessId": "@business", "matchSelection": True}
DISMISSAL = {"subject": {"name": LISTED}, "hit": "@hit", "reason": "Another party: @new", "businessId": "@business"}
COMPARISON = {"declared": [{"name": "Jane @new"}], "registry": {"consultedOn": "2026-11-01", "individuals": []}}
SEEN = {"found": True, "name": "Acme Inc.", "registrationNumber": "77001", "attachmentId": "@page"}
REQUESTS = (
    Repeated("createSearch", "/v1/search", SEARCH),
    Repeated("createSearch", "/v1/search", SEARCH, {"Prefer": "respond-async"}),
    Repeated("selectMatch", "/v1/search/@search/selection", {"matchId": "@match"}),
    Repeated("verifyBusiness", "/v1/verify", {**RECENT, "businessId": "@business"}),
    Repeated("verifyBusiness", "/v1/verify", {**SLOW, "businessId": "@business", "maxAge": 0}),
    Repeated("screen", "/v1/sanctions", {"query": LISTED}),
    Repeated("screen", "/v1/sanctions", {"query": LISTED, "businessId": "@business"}),
    Repeated("repeatScreening", "/v1/sanctions/@screening/rescreen", {}),
    Repeated("dismissHit", "/v1/sanctions/dismissals", DISMISSAL),
    Repeated("upsertBusiness", "/v1/businesses", {"name": "Acme @new"}),
    Repeated("createBusinessReport", "/v1/business-reports", {**BAKERY, "maxAge": 0}),
    Repeated("createPack", "/v1/packs", {"businessId": "@business"}),
    Repeated("createBatch", "/v1/batches", {"kind": "screen", "rows": [{"name": "Acme @new"}]}),
    Repeated("createPdf", "/v1/pdf", {"searchId": "@search"}),
    Repeated("openDiscrepancies", "/v1/businesses/@business/discrepancies", {"riskRating": "high", "comparison": COMPARISON}),
    Repeated("createWebhookEndpoint", "/v1/webhook-endpoints", {"url": "https://hooks.example.com/@new"}),
    Repeated("rotateWebhookSecret", "/v1/webhook-endpoints/@webhook/rotate-secret", {}),
    Repeated("testWebhookEndpoint", "/v1/webhook-endpoints/@webhook/test", {}),
    Repeated("replayWebhookEvents", "/v1/webhook-endpoints/@webhook/replay", {"eventIds": ["@event"]}),
    Repeated("addCaseNote", "/v1/cases/@openCase/notes", {"text": "Asked @new"}),
    Repeated("addCaseAttachment", "/v1/cases/@openCase/attachments", {"name": "Extract @new.pdf", "content": "JVBERi0xLjcK"}),
    Repeated("decideCase", "/v1/cases/@openCase/decision", {"decision": "escalate", "reasonCode": "other", "note": "@new"}),
    Repeated("createManualCheck", "/v1/manual-checks", {"businessId": "@fresh", "source": "nl"}, is_final=True),
    Repeated(
        "addManualCheckAttachment",
        "/v1/manual-checks/@check/attachments",
        {"name": "Extract @new.pdf", "content": "JVBERi0xLjcK"},
        is_final=True,
    ),
    Repeated("recordManualCheckResult", "/v1/manual-checks/@check/result", SEEN, is_final=True),
    Repeated("cancelManualCheck", "/v1/manual-checks/@check/cancel", {"note": "@new"}, is_final=True),
    Repeated(
        "acceptDiscrepancy",
        "/v1/verify/@discrepant/discrepancies/people.1/accept",
        {"reasonCode": "discrepancy_explained", "note": "@new"},
        is_final=True,
    ),
    Repeated(
        "revokeDiscrepancyAcceptance", "/v1/verify/@discrepant/discrepancies/people.0/revoke", {"note": "@new"}, is_final=True
    ),
    Repeated("eraseBusiness", "/v1/businesses/@fresh/erase", {"reason": "File @new"}, is_final=True),
    Repeated("eraseSearch", "/v1/search/@erasedSearch/erase", {"reason": "File @new"}, is_final=True),
    Repeated("eraseVerification", "/v1/verify/@discrepant/erase", {"reason": "File @new"}, is_final=True),
    Repeated("eraseScreening", "/v1/sanctions/@erasedScreening/erase", {"reason": "File @new"}, is_final=True),
    Repeated("eraseReport", "/v1/business-reports/@erasedReport/erase", {"reason": "File @new"}, is_final=True),
    Repeated("eraseCase", "/v1/cases/@erasedCase/erase", {"reason": "File @new"}, is_final=True),
    Repeated("activateRiskRules", "/v1/risk/rules/0/activate", {}),
    Repeated("replayRiskRules", "/v1/risk/rules/0/replay", {}),
    Repeated("addDocument", "/v1/businesses/@business/documents", {"name": "Extract @new.pdf", "content": "JVBERi0xLjcK"}),
)

DONE_ONCE = frozenset({"acknowledgeAlert"})
"""What can't be done again with another key. `test_api_alerts.py` repeats it with the same key."""


def test_every_post_of_the_api_is_interrupted() -> None:
    posts = {one.operation_id.removesuffix(ALIAS) for one in described_operations() if one.method == "POST"}
    assert posts == {request.operation for request in REQUESTS} | DONE_ONCE


@pytest.fixture
async def interrupted(database_url: str) -> AsyncIterator[InterruptedStore]:
    store = InterruptedStore.on(database_url)
    yield store
    await store.close()


@pytest.fixture
def app(sandbox_runtime: Runtime) -> FastAPI:
    """What serves the repeated requests."""
    return create_app(sandbox_runtime)


@dataclass(frozen=True)
class Services:
    """Two processes over one database, of which the first is interrupted."""

    store: InterruptedStore
    first: httpx2.AsyncClient
    second: httpx2.AsyncClient
    runtime: Runtime
    organization_id: UUID
    clock: ManualClock
    ids: Mapping[str, Any]

    async def send(self, client: httpx2.AsyncClient, request: Repeated, key: str) -> httpx2.Response:
        """Send the request; the key also stands for what is new in it."""
        ids = {**self.ids, "new": key}
        path, body = fill(request.path, ids), fill(request.body, ids)
        return await client.post(path, json=body, headers={**request.headers, "Idempotency-Key": key})

    async def count(self) -> dict[str, int]:
        """How many rows the organization has of each kind, and how many files."""
        rows = await dump(self.runtime, self.organization_id, without=NO_EFFECT)
        return {name: len(found) for name, found in rows.items()}


def fill(value: Any, ids: Mapping[str, Any]) -> Any:
    """The value with its `@kind`s replaced."""
    if isinstance(value, Mapping):
        return {name: fill(inner, ids) for name, inner in value.items()}
    if isinstance(value, list):
        return [fill(inner, ids) for inner in value]
    if not isinstance(value, str):
        return value
    if value.startswith("@") and not isinstance(ids[value[1:]], str):
        return ids[value[1:]]
    for name, known in ids.items():
        if isinstance(known, str):
            value = value.replace(f"@{name}", known)
    return value


@pytest.fixture
async def services(
    sandbox_runtime: Runtime,
    interrupted: InterruptedStore,
    new_client: NewClient,
    new_key: NewKey,
    clock: ManualClock,
) -> AsyncIterator[Services]:
    key = await new_key(world=World.SANDBOX)
    organization_id = (await api_access.authenticate(sandbox_runtime, key)).organization_id
    second = await new_client(key)
    ids = await made(second, sandbox_runtime)
    clock.move(seconds=1)
    async with AsyncExitStack() as stack:
        first = await NewClient(create_app(replace(sandbox_runtime, store=interrupted)), stack)(key)
        yield Services(interrupted, first, second, sandbox_runtime, organization_id, clock, ids)


async def made(client: httpx2.AsyncClient, runtime: Runtime) -> dict[str, Any]:
    """What the requests refer to."""
    business = (await client.post("/v1/businesses", json={"name": "Sandbox Bakery Inc."})).json()["business"]
    search = (await client.post("/v1/search", json=fill(SEARCH, {"business": business["id"]}))).json()
    screened = (await client.post("/v1/sanctions", json={"query": LISTED})).json()
    (match,) = screened["screening"]["matches"]
    webhook = (await client.post("/v1/webhook-endpoints", json={"url": "https://hooks.example.com/"})).json()
    events = (await client.get("/v1/events", params={"limit": 1})).json()["events"]
    await client.post(f"/v1/businesses/{business['id']}/discrepancies", json={"riskRating": "low", "comparison": COMPARISON})
    while await update_cases(runtime):
        pass
    cases = (await client.get("/v1/cases", params={"businessId": business["id"]})).json()["cases"]
    return {
        "openCase": cases[0]["id"],
        "webhook": webhook["id"],
        "event": events[0]["id"],
        "business": business["id"],
        "search": search["meta"]["searchId"],
        "screening": screened["meta"]["screeningId"],
        "match": search["businesses"][0]["matchId"],
        "hit": {name: match[name] for name in ("source", "entryId", "digest")},
    }


async def make_afresh(client: httpx2.AsyncClient) -> dict[str, Any]:
    """A record without a check, one with an open check and a file, and its verification with an accepted discrepancy."""
    fresh, business = [
        (await client.post("/v1/businesses", json={"name": f"Acme {uuid4().hex}"})).json()["business"]["id"] for _ in range(2)
    ]
    check = (await client.post("/v1/manual-checks", json={"businessId": business, "source": "nl"})).json()["id"]
    file = {"name": "page.pdf", "content": "JVBERi0xLjcK"}
    attached = (await client.post(f"/v1/manual-checks/{check}/attachments", json=file)).json()["id"]
    claim = {**RECENT, "businessId": business, "people": [{"name": "Bea Nobody"}, {"name": "Cy Nobody"}]}
    discrepant = (await client.post("/v1/verify", json=claim)).json()["meta"]["verificationId"]
    accepted = f"/v1/verify/{discrepant}/discrepancies/people.0/accept"
    (await client.post(accepted, json={"reasonCode": "other"})).raise_for_status()
    return {"fresh": fresh, "check": check, "page": attached, "discrepant": discrepant}


async def make_erasable(services: Services) -> dict[str, Any]:
    """A search, a screening, a report and a case that nothing else refers to."""
    client = services.second
    business = (await client.post("/v1/businesses", json={"name": f"Acme {uuid4().hex}"})).json()["business"]["id"]
    await client.post(f"/v1/businesses/{business}/discrepancies", json={"riskRating": "low", "comparison": COMPARISON})
    while await update_cases(services.runtime):
        pass
    report = await client.post("/v1/business-reports", json={**BAKERY, "maxAge": 0})
    return {
        "erasedSearch": (await client.post("/v1/search", json={"name": "Acme"})).json()["meta"]["searchId"],
        "erasedScreening": (await client.post("/v1/sanctions", json={"query": "Acme"})).json()["meta"]["screeningId"],
        "erasedReport": report.json()["reportId"],
        "erasedCase": (await client.get("/v1/cases", params={"businessId": business})).json()["cases"][0]["id"],
    }


def difference(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """The rows that were added."""
    return {name: after[name] - before[name] for name in after if after[name] != before[name]}


@pytest.mark.slow
@pytest.mark.parametrize("request_", REQUESTS, ids=lambda each: f"{each.operation}-{json.dumps([*each.headers, *each.body])}")
async def test_a_request_that_was_interrupted_after_any_commit_is_done_once(services: Services, request_: Repeated) -> None:
    await (await prepare(services, request_)).send(services.second, request_, uuid4().hex)
    services.clock.move(seconds=1)
    services = await prepare(services, request_)
    before = await services.count()
    key = uuid4().hex
    whole = await services.send(services.second, request_, key)
    assert whole.is_success, whole.text
    once = difference(before, await services.count())
    french = await services.send(services.second, replace(request_, headers={**request_.headers, "Accept-Language": "fr"}), key)
    assert (french.headers["Idempotent-Replayed"], french.headers["Content-Language"]) == ("true", "fr")
    for commits in range(1, MOST_COMMITS):
        services.clock.move(seconds=1)
        services = await prepare(services, request_)
        before, key = await services.count(), uuid4().hex
        services.store.kill_after(commits)
        if await is_answered(services, request_, key):
            assert commits > 1
            return
        services.clock.now += RESERVED_FOR
        repeated = await services.send(services.second, request_, key)
        assert (repeated.status_code, difference(before, await services.count())) == (whole.status_code, once), commits
        again = await services.send(services.second, request_, key)
        assert (again.content, again.headers["Idempotent-Replayed"]) == (repeated.content, "true")
    pytest.fail("it commits more often than expected")


async def prepare(services: Services, request: Repeated) -> Services:
    """The services with what the next attempt needs of its own."""
    made_anew = await make_afresh(services.second) if request.is_final else {}
    if request.operation.startswith("erase"):
        made_anew |= await make_erasable(services)
    if request.operation == "createBatch":
        await cancel_batches(services.second)
    return replace(services, ids={**services.ids, **made_anew})


async def cancel_batches(client: httpx2.AsyncClient) -> None:
    """End the earlier batches: a further one has no job while two of them have not been divided."""
    for batch in (await client.get("/v1/batches", params={"limit": 100})).json()["batches"]:
        (await client.patch(f"/v1/batches/{batch['id']}", json={"action": "cancel"})).raise_for_status()


async def is_answered(services: Services, request: Repeated, key: str) -> bool:
    """Whether the request was answered before its process was killed."""
    is_killed = False
    try:
        await services.send(services.first, request, key)
    except* Killed:
        is_killed = True
    return not is_killed


async def test_an_interrupted_search_is_continued_under_its_id(services: Services) -> None:
    """The search that `GET /search` lists as loading is the one that the repeated request returns."""
    key, request = uuid4().hex, Repeated("createSearch", "/v1/search", {"name": "Sandbox Bakery Inc."})
    services.store.kill_after(2)
    assert not await is_answered(services, request, key)
    (begun, *_) = (await services.second.get("/v1/searches")).json()["searches"]
    assert begun["status"] == "loading"
    services.clock.now += RESERVED_FOR
    document = (await services.second.post("/v1/search", json=request.body, headers={"Idempotency-Key": key})).json()
    assert (document["meta"]["searchId"], document["meta"]["status"]) == (begun["id"], "completed")
    assert (await services.second.get(f"/v1/search/{begun['id']}")).json() == document


async def test_an_interrupted_search_past_its_deadline_is_answered_as_it_is(services: Services) -> None:
    key, request = uuid4().hex, Repeated("createSearch", "/v1/search", {"name": "Sandbox Bakery Inc."})
    services.store.kill_after(2)
    assert not await is_answered(services, request, key)
    services.clock.move(seconds=services.runtime.settings.search_deadline_s)
    answer = await services.send(services.second, request, key)
    assert (answer.status_code, answer.json()["meta"]["status"]) == (200, "error")


async def test_a_key_that_is_bound_belongs_to_its_request_for_a_day(services: Services) -> None:
    key, request = uuid4().hex, Repeated("createSearch", "/v1/search", {"name": "Sandbox Bakery Inc."})
    services.store.kill_after(2)
    assert not await is_answered(services, request, key)
    services.clock.move(hours=23)
    other = await services.send(services.second, replace(request, body={"name": "Another"}), key)
    assert (other.status_code, other.json()["code"]) == (409, "CONFLICT")


async def test_an_attempt_that_was_paused_while_another_did_the_work_changes_nothing(services: Services) -> None:
    """A process that stops for longer than its reservation, and goes on after the repeated request has been answered."""
    request, key = Repeated("upsertBusiness", "/v1/businesses", {"name": "Acme @new"}), uuid4().hex
    before = await services.count()
    services.store.pause_from(1)
    paused = asyncio.create_task(services.send(services.first, request, key))
    await services.store.paused.wait()
    services.clock.now += RESERVED_FOR
    assert (await services.send(services.second, request, key)).status_code == 201
    done = await services.count()
    services.store.continued.set()
    assert (await paused).status_code == 409
    assert await services.count() == done
    assert difference(before, done)["businesses"] == 1
