"""The outbox: mails that are to be sent, with leases, retries and the log of attempts.

A mail is added in the transaction that moves its organization's position. A worker claims mails for a while; if it neither settles
nor releases them in time, another worker may claim them. So a mail is sent at least once, and every attempt has the same
`Message-ID`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import Row, and_, bindparam, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.accounts.notifications import MailKind
from bonafide.store.database.engine import Store, fetch_value
from bonafide.store.database.rows import to_value
from bonafide.store.database.tables import PENDING_MAIL, MailState, mail_outbox

_IS_DUE = and_(PENDING_MAIL, mail_outbox.c.due_at <= bindparam("now"))
_FIND_DUE = select(mail_outbox.c.id).where(_IS_DUE).limit(1)


@dataclass(frozen=True, slots=True)
class NewMail:
    """A mail to a member about the events after one number up to another. `content` is JSON."""

    user_id: UUID
    kind: MailKind
    after_sequence: int
    until_sequence: int
    content: str


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """A mail as it was when it was read. `attempts` counts the running one; `log` is the JSON of the earlier ones."""

    organization_id: UUID
    id: UUID
    user_id: UUID
    kind: MailKind
    after_sequence: int
    until_sequence: int
    state: MailState
    created_at: datetime
    due_at: datetime
    worker: str | None
    attempts: int
    finished_at: datetime | None
    content: str
    log: str


async def add(connection: AsyncConnection, organization_id: UUID, mails: Sequence[NewMail], now: datetime) -> None:
    """Add mails that are to be sent at once."""
    rows = [
        {
            "organization_id": organization_id,
            "id": uuid4(),
            "user_id": mail.user_id,
            "kind": mail.kind,
            "after_sequence": mail.after_sequence,
            "until_sequence": mail.until_sequence,
            "state": MailState.PENDING,
            "created_at": now,
            "due_at": now,
            "attempts": 0,
            "content": mail.content,
            "log": "[]",
        }
        for mail in mails
    ]
    if rows:
        await connection.execute(insert(mail_outbox), rows)


async def is_any_due(store: Store, now: datetime) -> bool:
    """Whether there is a mail to claim; a cheap read that saves a write in vain."""
    return await fetch_value(store, _FIND_DUE, {"now": now}) is not None


async def claim(
    connection: AsyncConnection, worker: str, now: datetime, lease: timedelta, limit: int, organization_limit: int
) -> list[OutgoingMail]:
    """Claim due mails until the lease ends, at most `organization_limit` of one organization, so that none delays the others."""
    place = func.row_number().over(partition_by=mail_outbox.c.organization_id, order_by=(mail_outbox.c.due_at, mail_outbox.c.id))
    ranked = select(mail_outbox.c.organization_id, mail_outbox.c.id, place.label("place")).where(_IS_DUE).subquery()
    is_ranked = and_(mail_outbox.c.organization_id == ranked.c.organization_id, mail_outbox.c.id == ranked.c.id)
    # A common table expression that locks is evaluated once; a sub-select with LIMIT in WHERE may be evaluated again and lock more.
    due = (
        select(mail_outbox.c.organization_id, mail_outbox.c.id)
        .join(ranked, is_ranked)
        .where(_IS_DUE, ranked.c.place <= organization_limit)
        .order_by(ranked.c.place, mail_outbox.c.due_at, mail_outbox.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True, of=mail_outbox)
        .cte("due")
    )
    claimed = (
        update(mail_outbox)
        .where(mail_outbox.c.organization_id == due.c.organization_id, mail_outbox.c.id == due.c.id)
        .values(worker=worker, due_at=now + lease, attempts=mail_outbox.c.attempts + 1)
        .returning(*mail_outbox.c)
    )
    found = await connection.execute(claimed, {"now": now})
    return sorted((_to_mail(row) for row in found), key=lambda mail: (mail.created_at, mail.id))


async def finish(connection: AsyncConnection, mail: OutgoingMail, state: MailState, now: datetime, log: str) -> bool:
    """Store the final state of a claimed mail; False if the worker's lease has ended and another worker has claimed it."""
    return await _update_held(connection, mail, state=state, finished_at=now, worker=None, log=log)


async def defer(connection: AsyncConnection, mail: OutgoingMail, due_at: datetime, log: str) -> bool:
    """Plan the next attempt of a claimed mail; False as in `finish`."""
    return await _update_held(connection, mail, due_at=due_at, worker=None, log=log)


async def release(connection: AsyncConnection, mail: OutgoingMail, now: datetime) -> bool:
    """Release a claimed mail that was not attempted; the attempt does not count. False as in `finish`."""
    return await _update_held(connection, mail, due_at=now, worker=None, attempts=mail.attempts - 1)


async def _update_held(connection: AsyncConnection, mail: OutgoingMail, **values: Any) -> bool:
    is_held = and_(
        mail_outbox.c.organization_id == mail.organization_id,
        mail_outbox.c.id == mail.id,
        mail_outbox.c.worker == mail.worker,
        mail_outbox.c.attempts == mail.attempts,
        PENDING_MAIL,
    )
    return (await connection.execute(update(mail_outbox).where(is_held).values(**values))).rowcount == 1


async def list_recent(connection: AsyncConnection, organization_id: UUID, limit: int) -> list[OutgoingMail]:
    """The last mails of the organization, newest first."""
    mine = select(mail_outbox).where(mail_outbox.c.organization_id == organization_id)
    found = await connection.execute(mine.order_by(mail_outbox.c.created_at.desc(), mail_outbox.c.id).limit(limit))
    return [_to_mail(row) for row in found]


async def find_oldest_pending(connection: AsyncConnection) -> datetime | None:
    """When the oldest mail of any organization was prepared that has not been sent; None without one."""
    oldest: datetime | None = (
        await connection.execute(select(func.min(mail_outbox.c.created_at)).where(PENDING_MAIL))
    ).scalar_one()
    return oldest


async def purge_finished(connection: AsyncConnection, before: datetime) -> int:
    """Delete mails of all organizations that were finished before then; returns how many."""
    return (await connection.execute(delete(mail_outbox).where(mail_outbox.c.finished_at < before))).rowcount


def _to_mail(row: Row[Any]) -> OutgoingMail:
    return to_value(OutgoingMail, row)
