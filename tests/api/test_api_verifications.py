"""Verifications on the wire: each rule of the contract, shapes, scopes, polling, and what another organization gets to see."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from fastapi import FastAPI

from bonafide.app import worker
from bonafide.app.application import create_app
from bonafide.model.accounts.organizations import World
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide.web.accept_language import parse_accept_language
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.slow_registers import SlowRegisters
from bonafide_sandbox.world.builder import DEFAULT_SEED
from bonafide_sandbox.world.directory import BusinessDirectory
from tests.support.api.clients import ManualClock, NewClient, NewKey
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.servers.asgi_server import served
from tests.support.store.throttle_states import clear_throttle_states

pytestmark = pytest.mark.anyio
BAKERY = {"legalName": "Sandbox Bakery Inc.", "jurisdiction": "ON", "registrationNumber": "1000017"}
SLOW = {"legalName": "Sandbox Slow Registry Inc.", "jurisdiction": "British Columbia", "registrationNumber": "BC1000033"}
FAILING = {"legalName": "Sandbox Failing Registry Inc.", "jurisdiction": "AB", "registrationNumber": "2010000041"}


@pytest.fixture
async def served_runtime(sandbox_runtime: Runtime, live_world: Path) -> AsyncIterator[Runtime]:
    """The loaded sandbox, whose live registers are served."""
    directory = BusinessDirectory(live_world, DEFAULT_SEED)
    async with served(create_sandbox_app(live_world, {}, None, directory, SlowRegisters())) as address:
        fetcher = Fetcher(sandbox_runtime.settings, sandbox_runtime.clock, sandbox=address)
        try:
            yield replace(sandbox_runtime, fetchers={World.SANDBOX: fetcher})
        finally:
            await fetcher.close()


@pytest.fixture
def app(served_runtime: Runtime) -> FastAPI:
    return create_app(served_runtime)


@pytest.fixture
def world() -> World:
    return World.SANDBOX


async def polled(client: httpx2.AsyncClient, verification_id: str) -> dict[str, Any]:
    answer = await client.get(f"/v1/verify/{verification_id}")
    assert answer.status_code == 200
    body: dict[str, Any] = answer.json()
    return body


async def worked(runtime: Runtime, clock: ManualClock) -> None:
    """A worker works for some seconds."""
    for _ in range(4):
        while await worker.work_once(runtime, "w1"):
            pass
        await clear_throttle_states(runtime)
        clock.move(seconds=1)


# ------------------------------------------------------------------------------------------------------------ answers


async def test_from_a_recent_report_the_answer_is_200_and_whole(north: httpx2.AsyncClient) -> None:
    answer = await north.post("/v1/verify", json={**BAKERY, "externalId": "case 7", "address": {"city": "Toronto"}})
    assert answer.status_code == 200
    body = answer.json()
    assert list(body) == ["meta", "results", "registryData"]
    assert set(body["meta"]) >= {
        *("verificationId", "externalId", "businessId", "verifiedAt", "verifiedBy", "duration", "submitted", "thresholds"),
    }
    assert body["meta"]["externalId"] == "case 7"
    results = body["results"]
    assert set(results) >= {"status", "fields", "people", "discrepancyCount", "analystSummary"}
    assert (results["status"], results["discrepancyCount"]) == ("verified", 0)
    assert set(results["fields"]) == {"legalName", "registrationNumber", "address"}
    assert set(results["fields"]["legalName"]) == {"status", "score", "threshold", "provided", "registry", "reason"}
    assert set(results["fields"]["address"]["fields"]["city"]) >= {"status", "score", "provided", "registry"}
    assert body["registryData"]["source"] == "on"
    assert {"asOf", "retrievedAt", "reportId"} <= set(body["registryData"])
    assert await polled(north, body["meta"]["verificationId"]) == body


async def test_people_are_answered_row_by_row(north: httpx2.AsyncClient) -> None:
    people = [{"name": "Luc Beauvallon", "role": "Director"}, {"name": "Quite A Stranger", "roles": ["Director", "President"]}]
    body = (await north.post("/v1/verify", json={**BAKERY, "people": people})).raise_for_status().json()
    rows = body["results"]["people"]
    fields = {"name", "provided", "role", "status", "score", "threshold", "reason", "registry"}
    assert [set(row) for row in rows] == [fields] * len(rows)
    claimed = [(row["role"], row["status"]) for row in rows[:2]]
    assert claimed == [("Director", "matched"), ("Director, President", "mismatched")]
    unclaimed = [(row["name"], row["provided"], row["role"], row["status"]) for row in rows[2:]]
    assert unclaimed == [("Margaret Okafor-Lindqvist", None, None, "not_provided")]
    assert rows[0]["registry"] == {"name": "Luc Beauvallon", "roles": ["Director"]}
    off = {**BAKERY, "people": people, "matching": {"people": {"enabled": False}}}
    assert (await north.post("/v1/verify", json=off)).json()["results"]["people"] == []


async def test_when_the_register_has_to_be_asked_the_answer_is_202_and_is_polled(
    north: httpx2.AsyncClient, served_runtime: Runtime, clock: ManualClock
) -> None:
    answer = await north.post("/v1/verify", json=SLOW)
    body = answer.json()
    fetch_id = body["reportFetchId"]
    assert answer.status_code == 202
    assert body == {"pending": True, "status": "pending", "reportFetchId": fetch_id, "statusUrl": f"/v1/verify/{fetch_id}"}
    assert answer.headers["location"] == body["statusUrl"]
    assert await polled(north, fetch_id) == body
    assert await worker.work_once(served_runtime, "w1")
    assert await polled(north, fetch_id) == {**body, "status": "waiting_for_registry"}
    await worked(served_runtime, clock)
    done = await polled(north, fetch_id)
    assert (done["results"]["status"], done["registryData"]["route"]) == ("verified", "live")
    assert await polled(north, done["meta"]["verificationId"]) == done


async def test_a_failure_is_polled_with_its_reason(north: httpx2.AsyncClient, served_runtime: Runtime, clock: ManualClock) -> None:
    answer = await north.post("/v1/verify", json=FAILING)
    await worked(served_runtime, clock)
    assert answer.status_code == 202
    failed = await polled(north, answer.json()["reportFetchId"])
    assert set(failed) == {"status", "error"}
    assert failed["status"] == "failed"
    assert failed["error"].startswith("The register of Alberta refuses queries")


async def test_nobody_else_sees_it(north: httpx2.AsyncClient, south: httpx2.AsyncClient) -> None:
    mine = (await north.post("/v1/verify", json=BAKERY)).json()["meta"]["verificationId"]
    later = (await north.post("/v1/verify", json=SLOW)).json()["reportFetchId"]
    for one in (mine, later, str(uuid4())):
        answer = await south.get(f"/v1/verify/{one}")
        assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")


async def test_a_poll_of_what_is_no_id_is_refused(north: httpx2.AsyncClient) -> None:
    answer = await north.get("/v1/verify/nonsense")
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")


async def test_a_request_that_is_sent_twice_with_its_key_is_made_once(north: httpx2.AsyncClient) -> None:
    answers = [await north.post("/v1/verify", json=SLOW, headers={"Idempotency-Key": "one"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [202, 202]
    assert answers[0].json() == answers[1].json()


async def test_a_replayed_verification_is_summarized_in_the_language_of_its_own_request(north: httpx2.AsyncClient) -> None:
    key = {"Idempotency-Key": "one"}
    french = await north.post("/v1/verify", json=BAKERY, headers={**key, "Accept-Language": "fr"})
    english = await north.post("/v1/verify", json=BAKERY, headers=key)
    assert (french.status_code, english.headers["Idempotent-Replayed"]) == (200, "true")
    for answer, language in ((french, "fr"), (english, "en")):
        assert (answer.headers["Content-Language"], answer.json()["results"]["summaryLanguage"]) == (language, language)
    read = await north.get(f"/v1/verify/{french.json()['meta']['verificationId']}", headers={"Accept-Language": "en"})
    assert read.json() == english.json()


# ------------------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize("missing", ["legalName", "jurisdiction", "registrationNumber"])
async def test_each_identity_field_is_required_without_a_reference(north: httpx2.AsyncClient, missing: str) -> None:
    answer = await north.post("/v1/verify", json={name: value for name, value in BAKERY.items() if name != missing})
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert answer.json()["details"] == [
        {"path": missing, "message": "is required unless businessId or businessExternalId is given"}
    ]


async def test_all_missing_fields_are_named_at_once(north: httpx2.AsyncClient) -> None:
    answer = await north.post("/v1/verify", json={})
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert [detail["path"] for detail in answer.json()["details"]] == ["legalName", "jurisdiction", "registrationNumber"]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"jurisdiction": "Atlantis"}, "jurisdiction"),
        ({"registrationNumber": "---"}, "registrationNumber"),
        ({"legalname": "x"}, "legalname"),
        ({"address": {"zip": "x"}}, "address.zip"),
        ({"people": [{"role": "Director"}]}, "people.0.name"),
        ({"matching": {"legalName": {"threshold": 1.1}}}, "matching.legalName.threshold"),
        ({"matching": {"legalName": {"threshold": -0.1}}}, "matching.legalName.threshold"),
        ({"matching": {"people": {"enabled": "no"}}}, "matching.people.enabled"),
        ({"matching": {"peple": {}}}, "matching.peple"),
        ({"maxAge": -1}, "maxAge"),
        ({"businessId": "nonsense"}, "businessId"),
    ],
)
@ON_SQLITE_ONLY
async def test_what_is_not_valid_is_refused_by_its_name(north: httpx2.AsyncClient, change: dict[str, Any], path: str) -> None:
    answer = await north.post("/v1/verify", json={**BAKERY, **change})
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert [problem["path"] for problem in answer.json()["details"]] == [path]


@pytest.mark.parametrize("threshold", [0, 0.5, 1])
async def test_thresholds_go_from_0_to_1(north: httpx2.AsyncClient, threshold: float) -> None:
    matching = {key: {"threshold": threshold} for key in ("legalName", "registrationNumber", "address", "people")}
    body = (await north.post("/v1/verify", json={**BAKERY, "matching": matching})).raise_for_status().json()
    assert set(body["meta"]["thresholds"].values()) == {threshold}


@pytest.mark.parametrize("reference", [{"businessId": str(uuid4())}, {"businessExternalId": "nobody's"}])
async def test_an_unknown_reference_is_404_and_creates_no_business(north: httpx2.AsyncClient, reference: dict[str, str]) -> None:
    for body in (reference, {**BAKERY, **reference}):
        answer = await north.post("/v1/verify", json=body)
        assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")
    assert (await north.get("/v1/businesses")).json()["businesses"] == []


async def test_a_reference_stands_for_what_is_not_sent_and_references_must_agree(
    north: httpx2.AsyncClient, south: httpx2.AsyncClient
) -> None:
    record = {"name": "Sandbox Bakery Inc.", "jurisdiction": "ON", "registrationNumber": "1000017", "externalId": "mine"}
    one = (await north.post("/v1/businesses", json=record)).json()["business"]["id"]
    other = (await north.post("/v1/businesses", json={"name": "Another", "externalId": "other"})).json()["business"]["id"]
    for reference in ({"businessId": one}, {"businessExternalId": "mine"}):
        body = (await north.post("/v1/verify", json=reference)).raise_for_status().json()
        assert (body["meta"]["businessId"], body["results"]["status"]) == (one, "verified")
    kept = (await north.get(f"/v1/businesses/{one}")).json()["business"]
    assert (kept["verificationStatus"], kept["latestVerificationId"]) == ("verified", body["meta"]["verificationId"])
    disagreeing = await north.post("/v1/verify", json={"businessId": one, "businessExternalId": "other"})
    assert (disagreeing.status_code, disagreeing.json()["code"]) == (400, "VALIDATION_ERROR")
    lacking = await north.post("/v1/verify", json={"businessId": other})
    assert lacking.status_code == 400
    assert [problem["path"] for problem in lacking.json()["details"]] == ["jurisdiction", "registrationNumber"]
    assert (await south.post("/v1/verify", json={"businessId": one})).status_code == 404


@pytest.mark.parametrize(
    ("scopes", "read", "write"), [(["verify:read"], 200, 403), (["verify:write"], 403, 200), (["search:read"], 403, 403)]
)
async def test_scopes(
    north: httpx2.AsyncClient, new_client: NewClient, new_key: NewKey, scopes: list[str], read: int, write: int
) -> None:
    made = (await north.post("/v1/verify", json=BAKERY)).json()["meta"]["verificationId"]
    limited = await new_client(await new_key(world=World.SANDBOX, scopes=scopes))
    assert (await limited.get(f"/v1/verify/{made}")).status_code == read
    assert (await limited.post("/v1/verify", json=BAKERY)).status_code == write


# ------------------------------------------------------------------------------------------------------------ language


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", None),
        ("fr", "fr"),
        ("fr-CA, en;q=0.5", "fr"),
        ("en-CA, fr;q=0.9", "en"),
        ("en;q=0.3, fr-CA;q=0.4", "fr"),
        ("de, fr;q=0.1", "fr"),
        ("fr;q=0", None),
        ("FR-ca", "fr"),
        ("*", None),
        ("fr;q=x, ;;;", None),
    ],
)
def test_the_language_is_the_one_that_is_liked_best(header: str, language: str | None) -> None:
    assert parse_accept_language(header) == language


async def test_the_summary_is_written_in_the_language_of_whoever_asks_and_read_in_that_of_whoever_reads(
    north: httpx2.AsyncClient,
) -> None:
    french = (await north.post("/v1/verify", json=BAKERY, headers={"Accept-Language": "fr-CA"})).json()
    assert french["results"]["summaryLanguage"] == "fr"
    path = f"/v1/verify/{french['meta']['verificationId']}"
    assert (await north.get(path)).json() == french
    english = (await north.get(path, headers={"Accept-Language": "en"})).json()
    assert (english["results"]["summaryLanguage"], english["results"]["analystSummary"]) != (
        "fr",
        french["results"]["analystSummary"],
    )
    for body in (english, french):
        assert body["results"]["analystSummary"] == " ".join(sentence["text"] for sentence in body["results"]["summarySentences"])
    assert english["meta"] == french["meta"]
    assert english["results"]["status"] == french["results"]["status"]
    assert english["results"]["fields"].keys() == french["results"]["fields"].keys()


async def test_a_verification_that_was_requested_in_english_is_read_as_it_is_stored(north: httpx2.AsyncClient) -> None:
    made = await north.post("/v1/verify", json=BAKERY)
    path = f"/v1/verify/{made.json()['meta']['verificationId']}"
    for headers in ({}, {"Accept-Language": "en"}):
        read = await north.get(path, headers=headers)
        assert read.content == made.content
        assert read.headers["Content-Language"] == "en"
    french = await north.get(path, headers={"Accept-Language": "fr"})
    assert french.headers["Content-Language"] == "fr"
    assert french.json()["results"]["summaryLanguage"] == "fr"
