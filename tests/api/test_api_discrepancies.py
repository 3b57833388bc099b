"""Ownership discrepancies on the wire: compared, listed, decided once, with their clock, their evidence and their audit log."""

import asyncio
import base64
import hashlib
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from tests.support.api.clients import ManualClock
from tests.support.databases import ON_SQLITE_ONLY

pytestmark = pytest.mark.anyio
PDF, PNG = b"%PDF-1.7\nregister", b"\x89PNG\r\n\x1a\nscreenshot"
REGISTER = {
    "consultedOn": "2026-11-20",
    "individuals": [
        {"name": "Jane Doe", "kinds": ["shares"], "share": {"min": 0.75}},
        {"name": "Priya Ramanathan", "from": "2024-07-15", "control": "Control in fact"},
        {"name": "Wei Chenn"},
    ],
}


async def create_business(client: httpx2.AsyncClient, **fields: Any) -> str:
    answer = await client.post("/v1/businesses", json={"name": "Sandbox Bakery Inc.", "jurisdiction": "FED", **fields})
    business_id: str = answer.raise_for_status().json()["business"]["id"]
    return business_id


async def declare(client: httpx2.AsyncClient, business_id: str, **changes: Any) -> None:
    people = {"jane": ("Jane Doe", 0.3), "wei": ("Wei Chen", 0.3), "jean": ("Jean Tremblay", 0.4)}
    statement = {
        "asOf": "2026-11-01",
        "declaredBy": "Jane Doe, president",
        "parties": [
            {"id": "business", "kind": "business", "name": "Sandbox Bakery Inc.", "businessId": business_id},
            *({"id": one, "kind": "person", "name": name} for one, (name, _) in people.items()),
        ],
        "interests": [
            {"id": one, "owner": one, "owned": "business", "kind": "shares", "share": {"exact": share}}
            for one, (_, share) in people.items()
        ],
    }
    (await client.put(f"/v1/businesses/{business_id}/ownership", json=statement | changes)).raise_for_status()


async def compare(client: httpx2.AsyncClient, business_id: str, **changes: Any) -> httpx2.Response:
    body = {"riskRating": "high", "comparison": {"registry": REGISTER}} | changes
    return await client.post(f"/v1/businesses/{business_id}/discrepancies", json=body)


async def upload(client: httpx2.AsyncClient, business_id: str, content: bytes = PDF, name: str = "register.pdf") -> httpx2.Response:
    body = {"name": name, "content": base64.b64encode(content).decode()}
    return await client.post(f"/v1/businesses/{business_id}/documents", json=body)


async def change(client: httpx2.AsyncClient, discrepancy: dict[str, Any], **fields: Any) -> httpx2.Response:
    return await client.patch(f"/v1/businesses/{discrepancy['businessId']}/discrepancies/{discrepancy['id']}", json=fields)


@pytest.fixture
async def business_id(north: httpx2.AsyncClient) -> str:
    created = await create_business(north)
    await declare(north, created)
    return created


@pytest.fixture
async def opened(north: httpx2.AsyncClient, business_id: str) -> list[dict[str, Any]]:
    """The discrepancies of one comparison, in their order."""
    found: list[dict[str, Any]] = (await compare(north, business_id)).raise_for_status().json()["discrepancies"]
    return found


# ------------------------------------------------------------------------------------------------------------- comparing


async def test_every_difference_becomes_a_discrepancy_with_its_class_and_clock(
    north: httpx2.AsyncClient, business_id: str, clock: ManualClock
) -> None:
    answer = await compare(north, business_id)
    assert answer.status_code == 201, answer.text
    review, discrepancies = answer.json()["review"], answer.json()["discrepancies"]
    assert [(one["kind"], one["status"]) for one in discrepancies] == [
        ("missing_owner", "open"),
        ("extra_owner", "open"),
        ("contradicting", "open"),
        ("immaterial", "open"),
    ]
    names = [tuple((one[side] or {}).get("name") for side in ("declared", "registry")) for one in discrepancies]
    assert names == [
        ("Jean Tremblay", None),
        (None, "Priya Ramanathan"),
        ("Jane Doe", "Jane Doe"),
        ("Wei Chen", "Wei Chenn"),
    ]
    due = {datetime.fromisoformat(one["dueAt"]) - datetime.fromisoformat(one["openedAt"]) for one in discrepancies[:3]}
    assert due == {timedelta(days=30)}
    assert datetime.fromisoformat(discrepancies[0]["openedAt"]) >= clock().replace(microsecond=0)
    assert (discrepancies[3]["dueAt"], review["isReportable"], review["jurisdiction"]) == (None, True, "FED")
    assert [one["discrepancyId"] for one in review["differences"]] == [one["id"] for one in discrepancies]
    assert review["declared"]["name"] == "Jane Doe, president"
    read = await north.get(f"/v1/businesses/{business_id}/ownership-reviews/{review['id']}")
    assert read.json() == review


