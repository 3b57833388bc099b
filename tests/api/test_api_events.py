"""Events on the wire: every change records its event, each is as its schema says, and the feed returns each once."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx2
import jsonschema_rs
import pytest
from fastapi import FastAPI

from bonafide.api.openapi import build_openapi
from bonafide.app.application import create_app
from bonafide.app.worker import work_once
from bonafide.console.events.chat_message import compose_chat_message
from bonafide.docs_site.changelog import parse_changelog
from bonafide.docs_site.release_events import build_release_events
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.retention import ErasureRequest
from bonafide.model.entity import Address, Person, RegistrationNumber, StatusCode
from bonafide.model.entry import EntityKind, ListedEntity, RegistryEntry, RegulatoryEntry
from bonafide.model.events.event import EventType
from bonafide.model.events.event_types import EVENT_TYPES
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime, build_files, build_generation_stores
from bonafide.services.accounts.organizations import list_organizations
from bonafide.services.cases.following import update_cases
from bonafide.services.cases.reminders import record_due_cases
from bonafide.services.events.announcements import record_announcements
from bonafide.services.events.releases import announce_releases
from bonafide.services.loading.source_conditions import check_data_ages
from bonafide.services.monitoring.scheduling import run_monitoring
from bonafide.services.ownership.discrepancy_reminders import record_due_reminders
from bonafide.services.retention.erasure_requests import ErasableCheck, erase_check
from bonafide.services.screening.dismissal_expiry import record_expired_dismissals
from bonafide.services.screening.standalone import get_official_lists
from bonafide.services.search.execution import expire_overdue
from bonafide.services.webhooks.delivery_loop import DeliveryLoop
from bonafide.services.webhooks.fan_out import create_deliveries
from bonafide.services.webhooks.webhook_client import WebhookClient
from bonafide.settings import Settings
from bonafide.sources.framework.discovery import discover_sources
from bonafide.store.database.engine import Store
from tests.support.api.clients import ManualClock, NewClient, NewKey
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.loaded_sandbox import copy_sandbox
from tests.support.services.cases import ANN, add_member
from tests.support.services.loading import put
from tests.support.services.source_loads import fail_to_load_stores, load_stores, load_too_few_stores, open_offline_fetcher
from tests.support.website.changing_site import changing_site, read_due_websites

pytestmark = pytest.mark.anyio
PATH = "/v1/events"
NAME, NUMBER = "Quillfeather Widgets Inc.", "1000999"
OTHER_NAME, OTHER_NUMBER = "Umbra Lantern Works Ltd.", "BC1012345"
LIST = "ca-sanctions-autonomous"
CLAIM = {"legalName": NAME, "jurisdiction": "ON", "registrationNumber": NUMBER}
RECORD = {"externalId": "crm-1", "name": NAME, "jurisdiction": "FED", "registrationNumber": "1234567"}
OWNERS: dict[str, Any] = {
    "asOf": "2026-11-01",
    "parties": [
        {"id": "jane", "kind": "person", "name": "Jane Doe"},
        {"id": "us", "kind": "business", "name": NAME},
    ],
    "interests": [{"id": "i", "owner": "jane", "owned": "us", "kind": "shares", "share": {"exact": 0.6}}],
}
COMPARISON = {"declared": [], "registry": {"consultedOn": "2026-11-01", "individuals": [{"name": "Ida Known"}]}}
RELEASE = """## 2026-12-01

### Breaking

- `POST /v1/search name`: shorter.

### Deprecated

- `GET /v1/coverage`: deprecated 2026-12-01, sunset 2027-06-01.

"""
FIRST_RELEASE = "## 2026-11-20\n\n### Added\n\n- Everything.\n"
Event = dict[str, Any]


@pytest.fixture(scope="module")
def stocked_index(environment_settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index with lists of one party, and a register with one business: a folder to copy."""
    folder = tmp_path_factory.mktemp("stocked")
    settings = environment_settings.model_copy(update={"data_dir": folder})
    stocked = Runtime(
        settings=settings,
        store=Store.open(f"sqlite:///{folder / 'none.sqlite3'}"),
        files=build_files(settings),
        signing_key=b"north",
        generations=build_generation_stores(folder),
        sources=discover_sources(),
        clock=ManualClock(),
    )
    for source in get_official_lists(stocked):
        load_list(stocked, source.key, party("Qwxz Vbnm Society", "0"))
    load_list(stocked, LIST, party(NAME, "1"))
    number = RegistrationNumber(label="Ontario Corporation Number", value=NUMBER)
    entry = RegistryEntry(
        entry_id=NUMBER,
        jurisdiction=Jurisdiction.ON,
        legal_name=NAME,
        registration_numbers=(number,),
        status_code=StatusCode.ACTIVE,
    )
    put(stocked, "on", [entry])
    return folder / "index"


