"""How much was done on each day: searches, verifications, screenings and events, counted in their indexes by time."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Column, ColumnElement, FromClause, Integer, Label, Select, func, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import TypeEngine

from bonafide.model.events.event import EventType
from bonafide.store.database.columns import UtcInstant
from bonafide.store.database.rows import select_json_rows
from bonafide.store.database.tables import events, screenings, searches, verifications

_INSTANTS: Mapping[str, tuple[FromClause, Column[datetime]]] = {
    "searches": (searches, searches.c.searched_at),
    "verifications": (verifications, verifications.c.created_at),
    "screenings": (screenings, screenings.c.screened_at),
}
_EVENTS = {
    "hits": EventType.SCREENING_HIT_FOUND,
    "cases_opened": EventType.CASE_OPENED,
    "cases_decided": EventType.CASE_DECIDED,
}
_AFTER_ALL = 2**62
"""A number that no event has."""


@dataclass(frozen=True, slots=True)
class DailyCounts:
    """What an organization did on one day."""

    searches: int = 0
    verifications: int = 0
    screenings: int = 0
    """Screenings without a search."""
    hits: int = 0
    """New hits of business records on sanctions lists."""
    cases_opened: int = 0
    cases_decided: int = 0


async def count_daily(connection: AsyncConnection, organization_id: UUID, bounds: Sequence[datetime]) -> list[DailyCounts]:
    """The counts between each instant and the next one, in their order.

    Events are counted by their numbers, which have the order of their times, so that the index by type serves any span. One
    statement counts the events, and another one everything else.
    """
    instants = [{"begins": _encode_instant(begin), "ends": _encode_instant(end)} for begin, end in pairwise(bounds)]
    numbers = await _find_first_events(connection, organization_id, bounds)
    sequences = [{"begins": begin, "ends": end} for begin, end in pairwise(numbers)]
    rows = await _fetch_spans(connection, _count_rows(connection, organization_id), instants)
    recorded = await _fetch_spans(connection, _count_events(connection, organization_id), sequences)
    names = (*_INSTANTS, *_EVENTS)
    return [DailyCounts(**dict(zip(names, (*row, *found), strict=True))) for row, found in zip(rows, recorded, strict=True)]


def _count_rows(connection: AsyncConnection, organization_id: UUID) -> Select[Any]:
    cells: dict[str, TypeEngine[Any]] = {"number": Integer(), "begins": UtcInstant(), "ends": UtcInstant()}
    number, begins, ends = select_json_rows(connection.dialect.name, "spans", cells)
    counts = [
        _count(name, table, table.c.organization_id == organization_id, instant >= begins, instant < ends)
        for name, (table, instant) in _INSTANTS.items()
    ]
    return select(number, *counts)


def _count_events(connection: AsyncConnection, organization_id: UUID) -> Select[Any]:
    cells: dict[str, TypeEngine[Any]] = {"number": Integer(), "begins": BigInteger(), "ends": BigInteger()}
    number, begins, ends = select_json_rows(connection.dialect.name, "spans", cells)
    mine, span = events.c.organization_id == organization_id, (events.c.sequence >= begins, events.c.sequence < ends)
    counts = [_count(name, events, mine, events.c.type == kind, *span) for name, kind in _EVENTS.items()]
    return select(number, *counts)


def _count(name: str, table: FromClause, *conditions: ColumnElement[bool]) -> Label[Any]:
    return select(func.count()).select_from(table).where(*conditions).scalar_subquery().label(name)


async def _find_first_events(connection: AsyncConnection, organization_id: UUID, instants: Sequence[datetime]) -> list[int]:
    """The number of the first event at each instant or later."""
    cells: dict[str, TypeEngine[Any]] = {"number": Integer(), "begins": UtcInstant()}
    number, begins = select_json_rows(connection.dialect.name, "spans", cells)
    first = (
        select(events.c.sequence)
        .where(events.c.organization_id == organization_id, events.c.occurred_at >= begins)
        .order_by(events.c.occurred_at, events.c.sequence)
        .limit(1)
        .scalar_subquery()
    )
    spans = [{"begins": _encode_instant(instant)} for instant in instants]
    found = await _fetch_spans(connection, select(number, first), spans)
    return [sequence if sequence is not None else _AFTER_ALL for (sequence,) in found]


async def _fetch_spans(
    connection: AsyncConnection, statement: Select[Any], spans: Sequence[Mapping[str, object]]
) -> list[tuple[Any, ...]]:
    """The values of each span. The statement selects the number of a span, and its values."""
    rows = json.dumps([{"number": number, **span} for number, span in enumerate(spans)])
    found = {row[0]: tuple(row[1:]) for row in await connection.execute(statement, {"spans": rows})}
    return [found[number] for number in range(len(spans))]


def _encode_instant(instant: datetime) -> str:
    """As instants are stored."""
    return instant.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
