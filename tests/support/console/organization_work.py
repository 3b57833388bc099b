"""Work that an organization has done already, made without any page, so that a test begins where it wants to."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx2

from bonafide.model.accounts.organizations import KeyRequest, Principal, World
from bonafide.model.accounts.users import Role
from bonafide.model.query import SearchRequest
from bonafide.model.search.result import SearchResult
from bonafide.model.verification.requests import VerifyRequest
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.search.execution import create_search
from bonafide.services.verification.lifecycle import create_verification
from bonafide.services.verification.spec import VerificationRequester
from tests.support.console.searches import runtime_over
from tests.support.console.sessions import signed_in_client
from tests.support.loaded_sandbox import LOADED_AT

TWIN = "Sandbox Twin Holdings Inc."
"""Two businesses have the name, in Ontario and in Alberta: a person has to choose."""
OUTAGE = "Sandbox Outage Ltd."
"""No register answers for it."""
FRENCH = {"Accept-Language": "fr-CA"}


@dataclass
class HandClock:
    """A clock that only the test moves."""

    now: datetime = LOADED_AT

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        self.now += timedelta(**by)


@dataclass(frozen=True)
class Desk:
    """An organization that only this test knows."""

    runtime: Runtime
    clock: HandClock
    organization: str = field(default_factory=lambda: f"n{uuid4().hex}")

    @asynccontextmanager
    async def someone(self, role: Role) -> AsyncIterator[httpx2.AsyncClient]:
        """The browser of a member."""
        async with await signed_in_client(self.runtime, role, self.organization) as client:
            yield client

    async def principal(self) -> Principal:
        """The organization as its callers are known."""
        key = await api_access.create_key(self.runtime, KeyRequest(organization=self.organization, world=World.SANDBOX))
        return await api_access.authenticate(self.runtime, key.text)

    async def searched(self, name: str, **asked: Any) -> SearchResult:
        """A search that was made a second after the last one."""
        self.clock.advance(seconds=1)
        request = SearchRequest.model_validate({"name": name, "matchSelection": True, **asked})
        answer = await create_search(self.runtime, await self.principal(), request, respond_async=False)
        return answer.document.parse(SearchResult)

    async def verified(self, **claim: Any) -> UUID:
        """A verification that was asked for a second after the last one."""
        self.clock.advance(seconds=1)
        principal = await self.principal()
        asker = VerificationRequester(identity=principal.identity, request_id="test")
        return (await create_verification(self.runtime, principal, VerifyRequest.model_validate(claim), asker)).verification_id


@asynccontextmanager
async def desk_over(database: Path, folder: Path, index: Path) -> AsyncIterator[Desk]:
    """A desk; `elsewhere` makes another one of the same installation."""
    clock = HandClock()
    async with runtime_over(database, folder, index, clock) as runtime:
        yield Desk(runtime, clock)


def elsewhere(desk: Desk) -> Desk:
    """Another organization of the same installation."""
    return Desk(desk.runtime, desk.clock)
