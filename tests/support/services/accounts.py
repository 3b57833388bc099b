"""Invented people for the tests of accounts: where they are known, how they come, and what is written down of them."""

import json
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from bonafide.model.accounts.organizations import Organization, World
from bonafide.model.accounts.users import Role, SignedIn, UserRequest, normalize_email
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts import members, passwords, sessions
from bonafide.services.accounts.members import UserOverview
from bonafide.services.accounts.sign_in import LoginClient, LoginCredentials
from bonafide.store.people import users
from bonafide.store.tenants import audit_log, organizations

ANN, BEN, CAT = "ann@north.example", "ben@north.example", "cat@south.example"
PASSWORD = "seventeen quiet otters"
OTHER_PASSWORD = "lantern gravel tuba"
OPERATOR = Author("cli:test")
VISITOR = LoginClient("192.0.2.7", "Test browser")
CHEAP = {"password_memory_kib": 8, "password_passes": 1, "password_lanes": 1}
"""What makes guessing dear must not make tests slow."""


def with_settings(runtime: Runtime, **changes: Any) -> Runtime:
    """The same installation, set up in another way."""
    return replace(runtime, settings=runtime.settings.model_copy(update=changes))


async def is_correct_password(runtime: Runtime, email: str, password: str) -> bool:
    """Whether this is the user's password. Counts no attempt."""
    async with runtime.store.read() as connection:
        found = await users.get_by_email(connection, normalize_email(email))
    return await passwords.verify_password(runtime, found.password_hash if found is not None else None, password)


async def known(
    runtime: Runtime,
    email: str = ANN,
    *,
    organization: str = "north",
    role: Role = Role.OWNER,
    world: World = World.LIVE,
    password: str | None = PASSWORD,
) -> UserOverview:
    """A new user of an organization."""
    request = UserRequest(email=email, organization=organization, role=role, world=world)
    return await members.create_user(runtime, request, OPERATOR, password)


async def session_of(runtime: Runtime, user: UserOverview) -> SignedIn:
    """Somebody signed in, in a new session."""
    signed_in = await sessions.resume_session(runtime, await sessions.begin_session(runtime, user.user.id, VISITOR.browser))
    assert signed_in is not None
    return signed_in


def claim(email: str = ANN, password: str = PASSWORD) -> LoginCredentials:
    """Who somebody says they are."""
    return LoginCredentials(email, password)


def token_of(link: str) -> str:
    """The token of a link's address."""
    (token,) = parse_qs(urlsplit(link).query)["token"]
    return token


async def organization_of(runtime: Runtime, name: str = "north", world: World = World.LIVE) -> Organization:
    """The organization of this name, which is there."""
    async with runtime.store.read() as connection:
        found = await organizations.list_all(connection)
    (organization,) = [each for each in found if (each.name, each.world) == (name, world)]
    return organization


async def trail_of(runtime: Runtime, organization_id: UUID) -> list[tuple[str, str, Any, Any]]:
    """What is written down: by whom, which field, from what, to what."""
    async with runtime.store.read() as connection:
        entries = await audit_log.list_after(connection, organization_id, 0, 100)
    return [(entry.actor, entry.field, json.loads(entry.old), json.loads(entry.new)) for entry in entries]
