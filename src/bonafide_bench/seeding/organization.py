"""A temporary sandbox organization for a measurement."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID, uuid4

from sqlalchemy import Table, delete, select, tuple_

from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.store.database import tables
from bonafide.store.database.schema import account_tables
from bonafide.store.tenants import organizations

OWNER_COLUMN = "organization_id"


ROWS_AT_ONCE = 5000


@asynccontextmanager
async def create_bench_organization(runtime: Runtime, what: str) -> AsyncIterator[tuple[UUID, str]]:
    """Create an organization and yield its id and name. When the block ends, its data and its users are deleted."""
    name = f"bench {what} {uuid4()}"
    async with runtime.store.write() as connection:
        organization_id = (await organizations.get_or_create(connection, name, World.SANDBOX, runtime.clock())).id
    try:
        yield organization_id, name
    finally:
        await _delete_organization(runtime, organization_id)


async def _delete_organization(runtime: Runtime, organization_id: UUID) -> None:
    """Delete most rows in short transactions, and the rest in one: background updates happen entirely before it, or are dropped."""
    members = select(account_tables.memberships.c.user_id).where(account_tables.memberships.c.organization_id == organization_id)
    async with runtime.store.read() as connection:
        users = (await connection.execute(members)).scalars().all()
    for table in reversed(tables.metadata.sorted_tables):
        if OWNER_COLUMN in table.c:
            await _delete_rows(runtime, organization_id, table)
    async with runtime.store.write() as connection:
        for table in reversed(tables.metadata.sorted_tables):
            if OWNER_COLUMN in table.c:
                await connection.execute(delete(table).where(table.c[OWNER_COLUMN] == organization_id))
        await connection.execute(delete(account_tables.users).where(account_tables.users.c.id.in_(users)))
        await connection.execute(delete(tables.organizations).where(tables.organizations.c.id == organization_id))


async def _delete_rows(runtime: Runtime, organization_id: UUID, table: Table) -> None:
    """Delete the rows of a table, `ROWS_AT_ONCE` in each transaction, as long as there are so many."""
    key = tuple_(*table.primary_key.columns)
    some = select(*table.primary_key.columns).where(table.c[OWNER_COLUMN] == organization_id).limit(ROWS_AT_ONCE)
    deleted = ROWS_AT_ONCE
    while deleted == ROWS_AT_ONCE:
        async with runtime.store.write() as connection:
            deleted = (await connection.execute(delete(table).where(key.in_(some)))).rowcount