@pytest.mark.parametrize(
    ("jurisdiction", "rating", "is_reportable"), [("FED", "high", True), ("FED", "medium", False), ("ON", "high", False)]
)
async def test_only_a_federal_corporation_of_high_risk_has_a_clock(
    north: httpx2.AsyncClient, jurisdiction: str, rating: str, *, is_reportable: bool
) -> None:
    business_id = await create_business(north, jurisdiction=jurisdiction)
    await declare(north, business_id)
    answer = (await compare(north, business_id, riskRating=rating)).json()
    assert answer["review"]["isReportable"] is is_reportable
    assert [one["dueAt"] is not None for one in answer["discrepancies"]] == [is_reportable] * 3 + [False]


async def test_a_repeated_comparison_keeps_the_clocks_and_names_what_is_gone(
    north: httpx2.AsyncClient, business_id: str, opened: list[dict[str, Any]], clock: ManualClock
) -> None:
    clock.move(days=10)
    individuals = [*REGISTER["individuals"][:1], {"name": "Jean Tremblay"}, {"name": "Marie Côté"}]
    answer = (await compare(north, business_id, comparison={"registry": REGISTER | {"individuals": individuals}})).json()
    kept = [one for one in answer["review"]["differences"] if not one["isNew"]]
    assert [one["discrepancyId"] for one in kept] == [opened[2]["id"]]
    same = next(one for one in answer["discrepancies"] if one["id"] == opened[2]["id"])
    assert same["dueAt"] == opened[2]["dueAt"]
    assert set(answer["review"]["gone"]) == {opened[0]["id"], opened[1]["id"], opened[3]["id"]}
    listed = (await north.get(f"/v1/businesses/{business_id}/discrepancies?status=open")).json()
    assert listed["pagination"]["total"] == 6


def register(jane: dict[str, Any]) -> dict[str, Any]:
    """A comparison in which only what the register states of Jane Doe is another thing."""
    return {"registry": REGISTER | {"individuals": [{"name": "Jane Doe", **jane}, *REGISTER["individuals"][1:]]}}


async def test_an_open_discrepancy_has_what_the_last_comparison_found(
    north: httpx2.AsyncClient, business_id: str, opened: list[dict[str, Any]]
) -> None:
    other = register({"kinds": ["shares"], "share": {"min": 0.5, "max": 0.75}})
    answer = (await compare(north, business_id, comparison=other)).json()
    found = next(one for one in answer["discrepancies"] if one["id"] == opened[2]["id"])
    assert (found["registry"]["share"]["min"], found["dueAt"], found["status"]) == (0.5, opened[2]["dueAt"], "open")
    assert "50% to 75%" in found["reason"]
    assert found["updatedAt"] > opened[2]["updatedAt"]
    entries = (await north.get(f"/v1/businesses/{business_id}/audit?limit=100")).json()["entries"]
    (changed,) = [entry for entry in entries if entry["field"] == "discrepancy.changed"]
    assert [changed[side]["registry"]["share"]["min"] for side in ("old", "new")] == [0.75, 0.5]
    again = (await compare(north, business_id, comparison=other)).json()
    assert [one["updatedAt"] for one in again["discrepancies"]] == [one["updatedAt"] for one in answer["discrepancies"]]