@pytest.fixture
def runtime(runtime: Runtime, stocked_index: Path, tmp_path: Path) -> Runtime:
    """Lists with one party, and a register with one business."""
    copy_sandbox(stocked_index, tmp_path / "index")
    return replace(runtime, sources=discover_sources())


@pytest.fixture
def app(runtime: Runtime) -> FastAPI:
    return create_app(runtime)


def party(name: str, entry_id: str, **fields: Any) -> ListedEntity:
    return ListedEntity(entry_id=entry_id, name=name, entity_type=EntityKind.ORGANIZATION, programs=("Example",), **fields)


def load_list(runtime: Runtime, key: str, *parties: ListedEntity) -> None:
    put(runtime, key, parties, World.LIVE)


async def sent(request: Awaitable[httpx2.Response]) -> Any:
    answer = await request
    assert answer.is_success, answer.text
    return answer.json()


async def listed(client: httpx2.AsyncClient, **query: Any) -> list[Event]:
    """Every event from the position on that the query states."""
    found: list[Event] = []
    while True:
        page = await sent(client.get(PATH, params={"limit": 100, **query}))
        found += page["events"]
        query["cursor"] = page["cursor"]["next"]
        if not page["pagination"]["hasMore"]:
            return found


def kinds(events: list[Event]) -> list[str]:
    return [event["type"] for event in events]


async def recorded_by(client: httpx2.AsyncClient, send: Callable[[], Awaitable[httpx2.Response]]) -> tuple[Any, list[Event]]:
    """The answer of a request, and the events that it recorded."""
    start = (await sent(client.get(PATH, params={"limit": 1, "since": "2100-01-01T00:00:00Z"})))["cursor"]["next"]
    answer = await sent(send())
    return answer, await listed(client, cursor=start)


@pytest.fixture
async def record(north: httpx2.AsyncClient) -> str:
    """The id of a business record."""
    return str((await sent(north.post("/v1/businesses", json=RECORD)))["business"]["id"])


# ------------------------------------------------------------------------------------------------------------ producers


async def rate_record(client: httpx2.AsyncClient) -> None:
    """Rate a record of which next to nothing is known, so that its first rating is not in the lowest band."""
    rated = (await sent(client.post("/v1/businesses", json={"name": "Quiet Harbour Bakery Inc."})))["business"]
    await sent(client.post("/v1/risk/rules/0/activate"))
    await sent(client.post("/v1/sanctions", json={"query": rated["name"], "businessId": rated["id"]}))


async def look_at_registers(client: httpx2.AsyncClient) -> None:
    """Record one manual check, cancel another, and accept a discrepancy and revoke that."""
    business = (await sent(client.post("/v1/businesses", json={"name": "Cod & Capelin Ltd."})))["business"]["id"]
    seen, unseen = [
        (await sent(client.post("/v1/manual-checks", json={"businessId": business, "source": source})))["id"]
        for source in ("nl", "nu")
    ]
    found = {"found": True, "name": "Cod & Capelin Ltd.", "registrationNumber": "77001"}
    await sent(client.post(f"/v1/manual-checks/{seen}/result", json=found))
    await sent(client.post(f"/v1/manual-checks/{unseen}/cancel", json={}))
    claim = {**CLAIM, "legalName": "Wholly Different Fisheries Inc."}
    verification = (await sent(client.post("/v1/verify", json=claim)))["meta"]["verificationId"]
    path = f"/v1/verify/{verification}/discrepancies/legalName"
    await sent(client.post(f"{path}/accept", json={"reasonCode": "other"}))
    await sent(client.post(f"{path}/revoke", json={}))


async def make_pack(runtime: Runtime, client: httpx2.AsyncClient) -> None:
    """Make the examiner's pack of a business record."""
    business = (await sent(client.post("/v1/businesses", json={"name": "Quiet Harbour Ropes Ltd."})))["business"]["id"]
    await sent(client.post("/v1/packs", json={"businessId": business}))
    while await work_once(runtime, "worker"):
        pass


