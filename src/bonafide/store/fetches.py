"""Fetches: a registration that is being looked up, so that of many who wait for it one asks the register and the others do not.

Whoever asks holds the row for a while; if it dies, another takes it when that while is over. What a look-up without a report came
to stays in the row for those who waited. A report itself is an extract, and is not kept here.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.dialect import insert
from bonafide.store.extracts import Registration
from bonafide.store.tables import fetches


@dataclass(frozen=True, slots=True)
class Fetch:
    """Where a fetch stands: who asks until when; or, without a holder, until when nobody is to ask because the register said so.

    `refusals` counts how often it had to be put off. `ending` is what the last look-up came to, if not to a report: of one that was
    put off the reason, of one that is over (`ended_at`) what its holder left.
    """

    holder: UUID | None
    expires_at: datetime
    refusals: int
    ended_at: datetime | None
    ending: str | None


_FETCH = [fetches.c.holder, fetches.c.expires_at, fetches.c.refusals, fetches.c.ended_at, fetches.c.ending]


async def get(connection: AsyncConnection, organization_id: UUID, registration: Registration) -> Fetch | None:
    """The fetch of a registration; None when nobody has asked for it lately."""
    row = (await connection.execute(select(*_FETCH).where(_of(organization_id, registration)))).one_or_none()
    return _fetch(row) if row is not None else None


async def take(
    connection: AsyncConnection, organization_id: UUID, registration: Registration, holder: UUID, now: datetime, until: datetime
) -> bool:
    """Hold the fetch until then; False while it is another's, or the register wants to be left alone."""
    free = or_(fetches.c.expires_at <= now, fetches.c.holder == holder)
    held = (
        insert(connection, fetches)
        .values(
            organization_id=organization_id,
            jurisdiction=registration.jurisdiction,
            number=registration.number,
            holder=holder,
            expires_at=until,
            refusals=0,
        )
        .on_conflict_do_update(
            index_elements=["organization_id", "jurisdiction", "number"],
            set_={"holder": holder, "expires_at": until},
            where=free,
        )
    )
    return (await connection.execute(held.returning(fetches.c.holder))).one_or_none() is not None


async def put_off(
    connection: AsyncConnection, organization_id: UUID, registration: Registration, holder: UUID, until: datetime, reason: str
) -> None:
    """Nobody is to ask before then, for this reason; nothing changes when the fetch is not the holder's any more."""
    values = {"holder": None, "expires_at": until, "refusals": fetches.c.refusals + 1, "ended_at": None, "ending": reason}
    await connection.execute(update(fetches).where(_held(organization_id, registration, holder)).values(values))


async def end(
    connection: AsyncConnection, organization_id: UUID, registration: Registration, holder: UUID, now: datetime, ending: str | None
) -> None:
    """The look-up is over: with a report, or with this ending for all who wait. Nothing changes when it is not the holder's."""
    values = {"holder": None, "expires_at": now, "refusals": 0, "ended_at": now, "ending": ending}
    await connection.execute(update(fetches).where(_held(organization_id, registration, holder)).values(values))


async def give_up(
    connection: AsyncConnection, organization_id: UUID, registration: Registration, holder: UUID, now: datetime
) -> None:
    """Nobody need ask after all; what an earlier look-up came to stays. Nothing changes when the fetch is not the holder's."""
    values = {"holder": None, "expires_at": now}
    await connection.execute(update(fetches).where(_held(organization_id, registration, holder)).values(values))


async def purge_expired(connection: AsyncConnection, before: datetime) -> int:
    """Forget fetches that were over before then, for all organizations at once; returns how many."""
    return (await connection.execute(delete(fetches).where(fetches.c.expires_at < before))).rowcount


def _of(organization_id: UUID, registration: Registration) -> ColumnElement[bool]:
    return and_(
        fetches.c.organization_id == organization_id,
        fetches.c.jurisdiction == registration.jurisdiction,
        fetches.c.number == registration.number,
    )


def _held(organization_id: UUID, registration: Registration, holder: UUID) -> ColumnElement[bool]:
    return and_(_of(organization_id, registration), fetches.c.holder == holder)


def _fetch(row: Row[Any]) -> Fetch:
    return Fetch(**row._mapping)  # noqa: SLF001 - how SQLAlchemy publishes a row's names