async def test_a_report_does_not_cover_another_difference_of_the_same_person(
    north: httpx2.AsyncClient, business_id: str, opened: list[dict[str, Any]]
) -> None:
    document = (await upload(north, business_id)).json()
    acknowledgement = {"number": "BO-1", "documentId": document["id"], "receivedAt": "2026-11-01T10:00:00.000Z"}
    (await change(north, opened[2], status="reported", acknowledgement=acknowledgement)).raise_for_status()
    described = register({"kinds": ["shares"], "share": {"min": 0.75}, "control": "As it was", "address": "1 Main St, Guelph ON"})
    same = (await compare(north, business_id, comparison=described)).json()
    assert opened[2]["id"] in [one["discrepancyId"] for one in same["review"]["differences"]]
    other = (await compare(north, business_id, comparison=register({"share": {"exact": 0.5}}))).json()
    (new,) = [one for one in other["review"]["differences"] if one["isNew"]]
    assert (new["kind"], new["registry"]["name"]) == ("contradicting", "Jane Doe")
    opened_now = next(one for one in other["discrepancies"] if one["id"] == new["discrepancyId"])
    assert opened_now["dueAt"] is not None
    reported = (await north.get(f"/v1/businesses/{business_id}/discrepancies/{opened[2]['id']}")).json()
    assert reported["registry"] == opened[2]["registry"]


async def test_what_somebody_counts_as_immaterial_does_not_cover_another_contradiction(
    north: httpx2.AsyncClient, business_id: str, opened: list[dict[str, Any]]
) -> None:
    (await change(north, opened[2], kind="immaterial", resolution="Rounded.")).raise_for_status()
    same = (await compare(north, business_id)).json()
    assert all(not one["isNew"] for one in same["review"]["differences"])
    other = (await compare(north, business_id, comparison=register({"share": {"exact": 0.5}}))).json()
    (new,) = [one for one in other["review"]["differences"] if one["isNew"]]
    assert (new["kind"], new["registry"]["share"]["exact"]) == ("contradicting", 0.5)
    assert next(one["dueAt"] for one in other["discrepancies"] if one["id"] == new["discrepancyId"]) is not None


async def test_what_a_person_has_recorded_is_replaced_by_no_comparison(north: httpx2.AsyncClient, business_id: str) -> None:
    found = {
        "kind": "contradicting",
        "declared": {"name": "Jane Doe"},
        "registry": {"name": "Jane Doe", "share": {"exact": 0.9}},
        "reason": "Seen by a colleague.",
    }
    (mine,) = (await compare(north, business_id, comparison=None, discrepancy=found)).json()["discrepancies"]
    assert mine["isByHand"]
    answer = (await compare(north, business_id)).json()
    assert [one["isByHand"] for one in answer["discrepancies"]] == [False] * 4
    kept = (await north.get(f"/v1/businesses/{business_id}/discrepancies/{mine['id']}")).json()
    assert (kept["reason"], kept["updatedAt"]) == ("Seen by a colleague.", mine["updatedAt"])
    (again,) = (await compare(north, business_id, comparison=None, discrepancy=found)).json()["discrepancies"]
    (other,) = (await compare(north, business_id, comparison=None, discrepancy=found | {"reason": "Seen by me."})).json()[
        "discrepancies"
    ]
    assert (again["id"] == mine["id"], other["id"] == mine["id"]) == (True, False)


async def test_a_clock_begins_no_later_than_somebody_says(
    north: httpx2.AsyncClient, business_id: str, opened: list[dict[str, Any]], clock: ManualClock
) -> None:
    clock.move(days=2)
    later = (await compare(north, business_id, foundAt=clock().isoformat())).json()["discrepancies"]
    assert [one["dueAt"] for one in later] == [one["dueAt"] for one in opened]
    found_at = datetime.fromisoformat(opened[0]["openedAt"]) - timedelta(days=5)
    earlier = (await compare(north, business_id, foundAt=found_at.isoformat())).json()["discrepancies"]
    assert [one["id"] for one in earlier] == [one["id"] for one in opened]
    assert {datetime.fromisoformat(one["openedAt"]) for one in earlier} == {found_at}
    assert datetime.fromisoformat(earlier[0]["dueAt"]) == found_at + timedelta(days=30)
    entries = (await north.get(f"/v1/businesses/{business_id}/audit?limit=100")).json()["entries"]
    moved = [entry for entry in entries if entry["field"] == "discrepancy.changed"]
    assert [entry["old"]["openedAt"] for entry in moved] == [one["openedAt"] for one in opened]


