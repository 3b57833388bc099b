"""Provisioning with SCIM: tokens of identity providers, and the people and groups that they describe."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "provisioning_tokens",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("last4", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("last_used_at", INSTANT),
        sa.Column("expires_at", INSTANT),
        sa.Column("revoked_at", INSTANT),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_provisioning_tokens"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_provisioning_tokens_organizations"),
        sa.UniqueConstraint("digest", name="uq_provisioning_tokens_digest"),
    )
    op.create_table(
        "provisioned_users",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("user_name", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text()),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("modified_at", INSTANT, nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "user_id", name="pk_provisioned_users"),
        sa.UniqueConstraint("organization_id", "user_name", name="uq_provisioned_users_organization_id_user_name"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_provisioned_users_organizations"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_provisioned_users_users"),
    )
    op.create_index("ix_provisioned_users_user_id", "provisioned_users", ["user_id"])
    op.create_index("ix_provisioned_users_external_id", "provisioned_users", ["organization_id", "external_id"])
    op.create_table(
        "provisioned_groups",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=False),
        sa.Column("folded_name", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text()),
        sa.Column("role", sa.String(32)),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("modified_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_provisioned_groups"),
        sa.UniqueConstraint("organization_id", "folded_name", name="uq_provisioned_groups_organization_id_folded_name"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_provisioned_groups_organizations"),
    )
    op.create_table(
        "provisioned_group_members",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("group_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "group_id", "user_id", name="pk_provisioned_group_members"),
        sa.ForeignKeyConstraint(
            ["organization_id", "group_id"],
            ["provisioned_groups.organization_id", "provisioned_groups.id"],
            name="fk_provisioned_group_members_provisioned_groups",
        ),
        sa.ForeignKeyConstraint(
            ["organization_id", "user_id"],
            ["provisioned_users.organization_id", "provisioned_users.user_id"],
            name="fk_provisioned_group_members_provisioned_users",
        ),
    )
    op.create_index("ix_provisioned_group_members_user", "provisioned_group_members", ["organization_id", "user_id"])


def downgrade() -> None:
    op.drop_table("provisioned_group_members")
    op.drop_table("provisioned_groups")
    op.drop_table("provisioned_users")
    op.drop_table("provisioning_tokens")
