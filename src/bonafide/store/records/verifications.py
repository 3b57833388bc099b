"""Verifications: one row each, with the request, its state, and finally the result document or the reason of the failure.

Documents are text and never parsed. A verification ends once; a second end changes nothing.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Column, ColumnElement, and_, bindparam, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.i18n.message import Message
from bonafide.model.base import StoredDocument
from bonafide.model.verification.results import ResultStatus, VerificationState
from bonafide.store.database.engine import Store, fetch_row
from bonafide.store.database.rows import count_rows, from_row, to_columns, to_value
from bonafide.store.database.tables import verifications

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
UNREAD = frozenset({"document", "messages"})
"""The columns of no `StoredVerification`."""


@dataclass(frozen=True, slots=True)
class NewVerification:
    """A new verification. `request` is the specification as JSON; after `deadline_at` the verification has failed."""

    id: UUID
    request: str
    created_at: datetime
    deadline_at: datetime


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
class VerificationPage:
    """A page of the list, newest first, and the total."""

    verifications: list[StoredVerification]
    total: int


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


async def list_page(connection: AsyncConnection, organization_id: UUID, limit: int, offset: int) -> VerificationPage:
    """The organization's verifications, newest first; those of the same instant have a stable order."""
    own = verifications.c.organization_id == organization_id
    newest_first = (
        select(verifications.c.id)
        .where(own)
        .order_by(verifications.c.created_at.desc(), verifications.c.id.desc())
        .limit(limit)
        .offset(offset)
    )
    ids = (await connection.execute(newest_first)).scalars().all()
    listed = select(*_ALL_BUT_DOCUMENT).where(own, verifications.c.id.in_(ids))
    rows = {row.id: to_value(StoredVerification, row) for row in await connection.execute(listed)} if ids else {}
    return VerificationPage([rows[id_] for id_ in ids], await count_rows(connection, verifications, own))


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
