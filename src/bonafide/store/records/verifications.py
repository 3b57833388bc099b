"""Verifications: one row each, with the request, its state, and finally the result document or the reason of the failure.

Documents are text and never parsed. A verification ends once; a second end changes nothing.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Column, ColumnElement, and_, bindparam, insert, literal, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.i18n.message import Message
from bonafide.model.base import StoredDocument
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_record import FeedPosition
from bonafide.model.verification.results import ResultStatus, VerificationState
from bonafide.store.database.engine import Store, fetch_row
from bonafide.store.database.rows import from_row, to_columns, to_value
from bonafide.store.database.tables import verifications
from bonafide.store.records.searches import fold_text

_ALL_BUT_DOCUMENT: tuple[Column[Any], ...] = (
    verifications.c.organization_id,
    verifications.c.id,
    verifications.c.state,
    verifications.c.request,
    verifications.c.created_at,
    verifications.c.deadline_at,
    verifications.c.finished_at,
    verifications.c.reason,
    verifications.c.outcome,
)
"""The columns that a list and the read of a single verification need."""
_OVERDUE = (
    select(verifications.c.id)
    .where(verifications.c.finished_at.is_(None), verifications.c.deadline_at <= bindparam("now"))
    .limit(1)
)
UNREAD = frozenset({"document", "messages", "business_id", "requested_by", "jurisdiction", "search_text"})
"""The columns of no `StoredVerification`."""


@dataclass(frozen=True, slots=True)
class NewVerification:
    """A new verification. `request` is the specification as JSON; after `deadline_at` the verification has failed.

    The last three are what lists are filtered by; `search_text` is built by `businesses.build_search_text`.
    """

    id: UUID
    request: str
    created_at: datetime
    deadline_at: datetime
    requested_by: str = ""
    jurisdiction: Jurisdiction | None = None
    search_text: str = ""
    business_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class CompletedVerification:
    """The result document and, for lists, its outcome."""

    document: StoredDocument
    outcome: ResultStatus


@dataclass(frozen=True, slots=True)
class StoredVerification:
    """A verification without its document. `reason` is why it waits or failed, `outcome` its result."""

    organization_id: UUID
    id: UUID
    state: VerificationState
    request: str
    created_at: datetime
    deadline_at: datetime
    finished_at: datetime | None
    reason: Message | None
    outcome: ResultStatus | None


@dataclass(frozen=True, slots=True)
class VerificationFilter:
    """Which verifications to list; None for all. `text` is part of a name or a registration number.

    They were requested at `since` or later, and before `until`.
    """

    text: str | None = None
    state: VerificationState | None = None
    outcome: ResultStatus | None = None
    jurisdiction: Jurisdiction | None = None
    requested_by: str | None = None
    since: datetime | None = None
    until: datetime | None = None


ALL_VERIFICATIONS = VerificationFilter()


async def insert_pending(connection: AsyncConnection, organization_id: UUID, verification: NewVerification) -> None:
    """Store a pending verification."""
    new = {"organization_id": organization_id, "state": VerificationState.PENDING, **to_columns(verification)}
    await connection.execute(insert(verifications).values(new))


async def get(connection: AsyncConnection, organization_id: UUID, verification_id: UUID) -> StoredVerification | None:
    """The row without its document."""
    mine = select(*_ALL_BUT_DOCUMENT).where(_has_id(organization_id, verification_id))
    return from_row(StoredVerification, (await connection.execute(mine)).one_or_none())


async def get_document(connection: AsyncConnection, organization_id: UUID, verification_id: UUID) -> StoredDocument | None:
    """The stored document; None when there is no such verification, or it has none."""
    document = select(verifications.c.document, verifications.c.messages).where(_has_id(organization_id, verification_id))
    row = (await connection.execute(document)).one_or_none()
    return StoredDocument(*row) if row is not None and row[0] is not None else None


async def set_state(
    connection: AsyncConnection,
    organization_id: UUID,
    verification_id: UUID,
    state: VerificationState,
    reason: Message | None = None,
) -> bool:
    """Set the state of an unfinished verification, and its reason if one is given; False when it is finished."""
    values = {"state": state} if reason is None else {"state": state, "reason": reason}
    moved = update(verifications).where(_is_unfinished(organization_id, verification_id)).values(values)
    return (await connection.execute(moved)).rowcount == 1


async def list_older(
    connection: AsyncConnection,
    organization_id: UUID,
    limit: int,
    chosen: VerificationFilter = ALL_VERIFICATIONS,
    place: FeedPosition | None = None,
) -> list[StoredVerification]:
    """The organization's newest verifications, or the newest that are older than this position, newest first.

    Their keys are read from an index; only the listed rows are read.
    """
    conditions = _build_conditions(organization_id, chosen)
    if place is not None:
        value = tuple_(literal(place.updated_at, verifications.c.created_at.type), literal(place.id, verifications.c.id.type))
        conditions.append(tuple_(verifications.c.created_at, verifications.c.id) < value)
    newest_first = (
        select(verifications.c.id)
        .where(*conditions)
        .order_by(verifications.c.created_at.desc(), verifications.c.id.desc())
        .limit(limit)
    )
    ids = (await connection.execute(newest_first)).scalars().all()
    if not ids:
        return []
    listed = select(*_ALL_BUT_DOCUMENT).where(verifications.c.organization_id == organization_id, verifications.c.id.in_(ids))
    rows = {row.id: to_value(StoredVerification, row) for row in await connection.execute(listed)}
    return [rows[id_] for id_ in ids]


def _build_conditions(organization_id: UUID, chosen: VerificationFilter) -> list[ColumnElement[bool]]:
    conditions = [verifications.c.organization_id == organization_id]
    if chosen.since is not None:
        conditions.append(verifications.c.created_at >= chosen.since)
    if chosen.until is not None:
        conditions.append(verifications.c.created_at < chosen.until)
    for name in ("state", "outcome", "jurisdiction", "requested_by"):
        wanted = getattr(chosen, name)
        if wanted is not None:
            conditions.append(verifications.c[name] == wanted)
    if chosen.text is not None:
        # Last, because it is the most expensive condition.
        conditions.append(verifications.c.search_text.contains(fold_text(chosen.text), autoescape=True))
    return conditions


async def complete(
    connection: AsyncConnection, organization_id: UUID, verification_id: UUID, answer: CompletedVerification, now: datetime
) -> bool:
    """Store the result; False when the verification has ended or passed its deadline, and then nothing changes."""
    completed = (
        update(verifications)
        .where(_is_unfinished(organization_id, verification_id), verifications.c.deadline_at > now)
        .values(
            state=VerificationState.COMPLETED,
            document=answer.document.body,
            messages=answer.document.messages,
            outcome=answer.outcome,
            reason=None,
            finished_at=now,
        )
    )
    return (await connection.execute(completed)).rowcount == 1


async def fail(connection: AsyncConnection, organization_id: UUID, verification_id: UUID, reason: Message, now: datetime) -> bool:
    """Store the reason of a failure; False when the verification has ended already, and then nothing changes."""
    failed = (
        update(verifications)
        .where(_is_unfinished(organization_id, verification_id))
        .values(state=VerificationState.FAILED, reason=reason, finished_at=now)
    )
    return (await connection.execute(failed)).rowcount == 1


async def is_any_overdue(store: Store, now: datetime) -> bool:
    """Whether a verification of any organization is past its deadline; cheaper than to list them."""
    return await fetch_row(store, _OVERDUE, {"now": now}) is not None


async def list_overdue(connection: AsyncConnection, now: datetime, limit: int) -> list[StoredVerification]:
    """Unfinished verifications past their deadline, of all organizations, the oldest first."""
    late = (
        select(*_ALL_BUT_DOCUMENT)
        .where(verifications.c.finished_at.is_(None), verifications.c.deadline_at <= now)
        .order_by(verifications.c.deadline_at)
        .limit(limit)
    )
    return [to_value(StoredVerification, row) for row in await connection.execute(late)]


def _has_id(organization_id: UUID, verification_id: UUID) -> ColumnElement[bool]:
    return and_(verifications.c.organization_id == organization_id, verifications.c.id == verification_id)


def _is_unfinished(organization_id: UUID, verification_id: UUID) -> ColumnElement[bool]:
    return and_(_has_id(organization_id, verification_id), verifications.c.finished_at.is_(None))