async def do_batches(runtime: Runtime, client: httpx2.AsyncClient) -> None:
    """Do a batch, and one whose file has only a header."""
    await sent(client.post("/v1/batches", json={"kind": "screen", "rows": [{"name": "Quiet Harbour Ropes Ltd."}]}))
    header = {"file": ("customers.csv", b"name\n", "text/csv")}
    await sent(client.post("/v1/batches", data={"kind": "screen"}, files=header))
    while await work_once(runtime, "worker"):
        pass


async def erase_screening(runtime: Runtime, client: httpx2.AsyncClient) -> None:
    """Erase a screening that has no events of its own."""
    screened = await sent(client.post("/v1/sanctions", json={"query": "Quiet Harbour Chandlery Ltd."}))
    (organization_id,) = [one.id for one in await list_organizations(runtime) if (one.name, one.world) == ("North", World.LIVE)]
    check = (ErasableCheck.SCREENING, UUID(screened["meta"]["screeningId"]))
    await erase_check(runtime, organization_id, check, ErasureRequest(reason="File 2026-118"), Author("operator"))
    while await work_once(runtime, "worker"):
        pass


@pytest.mark.slow
async def test_every_type_is_recorded_and_is_as_its_schema_says(
    runtime: Runtime, north: httpx2.AsyncClient, clock: ManualClock
) -> None:
    await change_everything(runtime, north, clock)
    await change_monitored_entries(runtime, north, clock)
    await change_website(runtime, north, clock)
    await change_sources(runtime, clock)
    await release_changes(runtime)
    await record_announcements(runtime)
    await fail_deliveries(runtime, north, clock)
    await work_on_case(runtime, north)
    await look_at_registers(north)
    await rate_record(north)
    await make_pack(runtime, north)
    await do_batches(runtime, north)
    await erase_screening(runtime, north)
    events = await listed(north)
    assert set(kinds(events)) == set(EventType)
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
    assert sorted(event["occurredAt"] for event in events) == [event["occurredAt"] for event in events]
    schemas = await read_schemas(north)
    components = build_openapi()["components"]
    whole = jsonschema_rs.Draft202012Validator(
        {"$ref": "#/components/schemas/Event", "components": {"schemas": components["schemas"]}}, validate_formats=True
    )
    for event in events:
        assert [problem.message for problem in whole.iter_errors(event)] == [], event
        assert [problem.message for problem in schemas[event["type"]].iter_errors(event["data"])] == [], event
        assert await sent(north.get(event["links"]["self"])) == event
        for link in (event["links"]["business"], event["links"]["resource"]):
            assert link is None or (await north.get(link)).status_code == 200, link


async def read_schemas(client: httpx2.AsyncClient) -> Mapping[str, jsonschema_rs.Draft202012Validator]:
    published = (await sent(client.get("/v1/event-types")))["eventTypes"]
    return {one["type"]: jsonschema_rs.Draft202012Validator(one["schema"], validate_formats=True) for one in published}


async def fail_deliveries(runtime: Runtime, client: httpx2.AsyncClient, clock: ManualClock) -> None:
    """Send a test event to a webhook endpoint that can't be reached for four days."""
    body = {"url": "https://receiver.example/", "types": ["webhook.test"]}
    endpoint = await sent(client.post("/v1/webhook-endpoints", json=body))
    await sent(client.post(f"/v1/webhook-endpoints/{endpoint['id']}/test"))

    async def resolve(host: str, port: int) -> list[str]:
        raise OSError(f"{host}:{port} is unknown")

    sender = WebhookClient(runtime.settings, runtime.clock, resolve=resolve)
    loop = DeliveryLoop(runtime, "worker", compose_chat_message, sender)
    while await create_deliveries(runtime):
        pass
    for _ in range(3):
        assert await loop.send_due() == 1
        clock.move(days=2)
    await sender.close()


