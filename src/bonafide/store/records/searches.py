"""Searches: one row each, written before the lookups and finished after them, with the result document as it was sent.

The document is text and is never parsed: it is returned byte for byte as it was stored.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, and_, bindparam, func, insert, literal, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.base import StoredDocument
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.result import SearchStatus, SelectionStatus
from bonafide.store.database.autocommit import PlannedWrite
from bonafide.store.database.engine import Store, change_rows, fetch_row
from bonafide.store.database.tables import WITH_OPEN_HITS, searches

_LISTED = (
    searches.c.organization_id,
    searches.c.id,
    searches.c.query,
    searches.c.website,
    searches.c.request,
    searches.c.status,
    searches.c.archived,
    searches.c.searched_at,
    searches.c.searched_by,
    searches.c.deadline_at,
    searches.c.finished_at,
    searches.c.errors,
)
"""The columns that lists read from rows: all precede the document, so that SQLite does not read through it."""
_INDEXED = ("selection", "jurisdiction")
"""The columns that a list reads from its index (`ix_searches_history`)."""
_READ_SINGLY = (searches.c.decided_by, searches.c.decided_at)
"""The columns behind the document that only the read of a single search needs."""
_ALL_BUT_DOCUMENT = (*_LISTED, *(searches.c[name] for name in _INDEXED), *_READ_SINGLY)
UNREAD = frozenset({"document", "messages", "folded_query", "business_id", "open_hits", "hit_keys"})
"""The columns of no `StoredSearch`."""
_KEYS = (searches.c.id, *(searches.c[name] for name in _INDEXED))
FOLDED_CHARACTERS = 500
"""Searchable characters of a query: an index entry of PostgreSQL has at most 2700 bytes."""
_BY_ID = and_(searches.c.organization_id == bindparam("organization"), searches.c.id == bindparam("search"))
_SELECT_DOCUMENT = select(searches.c.document, searches.c.messages).where(_BY_ID)
_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae"})
"""Ligatures that people type as two letters and that Unicode does not decompose."""


@dataclass(frozen=True, slots=True)
class NewSearch:
    """A search about to run. `request` is the request as JSON; after `deadline_at` the search has failed."""

    id: UUID
    query: str
    website: str | None
    request: str
    searched_at: datetime
    searched_by: str
    deadline_at: datetime
    business_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """How a search ended: its document (`StoredDocument`) and, apart from it, what lists show of it."""

    status: SearchStatus
    document: str
    messages: str | None
    errors: str | None
    finished_at: datetime
    selection: SelectionStatus | None = None
    jurisdiction: Jurisdiction | None = None
    open_hits: int | None = None
    """None if no sanctions list was to be screened."""
    hit_keys: str | None = None
    """The keys of the open hits, for `OpenHits`."""


_BEGIN_COLUMNS = ("organization_id", *(field.name for field in fields(NewSearch)), "folded_query", "status", "archived")
_FINISH_COLUMNS = tuple(field.name for field in fields(SearchOutcome))
_OVERDUE = select(searches.c.id).where(searches.c.finished_at.is_(None), searches.c.deadline_at <= bindparam("now")).limit(1)
_BEGIN = insert(searches).values({name: bindparam(name) for name in _BEGIN_COLUMNS})
_FINISH = (
    update(searches)
    .where(_BY_ID, searches.c.finished_at.is_(None))
    .values({name: bindparam(f"new_{name}") for name in _FINISH_COLUMNS})
)


@dataclass(frozen=True, slots=True)
class SelectionDecision:
    """The status of match selection, and who decided it and when; None where no person did, or it is not known."""

    selection: SelectionStatus
    decided_by: str | None = None
    decided_at: datetime | None = None
    jurisdiction: Jurisdiction | None = None
    """Where the selected business is registered."""
    open_hits: int | None = None
    hit_keys: str | None = None
    """Of the hits after the selection, as in `SearchOutcome`."""


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
    selection: SelectionStatus | None
    jurisdiction: Jurisdiction | None
    decided_by: str | None = None
    """Lists leave out who decided, and when."""
    decided_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class HistoryFilter:
    """Which searches to list. `query` is a part of the query, ignoring case and accents; None lists all.

    They were made at `since` or later, and before `until`, by the person `searched_by`. `has_open_hits` leaves those that had open
    sanctions hits when the lists were screened.
    """

    query: str | None = None
    archived: bool | None = None
    status: SearchStatus | None = None
    selection: SelectionStatus | None = None
    jurisdiction: Jurisdiction | None = None
    since: datetime | None = None
    until: datetime | None = None
    searched_by: str | None = None
    has_open_hits: bool = False


@dataclass(frozen=True, slots=True)
class OpenHits:
    """The number of open hits of a search when the lists were screened, and their keys as JSON; None of an earlier release."""

    count: int
    keys: str | None


@dataclass(frozen=True, slots=True)
class SearchPosition:
    """The position of a search in lists by age."""

    searched_at: datetime
    id: UUID


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """A page of the history, newest first, and the total number of searches."""

    searches: list[StoredSearch]
    total: int


@dataclass(frozen=True, slots=True)
class KeysetPage:
    """A page with whether there are more on either side; the total is not counted."""

    searches: list[StoredSearch]
    has_newer: bool
    has_older: bool


async def insert_loading(database: AsyncConnection | Store, organization_id: UUID, search: NewSearch) -> None:
    """Store a search that is about to run. By itself it need not be durable: nobody is told of it before it has ended."""
    await change_rows(database, _BEGIN, _to_begin_values(organization_id, search), durable=False)


async def finish(database: AsyncConnection | Store, organization_id: UUID, search_id: UUID, outcome: SearchOutcome) -> bool:
    """Store the outcome of a search; False when it had ended already, and then nothing changes."""
    return await change_rows(database, _FINISH, _to_finish_values(organization_id, search_id, outcome)) == 1


async def finish_with(
    store: Store, organization_id: UUID, search_id: UUID, outcome: SearchOutcome, others: Sequence[PlannedWrite]
) -> bool:
    """The same with further writes in one transaction, which are left out if the search had ended already."""
    first = PlannedWrite(_FINISH, _to_finish_values(organization_id, search_id, outcome))
    return await store.change_together(first, others) == 1


def _to_begin_values(organization_id: UUID, search: NewSearch) -> dict[str, Any]:
    return {
        "organization_id": organization_id,
        **{field.name: getattr(search, field.name) for field in fields(NewSearch)},
        "folded_query": fold_text(search.query),
        "status": SearchStatus.LOADING,
        "archived": False,
    }


def _to_finish_values(organization_id: UUID, search_id: UUID, outcome: SearchOutcome) -> dict[str, Any]:
    told = {f"new_{name}": getattr(outcome, name) for name in _FINISH_COLUMNS}
    return {"organization": organization_id, "search": search_id, **told}


async def get(connection: AsyncConnection, organization_id: UUID, search_id: UUID) -> StoredSearch | None:
    """The row without its document."""
    row = (await connection.execute(select(*_ALL_BUT_DOCUMENT).where(_has_id(organization_id, search_id)))).one_or_none()
    return _to_stored_search(row) if row is not None else None


async def get_document(database: AsyncConnection | Store, organization_id: UUID, search_id: UUID) -> StoredDocument | None:
    """Return the stored document; None when there is no such search, or it has none: it is loading, or passed its deadline."""
    return _to_document(await fetch_row(database, _SELECT_DOCUMENT, {"organization": organization_id, "search": search_id}))


async def lock_document(connection: AsyncConnection, organization_id: UUID, search_id: UUID) -> StoredDocument | None:
    """The stored document; its row is locked until the transaction ends (on SQLite the whole database is)."""
    locked = select(searches.c.document, searches.c.messages).where(_has_id(organization_id, search_id)).with_for_update()
    return _to_document((await connection.execute(locked)).one_or_none())


def _to_document(row: Any) -> StoredDocument | None:
    return StoredDocument(*row) if row is not None and row[0] is not None else None


async def replace_document(
    connection: AsyncConnection,
    organization_id: UUID,
    search_id: UUID,
    document: StoredDocument,
    decision: SelectionDecision | None = None,
) -> bool:
    """Replace the locked document; False when the search has none.

    Without a decision, match selection stays as it is.
    """
    decided = {} if decision is None else asdict(decision)
    replaced = update(searches).where(_has_id(organization_id, search_id), searches.c.document.is_not(None))
    return (await connection.execute(replaced.values(document=document.body, messages=document.messages, **decided))).rowcount == 1


async def set_archived(connection: AsyncConnection, organization_id: UUID, search_id: UUID, *, archived: bool) -> bool:
    """Archive the search or restore it; False when it does not exist."""
    changed = update(searches).where(_has_id(organization_id, search_id)).values(archived=archived)
    return (await connection.execute(changed)).rowcount == 1


async def list_history(
    connection: AsyncConnection, organization_id: UUID, chosen: HistoryFilter, limit: int, offset: int
) -> HistoryPage:
    """The organization's searches, newest first; searches of the same instant have a stable order.

    Their keys and number are read from an index; only the listed rows are read.
    """
    conditions = _build_conditions(organization_id, chosen)
    found = await _fetch_listed(connection, organization_id, _select_newest_first(conditions).limit(limit).offset(offset))
    total = offset + len(found)
    if len(found) == limit or (not found and offset > 0):
        # The page does not tell where the list ends.
        total = (await connection.execute(select(func.count()).select_from(searches).where(*conditions))).scalar_one()
    return HistoryPage(found, total)


async def list_newest(connection: AsyncConnection, organization_id: UUID, chosen: HistoryFilter, limit: int) -> KeysetPage:
    """The organization's newest searches."""
    found = await _fetch_listed(
        connection, organization_id, _select_newest_first(_build_conditions(organization_id, chosen)).limit(limit + 1)
    )
    return KeysetPage(found[:limit], has_newer=False, has_older=len(found) > limit)


