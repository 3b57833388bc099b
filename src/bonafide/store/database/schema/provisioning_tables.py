"""The tables of provisioning: tokens of identity providers, and the people and groups that they describe.

A provisioned person is active while there is a membership in `memberships`; no column repeats that.
"""

from sqlalchemy import (
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
)

from bonafide.model.accounts.users import Role
from bonafide.store.database.columns import UtcInstant, create_enum_type, metadata

provisioning_tokens = Table(
    "provisioning_tokens",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("digest", String(64), nullable=False, unique=True),
    Column("label", Text, nullable=False),
    Column("prefix", Text, nullable=False),
    Column("last4", Text, nullable=False),
    Column("created_at", UtcInstant, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("last_used_at", UtcInstant),
    Column("expires_at", UtcInstant),
    Column("revoked_at", UtcInstant),
    PrimaryKeyConstraint("organization_id", "id"),
)

provisioned_users = Table(
    # What the identity provider of an organization says of a user. Another organization's may say something else.
    "provisioned_users",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("user_id", Uuid, ForeignKey("users.id"), nullable=False),
    # Folded (`model/accounts/provisioning`).
    Column("user_name", Text, nullable=False),
    Column("external_id", Text),
    Column("created_at", UtcInstant, nullable=False),
    Column("modified_at", UtcInstant, nullable=False),
    # `PersonAttributes` as JSON.
    Column("document", Text, nullable=False),
    PrimaryKeyConstraint("organization_id", "user_id"),
    UniqueConstraint("organization_id", "user_name"),
)
Index(None, provisioned_users.c.user_id)
Index("ix_provisioned_users_external_id", provisioned_users.c.organization_id, provisioned_users.c.external_id)

provisioned_groups = Table(
    "provisioned_groups",
    metadata,
    Column("organization_id", Uuid, ForeignKey("organizations.id"), nullable=False),
    Column("id", Uuid, nullable=False),
    Column("display_name", Text, nullable=False),
    # Folded, so that a repeated creation conflicts.
    Column("folded_name", Text, nullable=False),
    Column("external_id", Text),
    # The role of its members; NULL where it gives none.
    Column("role", create_enum_type(Role)),
    Column("created_at", UtcInstant, nullable=False),
    Column("modified_at", UtcInstant, nullable=False),
    PrimaryKeyConstraint("organization_id", "id"),
    UniqueConstraint("organization_id", "folded_name"),
)

provisioned_group_members = Table(
    "provisioned_group_members",
    metadata,
    Column("organization_id", Uuid, nullable=False),
    Column("group_id", Uuid, nullable=False),
    Column("user_id", Uuid, nullable=False),
    PrimaryKeyConstraint("organization_id", "group_id", "user_id"),
    ForeignKeyConstraint(["organization_id", "group_id"], ["provisioned_groups.organization_id", "provisioned_groups.id"]),
    ForeignKeyConstraint(["organization_id", "user_id"], ["provisioned_users.organization_id", "provisioned_users.user_id"]),
)
Index("ix_provisioned_group_members_user", provisioned_group_members.c.organization_id, provisioned_group_members.c.user_id)