async def change_everything(runtime: Runtime, client: httpx2.AsyncClient, clock: ManualClock) -> None:
    """Requests that record every type of event."""
    record = (await sent(client.post("/v1/businesses", json=RECORD)))["business"]["id"]
    await sent(client.put("/v1/businesses", json={"externalId": "crm-1", "city": "Hamilton"}))
    search = await sent(client.post("/v1/search", json={"name": NAME, "businessId": record, "matchSelection": True}))
    await sent(client.post(f"/v1/search/{search['meta']['searchId']}/selection", json={"status": "no_selection"}))
    await sent(client.post("/v1/business-reports", json={"jurisdiction": "ON", "registrationNumber": NUMBER}))
    await sent(client.post("/v1/verify", json={**CLAIM, "businessId": record}))
    await sent(client.post("/v1/verify", json={**CLAIM, "jurisdiction": "PE"}))
    while await work_once(runtime, "worker"):
        pass
    await sent(client.post("/v1/sanctions", json={"query": NAME, "businessId": record}))
    for parties in ((party(NAME, "1", remarks="Amended."),), (party("Another Society", "9"),), (party(NAME, "1"),)):
        clock.move(seconds=1)
        load_list(runtime, LIST, *parties)
        screening = await sent(client.post("/v1/sanctions", json={"query": NAME, "businessId": record}))
    (match,) = screening["screening"]["matches"]
    hit = {name: match[name] for name in ("source", "entryId", "digest")}
    dismissal = {"subject": {"name": NAME}, "hit": hit, "reason": "Another business.", "businessId": record}
    dismissal["until"] = (clock.now + timedelta(days=20)).isoformat()
    await sent(client.post("/v1/sanctions/dismissals", json=dismissal))
    owners = {**OWNERS, "parties": [OWNERS["parties"][0], {**OWNERS["parties"][1], "businessId": record}]}
    await sent(client.put(f"/v1/businesses/{record}/ownership", json=owners))
    discrepancies = f"/v1/businesses/{record}/discrepancies"
    review = await sent(client.post(discrepancies, json={"riskRating": "high", "comparison": COMPARISON}))
    clock.move(days=24)
    assert await record_due_reminders(runtime) == 1
    assert await record_expired_dismissals(runtime) == 1
    dismissal["until"] = (clock.now + timedelta(days=20)).isoformat()
    revoked = await sent(client.post("/v1/sanctions/dismissals", json=dismissal))
    await client.delete(f"/v1/sanctions/dismissals/{revoked['id']}")
    decision = {"status": "resolved", "resolution": "The register was corrected."}
    await sent(client.patch(f"{discrepancies}/{review['discrepancies'][0]['id']}", json=decision))
    await sent(client.put("/v1/businesses", json={"externalId": "crm-1", "isArchived": True}))


async def change_monitored_entries(runtime: Runtime, client: httpx2.AsyncClient, clock: ManualClock) -> None:
    """Changes of a monitored record's entries in a register and in a regulator's list, and a verification that is due."""
    body = {"name": OTHER_NAME, "jurisdiction": "BC", "registrationNumber": OTHER_NUMBER, "isMonitored": True}
    await sent(client.post("/v1/businesses", json=body))
    there = Person(name="Jordan Sample", roles=("Director",))
    moved = Address(street="2 Queen Street", city="Regina")
    states: tuple[tuple[RegistryEntry, list[RegulatoryEntry]], ...] = (
        (register(), []),
        (register(status="Struck", status_code=StatusCode.CANCELLED), [licence()]),
        (register(legal_name="Lantern Works Ltd."), [licence(status="Suspended")]),
        (register(addresses=(moved,)), []),
        (register(addresses=(moved,), people=(there,)), []),
    )
    for entry, licences in states:
        put(runtime, "bc", [entry, register("BC0000001")], World.LIVE)
        put(runtime, "agcoCannabis", [licence("Somebody Else Inc.", "9"), *licences], World.LIVE)
        await monitor(runtime, clock)
    put(runtime, "bc", [register("BC0000001")], World.LIVE)
    await monitor(runtime, clock)
    clock.move(days=400)
    await monitor(runtime, clock)


async def change_website(runtime: Runtime, client: httpx2.AsyncClient, clock: ManualClock) -> None:
    """Another name on the website of a monitored record."""
    async with changing_site(runtime, World.LIVE) as (reader, site):
        body = {"name": site.name, "website": site.address, "isMonitored": True, "monitoring": {"kinds": {"website": True}}}
        await sent(client.post("/v1/businesses", json=body))
        for name in (site.name, OTHER_NAME):
            site.name = name
            clock.move(days=30)
            await monitor(runtime, clock)
            assert await read_due_websites(reader, lambda: clock.move(seconds=60), World.LIVE) == 1


async def monitor(runtime: Runtime, clock: ManualClock) -> None:
    clock.move(seconds=60)
    await run_monitoring(runtime, World.LIVE)


