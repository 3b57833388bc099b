"""All that is kept of one organization, to see whether anything has changed."""

import hashlib
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy import String, Table, cast, select

from bonafide.runtime import Runtime
from bonafide.store.database.tables import metadata

COUNTERS = frozenset({"key_usage", "api_keys"})
"""What every request of a key writes to: when it was last used, and how often."""


async def dump(
    runtime: Runtime, organization_id: UUID, *, without: frozenset[str] = frozenset()
) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table that belongs to the organization, its files included, value by value."""
    async with runtime.store.read() as connection:
        rows = {
            table.name: [tuple(row) for row in (await connection.execute(_all_of(table, organization_id))).all()]
            for table in metadata.sorted_tables
            if "organization_id" in table.c and table.name not in without
        }
    folder = runtime.settings.data_dir / "files" / str(organization_id)
    return {**rows, "files": sorted(_files(folder))}


def uuids_in(rows: dict[str, list[tuple[Any, ...]]]) -> set[str]:
    """Every id that stands in a row by itself, in both spellings; the ids of documents' parts stand in the documents."""
    found = {value for table in rows.values() for row in table for value in row if isinstance(value, UUID)}
    return {str(one) for one in found} | {one.hex for one in found}


def _all_of(table: Table, organization_id: UUID) -> Any:
    return (
        select(table).where(table.c.organization_id == organization_id).order_by(*(cast(key, String) for key in table.primary_key))
    )


def _files(folder: Path) -> list[tuple[Any, ...]]:
    return [
        (path.relative_to(folder).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest())
        for path in folder.rglob("*")
        if path.is_file()
    ]
