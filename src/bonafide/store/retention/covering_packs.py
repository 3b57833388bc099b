"""The examiner's packs of periods that may contain what an erasure deletes: those whose period covers a time of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from uuid import UUID

from sqlalchemy import Column, ColumnElement, Table, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.schema.case_tables import cases
from bonafide.store.database.schema.pack_tables import packs
from bonafide.store.database.tables import events
from bonafide.store.packs.pack_rows import PackTable


@dataclass(frozen=True, slots=True)
class PackedTime:
    """The time by which a row belongs to the pack of a period. A case belongs to all packs from its first to its last change."""

    first: datetime
    last: datetime

    def is_covered_by(self, since: datetime, until: datetime) -> bool:
        """Whether the pack of a period contains the row. The period ends before `until`."""
        return self.first < until and self.last >= since


_INSTANTS: Mapping[Table, tuple[Column[datetime], Column[datetime]]] = MappingProxyType({
    **{one.table: (one.instant, one.instant) for one in PackTable},
    cases: (cases.c.opened_at, cases.c.updated_at),
    events: (events.c.occurred_at, events.c.occurred_at),
})  # fmt: skip
"""The columns that have the first and the last time of a row."""


async def list_times(connection: AsyncConnection, table: Table, *conditions: ColumnElement[bool]) -> list[PackedTime]:
    """The times of rows of a table; empty for a table whose rows are in no pack of a period."""
    if table not in _INSTANTS:
        return []
    found = await connection.execute(select(*_INSTANTS[table]).where(*conditions))
    return [PackedTime(first, last) for first, last in found]


async def list_packs(connection: AsyncConnection, organization_id: UUID, times: Sequence[PackedTime]) -> list[UUID]:
    """The IDs of the packs of periods that cover any of these times."""
    if not times:
        return []
    mine = packs.c.organization_id == organization_id, packs.c.business_id.is_(None)
    found = await connection.execute(select(packs.c.id, packs.c.from_at, packs.c.to_at).where(*mine))
    return [row.id for row in found if any(time.is_covered_by(row.from_at, row.to_at) for time in times)]