def register(number: str = OTHER_NUMBER, **fields: Any) -> RegistryEntry:
    known = {"legal_name": OTHER_NAME, "status": "Active", "status_code": StatusCode.ACTIVE} | fields
    numbers = (RegistrationNumber(label="Incorporation Number", value=number),)
    return RegistryEntry(entry_id=number, jurisdiction=Jurisdiction.BC, registration_numbers=numbers, **known)


def licence(name: str = "UMBRA LANTERN WORKS", entry_id: str = "L-1", **fields: Any) -> RegulatoryEntry:
    return RegulatoryEntry(entry_id=entry_id, legal_name=name, **{"status": "Authorized", **fields})


async def change_sources(runtime: Runtime, clock: ManualClock) -> None:
    """Loads that record every type of event of sources."""
    async with open_offline_fetcher(runtime) as fetcher:
        await load_stores(runtime, fetcher)
        await fail_to_load_stores(runtime, fetcher)
        await load_too_few_stores(runtime, fetcher)
        clock.move(days=100)
        await check_data_ages(runtime)
        await load_stores(runtime, fetcher)


async def release_changes(runtime: Runtime) -> None:
    """A release that records every type of event of the changelog."""
    for text in (FIRST_RELEASE, RELEASE + FIRST_RELEASE):
        await announce_releases(runtime, build_release_events(parse_changelog(text)))


async def test_a_record_s_events_say_what_changed_from_what_to_what(north: httpx2.AsyncClient) -> None:
    for fields in ({}, {"city": "Toronto"}, {"city": "Hamilton", "isArchived": True}, {"isArchived": False}, {"city": "Hamilton"}):
        await sent(north.put("/v1/businesses", json={"externalId": "crm-1", "name": NAME, **fields}))
    events = await listed(north)
    assert kinds(events) == ["business.created", "business.updated", "business.archived", "business.updated"]
    assert [[(one["field"], one["from"], one["to"]) for one in event["changes"]] for event in events] == [
        [("externalId", None, "crm-1"), ("name", None, NAME)],
        [("address.city", None, "Toronto")],
        [("address.city", "Toronto", "Hamilton"), ("isArchived", False, True)],
        [("isArchived", True, False)],
    ]
    assert {event["business"]["externalId"] for event in events} == {"crm-1"}


async def test_what_the_service_keeps_in_a_record_has_no_event_of_its_own(north: httpx2.AsyncClient, record: str) -> None:
    search = await recorded_by(north, lambda: north.post("/v1/search", json={"businessId": record, "sanctionsScreening": True}))
    assert kinds(search[1]) == ["search.completed", "screening.hit_found", "manual_check.opened"]
    assert search[1][0]["business"] == {"id": record, "externalId": "crm-1", "name": NAME}
    assert search[1][0]["data"]["openHits"] == search[0]["sanctions"]["openHits"] == 1
    verification = await recorded_by(north, lambda: north.post("/v1/verify", json={**CLAIM, "businessId": record}))
    assert kinds(verification[1]) == ["report.ready", "verification.completed"]
    assert verification[1][1]["data"]["status"] == verification[0]["results"]["status"]
    assert verification[1][1]["source"]["key"] == "on"


async def test_a_choice_that_changes_nothing_has_no_event(north: httpx2.AsyncClient) -> None:
    search = await sent(north.post("/v1/search", json={"name": NAME, "matchSelection": True}))
    path = f"/v1/search/{search['meta']['searchId']}/selection"
    _, first = await recorded_by(north, lambda: north.post(path, json={"status": "no_selection", "note": "A duplicate."}))
    assert next((one["field"], one["to"]) for one in first[0]["changes"]) == ("matchSelection.status", "no_selection")
    _, second = await recorded_by(north, lambda: north.post(path, json={"status": "no_selection"}))
    assert (kinds(first), second) == (["search.match_selected"], [])


async def test_a_refused_change_and_one_that_changes_nothing_record_nothing(north: httpx2.AsyncClient, record: str) -> None:
    before = await listed(north)
    stale = {"id": record, "name": "Other", "expectedUpdatedAt": "2020-01-01T00:00:00Z"}
    assert (await north.put("/v1/businesses", json=stale)).status_code == 409
    unchanged = await north.put("/v1/businesses", json={"id": record, "name": NAME})
    assert (unchanged.status_code, await listed(north)) == (200, before)


