"""List the queue of cases by due date, find the neighbours of a case in it, and change or decide several cases."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from bonafide.errors import Conflict, NotFound, StaleWrite
from bonafide.i18n.message import Message
from bonafide.model.cases.case import Case, CaseListItem
from bonafide.model.cases.requests import CaseChange, CaseDecisionRequest
from bonafide.model.cursors import decode_cursor_text, encode_cursor_text, from_microseconds, to_microseconds
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.cases.case_rows import to_list_item
from bonafide.services.cases.deciding import decide_case
from bonafide.services.cases.handling import change_case
from bonafide.services.cases.reading import UNKNOWN_CASE, load_row
from bonafide.store.cases import case_parts, case_queue, cases
from bonafide.store.cases.case_queue import CaseOrder, QueuePart, QueuePosition
from bonafide.store.cases.cases import CaseFilter, StoredCase
from bonafide.store.database.engine import Connection

_FORM = re.compile(r"q1\.(\d{1,17})?\.(\d{1,12})", re.ASCII)
"""The form of a position: its version, microseconds since 1970 or nothing, the number of the case."""


@dataclass(frozen=True, slots=True)
class CaseQueuePage:
    """A page of a queue. `next` is the cursor of the next page; None on the last one."""

    cases: tuple[CaseListItem, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class CaseNeighbours:
    """The cases before and after a case in a queue; None at its ends."""

    previous: CaseListItem | None
    next: CaseListItem | None


@dataclass(frozen=True, slots=True)
class RefusedCase:
    """A case that could not be changed, and why."""

    id: UUID
    reason: Message


@dataclass(frozen=True, slots=True)
class BulkOutcome:
    """What became of a change of several cases."""

    done: tuple[Case, ...]
    refused: tuple[RefusedCase, ...]


async def list_queue(
    runtime: Runtime, organization_id: UUID, chosen: CaseFilter, order: CaseOrder, limit: int, cursor: str | None = None
) -> CaseQueuePage:
    """A page of the queue. Raises `ValidationFailed` for an invalid cursor."""
    start = _decode_position(cursor) if cursor is not None else None
    async with runtime.store.read_lagging() as connection:
        found = await case_queue.list_queue(connection, organization_id, chosen, order, QueuePart(start, limit + 1))
        listed = await _to_list_items(runtime, connection, organization_id, found[:limit])
    return CaseQueuePage(tuple(listed), _encode_position(_get_position(found[limit - 1])) if len(found) > limit else None)


async def find_neighbours(
    runtime: Runtime, organization_id: UUID, chosen: CaseFilter, order: CaseOrder, case_id: UUID
) -> CaseNeighbours:
    """The cases of the queue before and after a case, which may have left it. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        position = _get_position(await load_row(connection, organization_id, case_id))
        before, after = [
            await case_queue.list_queue(connection, organization_id, chosen, order, QueuePart(position, 1, is_before=is_before))
            for is_before in (True, False)
        ]
        found = await _to_list_items(runtime, connection, organization_id, [*before, *after])
    return CaseNeighbours(found[0] if before else None, found[-1] if after else None)


async def read_numbers(runtime: Runtime, organization_id: UUID, case_ids: Sequence[UUID]) -> dict[UUID, int]:
    """The numbers of cases by ID. Raises `NotFound` if the organization doesn't have one of them."""
    async with runtime.store.read() as connection:
        found = await cases.list_by_id(connection, organization_id, case_ids)
    if found.keys() != set(case_ids):
        raise NotFound(UNKNOWN_CASE)
    return {case_id: case.number for case_id, case in found.items()}


async def change_cases(
    runtime: Runtime, organization_id: UUID, case_ids: Sequence[UUID], change: CaseChange, author: Author
) -> BulkOutcome:
    """Make the same change to several cases, each in a transaction of its own.

    Raises `ValidationFailed` for an assignee who can't work on cases.
    """
    return await _work_on_each(case_ids, lambda case_id: change_case(runtime, organization_id, case_id, change, author))


async def decide_cases(
    runtime: Runtime, organization_id: UUID, case_ids: Sequence[UUID], request: CaseDecisionRequest, author: Author
) -> BulkOutcome:
    """Make the same decision about several cases, each in a transaction of its own.

    A case with open hits can't be approved, and one in second review is decided by itself. Raises `ValidationFailed` for a reason
    that the decision can't have.
    """
    return await _work_on_each(case_ids, lambda case_id: decide_case(runtime, organization_id, case_id, request, author))


async def _work_on_each(case_ids: Sequence[UUID], work: Callable[[UUID], Awaitable[Case]]) -> BulkOutcome:
    done, refused = list[Case](), list[RefusedCase]()
    for case_id in case_ids:
        try:
            done.append(await work(case_id))
        except (Conflict, NotFound, StaleWrite) as refusal:
            refused.append(RefusedCase(case_id, refusal.message))
    return BulkOutcome(tuple(done), tuple(refused))


async def _to_list_items(
    runtime: Runtime, connection: Connection, organization_id: UUID, rows: Sequence[StoredCase]
) -> list[CaseListItem]:
    counts = await case_parts.count_open_items(connection, organization_id, [row.id for row in rows])
    now = runtime.clock()
    return [to_list_item(row, counts.get(row.id, {}), now) for row in rows]


def _get_position(row: StoredCase) -> QueuePosition:
    return QueuePosition(row.due_at, row.number)


def _encode_position(position: QueuePosition) -> str:
    due = to_microseconds(position.due_at) if position.due_at is not None else ""
    return encode_cursor_text(f"q1.{due}.{position.number}")


def _decode_position(cursor: str) -> QueuePosition:
    """The position of a cursor. Raises `ValidationFailed` for any other text."""
    parts = decode_cursor_text(cursor, _FORM)
    return QueuePosition(from_microseconds(parts[1]) if parts[1] else None, int(parts[2]))
