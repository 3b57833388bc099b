"""Users, their membership and role in organizations, and the signed-in user.

A user is of the installation and belongs to any number of organizations, in each with one role. Passwords and sessions are not
here: those are the services' (`services/accounts/passwords`, `services/accounts/sessions`).
"""

from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from pydantic import TypeAdapter, ValidationError

from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import DEFAULT_RATE_LIMIT, Email, Principal, Scope, World
from bonafide.model.accounts.time_zones import TimeZoneName
from bonafide.model.base import Document, Instant
from bonafide.model.query import Text

NO_KEY = UUID(int=0)
"""Of a principal that came without an API key."""
_EMAIL = TypeAdapter[str](Email)


class Role(StrEnum):
    """What a member is in an organization."""

    OWNER = "owner"
    ANALYST = "analyst"
    VIEWER = "viewer"


class Permission(StrEnum):
    """What a page asks of whoever opens it."""

    READ = "read"
    WORK = "work"
    """Search, decide, change records."""
    MANAGE = "manage"
    """Keys, settings, members."""


PERMISSIONS: dict[Role, frozenset[Permission]] = {
    Role.VIEWER: frozenset({Permission.READ}),
    Role.ANALYST: frozenset({Permission.READ, Permission.WORK}),
    Role.OWNER: frozenset(Permission),
}


def normalize_email(email: str) -> str:
    """An e-mail address as it is compared and kept: `Ann@North.example` and `ann@north.example` are one person.

    Of other letters than a to z no two count as one: `ß` and `ss`, or the Kelvin sign and `k`, may be two people's mailboxes.
    """
    return "".join(letter.lower() if letter.isascii() else letter for letter in email.strip())


def is_email(text: str) -> bool:
    """Whether anybody could have this e-mail address."""
    try:
        _EMAIL.validate_python(text)
    except ValidationError:
        return False
    return True


class User(Document):
    """A person. The e-mail is unique, and kept folded."""

    id: UUID
    email: Email
    name: str | None = None
    language: Language | None = None
    """None where the browser's preference decides."""
    shortcuts: bool = True
    """Whether single keys work the console."""
    time_zone: str | None = None
    """None where the organization's applies."""


class Membership(Document):
    """A user's place in an organization, which exists in one world."""

    organization_id: UUID
    organization: str
    world: World
    role: Role


class Member(Document):
    """A member of an organization, as its owners see them."""

    user: User
    role: Role
    joined_at: Instant
    last_seen_at: Instant | None
    """In this organization, in a session that still goes on; None where there is none."""


class UserRequest(Document):
    """A user to be made by the operator, in an organization that is made when it is new.

    Of the live world means of both: a live organization has a sandbox of the same name.
    """

    email: Email
    organization: Text
    role: Role = Role.ANALYST
    name: Text | None = None
    world: World = World.LIVE


class UserProfile(Document):
    """What users say of themselves."""

    name: Text | None = None
    language: Language | None = None
    shortcuts: bool = True
    time_zone: TimeZoneName | None = None


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Who asks for a page, for which organization, in which session."""

    user: User
    membership: Membership
    """Of the organization whose data is shown."""
    memberships: tuple[Membership, ...]
    """All of them, by name, the live world first."""
    session_id: UUID
    csrf_secret: bytes = field(repr=False)
    """What the tokens of this session's forms are made from (`web/csrf`)."""

    def may(self, permission: Permission) -> bool:
        """Whether the role in this organization includes the permission."""
        return permission in PERMISSIONS[self.membership.role]

    @property
    def organization_id(self) -> UUID:
        """Whose data is shown."""
        return self.membership.organization_id

    @property
    def language(self) -> Language | None:
        """The language that the user has chosen; None where the browser's preference decides."""
        return self.user.language

    @property
    def principal(self) -> Principal:
        """The same as services know callers. What the role allows is checked before one is asked for."""
        return Principal(
            organization_id=self.membership.organization_id,
            organization=self.membership.organization,
            world=self.membership.world,
            key_id=NO_KEY,
            identity=self.user.email,
            scopes=frozenset(Scope),
            rate_limit=DEFAULT_RATE_LIMIT,
        )
