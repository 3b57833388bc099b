"""Create data through the API, so that every page of the console has content.

Searches run on the sandbox's data. Nothing is measured here.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx2

LONG_NAME = "Société de développement communautaire et d’aménagement durable des Hautes-Terres"
LONG_EMAIL = "marguerite-antoinette.desrosiers-villeneuve@hautes-terres.example"
BAKERY = {
    "legalName": "Sandbox Bakery Incorporated",
    "jurisdiction": "ON",
    "registrationNumber": "1000017",
    "address": {"street": "102 King Street West", "city": "Toronto", "province": "ON", "postalCode": "M5X 1A9"},
    "people": [{"name": "Margaret Okafor", "roles": ["President"]}, {"name": "Nobody Atall", "roles": ["Director"]}],
}
SEARCHED = ("Sandbox Bakery Inc.", "Sandbox Twin Holdings Inc.", "Sandbox Outage Ltd.", "Zyzzyva Qwertz Unheard-of Ltd.", LONG_NAME)
RECORD = {
    "externalId": "client-1042",
    "name": "Sandbox Bakery Inc.",
    "operatingNames": ["The Bakery", LONG_NAME],
    "jurisdiction": "ON",
    "registrationNumber": "1000017",
    "street": "12 King Street West",
    "city": "Toronto",
    "province": "ON",
    "postalCode": "M5H 1A1",
    "people": [{"name": "Ada Lovelace", "roles": ["Director"], "email": LONG_EMAIL}],
    "website": "https://bakery.sandbox.example",
    "isMonitored": True,
}

RISK_DRAFT = {
    "rules": [{"id": "inactive", "title": LONG_NAME, "when": "!registry.active", "points": 40, "reason": "Not active."}],
    "bands": [{"name": "low", "from": 0}, {"name": "high", "from": 30}],
}


def _build_ownership(business: str) -> dict[str, Any]:
    """Three levels with a band, a trust, an unknown owner and a cycle."""
    return {
        "asOf": "2026-11-01",
        "declaredBy": "Ada Lovelace, director",
        "parties": [
            {"id": "bakery", "kind": "business", "name": RECORD["name"], "businessId": business},
            {"id": "holding", "kind": "business", "name": LONG_NAME, "jurisdiction": "QC", "registrationNumber": "1160000017"},
            {"id": "trust", "kind": "trust", "name": "Lovelace Family Trust", "jurisdiction": "ON"},
            {"id": "ada", "kind": "person", "name": "Ada Lovelace", "dateOfBirth": "1975-06", "countries": ["CA"]},
            {"id": "others", "kind": "unknown"},
        ],
        "interests": [
            {"id": "1", "owner": "holding", "owned": "bakery", "kind": "shares", "share": {"exact": 0.6}, "from": "2021-04-01"},
            {"id": "2", "owner": "others", "owned": "bakery", "kind": "shares", "share": {"exact": 0.4}},
            {"id": "3", "owner": "trust", "owned": "holding", "kind": "shares", "share": {"min": 0.5, "max": 0.75}},
            {"id": "4", "owner": "bakery", "owned": "holding", "kind": "shares", "share": {"exact": 0.1}},
            {"id": "5", "owner": "ada", "owned": "trust", "kind": "trustee", "evidence": "Deed of 2011, page 2"},
            {"id": "6", "owner": "ada", "owned": "bakery", "kind": "director", "from": "2015", "to": "2020"},
        ],
    }


MAX_TURNS = 200
"""How many times cases are waited for."""
Follow = Callable[[], Awaitable[object]]
"""Follows the events, or waits a moment for a worker that does."""


@dataclass(frozen=True, slots=True)
class SeedData:
    """The ids of the created objects, and of the dismissed party. `case` is empty if nobody follows the events."""

    key: str
    search: str
    search_to_review: str
    search_without_match: str
    verification: str
    failed_verification: str
    business: str
    list: str
    party: str
    dismissal: str
    screening: str
    reviewed_business: str
    discrepancy: str
    review: str
    webhook: str
    batch: str
    manual_check: str
    case: str


async def seed_organization(api: httpx2.AsyncClient, key: UUID, follow: Follow | None = None) -> SeedData:
    """Create data through the API (`…/v1`) with this key, which needs all scopes. Raises `HTTPStatusError` on an error response.

    With `follow`, cases are opened too.
    """
    await _send(api, "POST", "/risk/rules/0/activate", {})
    searches = [await _search(api, name) for name in SEARCHED]
    await _send(api, "PATCH", f"/search/{await _search(api, LONG_NAME)}", {"archived": True})
    business = (await _send(api, "POST", "/businesses", RECORD))["business"]["id"]
    await _send(api, "POST", "/businesses", {"externalId": "client-1042", "notes": "Called twice", "city": "Ottawa"})
    await _send(api, "POST", "/businesses", {"externalId": "client-1043", "name": LONG_NAME})
    await _send(api, "PUT", f"/businesses/{business}/ownership", _build_ownership(business))
    verified = await _send(api, "POST", "/verify", BAKERY)
    failing = {"legalName": "Sandbox Failing Registry Inc.", "jurisdiction": "AB", "registrationNumber": "2010000041"}
    failed = await _send(api, "POST", "/verify", failing)
    hit, dismissal, screening = await _dismiss(api)
    reviewed = await _review_owners(api)
    await _send(api, "PUT", "/risk/rules", RISK_DRAFT)
    return SeedData(
        key=str(key),
        search=searches[0],
        search_to_review=searches[1],
        search_without_match=searches[3],
        verification=verified["meta"]["verificationId"],
        failed_verification=failed["reportFetchId"],
        business=business,
        list=hit["source"],
        party=hit["entryId"],
        dismissal=dismissal,
        screening=screening,
        reviewed_business=reviewed["review"]["businessId"],
        discrepancy=reviewed["discrepancies"][2]["id"],
        review=reviewed["review"]["id"],
        webhook=await _create_webhook_endpoint(api),
        batch=await _create_batch(api),
        manual_check=await _create_manual_check(api, reviewed["review"]["businessId"]),
        case=await _find_case(api, reviewed["review"]["businessId"], follow) if follow is not None else "",
    )


async def _search(api: httpx2.AsyncClient, name: str) -> str:
    wanted = {"name": name, "matchSelection": True, "sanctionsScreening": True}
    search_id: str = (await _send(api, "POST", "/search", wanted))["meta"]["searchId"]
    return search_id


async def _dismiss(api: httpx2.AsyncClient) -> tuple[dict[str, Any], str, str]:
    """Dismiss a sanctions hit; returns the hit, the id of the decision and that of the screening."""
    subject = {"name": "Sandbox Sanctioned Trading Ltd."}
    screened = await _send(api, "POST", "/sanctions", {"query": subject["name"]})
    hit = screened["screening"]["matches"][0]
    wanted = {
        "subject": subject,
        "hit": {name: hit[name] for name in ("source", "entryId", "digest")},
        "reason": "Our customer is another company of a similar name.",
    }
    dismissal = await _send(api, "POST", "/sanctions/dismissals", wanted)
    return hit, dismissal["id"], screened["meta"]["screeningId"]


async def _create_batch(api: httpx2.AsyncClient) -> str:
    rows = [{"name": LONG_NAME, "reference": LONG_EMAIL}, {"name": ""}]
    batch_id: str = (await _send(api, "POST", "/batches", {"kind": "screen", "rows": rows}))["id"]
    return batch_id


async def _create_webhook_endpoint(api: httpx2.AsyncClient) -> str:
    """Create a paused endpoint with deliveries that wait."""
    wanted = {"url": "https://hooks.example/bonafide/events", "description": LONG_NAME, "enabled": False}
    endpoint_id: str = (await _send(api, "POST", "/webhook-endpoints", wanted))["id"]
    events = (await api.get("/events", params={"limit": 5})).raise_for_status().json()["events"]
    replay = {"eventIds": [event["id"] for event in events]}
    await _send(api, "POST", f"/webhook-endpoints/{endpoint_id}/replay", replay)
    return endpoint_id


async def _create_manual_check(api: httpx2.AsyncClient, business_id: str) -> str:
    check_id: str = (await _send(api, "POST", "/manual-checks", {"businessId": business_id, "jurisdiction": "NL"}))["id"]
    return check_id


async def _find_case(api: httpx2.AsyncClient, business_id: str, follow: Follow) -> str:
    """The case of the record with discrepancies. Raises `LookupError` if none is opened."""
    for _ in range(MAX_TURNS):
        await follow()
        found = (await api.get("/cases", params={"businessId": business_id})).raise_for_status().json()["cases"]
        if found:
            case_id: str = found[0]["id"]
            return case_id
    raise LookupError(business_id)


async def _review_owners(api: httpx2.AsyncClient) -> dict[str, Any]:
    """Compare the declared owners of a federal corporation with the register; the first difference is resolved."""
    record = {"name": "Sandbox Northern Minerals Ltd.", "jurisdiction": "FED", "registrationNumber": "7654321"}
    business_id = (await _send(api, "POST", "/businesses", record))["business"]["id"]
    people = {"margaret": ("Margaret Okafor-Lindqvist", 0.6), "etienne": ("Étienne Marchand", 0.25)}
    await _send(api, "PUT", f"/businesses/{business_id}/ownership", {
        "asOf": "2026-11-01",
        "declaredBy": "Margaret Okafor-Lindqvist, president",
        "parties": [
            {"id": "business", "kind": "business", "name": record["name"], "businessId": business_id},
            *({"id": one, "kind": "person", "name": name} for one, (name, _) in people.items()),
        ],
        "interests": [
            {"id": one, "owner": one, "owned": "business", "kind": "shares", "share": {"exact": share}, "from": "2019"}
            for one, (_, share) in people.items()
        ],
    })  # fmt: skip
    document = await _send(api, "POST", f"/businesses/{business_id}/documents", {"name": "register.pdf", "content": "JVBERi0xLjcK"})
    individuals = [
        {"name": "Margaret Okafor-Lindqvist", "from": "2022-05-01", "kinds": ["control"], "control": LONG_NAME},
        {"name": "Priya Ramanathan", "from": "2024-07-15", "address": "100 King Street West, Toronto ON M5X 1A9"},
    ]
    registry = {"consultedOn": "2026-11-01", "individuals": individuals}
    wanted = {"riskRating": "high", "comparison": {"registry": registry}, "documentIds": [document["id"]], "note": LONG_NAME}
    reviewed = await _send(api, "POST", f"/businesses/{business_id}/discrepancies", wanted)
    first = f"/businesses/{business_id}/discrepancies/{reviewed['discrepancies'][0]['id']}"
    await _send(api, "PATCH", first, {"status": "resolved", "resolution": LONG_NAME, "documentIds": [document["id"]]})
    return reviewed


async def _send(api: httpx2.AsyncClient, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = (await api.request(method, path, json=body)).raise_for_status()
    document: dict[str, Any] = answer.json() if answer.content else {}
    return document