async def test_the_declaration_is_that_of_the_day_on_which_the_register_was_consulted(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    people = {"jane": "Jane Doe", "jean": "Jean Tremblay", "wei": "Wei Chen"}
    parties = [
        {"id": "business", "kind": "business", "name": "Sandbox Bakery Inc.", "businessId": business_id},
        *({"id": one, "kind": "person", "name": name} for one, name in people.items()),
    ]
    held = [("jane", 0.8, {"to": "2026-11-10"}), ("jean", 0.8, {"from": "2026-11-11"}), ("wei", 0.1, {})]
    interests = [
        {"id": one, "owner": one, "owned": "business", "kind": "shares", "share": {"exact": share}, **dates}
        for one, share, dates in held
    ]
    await declare(north, business_id, asOf="2026-11-01", parties=parties, interests=interests)
    addresses = [{"party": party, "address": "1 Main St, Guelph ON"} for party in ("jane", "jean")]
    entry = {"consultedOn": "2026-11-05", "individuals": [{"name": "Jane Doe"}, {"name": "Wei Chen", "share": {"min": 0.25}}]}
    answer = await compare(north, business_id, comparison={"declaredAddresses": addresses, "registry": entry})
    assert answer.status_code == 201, answer.text
    declared = answer.json()["review"]["declared"]
    assert [(one["name"], one["address"]) for one in declared["owners"]] == [("Jane Doe", "1 Main St, Guelph ON")]
    assert [one["name"] for one in declared["belowThreshold"]] == ["Wei Chen"]
    (difference,) = answer.json()["discrepancies"]
    assert (difference["kind"], difference["declared"]["share"]["exact"]) == ("contradicting", 0.1)


@pytest.mark.parametrize(
    ("comparison", "field"),
    [
        ({"declaredAddresses": [{"party": "nobody", "address": "1 Main St"}]}, "comparison.declaredAddresses.0.party"),
        (
            {"declaredAddresses": [{"party": "jane", "address": "1 Main St"}], "declared": []},
            "comparison.declaredAddresses",
        ),
    ],
)
async def test_addresses_are_those_of_the_stored_declaration(
    north: httpx2.AsyncClient, business_id: str, comparison: dict[str, Any], field: str
) -> None:
    answer = await compare(north, business_id, comparison={"registry": REGISTER, **comparison})
    assert (answer.status_code, answer.json()["details"][0]["path"]) == (400, field)


async def test_a_higher_rating_starts_a_clock(north: httpx2.AsyncClient, business_id: str) -> None:
    first = (await compare(north, business_id, riskRating="low")).json()["discrepancies"]
    second = (await compare(north, business_id)).json()
    assert {one["id"] for one in first}.isdisjoint(one["id"] for one in second["discrepancies"])
    third = (await compare(north, business_id, riskRating="low")).json()
    assert all(not one["isNew"] for one in third["review"]["differences"])


async def test_the_clock_begins_when_it_was_found(north: httpx2.AsyncClient, business_id: str, clock: ManualClock) -> None:
    found_at = (clock() - timedelta(days=5)).isoformat()
    one = (await compare(north, business_id, foundAt=found_at)).json()["discrepancies"][0]
    assert datetime.fromisoformat(one["dueAt"]) == (clock() + timedelta(days=25)).replace(microsecond=one_ms(clock()))
    future = await compare(north, business_id, foundAt=(clock() + timedelta(minutes=1)).isoformat())
    assert (future.status_code, future.json()["details"][0]["path"]) == (400, "foundAt")


def one_ms(instant: datetime) -> int:
    return instant.microsecond // 1000 * 1000


async def test_both_sides_come_from_statements(north: httpx2.AsyncClient, business_id: str) -> None:
    missing = await compare(north, business_id, comparison={})
    assert (missing.status_code, missing.json()["details"][0]["path"]) == (400, "comparison.registry")
    await declare(north, business_id, claimedBy="registry", declaredBy="ISC register")
    answer = (await compare(north, business_id, comparison={})).json()
    assert (answer["discrepancies"], len(answer["review"]["agreed"])) == ([], 3)


async def test_without_a_declaration_nothing_is_compared(north: httpx2.AsyncClient) -> None:
    business_id = await create_business(north)
    answer = await compare(north, business_id)
    assert (answer.status_code, answer.json()["details"][0]["path"]) == (400, "comparison.declared")
    declared = [{"name": "Jane Doe", "address": "100 King St W, Toronto ON"}]
    sent = await compare(north, business_id, comparison={"declared": declared, "registry": REGISTER})
    assert [one["kind"] for one in sent.json()["discrepancies"]] == ["extra_owner", "extra_owner"]


async def test_a_discrepancy_is_recorded_by_hand(north: httpx2.AsyncClient, business_id: str) -> None:
    found = {"kind": "extra_owner", "registry": {"name": "Priya Ramanathan"}, "reason": "Named as joint owner."}
    answer = (await compare(north, business_id, comparison=None, discrepancy=found)).json()
    (one,) = answer["discrepancies"]
    assert (one["kind"], one["reason"], one["dueAt"] is not None) == ("extra_owner", "Named as joint owner.", True)
    assert (answer["review"]["declared"], answer["review"]["gone"]) == (None, [])


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"riskRating": "extreme"}, "riskRating"),
        ({"comparison": None}, "comparison"),
        ({"discrepancy": {"kind": "missing_owner", "declared": {"name": "A B"}, "reason": "x"}}, "comparison"),
        ({"comparison": None, "discrepancy": {"kind": "missing_owner", "reason": "x"}}, "discrepancy.declared"),
        (
            {"comparison": None, "discrepancy": {"kind": "extra_owner", "declared": {"name": "A B"}, "reason": "x"}},
            "discrepancy.declared",
        ),
        ({"comparison": {"registry": REGISTER | {"consultedOn": "2099-01-01"}}}, "comparison.registry.consultedOn"),
        (
            {"comparison": {"registry": REGISTER | {"individuals": [{"name": "A B", "from": "2024", "to": "2023"}]}}},
            "comparison.registry.individuals.0.to",
        ),
        ({"documentIds": [str(uuid4())]}, "documentIds"),
    ],
)
@ON_SQLITE_ONLY
async def test_an_invalid_request_names_the_field(
    north: httpx2.AsyncClient, business_id: str, changes: dict[str, Any], field: str
) -> None:
    answer = await compare(north, business_id, **changes)
    assert (answer.status_code, answer.json()["details"][0]["path"]) == (400, field), answer.text