@pytest.mark.parametrize(
    ("path", "body", "types"),
    [
        ("/v1/businesses", {"externalId": "crm-2", "name": NAME}, ["business.created"]),
        ("/v1/search", {"businessId": "{record}"}, ["search.completed", "manual_check.opened"]),
        ("/v1/search/{search}/selection", {"status": "no_selection"}, ["search.match_selected"]),
        ("/v1/sanctions", {"query": NAME}, ["screening.hit_found"]),
        ("/v1/sanctions", {"query": NAME, "businessId": "{record}"}, ["screening.hit_found"]),
        ("/v1/business-reports", {"jurisdiction": "ON", "registrationNumber": NUMBER}, ["report.ready"]),
        ("/v1/verify", CLAIM, ["report.ready", "verification.completed"]),
        ("/v1/businesses/{record}/discrepancies", {"riskRating": "high", "comparison": COMPARISON}, ["discrepancy.opened"]),
    ],
    ids=["record", "search", "selection", "screening", "screening-of-record", "report", "verification", "discrepancies"],
)
async def test_a_request_repeated_with_its_key_records_its_events_once(
    north: httpx2.AsyncClient, record: str, path: str, body: dict[str, Any], types: list[str]
) -> None:
    search = (await sent(north.post("/v1/search", json={"name": NAME, "matchSelection": True})))["meta"]["searchId"]
    address = path.format(record=record, search=search)
    filled = {name: value.format(record=record) if isinstance(value, str) else value for name, value in body.items()}
    headers = {"Idempotency-Key": str(uuid4())}
    answer, events = await recorded_by(north, lambda: north.post(address, json=filled, headers=headers))
    assert kinds(events) == types
    assert await recorded_by(north, lambda: north.post(address, json=filled, headers=headers)) == (answer, [])


# ------------------------------------------------------------------------------------------------------------ the feed


async def make_records(client: httpx2.AsyncClient, count: int, clock: ManualClock) -> None:
    for number in range(count):
        clock.move(seconds=1)
        await sent(client.post("/v1/businesses", json={"externalId": f"crm-{number}", "name": f"Record {number}"}))


def names(page: Any) -> list[str]:
    return [event["subject"]["name"] for event in page["events"]]


async def test_pages_follow_each_other_and_the_last_one_has_a_cursor_too(north: httpx2.AsyncClient, clock: ManualClock) -> None:
    empty = await sent(north.get(PATH))
    assert (empty["events"], empty["pagination"]) == ([], {"limit": 25, "hasMore": False})
    await make_records(north, 3, clock)
    first = await sent(north.get(PATH, params={"limit": 2, "cursor": empty["cursor"]["next"]}))
    assert (names(first), first["pagination"]) == (["Record 0", "Record 1"], {"limit": 2, "hasMore": True})
    last = await sent(north.get(PATH, params={"limit": 2, "cursor": first["cursor"]["next"]}))
    assert (names(last), last["pagination"]["hasMore"]) == (["Record 2"], False)
    nothing = await sent(north.get(PATH, params={"cursor": last["cursor"]["next"]}))
    assert (nothing["events"], nothing["cursor"]) == ([], last["cursor"])
    await sent(north.post("/v1/businesses", json={"name": "Later"}))
    assert names(await sent(north.get(PATH, params={"cursor": nothing["cursor"]["next"]}))) == ["Later"]


async def test_filters_select(north: httpx2.AsyncClient, clock: ManualClock) -> None:
    await make_records(north, 2, clock)
    await sent(north.put("/v1/businesses", json={"externalId": "crm-1", "city": "Guelph"}))
    everything = await listed(north)
    business = everything[1]["business"]["id"]
    assert kinds(await listed(north, types="business.updated")) == ["business.updated"]
    assert len(await listed(north, types="business.updated, business.created")) == 3
    assert await listed(north, types="search.completed") == []
    assert await listed(north, businessId=business) == everything[1:]
    assert await listed(north, businessId=str(uuid4())) == []
    assert await listed(north, since=everything[0]["occurredAt"]) == everything[1:]
    assert await listed(north, since=everything[-1]["occurredAt"]) == []


