"""Whose data it is, and who asks: organizations, API keys, scopes."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from bonafide.model.base import Document, Instant

DEFAULT_RATE_LIMIT = 60
"""Requests a minute and key."""


class Scope(StrEnum):
    """What a key may do."""

    SEARCH_READ = "search:read"
    SEARCH_WRITE = "search:write"
    VERIFY_READ = "verify:read"
    VERIFY_WRITE = "verify:write"
    BUSINESSES_READ = "businesses:read"
    BUSINESSES_WRITE = "businesses:write"
    SANCTIONS_READ = "sanctions:read"
    SANCTIONS_WRITE = "sanctions:write"
    REPORTS_READ = "reports:read"
    REPORTS_WRITE = "reports:write"
    WEBHOOKS_READ = "webhooks:read"
    WEBHOOKS_WRITE = "webhooks:write"


class World(StrEnum):
    """Which data is seen: the real registers, or the sandbox's made-up Canada."""

    LIVE = "live"
    SANDBOX = "sandbox"


class Organization(Document):
    """A tenant. Its name and world together are unique: test keys of a name belong to another organization than live keys."""

    id: UUID
    name: str
    world: World
    created_at: Instant


class ApiKey(Document):
    """A key as it is listed: never the key itself, of which only a digest is kept."""

    id: UUID
    organization_id: UUID
    organization: str
    world: World
    label: str | None
    owner: str | None
    prefix: str
    last4: str
    scopes: tuple[Scope, ...]
    rate_limit: int
    created_at: Instant
    last_used_at: Instant | None
    expires_at: Instant | None
    revoked_at: Instant | None


@dataclass(frozen=True, slots=True)
class Principal:
    """Who makes a request: an organization through one of its keys."""

    organization_id: UUID
    organization: str
    world: World
    key_id: UUID
    identity: str
    """An e-mail-like string (`searchedBy`)."""
    scopes: frozenset[Scope]
    rate_limit: int
