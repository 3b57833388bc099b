"""Up to which of its events an organization's mail has been prepared.

A position is moved in the transaction that stores the mails for the events in between, and only from the value that was read. So
of two workers that prepare the same mails, one stores them.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.rows import build_insert
from bonafide.store.database.tables import event_heads, mail_positions

_ALERT = func.coalesce(mail_positions.c.alert_position, 0)
_DIGEST = func.coalesce(mail_positions.c.digest_position, 0)


@dataclass(frozen=True, slots=True)
class MailPosition:
    """The positions of one organization, and the number of its last event."""

    organization_id: UUID
    head: int
    alert_position: int
    digest_position: int
    digested_at: datetime | None
    """The time of the last digest; of the first look at the events since digests were turned on; None while they are off."""


async def list_behind(connection: AsyncConnection) -> list[MailPosition]:
    """The organizations with events for which alerts have not been prepared."""
    return await _list_positions(connection, event_heads.c.sequence > _ALERT)


async def list_behind_digest(connection: AsyncConnection) -> list[MailPosition]:
    """The organizations with events that have not been in a digest."""
    return await _list_positions(connection, event_heads.c.sequence > _DIGEST)


async def _list_positions(connection: AsyncConnection, condition: ColumnElement[bool]) -> list[MailPosition]:
    listed = (
        select(
            event_heads.c.organization_id,
            event_heads.c.sequence,
            _ALERT.label("alert_position"),
            _DIGEST.label("digest_position"),
            mail_positions.c.digested_at,
        )
        .select_from(event_heads)
        .outerjoin(mail_positions, mail_positions.c.organization_id == event_heads.c.organization_id)
        .where(condition)
    )
    return [MailPosition(*row) for row in await connection.execute(listed)]


async def move_alert_position(connection: AsyncConnection, seen: MailPosition, position: int) -> bool:
    """Move the position of alerts; False if another worker has moved it since it was read."""
    new = build_insert(connection, mail_positions).values(
        organization_id=seen.organization_id, alert_position=position, digest_position=0, digested_at=None
    )
    moved = new.on_conflict_do_update(
        index_elements=["organization_id"],
        set_={"alert_position": position},
        where=mail_positions.c.alert_position == seen.alert_position,
    )
    return (await connection.execute(moved.returning(mail_positions.c.organization_id))).one_or_none() is not None


async def move_digest_position(
    connection: AsyncConnection, seen: MailPosition, position: int, digested_at: datetime | None
) -> bool:
    """Move the position of digests; False if another worker has moved it since it was read."""
    new = build_insert(connection, mail_positions).values(
        organization_id=seen.organization_id, alert_position=0, digest_position=position, digested_at=digested_at
    )
    is_unchanged = mail_positions.c.digested_at.is_not_distinct_from(seen.digested_at)
    moved = new.on_conflict_do_update(
        index_elements=["organization_id"],
        set_={"digest_position": position, "digested_at": digested_at},
        where=(mail_positions.c.digest_position == seen.digest_position) & is_unchanged,
    )
    return (await connection.execute(moved.returning(mail_positions.c.organization_id))).one_or_none() is not None
