"""The parts of cases: items, whose status changes, and notes, attachments and decisions, which never change.

Writers hold the organization's audit head.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from uuid import UUID

from sqlalchemy import Table, func, insert, literal, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.cases.case import CaseItemStatus
from bonafide.model.cases.policy import CaseItemKind
from bonafide.store.database.rows import count_rows, from_row, to_columns, to_value
from bonafide.store.database.schema.case_tables import OPEN_ITEM, case_attachments, case_decisions, case_items, case_notes


class CasePart(Enum):
    """The kinds of parts that never change."""

    NOTE = "note"
    ATTACHMENT = "attachment"
    DECISION = "decision"

    @property
    def table(self) -> Table:
        """The table with the parts of this kind."""
        return {CasePart.NOTE: case_notes, CasePart.ATTACHMENT: case_attachments, CasePart.DECISION: case_decisions}[self]


@dataclass(frozen=True, slots=True)
class StoredCasePart:
    """A note, an attachment or a decision, as JSON."""

    id: UUID
    case_id: UUID
    created_at: datetime
    document: str


@dataclass(frozen=True, slots=True)
class StoredCaseItem:
    """An item; `document` is its content with its messages (`StoredDocument.to_text`)."""

    id: UUID
    case_id: UUID
    kind: CaseItemKind
    cause: str
    status: CaseItemStatus
    opened_at: datetime
    settled_at: datetime | None
    settled_by: str | None
    sequence: int
    document: str


_ITEM_COLUMNS = [case_items.c[name] for name in StoredCaseItem.__slots__]


async def add_part(connection: AsyncConnection, organization_id: UUID, kind: CasePart, part: StoredCasePart) -> None:
    """Store a note, an attachment or a decision."""
    await connection.execute(insert(kind.table).values(organization_id=organization_id, **to_columns(part)))


async def list_parts(connection: AsyncConnection, organization_id: UUID, kind: CasePart, case_id: UUID) -> list[str]:
    """The documents of the parts of a case, oldest first."""
    table = kind.table
    mine = select(table.c.document).where(table.c.organization_id == organization_id, table.c.case_id == case_id)
    return list((await connection.execute(mine.order_by(table.c.created_at, table.c.id))).scalars())


async def get_part(connection: AsyncConnection, organization_id: UUID, kind: CasePart, case_id: UUID, part_id: UUID) -> str | None:
    """The document of a part of the case; None if it has no such part."""
    table = kind.table
    mine = select(table.c.document).where(
        table.c.organization_id == organization_id, table.c.id == part_id, table.c.case_id == case_id
    )
    found: str | None = (await connection.execute(mine)).scalar_one_or_none()
    return found


async def count_parts(connection: AsyncConnection, organization_id: UUID, kind: CasePart, case_id: UUID) -> int:
    """The number of parts of a case."""
    table = kind.table
    return await count_rows(connection, table, table.c.organization_id == organization_id, table.c.case_id == case_id)


async def add_item(connection: AsyncConnection, organization_id: UUID, item: StoredCaseItem) -> None:
    """Store a new item."""
    await connection.execute(insert(case_items).values(organization_id=organization_id, **to_columns(item)))


@dataclass(frozen=True, slots=True)
class ItemPosition:
    """The place of an item among those of its case."""

    opened_at: datetime
    sequence: int
    id: UUID


async def list_items(
    connection: AsyncConnection, organization_id: UUID, case_id: UUID, after: ItemPosition, limit: int
) -> list[StoredCaseItem]:
    """The items of a case after a position, oldest first."""
    order = (case_items.c.opened_at, case_items.c.sequence, case_items.c.id)
    values = (after.opened_at, after.sequence, after.id)
    place = tuple_(*(literal(value, column.type) for value, column in zip(values, order, strict=True)))
    mine = (case_items.c.organization_id == organization_id, case_items.c.case_id == case_id, tuple_(*order) > place)
    found = await connection.execute(select(*_ITEM_COLUMNS).where(*mine).order_by(*order).limit(limit))
    return [to_value(StoredCaseItem, row) for row in found]


async def get_item(connection: AsyncConnection, organization_id: UUID, case_id: UUID, item_id: UUID) -> StoredCaseItem | None:
    """An item of the case; None if it has no such item."""
    mine = (case_items.c.organization_id == organization_id, case_items.c.id == item_id, case_items.c.case_id == case_id)
    return from_row(StoredCaseItem, (await connection.execute(select(*_ITEM_COLUMNS).where(*mine))).one_or_none())


async def list_chosen_items(connection: AsyncConnection, organization_id: UUID, case_id: UUID, limit: int) -> list[StoredCaseItem]:
    """Up to `limit` items of a case, oldest first: open ones take precedence, then newer ones."""
    mine = (case_items.c.organization_id == organization_id, case_items.c.case_id == case_id)
    newest = select(*_ITEM_COLUMNS).where(*mine).order_by(case_items.c.opened_at.desc(), case_items.c.id.desc())
    open_ones = list(await connection.execute(newest.where(OPEN_ITEM).limit(limit)))
    rest = limit - len(open_ones)
    others = list(await connection.execute(newest.where(~OPEN_ITEM).limit(rest))) if rest > 0 else []
    chosen = [to_value(StoredCaseItem, row) for row in (*open_ones, *others)]
    return sorted(chosen, key=lambda item: (item.opened_at, item.sequence, item.id))


async def count_items(connection: AsyncConnection, organization_id: UUID, case_id: UUID) -> int:
    """The number of items of a case, open or not."""
    return await count_rows(
        connection, case_items, case_items.c.organization_id == organization_id, case_items.c.case_id == case_id
    )


async def list_open_of_case(connection: AsyncConnection, organization_id: UUID, case_id: UUID) -> list[StoredCaseItem]:
    """The open items of a case, oldest first."""
    mine = (case_items.c.organization_id == organization_id, case_items.c.case_id == case_id, OPEN_ITEM)
    found = await connection.execute(select(*_ITEM_COLUMNS).where(*mine).order_by(case_items.c.opened_at, case_items.c.id))
    return [to_value(StoredCaseItem, row) for row in found]


async def list_open_with_cause(connection: AsyncConnection, organization_id: UUID, cause: str) -> list[StoredCaseItem]:
    """The open items of all cases that are about this fact."""
    mine = (case_items.c.organization_id == organization_id, case_items.c.cause == cause, OPEN_ITEM)
    return [to_value(StoredCaseItem, row) for row in await connection.execute(select(*_ITEM_COLUMNS).where(*mine))]


async def list_closed_with_cause(
    connection: AsyncConnection, organization_id: UUID, cause: str, limit: int
) -> list[StoredCaseItem]:
    """The items of all cases that were about this fact and are no longer open, the newest first."""
    mine = (case_items.c.organization_id == organization_id, case_items.c.cause == cause, ~OPEN_ITEM)
    newest = select(*_ITEM_COLUMNS).where(*mine).order_by(case_items.c.opened_at.desc(), case_items.c.id.desc()).limit(limit)
    return [to_value(StoredCaseItem, row) for row in await connection.execute(newest)]


async def list_open_of_events(
    connection: AsyncConnection, organization_id: UUID, sequences: Collection[int]
) -> list[StoredCaseItem]:
    """The open items that these events opened."""
    mine = (case_items.c.organization_id == organization_id, case_items.c.sequence.in_(sequences), OPEN_ITEM)
    return [to_value(StoredCaseItem, row) for row in await connection.execute(select(*_ITEM_COLUMNS).where(*mine))]


async def settle_items(
    connection: AsyncConnection, organization_id: UUID, item_ids: Collection[UUID], status: CaseItemStatus, by: str, at: datetime
) -> None:
    """Settle these open items."""
    mine = (case_items.c.organization_id == organization_id, case_items.c.id.in_(item_ids), OPEN_ITEM)
    await connection.execute(update(case_items).where(*mine).values(status=status, settled_at=at, settled_by=by))


async def count_open_items(
    connection: AsyncConnection, organization_id: UUID, case_ids: Collection[UUID]
) -> dict[UUID, dict[CaseItemKind, int]]:
    """The number of open items of these cases by kind; cases and kinds without any are absent."""
    mine = (case_items.c.organization_id == organization_id, case_items.c.case_id.in_(case_ids), OPEN_ITEM)
    counted = select(case_items.c.case_id, case_items.c.kind, func.count()).where(*mine)
    found: dict[UUID, dict[CaseItemKind, int]] = {}
    for case_id, kind, count in await connection.execute(counted.group_by(case_items.c.case_id, case_items.c.kind)):
        found.setdefault(case_id, {})[kind] = count
    return found
