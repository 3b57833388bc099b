"""Files to delete: recorded in the transaction that deletes their rows, so that a process that is killed leaves none behind.

A file is deleted twice: at once, and again some time later, because a request that had read the rows before may have stored a file.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.engine import Store, fetch_row
from bonafide.store.database.rows import build_insert, to_value
from bonafide.store.database.schema.retention_tables import file_deletions

_DUE = select(file_deletions.c.name).where(file_deletions.c.due_at <= bindparam("now")).limit(1)


@dataclass(frozen=True, slots=True)
class FileDeletion:
    """A file, or with a slash at the end a folder, to delete. `attempts` is how often it was deleted."""

    organization_id: UUID
    name: str
    attempts: int


async def add(connection: AsyncConnection, organization_id: UUID, names: Collection[str], now: datetime) -> None:
    """Record files to delete at once."""
    if not names:
        return
    rows = [{"organization_id": organization_id, "name": name, "due_at": now, "attempts": 0} for name in sorted(set(names))]
    await connection.execute(build_insert(connection, file_deletions).on_conflict_do_nothing(), rows)


async def is_any_due(store: Store, now: datetime) -> bool:
    """Whether any file is to be deleted now; a cheap read."""
    return await fetch_row(store, _DUE, {"now": now}) is not None


async def list_due(connection: AsyncConnection, now: datetime, limit: int) -> list[FileDeletion]:
    """The files that are due, of all organizations."""
    due = select(file_deletions).where(file_deletions.c.due_at <= now).order_by(file_deletions.c.due_at).limit(limit)
    return [to_value(FileDeletion, row) for row in await connection.execute(due)]


async def repeat(connection: AsyncConnection, organization_id: UUID, names: Collection[str], due_at: datetime) -> None:
    """Delete files again at that time."""
    mine = file_deletions.c.organization_id == organization_id, file_deletions.c.name.in_(names)
    await connection.execute(update(file_deletions).where(*mine).values(due_at=due_at, attempts=file_deletions.c.attempts + 1))


async def forget(connection: AsyncConnection, organization_id: UUID, names: Collection[str]) -> None:
    """Remove files that have been deleted for the last time."""
    mine = file_deletions.c.organization_id == organization_id, file_deletions.c.name.in_(names)
    await connection.execute(delete(file_deletions).where(*mine))
