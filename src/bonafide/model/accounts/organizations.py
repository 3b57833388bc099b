"""Organizations, API keys, scopes, worlds and the settings of an organization.

Settings of the installation are not here: those are the operator's (`bonafide.settings`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints

from bonafide.errors import ScopeMissing
from bonafide.i18n.message import Message
from bonafide.model.accounts.branding import Branding
from bonafide.model.base import Document, Instant
from bonafide.model.query import Text, Threshold

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


# ----------------------------------------------------------------------------------------------------- account settings

Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
"""A threshold of a verification: 0 to 1, where 1 asks for equality after normalisation."""
ReviewThreshold = Annotated[float, Field(ge=0.5, le=1.0, allow_inf_nan=False)]
"""0.5 to 1: what scores less is not shown as a match."""


class SearchSettings(Document):
    """What a search does where its request does not say."""

    business_registry: bool = True
    """Whether searches query business registries."""
    regulatory_registry: bool = True
    """Whether searches query regulatory registries."""
    regulatory_registry_threshold: Threshold = 0.85
    """Lowest score of a regulatory match."""
    sanctions_screening: bool = False
    """Whether searches screen sanctions lists."""
    sanctions_threshold: Threshold = 0.85
    """Lowest score of a sanctions match."""
    sanctions_include_parties: bool = False
    """Whether `sanctions.matches` and `totalMatches` of a search also have the open hits of the match's names and people and of the
    record's, each with its `subject`."""
    website_analysis: bool = True
    """Whether a search with a website analyses it; one without never does."""


class NameCheck(Document):
    """How the legal name is compared; it always is."""

    enabled: Literal[True] = True
    """Always true: the legal name is always compared."""
    threshold: Share = 0.95
    """Lowest score at which the legal name counts as matched. 1 requires an exact normalized match."""


class NumberCheck(Document):
    """How the registration number is compared; it always is."""

    enabled: Literal[True] = True
    """Always true: the registration number is always compared."""
    threshold: Share = 1.0
    """Lowest score at which the registration number counts as matched. 1 requires an exact normalized match."""


class OptionalCheck(Document):
    """How a field is compared that need not be."""

    enabled: bool = True
    """Whether the field is compared."""
    threshold: Share = 0.95
    """Lowest score at which the field counts as matched. 1 requires an exact normalized match."""


class VerificationSettings(Document):
    """Which fields a verification compares, and from which score each counts as matched."""

    legal_name: NameCheck = NameCheck()
    """Comparison of the legal name."""
    registration_number: NumberCheck = NumberCheck()
    """Comparison of the registration number."""
    address: OptionalCheck = OptionalCheck()
    """Comparison of the address."""
    people: OptionalCheck = OptionalCheck()
    """Comparison of people."""
    count_not_provided: bool = False
    """Whether people, addresses and names of the registry that were not claimed count as discrepancies."""


class MatchSelectionSettings(Document):
    """Whether a search selects a match by itself, and when it may."""

    enabled: bool = False
    """Whether searches select a match automatically."""
    auto_select_threshold: Threshold = 0.95
    """Lowest score of a match that is selected automatically."""
    auto_select_margin: Share = 0.05
    """Minimum lead over the second-best match for automatic selection."""
    review_threshold: ReviewThreshold = 0.70
    """Lowest score of a match that needs a review."""


class AccountSettings(Document):
    """The settings of an organization (`GET /settings`)."""

    search: SearchSettings = SearchSettings()
    """Defaults of searches."""
    verification: VerificationSettings = VerificationSettings()
    """Fields and thresholds of verifications."""
    match_selection: MatchSelectionSettings = MatchSelectionSettings()
    """Automatic selection of a match."""
    branding: Branding = Branding()
    """Branding of PDF reports."""


class SettingsChange(AccountSettings):
    """The body of `PUT /settings`: what is sent is set, what is not stays as it is."""