@pytest.mark.parametrize(
    ("query", "field", "reason"),
    [
        ("types=business.update", "types", "did you mean “business.updated”?"),
        ("types=", "types", "at least 1 character"),
        ("types=business.updated,", "types", "is not a type of event"),
        ("types=qwxz", "types", "“qwxz” is not a type of event"),
        ("businessId=crm-1", "businessId", "UUID"),
        ("since=yesterday", "since", "date-time"),
        ("since=2026-11-20T00:00:00", "since", "time zone"),
        ("cursor=x", "cursor", "not a valid cursor"),
        ("cursor=MS4wLjAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw", "cursor", "not a valid cursor"),
        ("limit=0", "limit", "1"),
        ("limit=101", "limit", "100"),
        ("limit=ten", "limit", "whole number"),
        ("type=business.updated", "type", "did you mean 'types'"),
        ("limit=1&limit=2", "limit", "more than once"),
    ],
)
@ON_SQLITE_ONLY
async def test_a_bad_parameter_is_refused_by_name_with_the_reason(
    north: httpx2.AsyncClient, query: str, field: str, reason: str
) -> None:
    answer = await north.get(f"{PATH}?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    (problem,) = answer.json()["details"]
    assert problem["path"] == field
    assert reason in problem["message"], problem


async def test_nobody_else_sees_an_event(north: httpx2.AsyncClient, south: httpx2.AsyncClient, record: str) -> None:
    (event,) = await listed(north)
    assert await listed(south) == []
    assert await listed(south, businessId=record) == []
    foreign, unknown = await south.get(event["links"]["self"]), await south.get(f"{PATH}/{uuid4()}")
    assert (foreign.status_code, foreign.json()["code"]) == (unknown.status_code, unknown.json()["code"]) == (404, "NOT_FOUND")
    assert (await south.get(f"{PATH}/not-an-id")).status_code == 400


async def test_events_need_their_scope_and_the_filter_by_record_that_of_records(
    new_client: NewClient, new_key: NewKey, record: str
) -> None:
    others = await new_client(await new_key(scopes=("businesses:read", "search:read")))
    for path in (PATH, f"{PATH}/{uuid4()}", "/v1/event-types"):
        answer = await others.get(path)
        assert (answer.status_code, "`events:read`" in answer.json()["error"]) == (403, True)
    reader = await new_client(await new_key(scopes=("events:read",)))
    assert kinds(await listed(reader)) == ["business.created"]
    assert (await reader.get(PATH, params={"businessId": record})).status_code == 403
    both = await new_client(await new_key(scopes=("events:read", "businesses:read")))
    assert kinds(await listed(both, businessId=record)) == ["business.created"]


async def work_on_case(runtime: Runtime, north: httpx2.AsyncClient) -> None:
    """A case is opened, given to a member, due, and decided."""
    while await update_cases(runtime):
        pass
    for organization in await list_organizations(runtime):
        await add_member(runtime, organization.id, ANN.actor)
    case = (await sent(north.get("/v1/cases", params={"status": "open"})))["cases"][0]
    path = f"/v1/cases/{case['id']}"
    await sent(north.patch(path, json={"assignee": ANN.actor, "dueAt": "2020-01-01T00:00:00Z"}))
    assert await record_due_cases(runtime) >= 1
    await sent(north.post(f"{path}/decision", json={"decision": "reject", "reasonCode": "other"}))


async def test_the_types_are_described_in_both_languages(north: httpx2.AsyncClient) -> None:
    english, french = [
        (await sent(north.get("/v1/event-types", headers={"Accept-Language": language})))["eventTypes"] for language in ("en", "fr")
    ]
    assert [one["type"] for one in english] == [one["type"] for one in french] == list(EVENT_TYPES)
    assert all(one["description"] != other["description"] for one, other in zip(english, french, strict=True))
    for described in english:
        assert described["example"]["type"] == described["type"]
        validator = jsonschema_rs.Draft202012Validator(described["schema"], validate_formats=True)
        assert list(validator.iter_errors(described["example"]["data"])) == []
        assert list(validator.iter_errors({})) != []


async def test_an_overdue_search_has_an_event_too(runtime: Runtime, north: httpx2.AsyncClient, clock: ManualClock) -> None:
    await sent(north.post("/v1/search", json={"name": NAME}, headers={"Prefer": "respond-async"}))
    assert await listed(north) == []
    clock.now += timedelta(hours=1)
    while await work_once(runtime, "worker"):
        pass
    assert await expire_overdue(runtime) == 1
    (event,) = await listed(north)
    assert (event["type"], event["data"]["status"]) == ("search.completed", "error")
    assert await expire_overdue(runtime) == 0