async def list_older(
    connection: AsyncConnection, organization_id: UUID, chosen: HistoryFilter, limit: int, place: SearchPosition
) -> KeysetPage:
    """The newest searches that are older than this position."""
    conditions = [*_build_conditions(organization_id, chosen), build_age_order() < build_position_value(place)]
    found = await _fetch_listed(connection, organization_id, _select_newest_first(conditions).limit(limit + 1))
    return KeysetPage(found[:limit], has_newer=True, has_older=len(found) > limit)


async def list_newer(
    connection: AsyncConnection, organization_id: UUID, chosen: HistoryFilter, limit: int, place: SearchPosition
) -> KeysetPage:
    """The oldest searches that are newer than this position; the newest page where they don't fill one."""
    conditions = [*_build_conditions(organization_id, chosen), build_age_order() > build_position_value(place)]
    ascending = select(*_KEYS).where(*conditions).order_by(searches.c.searched_at, searches.c.id).limit(limit + 1)
    found = await _fetch_listed(connection, organization_id, ascending)
    if len(found) <= limit:
        return await list_newest(connection, organization_id, chosen, limit)
    return KeysetPage(found[limit - 1 :: -1], has_newer=True, has_older=True)


async def get_position(connection: AsyncConnection, organization_id: UUID, search_id: UUID) -> SearchPosition | None:
    """The position of a search; None when it does not exist."""
    searched_at = (
        await connection.execute(select(searches.c.searched_at).where(_has_id(organization_id, search_id)))
    ).scalar_one_or_none()
    return SearchPosition(searched_at, search_id) if searched_at is not None else None