async def test_a_repeated_request_opens_nothing_twice(north: httpx2.AsyncClient, business_id: str) -> None:
    body = {"riskRating": "high", "comparison": {"registry": REGISTER}}
    path, headers = f"/v1/businesses/{business_id}/discrepancies", {"Idempotency-Key": "once"}
    first, second = [await north.post(path, json=body, headers=headers) for _ in range(2)]
    assert (first.json(), second.headers["Idempotent-Replayed"]) == (second.json(), "true")
    assert (await north.get(path)).json()["pagination"]["total"] == 4


# ------------------------------------------------------------------------------------------------------------- deciding


async def test_a_discrepancy_is_resolved_with_a_note_and_a_document(
    north: httpx2.AsyncClient, business_id: str, opened: list[dict[str, Any]]
) -> None:
    document = (await upload(north, business_id)).json()
    answer = await change(
        north, opened[0], status="resolved", resolution="The register was corrected.", documentIds=[document["id"]]
    )
    assert answer.status_code == 200, answer.text
    resolved = answer.json()
    assert (resolved["status"], resolved["resolution"]) == ("resolved", "The register was corrected.")
    (decision,) = resolved["decisions"]
    assert (decision["documentIds"], decision["status"]) == ([document["id"]], "resolved")
    assert (await north.get(f"/v1/businesses/{business_id}/discrepancies/{resolved['id']}")).json() == resolved


async def test_a_report_keeps_its_acknowledgement(
    north: httpx2.AsyncClient, business_id: str, opened: list[dict[str, Any]], clock: ManualClock
) -> None:
    document = (await upload(north, business_id)).json()
    clock.move(days=3)
    acknowledgement = {"number": "BO-1", "documentId": document["id"], "receivedAt": "2026-11-21T10:00:00.000Z"}
    reported = (await change(north, opened[0], status="reported", acknowledgement=acknowledgement)).json()
    assert reported["acknowledgement"].items() >= acknowledgement.items()
    assert reported["acknowledgement"]["recordedBy"] == reported["decisions"][0]["by"]
    again = (await compare(north, business_id)).json()
    assert again["review"]["differences"][0]["discrepancyId"] == reported["id"]


