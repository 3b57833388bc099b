"""What becomes of the cases of the examples: each is left in another state."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from bonafide_sandbox.examples.example_client import ExampleClient, ExampleClients, ExamplePerson

PDF = "JVBERi0xLjcKJSBleGFtcGxlCg=="
"""A file that begins as a PDF does, in Base64."""


async def work_on_case(clients: ExampleClients, business_id: str, work: str, owner: str) -> None:
    """Do the work of this name on the case of a record. Does nothing if no case is opened. Raises `KeyError` for unknown work."""
    steps = _WORK[work]
    case = await clients[ExamplePerson.INES].find_case(business_id)
    if case is not None:
        await steps(clients, f"/cases/{case['id']}", owner)


async def _assign_to_owner(clients: ExampleClients, path: str, owner: str) -> None:
    await clients[ExamplePerson.INES].send("PATCH", path, {"assignee": owner})


async def _assign_to_colleague(clients: ExampleClients, path: str, owner: str) -> None:
    del owner
    await clients[ExamplePerson.INES].send("PATCH", path, {"assignee": ExamplePerson.MARC.email})


async def _assign_with_earlier_due_date(clients: ExampleClients, path: str, owner: str) -> None:
    """Assign a case that is due the day before it was opened, so that it is overdue."""
    del owner
    ines = clients[ExamplePerson.INES]
    opened_at = datetime.fromisoformat((await ines.send("GET", path))["openedAt"])
    due_at = (opened_at - timedelta(days=1)).isoformat()
    await ines.send("PATCH", path, {"assignee": ExamplePerson.MARC.email, "priority": "high", "dueAt": due_at})


async def _add_note(clients: ExampleClients, path: str, owner: str) -> None:
    del owner
    ines = await _take(clients, path, ExamplePerson.INES)
    await ines.send("POST", f"{path}/notes", {"text": "The register could not be queried. I am going to look it up myself."})


async def _request_information(clients: ExampleClients, path: str, owner: str) -> None:
    del owner
    ines = await _take(clients, path, ExamplePerson.INES)
    await _decide(ines, path, "request_information", "documents_missing", "Asked the client for a recent utility bill.")


async def _reject_with_second_review(clients: ExampleClients, path: str, owner: str) -> None:
    """Reject a case while rejections need a second review, which they do not need otherwise."""
    del owner
    ines = await _take(clients, path, ExamplePerson.INES)
    before = (await ines.send("GET", "/settings"))["cases"]
    await ines.send("PUT", "/settings", {"cases": {**before, "secondReview": ["reject"]}})
    try:
        await _decide(ines, path, "reject", "true_match", "Name, city and registration number are those of the listed party.")
    finally:
        await ines.send("PUT", "/settings", {"cases": before})


async def _reject(clients: ExampleClients, path: str, owner: str) -> None:
    del owner
    marc = await _take(clients, path, ExamplePerson.MARC)
    await _decide(marc, path, "reject", "not_verified", "The corporation is dissolved.")


async def _approve(clients: ExampleClients, path: str, owner: str) -> None:
    del owner
    marc = await _take(clients, path, ExamplePerson.MARC)
    await marc.send("POST", f"{path}/attachments", {"name": "minutes-of-the-board.pdf", "content": PDF})
    await _decide(marc, path, "approve", "discrepancy_explained", "The new director is in the minutes, not yet in the register.")


async def _escalate(clients: ExampleClients, path: str, owner: str) -> None:
    del owner
    ines = await _take(clients, path, ExamplePerson.INES)
    await _decide(ines, path, "escalate", "beyond_authority", "The business has moved to another jurisdiction.")


_WORK: Mapping[str, Callable[[ExampleClients, str, str], Awaitable[None]]] = {
    "mine": _assign_to_owner,
    "colleague": _assign_to_colleague,
    "overdue": _assign_with_earlier_due_date,
    "noted": _add_note,
    "waiting": _request_information,
    "second_review": _reject_with_second_review,
    "rejected": _reject,
    "approved": _approve,
    "escalated": _escalate,
}


async def _take(clients: ExampleClients, path: str, person: ExamplePerson) -> ExampleClient:
    """Assign the case to the person, and return the person's client."""
    await clients[person].send("PATCH", path, {"assignee": person.email})
    return clients[person]


async def _decide(client: ExampleClient, path: str, decision: str, reason: str, note: str) -> None:
    body: dict[str, Any] = {"decision": decision, "reasonCode": reason, "note": note}
    await client.send("POST", f"{path}/decision", body)