async def list_open_hits(
    connection: AsyncConnection, organization_id: UUID, listed: Sequence[StoredSearch]
) -> dict[UUID, OpenHits]:
    """The open hits of those searches of a page, newest first, that had any when the lists were screened."""
    if not listed:
        return {}
    # The numbers are read from their index, which has few rows: the columns are behind the documents.
    with_hits = select(searches.c.id).where(
        searches.c.organization_id == organization_id,
        WITH_OPEN_HITS,
        searches.c.searched_at >= listed[-1].searched_at,
        searches.c.searched_at <= listed[0].searched_at,
        searches.c.id.in_([row.id for row in listed]),
    )
    ids = (await connection.execute(with_hits)).scalars().all()
    if not ids:
        return {}
    found = select(searches.c.id, searches.c.open_hits, searches.c.hit_keys).where(
        searches.c.organization_id == organization_id, searches.c.id.in_(ids)
    )
    return {row.id: OpenHits(row.open_hits, row.hit_keys) for row in await connection.execute(found)}


def build_age_order() -> ColumnElement[tuple[datetime, UUID]]:
    """The sort key of searches; those of the same instant have a stable order."""
    return tuple_(searches.c.searched_at, searches.c.id)


def build_position_value(place: SearchPosition) -> ColumnElement[tuple[datetime, UUID]]:
    """A position, to compare with `build_age_order`."""
    return tuple_(literal(place.searched_at, searches.c.searched_at.type), literal(place.id, searches.c.id.type))