async def test_of_two_decisions_at_once_one_wins(north: httpx2.AsyncClient, opened: list[dict[str, Any]]) -> None:
    answers = await asyncio.gather(*(change(north, opened[0], status="resolved", resolution=f"{one}") for one in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    winner = next(answer.json() for answer in answers if answer.status_code == 200)
    lost = [answer.json() for answer in answers if answer.status_code == 409]
    assert {one["code"] for one in lost} == {"CONFLICT"}
    assert all(winner["decisions"][0]["by"] in one["error"] and winner["decisions"][0]["at"] in one["error"] for one in lost)


async def test_a_class_is_changed_with_a_reason_and_so_is_the_clock(
    north: httpx2.AsyncClient, opened: list[dict[str, Any]]
) -> None:
    slip = opened[3]
    changed = (await change(north, slip, kind="contradicting", resolution="Two people.")).json()
    assert (changed["kind"], changed["foundKind"], changed["status"]) == ("contradicting", "immaterial", "open")
    assert datetime.fromisoformat(changed["dueAt"]) == datetime.fromisoformat(slip["openedAt"]) + timedelta(days=30)
    back = (await change(north, slip, kind="immaterial", resolution="A slip after all.")).json()
    assert (back["dueAt"], len(back["decisions"])) == (None, 2)


async def test_a_decided_discrepancy_is_reopened_and_keeps_its_due_date(
    north: httpx2.AsyncClient, opened: list[dict[str, Any]]
) -> None:
    await change(north, opened[0], status="resolved", resolution="Corrected.")
    reopened = (await change(north, opened[0], status="open", resolution="It was another business.")).json()
    assert (reopened["status"], reopened["resolution"], reopened["dueAt"]) == ("open", None, opened[0]["dueAt"])
    assert [one["status"] for one in reopened["decisions"]] == ["resolved", "open"]


async def test_an_acknowledgement_stays_in_the_decisions_when_the_report_is_reopened(
    north: httpx2.AsyncClient, business_id: str, opened: list[dict[str, Any]]
) -> None:
    document = (await upload(north, business_id)).json()
    acknowledgement = {"number": "BO-1", "documentId": document["id"], "receivedAt": "2026-11-01T10:00:00.000Z"}
    reported = (await change(north, opened[0], status="reported", acknowledgement=acknowledgement)).json()
    reopened = (await change(north, opened[0], status="open", resolution="Sent for another business.")).json()
    assert reopened["acknowledgement"] is None
    assert [one["acknowledgement"] for one in reopened["decisions"]] == [reported["acknowledgement"], None]


async def test_a_class_that_it_has_is_no_change(north: httpx2.AsyncClient, opened: list[dict[str, Any]]) -> None:
    answer = await change(north, opened[0], kind=opened[0]["kind"], resolution="The same.")
    assert (answer.status_code, answer.json()["details"][0]["path"]) == (400, "kind")


async def test_a_stale_decision_is_refused(north: httpx2.AsyncClient, opened: list[dict[str, Any]]) -> None:
    read = opened[3]["updatedAt"]
    await change(north, opened[3], kind="contradicting", resolution="Two people.")
    answer = await change(north, opened[3], status="resolved", resolution="Same person.", expectedUpdatedAt=read)
    assert (answer.status_code, answer.json()["code"]) == (409, "STALE_WRITE")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({}, "status"),
        ({"status": "resolved"}, "resolution"),
        ({"status": "reported"}, "acknowledgement"),
        ({"kind": "immaterial"}, "resolution"),
        ({"status": "resolved", "kind": "immaterial", "resolution": "x"}, "kind"),
        ({"status": "resolved", "documentIds": [str(uuid4())]}, "documentIds"),
        (
            {
                "status": "reported",
                "acknowledgement": {"number": "1", "documentId": str(uuid4()), "receivedAt": "2026-11-01T00:00:00Z"},
            },
            "acknowledgement.documentId",
        ),
        (
            {
                "status": "reported",
                "acknowledgement": {"number": "1", "documentId": str(uuid4()), "receivedAt": "2099-11-01T00:00:00Z"},
            },
            "acknowledgement.receivedAt",
        ),
    ],
)
@ON_SQLITE_ONLY
async def test_an_incomplete_decision_names_the_field(
    north: httpx2.AsyncClient, opened: list[dict[str, Any]], fields: dict[str, Any], field: str
) -> None:
    answer = await change(north, opened[0], **fields)
    assert (answer.status_code, answer.json()["details"][0]["path"]) == (400, field), answer.text


