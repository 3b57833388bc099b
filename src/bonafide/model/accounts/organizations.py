"""Organizations, API keys, scopes and worlds. `account_settings` has the settings of an organization."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints

from bonafide.errors import ScopeMissing
from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant
from bonafide.model.query import Text

DEFAULT_RATE_LIMIT = 60
"""Requests a minute and key."""
MAX_RATE_LIMIT = 1_000_000
"""More is no limit, and would not fit the column."""
MAX_LIFETIME = timedelta(days=3650)
"""The longest that a key, or an overlap, may be given; a key without expiry has none."""
MAX_EMAIL_CHARACTERS = 254


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
    EVENTS_READ = "events:read"
    WEBHOOKS_READ = "webhooks:read"
    WEBHOOKS_WRITE = "webhooks:write"
    CASES_READ = "cases:read"
    CASES_WRITE = "cases:write"
    RISK_READ = "risk:read"
    RISK_WRITE = "risk:write"
    BATCHES_READ = "batches:read"
    BATCHES_WRITE = "batches:write"


class World(StrEnum):
    """Which data is seen: the real registers, or the sandbox's made-up Canada."""

    LIVE = "live"
    SANDBOX = "sandbox"


def _sort_scopes(scopes: Iterable[Scope]) -> tuple[Scope, ...]:
    return tuple(scope for scope in Scope if scope in set(scopes))


Email = Annotated[Text, StringConstraints(max_length=MAX_EMAIL_CHARACTERS, pattern=r"^[^@\s]+@[^@\s]+$")]
Lifetime = Annotated[timedelta, Field(ge=timedelta(seconds=1), le=MAX_LIFETIME)]
RateLimit = Annotated[int, Field(ge=1, le=MAX_RATE_LIMIT)]
"""Requests in a window."""


class KeyRequest(Document):
    """A key to be made. `owner` is the e-mail that its searches are marked with; without `expires_in` it does not expire."""

    organization: Text
    label: Text | None = None
    owner: Email | None = None
    scopes: Annotated[tuple[Scope, ...], Field(min_length=1), AfterValidator(_sort_scopes)] = tuple(Scope)
    expires_in: Lifetime | None = None
    rate_limit: RateLimit = DEFAULT_RATE_LIMIT
    world: World = World.LIVE
    lenient: bool = False
    """Whether unknown fields of a body are ignored with a warning, instead of refused."""


class KeyChange(Document):
    """What is to be different about a key; None leaves it as it is."""

    expires_in: Lifetime | None = None
    rate_limit: RateLimit | None = None
    lenient: bool | None = None


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
    lenient: bool
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
    lenient: bool = False
    """Whether unknown fields of a body are ignored with a warning, instead of refused."""

    def check_scope(self, scope: Scope, parameter: str) -> None:
        """Raise `ScopeMissing` unless the key has the scope, which this parameter of the request requires."""
        if scope not in self.scopes:
            raise ScopeMissing(
                Message(
                    "This API key lacks the scope `{scope}`, which `{parameter}` requires.", scope=scope.value, parameter=parameter
                )
            )
