"""Add the examples to the demo's organization, as clients of its API do.

They are added once, one after another, while the service runs. The keys of the examples tell how far an earlier start has got: they
are revoked when all examples are there. After an interruption, the examples continue with the last one that was begun.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from httpx2 import HTTPError, HTTPStatusError

from bonafide.errors import NotFound
from bonafide.model.accounts.organizations import ApiKey, World
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.records.business_records import find_record
from bonafide_sandbox.examples.case_work import PDF, work_on_case
from bonafide_sandbox.examples.example_client import KEY_LABEL, ExampleClient, ExampleClients, ExamplePerson, open_clients
from bonafide_sandbox.examples.example_table import ExampleBusiness, load_examples

DISMISSAL_REASON = "The client’s director was born in another year and has never lived abroad."
OWNERS = {"ada": ("Ada Beispiel", 0.6), "noel": ("Noël Exemple", 0.25)}
"""The declared owners of an example, by the ID of the party, with their shares."""
REGISTER = {
    "consultedOn": "2026-11-02",
    "individuals": [
        {"name": "Ada Beispiel", "from": "2022-05-01", "kinds": ["control"]},
        {"name": "Priya Muster", "from": "2024-07-15", "address": "100 King Street West, Toronto ON M5X 1A9"},
    ],
}
"""What the register of individuals with significant control has of the same business."""
_log = get_logger(__name__)


async def seed_examples(runtime: Runtime, base_url: str, organization: str, owner: str) -> bool:
    """Add the examples to the sandbox organization of this name; returns whether any were missing.

    `base_url` is the address of the API, and `owner` the e-mail of a member to whom some cases are assigned. An example that fails
    is logged and left out.
    """
    keys = await _list_keys(runtime, organization)
    if any(key.revoked_at is not None for key in keys):
        return False
    table = await asyncio.to_thread(load_examples)
    async with open_clients(runtime, base_url, organization) as clients:
        keys = await _list_keys(runtime, organization)
        begun = await _count_begun(runtime, keys[0], table.businesses)
        if begun == 0:
            await _attempt("risk rules", clients[ExamplePerson.INES].send("POST", "/risk/rules/0/activate", {}))
        for example in table.businesses[max(0, begun - 1) :]:
            await _attempt(example.external_id, _add_business(clients, example))
        ines = clients[ExamplePerson.INES]
        for name in table.searches:
            body = {"name": name, "matchSelection": True, "sanctionsScreening": True}
            await _attempt(name, ines.send("POST", "/search", body))
        # At the end, because whatever is found later opens a case that waits or is decided again.
        for example in table.businesses:
            if example.case is not None:
                await _attempt(example.external_id, _work_on_case(clients, example, example.case, owner))
        for name in table.screenings:
            await _attempt(name, ines.send("POST", "/sanctions", {"query": name}))
    for key in keys:
        await api_access.revoke_key(runtime, key.id)
    return True


async def _list_keys(runtime: Runtime, organization: str) -> list[ApiKey]:
    """The keys of the examples, of this start and of earlier ones."""
    mine = (organization, World.SANDBOX, KEY_LABEL)
    return [key for key in await api_access.list_keys(runtime) if (key.organization, key.world, key.label) == mine]


async def _count_begun(runtime: Runtime, key: ApiKey, examples: tuple[ExampleBusiness, ...]) -> int:
    """The number of examples up to the last one whose record exists. Records that the demo stores by itself do not count."""
    begun = 0
    for number, example in enumerate(examples, 1):
        if example.external_id.startswith("example-") and await _exists(runtime, key, example.external_id):
            begun = number
    return begun


async def _exists(runtime: Runtime, key: ApiKey, external_id: str) -> bool:
    try:
        await find_record(runtime, key.organization_id, external_id=external_id)
    except NotFound:
        return False
    return True


async def _attempt(what: str, work: Awaitable[object]) -> None:
    try:
        await work
    except HTTPStatusError as error:
        _log.warning("example.failed", example=what, path=error.request.url.path, answer=error.response.text)
    except (HTTPError, LookupError) as error:
        _log.warning("example.failed", example=what, error=repr(error))


async def _add_business(clients: ExampleClients, example: ExampleBusiness) -> None:
    ines = clients[ExamplePerson.INES]
    body = {"externalId": example.external_id, **example.record}
    record = (await ines.send("POST", "/businesses", body))["business"]
    checks = _ExampleChecks(ines, record["id"], record)
    for step in example.steps:
        await _STEPS[step](checks)


async def _work_on_case(clients: ExampleClients, example: ExampleBusiness, work: str, owner: str) -> None:
    found = await clients[ExamplePerson.INES].send("GET", f"/businesses?externalId={example.external_id}")
    for record in found["businesses"]:
        await work_on_case(clients, record["id"], work, owner)


@dataclass(slots=True)
class _ExampleChecks:
    """What is done with one record."""

    client: ExampleClient
    business_id: str
    record: Mapping[str, Any]
    screened: list[dict[str, Any]] = field(default_factory=list)
    """Every screened name of the last screening, with its hits as `matches`."""

    async def search(self) -> None:
        body = {"businessId": self.business_id, "matchSelection": True, "sanctionsScreening": True}
        await self.client.send("POST", "/search", body)

    async def verify(self) -> None:
        reply = await self.client.send("POST", "/verify", {"businessId": self.business_id})
        if reply.get("pending", False):
            await self.client.wait_for_verification(reply["reportFetchId"])

    async def report(self) -> None:
        await self.client.send(
            "POST",
            "/business-reports",
            {"jurisdiction": self.record["jurisdiction"], "registrationNumber": self.record["registrationNumber"]},
        )

    async def screen(self) -> None:
        name = next(iter(self.record["operatingNames"]), self.record["name"])
        answer = await self.client.send("POST", "/sanctions", {"query": name, "businessId": self.business_id})
        screening = answer["screening"]
        self.screened = [{"name": name, "matches": screening["matches"]}, *screening["subjects"]]

    async def dismiss(self) -> None:
        for subject in self.screened:
            for hit in subject["matches"]:
                body = {
                    "subject": {"name": subject["name"]},
                    "hit": {name: hit[name] for name in ("source", "entryId", "digest")},
                    "reason": DISMISSAL_REASON,
                    "businessId": self.business_id,
                }
                await self.client.send("POST", "/sanctions/dismissals", body)

    async def request_manual_check(self) -> str:
        body = {"businessId": self.business_id, "jurisdiction": self.record["jurisdiction"]}
        check_id: str = (await self.client.send("POST", "/manual-checks", body))["id"]
        return check_id

    async def complete_manual_check(self) -> None:
        seen = {
            "found": True,
            "name": self.record["name"],
            "registrationNumber": self.record["registrationNumber"],
            "status": "Active",
            "statusCode": "active",
            "recordType": "Company details page",
        }
        await self.client.send("POST", f"/manual-checks/{await self.request_manual_check()}/result", seen)

    async def declare_owners(self) -> None:
        business = {"id": "business", "kind": "business", "name": self.record["name"], "businessId": self.business_id}
        people = [{"id": one, "kind": "person", "name": name} for one, (name, _) in OWNERS.items()]
        interests = [
            {"id": one, "owner": one, "owned": "business", "kind": "shares", "share": {"exact": share}, "from": "2019"}
            for one, (_, share) in OWNERS.items()
        ]
        statement = {"asOf": "2026-11-01", "declaredBy": "Ada Beispiel, president", "parties": [business, *people]}
        await self.client.send("PUT", f"/businesses/{self.business_id}/ownership", {**statement, "interests": interests})

    async def compare_owners(self) -> None:
        path = f"/businesses/{self.business_id}"
        document = await self.client.send("POST", f"{path}/documents", {"name": "register.pdf", "content": PDF})
        body = {"riskRating": "high", "comparison": {"registry": REGISTER}, "documentIds": [document["id"]]}
        await self.client.send("POST", f"{path}/discrepancies", body)


_STEPS: Mapping[str, Callable[[_ExampleChecks], Awaitable[object]]] = {
    "search": _ExampleChecks.search,
    "verify": _ExampleChecks.verify,
    "report": _ExampleChecks.report,
    "screen": _ExampleChecks.screen,
    "dismiss": _ExampleChecks.dismiss,
    "manual_check": _ExampleChecks.request_manual_check,
    "manual_result": _ExampleChecks.complete_manual_check,
    "ownership": _ExampleChecks.declare_owners,
    "compare_owners": _ExampleChecks.compare_owners,
}