async def test_every_change_is_in_the_audit_log(north: httpx2.AsyncClient, business_id: str, opened: list[dict[str, Any]]) -> None:
    await change(north, opened[0], status="resolved", resolution="Corrected.")
    await change(north, opened[0], status="open", resolution="Not corrected.")
    await change(north, opened[3], kind="contradicting", resolution="Two people.")
    await upload(north, business_id)
    entries = (await north.get(f"/v1/businesses/{business_id}/audit?limit=100")).json()["entries"]
    fields = [entry["field"] for entry in entries if entry["field"].split(".")[0] in {"discrepancy", "document"}]
    assert fields == [
        *["discrepancy.opened"] * 4,
        "discrepancy.resolved",
        "discrepancy.reopened",
        "discrepancy.changed",
        "document.added",
    ]
    resolved = next(entry for entry in entries if entry["field"] == "discrepancy.resolved")
    assert (resolved["old"]["status"], resolved["new"]["status"], resolved["new"]["id"]) == ("open", "resolved", opened[0]["id"])


# ------------------------------------------------------------------------------------------------------------- documents


@pytest.mark.parametrize(
    ("content", "media_type"), [(PDF, "application/pdf"), (PNG, "image/png"), (b"\xff\xd8\xff\xe0", "image/jpeg")]
)
async def test_a_document_is_kept_with_its_digest(
    north: httpx2.AsyncClient, business_id: str, content: bytes, media_type: str
) -> None:
    answer = await upload(north, business_id, content)
    assert answer.status_code == 201, answer.text
    document = answer.json()
    digest = hashlib.sha256(content).hexdigest()
    assert (document["mediaType"], document["size"], document["sha256"]) == (media_type, len(content), digest)
    assert (await north.get(f"/v1/businesses/{business_id}/documents")).json() == {"documents": [document]}
    read = await north.get(f"/v1/businesses/{business_id}/documents/{document['id']}")
    assert (read.content, read.headers["content-type"]) == (content, "application/octet-stream")
    assert read.headers["content-disposition"].startswith("attachment")


@pytest.mark.parametrize("content", ["not base64!", base64.b64encode(b"<html>").decode(), base64.b64encode(b"MZ").decode()])
async def test_other_files_are_refused(north: httpx2.AsyncClient, business_id: str, content: str) -> None:
    answer = await north.post(f"/v1/businesses/{business_id}/documents", json={"name": "a.pdf", "content": content})
    assert (answer.status_code, answer.json()["details"][0]["path"]) == (400, "content")


async def test_nothing_of_another_organization_is_found(
    north: httpx2.AsyncClient, south: httpx2.AsyncClient, business_id: str, opened: list[dict[str, Any]]
) -> None:
    document = (await upload(north, business_id)).json()
    mine, paths = await create_business(south), ("discrepancies", "documents")
    for business in (business_id, mine):
        for path, one in zip(paths, (opened[0], document), strict=True):
            assert (await south.get(f"/v1/businesses/{business}/{path}/{one['id']}")).status_code == 404
        review = f"/v1/businesses/{business}/ownership-reviews/{opened[0]['reviewId']}"
        assert (await south.get(review)).status_code == 404
    assert (await change(south, opened[0], status="resolved", resolution="x")).status_code == 404
    assert (await compare(south, business_id)).status_code == 404
    await declare(south, mine)
    theirs = await compare(south, mine, documentIds=[document["id"]])
    assert (theirs.status_code, theirs.json()["details"][0]["path"]) == (400, "documentIds")


async def test_a_document_of_another_business_is_no_evidence(north: httpx2.AsyncClient, business_id: str) -> None:
    other = await create_business(north, name="Other Inc.")
    document = (await upload(north, other)).json()
    answer = await compare(north, business_id, documentIds=[document["id"]])
    assert (answer.status_code, answer.json()["details"][0]["path"]) == (400, "documentIds")
