"""People of one organization of the sandbox, made without any page, so that a test begins where it wants to."""

from dataclasses import dataclass

import httpx2

from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.model.accounts.users import Role, UserRequest
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access, members, one_time_links, sessions
from bonafide_bench.seeding.seed_data import SeedData

PASSWORD = "seventeen quiet otters"
OPERATOR = Author("cli:test")
RATE_LIMIT = 10_000
TIMEOUT_S = 120


@dataclass(frozen=True, slots=True)
class People:
    """An organization and whoever belongs to it."""

    runtime: Runtime
    organization: str

    def email(self, role: Role) -> str:
        """Of the member who has this role."""
        return f"{role}@{self.organization.replace(' ', '-').lower()}.example"

    async def add(self, role: Role, password: str | None = PASSWORD) -> str:
        """A new member; returns the e-mail."""
        request = UserRequest(email=self.email(role), organization=self.organization, role=role, world=World.SANDBOX)
        await members.create_user(self.runtime, request, OPERATOR, password)
        return request.email

    async def session(self, role: Role) -> str:
        """A session of a new member, who never typed a password."""
        email = await self.add(role, None)
        user = (await members.find_user(self.runtime, email)).user
        return await sessions.begin_session(self.runtime, user.id, "Chromium")

    async def invitation(self, email: str) -> str:
        """Where somebody who is invited joins as a viewer: the path of the address."""
        organization_id = (await self.key()).key.organization_id
        link = await one_time_links.invite(self.runtime, organization_id, email, Role.VIEWER, OPERATOR)
        return link.removeprefix(self.runtime.settings.base_url)

    async def key(self) -> api_access.CreatedApiKey:
        """A key of the organization's, with all scopes."""
        request = KeyRequest(organization=self.organization, label="test", rate_limit=RATE_LIMIT, world=World.SANDBOX)
        return await api_access.create_key(self.runtime, request)

    def api(self, key: str) -> httpx2.AsyncClient:
        """The API with a key. Use it with `async with`."""
        headers = {"Authorization": f"Bearer {key}"}
        return httpx2.AsyncClient(base_url=f"{self.runtime.settings.base_url}/v1", headers=headers, timeout=TIMEOUT_S)


@dataclass(frozen=True, slots=True)
class LivedInBy:
    """An organization whose pages have something to show, and what that is."""

    people: People
    made: SeedData
