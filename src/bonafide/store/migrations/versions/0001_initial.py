"""Organizations, API keys, searches, idempotency keys, jobs.

The types stand here as they are in the database, not as `tables` names them: a migration must not change when the code does.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

UNFINISHED = "finished_at IS NULL"
INSTANT = sa.DateTime(timezone=True).with_variant(sa.Text(), "sqlite")


def upgrade() -> None:
    _organizations()
    _api_keys()
    _searches()
    _idempotency_keys()
    _jobs()


def downgrade() -> None:
    for table in ("jobs", "idempotency_keys", "searches", "api_keys", "organizations"):
        op.drop_table(table)


def _organizations() -> None:
    op.create_table(
        "organizations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("world", sa.String(32), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_organizations"),
        sa.UniqueConstraint("name", "world", name="uq_organizations_name_world"),
    )


def _api_keys() -> None:
    op.create_table(
        "api_keys",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("last4", sa.Text(), nullable=False),
        sa.Column("label", sa.Text()),
        sa.Column("owner", sa.Text()),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("rate_limit", sa.Integer(), nullable=False),
        sa.Column("lifetime_s", sa.Integer()),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("last_used_at", INSTANT),
        sa.Column("expires_at", INSTANT),
        sa.Column("revoked_at", INSTANT),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_api_keys"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_api_keys_organizations"),
        sa.UniqueConstraint("digest", name="uq_api_keys_digest"),
    )


def _searches() -> None:
    op.create_table(
        "searches",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("folded_query", sa.Text(), nullable=False),
        sa.Column("website", sa.Text()),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("status", sa.String(32), nullable=False),
        sa.Column("archived", sa.Boolean(), nullable=False),
        sa.Column("searched_at", INSTANT, nullable=False),
        sa.Column("searched_by", sa.Text(), nullable=False),
        sa.Column("deadline_at", INSTANT, nullable=False),
        sa.Column("finished_at", INSTANT),
        sa.Column("errors", sa.Text()),
        sa.Column("document", sa.Text()),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_searches"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_searches_organizations"),
    )
    op.create_index("ix_searches_history", "searches", ["organization_id", "searched_at", "id", "archived"])
    _create_partial_index("ix_searches_unfinished", "searches", ["deadline_at"], UNFINISHED)


def _idempotency_keys() -> None:
    op.create_table(
        "idempotency_keys",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("key_id", sa.Uuid(), nullable=False),
        sa.Column("idempotency_key", sa.Text(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("body_sha256", sa.String(64), nullable=False),
        sa.Column("token", sa.Uuid(), nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("status", sa.Integer()),
        sa.Column("headers", sa.Text()),
        sa.Column("body", sa.LargeBinary()),
        sa.PrimaryKeyConstraint("organization_id", "key_id", "idempotency_key", name="pk_idempotency_keys"),
        sa.ForeignKeyConstraint(
            ["organization_id", "key_id"], ["api_keys.organization_id", "api_keys.id"], name="fk_idempotency_keys_api_keys"
        ),
    )
    op.create_index("ix_idempotency_keys_expires_at", "idempotency_keys", ["expires_at"])


def _jobs() -> None:
    op.create_table(
        "jobs",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("state", sa.String(32), nullable=False),
        sa.Column("due_at", INSTANT, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("max_attempts", sa.Integer(), nullable=False),
        sa.Column("worker", sa.Text()),
        sa.Column("last_error", sa.Text()),
        sa.Column("finished_at", INSTANT),
        sa.PrimaryKeyConstraint("organization_id", "id", name="pk_jobs"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_jobs_organizations"),
    )
    _create_partial_index("uq_jobs_live", "jobs", ["organization_id", "kind", "key"], UNFINISHED, unique=True)
    _create_partial_index("ix_jobs_due", "jobs", ["due_at", "id"], UNFINISHED)
    _create_partial_index("ix_jobs_finished", "jobs", ["finished_at"], "finished_at IS NOT NULL")


def _create_partial_index(name: str, table: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    condition = sa.text(where)
    op.create_index(name, table, columns, unique=unique, sqlite_where=condition, postgresql_where=condition)