def _select_newest_first(conditions: list[ColumnElement[bool]]) -> Select[Any]:
    return select(*_KEYS).where(*conditions).order_by(searches.c.searched_at.desc(), searches.c.id.desc())


async def _fetch_listed(connection: AsyncConnection, organization_id: UUID, keys: Select[Any]) -> list[StoredSearch]:
    """The searches of the selected keys, in their order."""
    found = {row.id: row._mapping for row in await connection.execute(keys)}  # noqa: SLF001 - how SQLAlchemy publishes a row's names
    if not found:
        return []
    listed = select(*_LISTED).where(searches.c.organization_id == organization_id, searches.c.id.in_(found))
    rows = {row.id: row._mapping for row in await connection.execute(listed)}  # noqa: SLF001 - the same
    return [StoredSearch(**{**rows[id_], **found[id_]}) for id_ in found]


def _build_conditions(organization_id: UUID, chosen: HistoryFilter) -> list[ColumnElement[bool]]:
    conditions = [searches.c.organization_id == organization_id]
    if chosen.since is not None:
        conditions.append(searches.c.searched_at >= chosen.since)
    if chosen.until is not None:
        conditions.append(searches.c.searched_at < chosen.until)
    for column in (searches.c.archived, searches.c.status, searches.c.selection, searches.c.jurisdiction, searches.c.searched_by):
        wanted = getattr(chosen, column.name)
        if wanted is not None:
            conditions.append(column == wanted)
    if chosen.has_open_hits:
        conditions.append(WITH_OPEN_HITS)
    if chosen.query is not None:
        # Last, because it is the most expensive condition.
        conditions.append(searches.c.folded_query.contains(fold_text(chosen.query), autoescape=True))
    return conditions


async def is_any_overdue(store: Store, now: datetime) -> bool:
    """Whether a search of any organization is past its deadline; a cheap read that saves a write in vain."""
    return await fetch_row(store, _OVERDUE, {"now": now}) is not None


async def expire_overdue(connection: AsyncConnection, now: datetime, errors: str) -> list[StoredSearch]:
    """Fail, with these errors, all searches that are past their deadline, of all organizations; returns them."""
    expired = (
        update(searches)
        .where(searches.c.finished_at.is_(None), searches.c.deadline_at <= now)
        .values(status=SearchStatus.ERROR, errors=errors, finished_at=now)
        .returning(*_ALL_BUT_DOCUMENT)
    )
    return [_to_stored_search(row) for row in await connection.execute(expired)]


def fold_text(text: str) -> str:
    """The text without case and accents.

    This is not the matcher's folding, which may change, while stored values must stay comparable.
    """
    unmarked = (character for character in unicodedata.normalize("NFKD", text) if not unicodedata.combining(character))
    return "".join(unmarked).casefold().translate(_LIGATURES)[:FOLDED_CHARACTERS]


def _has_id(organization_id: UUID, search_id: UUID) -> ColumnElement[bool]:
    return and_(searches.c.organization_id == organization_id, searches.c.id == search_id)


def _to_stored_search(row: Row[Any]) -> StoredSearch:
    return StoredSearch(**row._mapping)  # noqa: SLF001 - how SQLAlchemy publishes a row's names


async def list_newest_documents(
    connection: AsyncConnection, organization_id: UUID, limit: int, since: datetime | None = None
) -> list[str]:
    """The documents of the organization's newest searches that have one, made at `since` or later, the newest first."""
    conditions = [searches.c.organization_id == organization_id, searches.c.document.is_not(None)]
    if since is not None:
        conditions.append(searches.c.searched_at >= since)
    mine = select(searches.c.document).where(*conditions).order_by(searches.c.searched_at.desc(), searches.c.id.desc()).limit(limit)
    return [document for (document,) in await connection.execute(mine) if document is not None]
