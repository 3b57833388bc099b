"""Provisioning: people and groups as an identity provider describes them, its tokens, and the roles that they add up to.

The fields have the names of SCIM's core schemas (RFC 7643). Only what the service uses is kept; other attributes are dropped.
"""

from collections.abc import Collection
from enum import StrEnum
from typing import Annotated
from unicodedata import normalize
from uuid import UUID

from pydantic import Field, StringConstraints

from bonafide.model.accounts.organizations import Email, Lifetime, World
from bonafide.model.accounts.users import Role, is_email, normalize_email
from bonafide.model.base import Document, Instant
from bonafide.model.query import Text

MAX_EMAILS = 20
MAX_ROLES = 20
Identifier = Annotated[str, StringConstraints(max_length=500)]
"""An identifier that an identity provider chose. It is opaque, so nothing but its length is checked."""
DEFAULT_ROLE = Role.VIEWER
"""The role of an active person to whom no group and no `roles` give one: the one with the fewest permissions."""
_RANKS = {Role.OWNER: 2, Role.ANALYST: 1, Role.VIEWER: 0}


class EmailType(StrEnum):
    """The types of email addresses that are told apart."""

    WORK = "work"


class ProvisionedName(Document):
    """The parts of a person's name."""

    formatted: Identifier | None = None
    family_name: Identifier | None = None
    given_name: Identifier | None = None


class ProvisionedEmail(Document):
    """An email address of a person."""

    value: Email
    display: Identifier | None = None
    type: Identifier | None = None
    primary: bool | None = None


class ProvisionedRole(Document):
    """A role as the identity provider assigns it. Values that are no `Role` are kept and give none."""

    value: Identifier | None = None
    display: Identifier | None = None
    type: Identifier | None = None
    primary: bool | None = None


class PersonAttributes(Document):
    """A person as the identity provider describes them."""

    user_name: Text
    external_id: Identifier | None = None
    name: ProvisionedName | None = None
    display_name: Identifier | None = None
    emails: Annotated[tuple[ProvisionedEmail, ...], Field(max_length=MAX_EMAILS)] = ()
    roles: Annotated[tuple[ProvisionedRole, ...], Field(max_length=MAX_ROLES)] = ()
    active: bool = True

    @property
    def email(self) -> str | None:
        """The address to sign in with, folded: the primary one, or that of work, or the first, or else the user name."""
        by_choice = [
            *(email.value for email in self.emails if email.primary),
            *(email.value for email in self.emails if email.type == EmailType.WORK),
            *(email.value for email in self.emails),
            *([self.user_name] if is_email(self.user_name) else []),
        ]
        return normalize_email(by_choice[0]) if by_choice else None

    @property
    def full_name(self) -> str | None:
        """The name to show, None without one."""
        if self.display_name:
            return self.display_name
        if self.name is None:
            return None
        parts = [part for part in (self.name.given_name, self.name.family_name) if part]
        return self.name.formatted or " ".join(parts) or None

    @property
    def assigned_roles(self) -> frozenset[Role]:
        """The roles among `roles`, whatever their case."""
        return frozenset(role for each in self.roles if (role := parse_role(each.value)) is not None)


class GroupAttributes(Document):
    """A group as the identity provider describes it. The members are IDs of users."""

    display_name: Text
    external_id: Identifier | None = None
    members: frozenset[UUID] = frozenset()


class ProvisioningTokenRequest(Document):
    """A token to be created; without `expires_in` it does not expire."""

    label: Text
    expires_in: Lifetime | None = None


class ProvisioningToken(Document):
    """A token as it is listed. Only a digest of its text is kept."""

    id: UUID
    organization_id: UUID
    organization: str
    world: World
    label: str
    prefix: str
    last4: str
    created_at: Instant
    created_by: str
    last_used_at: Instant | None
    expires_at: Instant | None
    revoked_at: Instant | None


def parse_role(text: str | None) -> Role | None:
    """The role of this name, in any case and number, with or without `bonafide` before it: `Analysts`, `bonafide-owner`."""
    word = (text if text is not None else "").strip().casefold().removeprefix("bonafide").strip(" -_:").removesuffix("s")
    return Role(word) if word in set(Role) else None


def choose_role(granted: Collection[Role]) -> Role:
    """The role of an active person to whom these were granted: the one with the most permissions."""
    return max(granted, key=_RANKS.__getitem__, default=DEFAULT_ROLE)


def fold_identifier(text: str) -> str:
    """A user name or a group's name as it is compared: without regard to case, as SCIM demands."""
    return normalize("NFC", text.strip().casefold())
