"""Users, their memberships and sessions, links to join or to set a password, attempts to sign in, and single sign-on."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")


def upgrade() -> None:
    _users()
    _sessions()
    _links()
    _sign_in()


def downgrade() -> None:
    for table in ("sign_ons", "sign_in_attempts", "links", "sessions", "memberships", "identities", "users"):
        op.drop_table(table)


def _users() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("name", sa.Text()),
        sa.Column("language", sa.String(32)),
        sa.Column("shortcuts", sa.Boolean(), nullable=False),
        sa.Column("password_hash", sa.Text()),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("disabled_at", INSTANT),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("email", name="uq_users_email"),
    )
    op.create_table(
        "identities",
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("bound_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("issuer", "subject", name="pk_identities"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_identities_users"),
    )
    op.create_index("ix_identities_user_id", "identities", ["user_id"])
    op.create_table(
        "memberships",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.String(32), nullable=False),
        sa.Column("joined_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "user_id", name="pk_memberships"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_memberships_organizations"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_memberships_users"),
    )
    op.create_index("ix_memberships_user_id", "memberships", ["user_id"])


def _sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("browser", sa.Text()),
        sa.Column("begun_at", INSTANT, nullable=False),
        sa.Column("last_seen_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        sa.UniqueConstraint("digest", name="uq_sessions_digest"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_sessions_users"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_sessions_organizations"),
    )
    op.create_index("ix_sessions_organization_id", "sessions", ["organization_id"])
    op.create_index("ix_sessions_user_id", "sessions", ["user_id"])
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"])


def _links() -> None:
    op.create_table(
        "links",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("organization_id", sa.Uuid()),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("role", sa.String(32)),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("used_at", INSTANT),
        sa.Column("revoked_at", INSTANT),
        sa.PrimaryKeyConstraint("id", name="pk_links"),
        sa.UniqueConstraint("digest", name="uq_links_digest"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_links_organizations"),
    )
    op.create_index("ix_links_organization_id", "links", ["organization_id"])
    op.create_index("ix_links_email", "links", ["email"])


def _sign_in() -> None:
    op.create_table(
        "sign_in_attempts",
        sa.Column("subject", sa.String(64), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("failed_at", INSTANT, nullable=False),
        sa.Column("paused_until", INSTANT),
        sa.PrimaryKeyConstraint("subject", name="pk_sign_in_attempts"),
    )
    op.create_index("ix_sign_in_attempts_failed_at", "sign_in_attempts", ["failed_at"])
    op.create_table(
        "sign_ons",
        sa.Column("state", sa.String(64), nullable=False),
        sa.Column("browser", sa.String(64), nullable=False),
        sa.Column("nonce", sa.Text(), nullable=False),
        sa.Column("verifier", sa.Text(), nullable=False),
        sa.Column("link", sa.Text()),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("state", name="pk_sign_ons"),
    )
    op.create_index("ix_sign_ons_expires_at", "sign_ons", ["expires_at"])
