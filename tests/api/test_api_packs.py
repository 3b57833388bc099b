"""Examiner's packs on the wire: requested, listed, read, and downloaded through signed URLs."""

import base64
from hashlib import sha256
from io import BytesIO
from uuid import uuid4

import httpx2
import pytest

from bonafide.app.worker import work_once
from bonafide.runtime import Runtime
from bonafide.services.packs.verification import verify_pack
from tests.support.api.clients import ManualClock

pytestmark = pytest.mark.anyio
PATH = "/v1/packs"
PERIOD = {"from": "2026-11-01T00:00:00Z", "to": "2026-12-01T00:00:00-05:00"}


async def test_a_pack_is_requested_once_made_and_downloaded(
    runtime: Runtime, clock: ManualClock, north: httpx2.AsyncClient, south: httpx2.AsyncClient
) -> None:
    record = (await north.post("/v1/businesses", json={"name": "Crème & Fils Ltée"})).json()["business"]
    key = {"Idempotency-Key": uuid4().hex, "Accept-Language": "fr"}
    accepted, repeated = [await north.post(PATH, json={"businessId": record["id"]}, headers=key) for _ in range(2)]
    assert (accepted.status_code, repeated.json()) == (202, accepted.json())
    queued = accepted.json()
    assert (queued["status"], queued["businessName"], queued["language"]) == ("queued", "Crème & Fils Ltée", "fr")
    while await work_once(runtime, "worker"):
        pass
    pack = (await north.get(f"{PATH}/{queued['id']}")).json()
    assert (pack["status"], pack["intact"], pack["sha256"]) == ("ready", True, pack["zip"]["sha256"])
    assert pack["pdf"]["name"].endswith("-creme-fils-ltee-2026-11-20.pdf")
    for described, media_type in ((pack["pdf"], "application/pdf"), (pack["zip"], "application/zip")):
        answer = await south.get(described["url"], headers={"Authorization": ""})
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, media_type)
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{described["name"]}"'
        assert answer.headers["Content-Length"] == str(described["size"])
        digest = sha256(answer.content).digest()
        assert (digest.hex(), answer.headers["Repr-Digest"]) == (
            described["sha256"],
            f"sha-256=:{base64.b64encode(digest).decode()}:",
        )
    assert verify_pack(BytesIO(answer.content)).is_intact
    assert (await south.get(f"{PATH}/{queued['id']}")).status_code == 404
    clock.move(minutes=16)
    assert (await north.get(pack["zip"]["url"])).status_code == 404


async def test_packs_are_listed_newest_first_and_by_business(clock: ManualClock, north: httpx2.AsyncClient) -> None:
    record = (await north.post("/v1/businesses", json={"name": "Acme"})).json()["business"]
    bodies = (PERIOD, {"businessId": record["id"]}, PERIOD)
    made = []
    for body in bodies:
        made.append((await north.post(PATH, json=body)).raise_for_status().json())
        clock.move(seconds=1)
    assert (made[0]["from"], made[0]["to"]) == ("2026-11-01T00:00:00.000Z", "2026-12-01T05:00:00.000Z")
    first = (await north.get(PATH, params={"limit": 2})).json()
    rest = (await north.get(PATH, params={"cursor": first["cursor"]["next"]})).json()
    assert [one["id"] for one in (*first["packs"], *rest["packs"])] == [one["id"] for one in reversed(made)]
    assert (first["pagination"]["hasMore"], rest["pagination"]["hasMore"]) == (True, False)
    of_record = (await north.get(PATH, params={"businessId": record["id"]})).json()["packs"]
    assert [one["id"] for one in of_record] == [made[1]["id"]]


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "businessId"),
        ({"from": PERIOD["from"]}, "to"),
        ({"to": PERIOD["to"]}, "from"),
        ({"from": PERIOD["to"], "to": PERIOD["from"]}, "to"),
        ({"from": PERIOD["from"], "to": PERIOD["from"]}, "to"),
        ({**PERIOD, "businessId": str(uuid4())}, "businessId"),
        ({"from": "2026-11-01", "to": "2026-12-01"}, "from"),
    ],
)
async def test_an_invalid_scope_is_refused(north: httpx2.AsyncClient, body: dict[str, str], path: str) -> None:
    answer = await north.post(PATH, json=body)
    assert (answer.status_code, answer.json()["details"][0]["path"]) == (400, path)


async def test_an_unknown_business_has_no_pack(north: httpx2.AsyncClient) -> None:
    assert (await north.post(PATH, json={"businessId": str(uuid4())})).status_code == 404
    assert (await north.get(f"{PATH}/{uuid4()}")).status_code == 404
