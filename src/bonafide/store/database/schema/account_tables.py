"""The tables of accounts: users, their memberships and sessions. The others are in `tables`.

Most are read before an organization is known, so it is not the first column of their keys (see `tables`).
"""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, PrimaryKeyConstraint, String, Table, Text, Uuid, true

from bonafide.i18n.language import Language
from bonafide.model.accounts.users import Role
from bonafide.store.database.columns import EPHEMERAL, UtcInstant, create_enum_type, metadata

users = Table(
    # People, of the installation.
    "users",
    metadata,
    Column("id", Uuid, primary_key=True),
    # Folded (`model/accounts/users`).
    Column("email", Text, nullable=False, unique=True),
    Column("name", Text),
    Column("language", create_enum_type(Language)),
    Column("shortcuts", Boolean, nullable=False),
    Column("password_hash", Text),
    Column("created_at", UtcInstant, nullable=False),
    Column("disabled_at", UtcInstant),
    # An IANA name; NULL where the organization's applies.
    Column("time_zone", Text),
)

identities = Table(
    # Identities of identity providers, bound to a user at the first sign-in.
    "identities",
    metadata,
    Column("issuer", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("user_id", Uuid, ForeignKey("users.id"), nullable=False),
    Column("bound_at", UtcInstant, nullable=False),
    PrimaryKeyConstraint("issuer", "subject"),
)
Index(None, identities.c.user_id)

memberships = Table(
    "memberships",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("user_id", Uuid, ForeignKey("users.id"), nullable=False),
    Column("role", create_enum_type(Role), nullable=False),
    Column("joined_at", UtcInstant, nullable=False),
    # Whether the member receives these mails of the organization.
    Column("mail_alerts", Boolean, nullable=False, server_default=true()),
    Column("mail_digest", Boolean, nullable=False, server_default=true()),
    PrimaryKeyConstraint("organization_id", "user_id"),
)
Index(None, memberships.c.user_id)

sessions = Table(
    "sessions",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("user_id", Uuid, ForeignKey("users.id"), nullable=False),
    # The organization whose data is shown; the user may switch.
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("browser", Text),
    Column("begun_at", UtcInstant, nullable=False),
    Column("last_seen_at", UtcInstant, nullable=False),
    Column("expires_at", UtcInstant, nullable=False),
    info={EPHEMERAL: "whoever signed out since the backup must not be signed in again"},
)
Index(None, sessions.c.organization_id)
Index(None, sessions.c.user_id)
Index(None, sessions.c.expires_at)

links = Table(
    # One-time links: to join an organization, or, without one, to set a password.
    "links",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("organization_id", Uuid, ForeignKey("organizations.id")),
    Column("email", Text, nullable=False),
    Column("role", create_enum_type(Role)),
    Column("made_by", Text, nullable=False),
    Column("made_at", UtcInstant, nullable=False),
    Column("expires_at", UtcInstant, nullable=False),
    Column("used_at", UtcInstant),
    Column("revoked_at", UtcInstant),
)
Index(None, links.c.organization_id)
Index(None, links.c.email)

sign_in_attempts = Table(
    # Recent failed sign-ins, by the digest of an email or of a client's address, because users may type anything.
    "sign_in_attempts",
    metadata,
    Column("subject", String(64), primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("failed_at", UtcInstant, nullable=False),
    Column("paused_until", UtcInstant),
    info={EPHEMERAL: "pauses after failed sign-ins last for minutes"},
)
Index(None, sign_in_attempts.c.failed_at)

sign_ons = Table(
    # Single sign-ons in progress: what the identity provider must return, and to which browser.
    "sign_ons",
    metadata,
    Column("state", String(64), primary_key=True),
    Column("browser", String(64), nullable=False),
    Column("nonce", Text, nullable=False),
    Column("verifier", Text, nullable=False),
    # The digest of the link to use after the sign-in.
    Column("link", Text),
    Column("expires_at", UtcInstant, nullable=False),
    info={EPHEMERAL: "a sign-on under way lasts for minutes"},
)
Index(None, sign_ons.c.expires_at)
