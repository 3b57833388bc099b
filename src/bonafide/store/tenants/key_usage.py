"""The requests of each API key on each day (UTC), and how many of them exceeded its limit.

Each process counts in memory (`RequestCounts`) and adds its sums periodically. The figures are not for billing.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from sqlalchemy import Executable, exists, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.engine import Store
from bonafide.store.database.rows import build_insert, select_json_rows
from bonafide.store.database.tables import api_keys, key_usage

_CELLS = {column.name: column.type for column in key_usage.c}


@dataclass(frozen=True, slots=True)
class KeyDay:
    """One key on one day (UTC)."""

    organization_id: UUID
    key_id: UUID
    day: date


@dataclass(frozen=True, slots=True)
class RequestTotals:
    """The number of requests, and how many of them exceeded the key's limit."""

    made: int = 0
    refused: int = 0

    def __add__(self, other: "RequestTotals") -> "RequestTotals":
        return RequestTotals(self.made + other.made, self.refused + other.refused)


class RequestCounts:
    """Counts by key and day, of existing keys only, so that their number is bounded."""

    def __init__(self) -> None:
        self._counts: dict[KeyDay, RequestTotals] = {}

    def add(self, key_day: KeyDay, requests: RequestTotals) -> None:
        """Count requests."""
        self._counts[key_day] = self._counts.get(key_day, RequestTotals()) + requests

    def take(self) -> Mapping[KeyDay, RequestTotals]:
        """Return all counts and reset them."""
        taken, self._counts = self._counts, {}
        return taken

    def restore(self, counts: Mapping[KeyDay, RequestTotals]) -> None:
        """Restore counts that could not be written."""
        for key_day, requests in counts.items():
            self.add(key_day, requests)


async def write_counts(store: Store, counts: RequestCounts) -> None:
    """Write the counts, if there are any. On `ServerBusy` they are kept."""
    taken = counts.take()
    if not taken:
        return
    try:
        async with store.write(is_effect=False) as connection:
            await add_counts(connection, taken)
    except BaseException:
        counts.restore(taken)
        raise


async def add_counts(connection: AsyncConnection, counts: Mapping[KeyDay, RequestTotals]) -> None:
    """Add to the sums in one statement. Counts of keys that do not exist are dropped."""
    rows = []
    for key, requests in counts.items():
        # Ids in SQLite's form; PostgreSQL accepts both.
        ids = {"organization_id": key.organization_id.hex, "key_id": key.key_id.hex, "day": key.day.isoformat()}
        rows.append({**ids, "requests": requests.made, "refused": requests.refused})
    if rows:
        await connection.execute(_build_upsert(connection), {"rows": json.dumps(rows)})


def _build_upsert(connection: AsyncConnection) -> Executable:
    sent = select_json_rows(connection.dialect.name, "rows", _CELLS)
    known = exists().where(api_keys.c.organization_id == sent[0], api_keys.c.id == sent[1])
    # In a fixed order, to avoid deadlocks.
    added = build_insert(connection, key_usage).from_select([*_CELLS], select(*sent).where(known).order_by(*sent[:3]))
    sums = {name: key_usage.c[name] + added.excluded[name] for name in ("requests", "refused")}
    return added.on_conflict_do_update(index_elements=["organization_id", "key_id", "day"], set_=sums)


async def list_daily_requests(
    connection: AsyncConnection, organization_id: UUID, first: date, last: date
) -> dict[UUID, dict[date, RequestTotals]]:
    """The sums of the organization's keys on these days, both included; days without a request are left out."""
    mine = select(key_usage.c.key_id, key_usage.c.day, key_usage.c.requests, key_usage.c.refused).where(
        key_usage.c.organization_id == organization_id, key_usage.c.day.between(first, last)
    )
    found: dict[UUID, dict[date, RequestTotals]] = {}
    for row in await connection.execute(mine):
        found.setdefault(row.key_id, {})[row.day] = RequestTotals(row.requests, row.refused)
    return found
