"""Searches: one row each, written before the look-ups and finished after them, with the answer's document as it was sent.

The document is text here and is never parsed: what is read back is, byte for byte, what was stored.
"""

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.result import SearchStatus
from bonafide.store.tables import searches

_ALL_BUT_DOCUMENT = [column for column in searches.c if column.name not in {"document", "folded_query"}]
_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae"})
"""Letters that people type as two and that Unicode doesn't take apart."""


@dataclass(frozen=True, slots=True)
class NewSearch:
    """A search about to run. `request` is what was asked, as JSON; after `deadline_at` it counts as failed."""

    id: UUID
    query: str
    website: str | None
    request: str
    searched_at: datetime
    searched_by: str
    deadline_at: datetime


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a search ended: its document as it is sent, and the errors apart (JSON) for the history."""

    status: SearchStatus
    document: str
    errors: str | None
    finished_at: datetime


@dataclass(frozen=True, slots=True)
class StoredSearch:
    """A search without its document."""

    organization_id: UUID
    id: UUID
    query: str
    website: str | None
    request: str
    status: SearchStatus
    archived: bool
    searched_at: datetime
    searched_by: str
    deadline_at: datetime
    finished_at: datetime | None
    errors: str | None


@dataclass(frozen=True, slots=True)
class HistoryFilter:
    """Which searches to list. `query` is a part of the query, in any case and without regard to accents; None asks for all."""

    query: str | None = None
    archived: bool | None = None


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """A stretch of the history, newest first, and how many searches there are in all."""

    searches: list[StoredSearch]
    total: int


async def insert_loading(connection: AsyncConnection, organization_id: UUID, search: NewSearch) -> None:
    """Keep a search that is about to run."""
    await connection.execute(
        insert(searches).values(
            organization_id=organization_id,
            id=search.id,
            query=search.query,
            folded_query=folded(search.query),
            website=search.website,
            request=search.request,
            status=SearchStatus.LOADING,
            archived=False,
            searched_at=search.searched_at,
            searched_by=search.searched_by,
            deadline_at=search.deadline_at,
        )
    )


async def finish(connection: AsyncConnection, organization_id: UUID, search_id: UUID, outcome: Outcome) -> bool:
    """Store how the search ended; False when it is not loading any more, and then nothing changes."""
    finished = (
        update(searches)
        .where(_is(organization_id, search_id), searches.c.finished_at.is_(None))
        .values(status=outcome.status, document=outcome.document, errors=outcome.errors, finished_at=outcome.finished_at)
    )
    return (await connection.execute(finished)).rowcount == 1


async def get(connection: AsyncConnection, organization_id: UUID, search_id: UUID) -> StoredSearch | None:
    """All but the document."""
    row = (await connection.execute(select(*_ALL_BUT_DOCUMENT).where(_is(organization_id, search_id)))).one_or_none()
    return _stored(row) if row is not None else None


async def get_document(connection: AsyncConnection, organization_id: UUID, search_id: UUID) -> str | None:
    """The stored answer; None when there is no such search, or it has none: it is loading, or ran past its deadline."""
    return (await connection.execute(select(searches.c.document).where(_is(organization_id, search_id)))).scalar_one_or_none()


async def lock_document(connection: AsyncConnection, organization_id: UUID, search_id: UUID) -> str | None:
    """The stored answer, its row held until the transaction ends (on SQLite the whole database is); None as for `get_document`."""
    held = select(searches.c.document).where(_is(organization_id, search_id)).with_for_update()
    return (await connection.execute(held)).scalar_one_or_none()


async def replace_document(connection: AsyncConnection, organization_id: UUID, search_id: UUID, document: str) -> bool:
    """Store a changed answer in place of the one that was locked; False when the search has none to replace."""
    replaced = update(searches).where(_is(organization_id, search_id), searches.c.document.is_not(None)).values(document=document)
    return (await connection.execute(replaced)).rowcount == 1


async def set_archived(connection: AsyncConnection, organization_id: UUID, search_id: UUID, *, archived: bool) -> bool:
    """Put the search away or take it out again; False when there is no such search."""
    changed = update(searches).where(_is(organization_id, search_id)).values(archived=archived)
    return (await connection.execute(changed)).rowcount == 1


async def history(
    connection: AsyncConnection, organization_id: UUID, chosen: HistoryFilter, limit: int, offset: int
) -> HistoryPage:
    """The organization's searches, newest first; searches of the same instant keep one order from page to page."""
    conditions = [searches.c.organization_id == organization_id]
    if chosen.query is not None:
        conditions.append(searches.c.folded_query.contains(folded(chosen.query), autoescape=True))
    if chosen.archived is not None:
        conditions.append(searches.c.archived == chosen.archived)
    total = await connection.execute(select(func.count()).select_from(searches).where(*conditions))
    page = await connection.execute(
        select(*_ALL_BUT_DOCUMENT)
        .where(*conditions)
        .order_by(searches.c.searched_at.desc(), searches.c.id.desc())
        .limit(limit)
        .offset(offset)
    )
    return HistoryPage([_stored(row) for row in page], total.scalar_one())


async def expire_overdue(connection: AsyncConnection, now: datetime, errors: str) -> list[StoredSearch]:
    """End, as failed with these errors, what is still loading past its deadline; returns it. For all organizations at once."""
    expired = (
        update(searches)
        .where(searches.c.finished_at.is_(None), searches.c.deadline_at <= now)
        .values(status=SearchStatus.ERROR, errors=errors, finished_at=now)
        .returning(*_ALL_BUT_DOCUMENT)
    )
    return [_stored(row) for row in await connection.execute(expired)]


def folded(text: str) -> str:
    """The text without case and accents.

    Not the matcher's folding: that one may change at any time, and what is stored here would no longer agree with it.
    """
    unmarked = (character for character in unicodedata.normalize("NFKD", text) if not unicodedata.combining(character))
    return "".join(unmarked).casefold().translate(_LIGATURES)


def _is(organization_id: UUID, search_id: UUID) -> ColumnElement[bool]:
    return and_(searches.c.organization_id == organization_id, searches.c.id == search_id)


def _stored(row: Row[Any]) -> StoredSearch:
    return StoredSearch(**row._mapping)  # noqa: SLF001 - how SQLAlchemy publishes a row's names
