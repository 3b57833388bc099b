"""The people of the examples, each a client of the API with a key of their own."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Any

import httpx2

from bonafide.errors import Conflict
from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.model.accounts.users import Role, UserRequest
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access, members

KEY_LABEL = "examples"
KEY_LIFETIME = timedelta(hours=1)
RATE_LIMIT = 6000
REQUEST_TIMEOUT_S = 30.0
POLL_S = 0.25
VERIFICATION_WAIT_S = 20.0
CASE_WAIT_S = 6.0
"""How long the examples wait at most."""


class ExamplePerson(Enum):
    """Who works on the examples, besides the owner."""

    INES = ("ines.tremblay@demo.example", "Inès Tremblay")
    MARC = ("marc.gagnon@demo.example", "Marc Gagnon")

    @property
    def email(self) -> str:
        """The e-mail of the person."""
        return self.value[0]


@dataclass(frozen=True, slots=True)
class ExampleClient:
    """Sends requests as one person."""

    http: httpx2.AsyncClient

    async def send(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send a request and return the document of the response. Raises `HTTPStatusError` for an error response."""
        response = (await self.http.request(method, path, json=body)).raise_for_status()
        document: dict[str, Any] = response.json() if response.content else {}
        return document

    async def find_case(self, business_id: str) -> dict[str, Any] | None:
        """Wait for the case of a record, which appears shortly after its cause. None if there is none after `CASE_WAIT_S`."""
        for _ in range(int(CASE_WAIT_S / POLL_S)):
            found = (await self.send("GET", f"/cases?businessId={business_id}&status=open"))["cases"]
            if found:
                case: dict[str, Any] = found[0]
                return case
            await asyncio.sleep(POLL_S)
        return None

    async def wait_for_verification(self, verification_id: str) -> None:
        """Wait until a verification has ended, for up to `VERIFICATION_WAIT_S`."""
        for _ in range(int(VERIFICATION_WAIT_S / POLL_S)):
            if not (await self.send("GET", f"/verify/{verification_id}")).get("pending", False):
                return
            await asyncio.sleep(POLL_S)


ExampleClients = Mapping[ExamplePerson, ExampleClient]


@asynccontextmanager
async def open_clients(runtime: Runtime, base_url: str, organization: str) -> AsyncIterator[ExampleClients]:
    """Add the people to the organization, and yield their clients. Their keys end by themselves after `KEY_LIFETIME`."""
    async with AsyncExitStack() as stack:
        clients = {}
        for person in ExamplePerson:
            clients[person] = await stack.enter_async_context(_open_client(runtime, base_url, organization, person))
        yield clients


@asynccontextmanager
async def _open_client(runtime: Runtime, base_url: str, organization: str, person: ExamplePerson) -> AsyncIterator[ExampleClient]:
    await _add_member(runtime, organization, person)
    request = KeyRequest(
        organization=organization,
        label=KEY_LABEL,
        owner=person.email,
        expires_in=KEY_LIFETIME,
        rate_limit=RATE_LIMIT,
        world=World.SANDBOX,
    )
    created = await api_access.create_key(runtime, request)
    headers = {"Authorization": f"Bearer {created.text}"}
    async with httpx2.AsyncClient(base_url=base_url, headers=headers, timeout=REQUEST_TIMEOUT_S) as http:
        yield ExampleClient(http)


async def _add_member(runtime: Runtime, organization: str, person: ExamplePerson) -> None:
    email, name = person.value
    request = UserRequest(email=email, organization=organization, role=Role.ANALYST, name=name, world=World.SANDBOX)
    try:
        await members.create_user(runtime, request, Author("demo"))
    except Conflict:
        return  # an earlier start has added them
