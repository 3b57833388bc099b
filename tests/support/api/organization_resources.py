"""One of everything that the API can make, under names that stand nowhere else."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import httpx2

from bonafide.runtime import Runtime
from bonafide.services.cases.following import update_cases
from bonafide.services.records.change_feed import decode_cursor, encode_cursor
from tests.support.api.operation_requests import BAKERY, LISTED

CANARY = "Quillwander"
"""Stands in every name that north gives to something."""
TWIN = "Sandbox Twin Holdings Inc."
SLOW = {"jurisdiction": "BC", "registrationNumber": "BC1000033"}


@dataclass(frozen=True)
class Possessions:
    """Ids by kind, as `@kind` in a probe names them, and the rest that must be seen by nobody else."""

    ids: dict[str, Any]
    secret: set[str] = field(default_factory=set)


async def made(client: httpx2.AsyncClient, runtime: Runtime) -> Possessions:
    """One of everything, made by this client; the service has opened a case."""
    external = f"{CANARY}-{uuid4().hex}"
    record = await _business(client, external)
    search = await _json(client.post("/v1/search", json={"name": "Sandbox Bakery Inc.", "matchSelection": True}))
    twin = await _json(client.post("/v1/search", json={"name": TWIN, "matchSelection": True, "businessId": record["id"]}))
    verification = await _json(
        client.post(
            "/v1/verify", json={**BAKERY, "legalName": f"Sandbox Bakery {CANARY} Inc.", "people": [{"name": f"Ida {CANARY}"}]}
        )
    )
    pending = await _json(client.post("/v1/verify", json={**SLOW, "legalName": "Sandbox Slow Registry Inc."}))
    report = await _json(client.post("/v1/business-reports", json=BAKERY))
    pdf = await _json(client.post("/v1/pdf", json={"searchId": search["meta"]["searchId"]}))
    settings = {"branding": {"name": f"{CANARY} Credit Union", "primary": "#7a1e3c"}}
    await _json(client.put("/v1/settings", json=settings))
    hit, dismissal = await _dismissed(client, record["id"])
    screening = await _json(client.post("/v1/sanctions", json={"query": f"{CANARY} Holdings Ltd.", "businessId": record["id"]}))
    document, outcome = await _reviewed(client, record["id"])
    page = await _json(client.get("/v1/businesses", params={"limit": 1}))
    feed = await _json(client.get("/v1/events", params={"businessId": record["id"], "limit": 1}))
    alerts = await _json(client.get("/v1/events", params={"alert": "open", "limit": 1}))
    endpoint = {"url": f"https://hooks.example.com/{CANARY}", "description": f"{CANARY} cases"}
    webhook = await _json(client.post("/v1/webhook-endpoints", json=endpoint))
    deliveries = await _json(client.get(f"/v1/webhook-endpoints/{webhook['id']}/deliveries"))
    while await update_cases(runtime):
        pass
    case = (await _json(client.get("/v1/cases", params={"businessId": record["id"]})))["cases"][0]
    await _json(client.post(f"/v1/cases/{case['id']}/notes", json={"text": f"{CANARY} was called"}))
    timeline = await _json(client.get(f"/v1/businesses/{record['id']}/timeline", params={"limit": 1}))
    erased, held = [
        (await _json(client.post("/v1/businesses", json={"name": f"{CANARY} {kind} Ltd."})))["business"]
        for kind in ("Brothers", "Sisters")
    ]
    pack = await _json(client.post("/v1/packs", json={"businessId": record["id"]}))
    done, batch = [await _json(client.post("/v1/batches", json=_build_batch())) for _ in range(2)]
    await _cancel_batch(client, done["id"])
    attached = {"name": f"{CANARY}.pdf", "content": "JVBERi0xLjcK"}
    wanted = {"businessId": record["id"], "name": f"{CANARY} Holdings Ltd."}
    check, other = [(await _json(client.post("/v1/manual-checks", json={**wanted, "source": one})))["id"] for one in ("nb", "nu")]
    ids = {
        "openCase": case["id"],
        "manualCheck": check,
        "otherCheck": other,
        "checkFile": (await _json(client.post(f"/v1/manual-checks/{check}/attachments", json=attached)))["id"],
        "pack": pack["id"],
        "batch": batch["id"],
        "doneBatch": done["id"],
        "errorCursor": "0.0",
        "timelineCursor": timeline["cursor"]["next"],
        "itemCursor": (await _json(client.get(f"/v1/cases/{case['id']}/items", params={"limit": 1})))["cursor"]["next"],
        "attachment": (await _json(client.post(f"/v1/cases/{case['id']}/attachments", json=attached)))["id"],
        "business": record["id"],
        "erasedBusiness": erased["id"],
        **await _erased_checks(client, runtime),
        "heldBusiness": held["id"],
        "externalId": external,
        "number": "BC7654321",
        "search": search["meta"]["searchId"],
        "ownSearch": search["meta"]["searchId"],
        "linkedSearch": twin["meta"]["searchId"],
        "match": search["businesses"][0]["matchId"],
        "verification": verification["meta"]["verificationId"],
        "pending": pending["reportFetchId"],
        "report": report["reportId"],
        "dismissal": dismissal,
        "event": feed["events"][0]["id"],
        "alert": alerts["events"][0]["id"],
        "webhook": webhook["id"],
        "otherWebhook": (await _json(client.post("/v1/webhook-endpoints", json=endpoint)))["id"],
        "deliveryCursor": deliveries["cursor"]["next"],
        "screening": screening["meta"]["screeningId"],
        "document": document,
        "discrepancy": outcome["discrepancies"][0]["id"],
        "review": outcome["review"]["id"],
        "hit": hit,
        "case": f"case-{uuid4().hex}",
        "eventCursor": feed["cursor"]["next"],
        "cursor": page["cursor"]["next"],
        "name": f"{CANARY} Holdings Ltd.",
    }
    return Possessions(ids, {CANARY, pdf["url"].rsplit("/", 1)[1]})


async def _erased_checks(client: httpx2.AsyncClient, runtime: Runtime) -> dict[str, str]:
    """One check of each kind that is there to be erased."""
    record = (await _json(client.post("/v1/businesses", json={"name": f"{CANARY} Cousins Ltd."})))["business"]
    await _reviewed(client, record["id"])
    while await update_cases(runtime):
        pass
    claim = {"legalName": f"Sandbox Twin {CANARY} Inc.", "jurisdiction": "ON", "registrationNumber": "1000025"}
    search = await _json(client.post("/v1/search", json={"name": f"{CANARY} Cousins Ltd."}))
    verification = await _json(client.post("/v1/verify", json=claim))
    screening = await _json(client.post("/v1/sanctions", json={"query": f"{CANARY} Cousins Ltd."}))
    report = await _json(client.post("/v1/business-reports", json={"jurisdiction": "ON", "registrationNumber": "1000025"}))
    cases = await _json(client.get("/v1/cases", params={"businessId": record["id"]}))
    return {
        "erasedSearch": search["meta"]["searchId"],
        "erasedVerification": verification["meta"]["verificationId"],
        "erasedScreening": screening["meta"]["screeningId"],
        "erasedReport": report["reportId"],
        "erasedCase": cases["cases"][0]["id"],
    }


def never_made(like: dict[str, Any]) -> dict[str, Any]:
    """Ids of the same kinds and forms that nobody has."""
    strangers = {kind: str(uuid4()) if _is_uuid(value) else value for kind, value in like.items()}
    position = decode_cursor(like["cursor"])
    return {
        **strangers,
        "externalId": f"Nobodyknown-{uuid4().hex}",
        "number": "BC7654999",
        "case": f"case-{uuid4().hex}",
        "name": "Nobodyknown Holdings Ltd.",
        "cursor": encode_cursor(type(position)(position.updated_at, uuid4())),
    }


async def _business(client: httpx2.AsyncClient, external_id: str) -> dict[str, Any]:
    fields = {
        "externalId": external_id,
        "name": f"{CANARY} Holdings Ltd.",
        "jurisdiction": "BC",
        "registrationNumber": "BC7654321",
        "people": [{"name": f"Ida {CANARY}", "role": "Director"}],
        "notes": f"{CANARY} said so",
    }
    await _json(client.post("/v1/businesses", json=fields))
    changed = await _json(client.put("/v1/businesses", json={"externalId": external_id, "city": f"{CANARY}ville"}))
    record: dict[str, Any] = changed["business"]
    return record


async def _reviewed(client: httpx2.AsyncClient, business_id: str) -> tuple[str, dict[str, Any]]:
    """A document, and an ownership review with it."""
    file = {"name": f"{CANARY}.pdf", "content": "JVBERi0xLjcK"}
    document = await _json(client.post(f"/v1/businesses/{business_id}/documents", json=file))
    registry = {"consultedOn": "2026-11-01", "individuals": [{"name": f"Ida {CANARY}"}]}
    body = {"riskRating": "high", "comparison": {"declared": [], "registry": registry}, "documentIds": [document["id"]]}
    return document["id"], await _json(client.post(f"/v1/businesses/{business_id}/discrepancies", json=body))


async def _dismissed(client: httpx2.AsyncClient, business_id: str) -> tuple[dict[str, str], str]:
    screened = await _json(client.post("/v1/sanctions", json={"query": LISTED}))
    (match,) = screened["screening"]["matches"]
    hit = {name: match[name] for name in ("source", "entryId", "digest")}
    body = {"subject": {"name": LISTED}, "hit": hit, "reason": f"{CANARY} is another", "businessId": business_id}
    dismissal = await _json(client.post("/v1/sanctions/dismissals", json=body))
    return hit, dismissal["id"]


async def _json(asking: Any) -> dict[str, Any]:
    answer = await asking
    assert answer.status_code < 300, answer.text
    body: dict[str, Any] = answer.json()
    return body


def _is_uuid(value: Any) -> bool:
    try:
        return isinstance(value, str) and str(UUID(value)) == value
    except ValueError:
        return False


def _build_batch() -> dict[str, Any]:
    return {"kind": "screen", "rows": [{"name": f"{CANARY} Holdings Ltd."}]}


async def _cancel_batch(client: httpx2.AsyncClient, batch_id: str) -> None:
    (await client.patch(f"/v1/batches/{batch_id}", json={"action": "cancel"})).raise_for_status()
