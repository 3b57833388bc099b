"""Delete the files whose rows have been deleted. A process that is killed leaves nothing behind: the next run deletes it."""

import asyncio
from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import Table

from bonafide.runtime import Runtime
from bonafide.services.retention.stored_files import list_files
from bonafide.store.database.engine import Connection
from bonafide.store.retention import file_deletions, removal
from bonafide.store.retention.file_deletions import FileDeletion

FILES_AT_ONCE = 100
DELETED_AT_ONCE = 10
"""Concurrent requests to the file storage."""
REPEAT_AFTER = timedelta(minutes=15)
"""A request that had read the rows before they were deleted may store a file until then."""
DELETIONS = 2


async def remove_rows_with_files(
    connection: Connection, organization_id: UUID, table: Table, keys: Collection[UUID | int], now: datetime
) -> tuple[int, set[UUID]]:
    """Delete rows with what depends on them, and record their files for deletion.

    Returns how many rows of the table there were, and the IDs of the rows and of their files.
    """
    ids = {key for key in keys if isinstance(key, UUID)}
    attached = await removal.list_file_ids(connection, organization_id, table, ids)
    files = list_files(table, ids)
    if attached:
        files += list_files(removal.FILES_OF_ROWS[table].table, attached)
    removed = await removal.remove_rows(connection, organization_id, table, keys)
    if removed:
        await file_deletions.add(connection, organization_id, files, now)
    return removed, ids.union(attached)


async def remove_files(runtime: Runtime) -> int:
    """Delete the files of all organizations that are due; returns the number of names. Raises `ServerBusy`."""
    removed = 0
    while await file_deletions.is_any_due(runtime.store, runtime.clock()):
        removed += await _remove_batch(runtime)
    return removed


async def _remove_batch(runtime: Runtime) -> int:
    async with runtime.store.read() as connection:
        due = await file_deletions.list_due(connection, runtime.clock(), FILES_AT_ONCE)
    for first in range(0, len(due), DELETED_AT_ONCE):
        await asyncio.gather(*(_delete(runtime, one) for one in due[first : first + DELETED_AT_ONCE]))
    repeated, forgotten = defaultdict[UUID, list[str]](list), defaultdict[UUID, list[str]](list)
    for one in due:
        (repeated if one.attempts + 1 < DELETIONS else forgotten)[one.organization_id].append(one.name)
    async with runtime.store.write() as connection:
        for organization_id, names in sorted(repeated.items()):
            await file_deletions.repeat(connection, organization_id, names, runtime.clock() + REPEAT_AFTER)
        for organization_id, names in sorted(forgotten.items()):
            await file_deletions.forget(connection, organization_id, names)
    return len(due)


async def _delete(runtime: Runtime, one: FileDeletion) -> None:
    if one.name.endswith("/"):
        await runtime.files.delete_folder(one.organization_id, one.name)
    else:
        await runtime.files.delete(one.organization_id, one.name)
