"""The keys of what business records may share with others, and those of the stored records."""

import json

import sqlalchemy as sa
from alembic import op

from bonafide.matching.connections.connection_keys import list_record_traits
from bonafide.model.records.business_record import CallerFields

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

AT_ONCE = 500


def upgrade() -> None:
    op.create_table(
        "business_traits",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.String(32), nullable=False),
        sa.Column("business_id", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("organization_id", "key", "business_id", name="pk_business_traits"),
        sa.ForeignKeyConstraint(
            ["organization_id", "business_id"],
            ["businesses.organization_id", "businesses.id"],
            name="fk_business_traits_businesses",
        ),
    )
    op.create_index("ix_business_traits_organization_id_business_id", "business_traits", ["organization_id", "business_id"])
    _fill(op.get_bind())


def downgrade() -> None:
    op.drop_table("business_traits")


def _fill(connection: sa.Connection) -> None:
    # The keys have to be those that this release looks for, so they are computed by its code and not by a copy of it.
    table = sa.table("businesses", sa.column("organization_id"), sa.column("id"), sa.column("document"))
    traits = sa.table("business_traits", *map(sa.column, ("organization_id", "key", "business_id")))
    select = sa.select(table.c.organization_id, table.c.id, table.c.document)
    for rows in connection.execute(select, execution_options={"yield_per": AT_ONCE}).partitions():
        keys = [
            {"organization_id": row.organization_id, "key": key, "business_id": row.id}
            for row in rows
            for key in sorted(_list_keys(row.document))
        ]
        if keys:
            connection.execute(sa.insert(traits), keys)


def _list_keys(document: str) -> frozenset[str]:
    stored = json.loads(document)
    names = [str(field.alias) for field in CallerFields.model_fields.values()]
    record = CallerFields.model_validate({name: stored[name] for name in names if name in stored})
    return frozenset(key for trait in list_record_traits(record) for key in trait.keys)
