"""Locks on registrations that are being looked up, so that one process queries the register for all that wait.

The holder has the row for a limited time; then another process may take it. The outcome of a lookup without a report stays in the
row for those who wait.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.store.database.dialect import insert
from bonafide.store.database.rows import from_row, list_fields
from bonafide.store.database.tables import fetches
from bonafide.store.records.extracts import RegistrationKey


@dataclass(frozen=True, slots=True)
class RegistryLookupLock:
    """Where a fetch stands: who asks until when; or, without a holder, until when nobody is to ask because the register said so.

    `refusals` counts how often it had to be put off. `ending` is what the last look-up came to, if not to a report: of one that was
    put off the reason, of one that is over (`ended_at`) what its holder left.
    """

    holder: UUID | None
    expires_at: datetime
    refusals: int
    ended_at: datetime | None
    ending: str | None


_LOCK_COLUMNS = [fetches.c[name] for name in list_fields(RegistryLookupLock)]


async def get(connection: AsyncConnection, organization_id: UUID, registration: RegistrationKey) -> RegistryLookupLock | None:
    """The fetch of a registration; None when nobody has asked for it lately."""
    mine = select(*_LOCK_COLUMNS).where(_is_for_registration(organization_id, registration))
    return from_row(RegistryLookupLock, (await connection.execute(mine)).one_or_none())


async def acquire(
    connection: AsyncConnection, organization_id: UUID, registration: RegistrationKey, holder: UUID, now: datetime, until: datetime
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


async def defer(
    connection: AsyncConnection, organization_id: UUID, registration: RegistrationKey, holder: UUID, until: datetime, reason: str
) -> None:
    """Nobody is to ask before then, for this reason; nothing changes when the fetch is not the holder's any more."""
    values = {"holder": None, "expires_at": until, "refusals": fetches.c.refusals + 1, "ended_at": None, "ending": reason}
    await connection.execute(update(fetches).where(_is_held(organization_id, registration, holder)).values(values))


async def complete(
    connection: AsyncConnection,
    organization_id: UUID,
    registration: RegistrationKey,
    holder: UUID,
    now: datetime,
    ending: str | None,
) -> None:
    """The look-up is over: with a report, or with this ending for all who wait. Nothing changes when it is not the holder's."""
    values = {"holder": None, "expires_at": now, "refusals": 0, "ended_at": now, "ending": ending}
    await connection.execute(update(fetches).where(_is_held(organization_id, registration, holder)).values(values))


async def release(
    connection: AsyncConnection, organization_id: UUID, registration: RegistrationKey, holder: UUID, now: datetime
) -> None:
    """Nobody need ask after all; what an earlier look-up came to stays. Nothing changes when the fetch is not the holder's."""
    values = {"holder": None, "expires_at": now}
    await connection.execute(update(fetches).where(_is_held(organization_id, registration, holder)).values(values))


async def purge_expired(connection: AsyncConnection, before: datetime) -> int:
    """Forget fetches that were over before then, for all organizations at once; returns how many."""
    return (await connection.execute(delete(fetches).where(fetches.c.expires_at < before))).rowcount


def _is_for_registration(organization_id: UUID, registration: RegistrationKey) -> ColumnElement[bool]:
    return and_(
        fetches.c.organization_id == organization_id,
        fetches.c.jurisdiction == registration.jurisdiction,
        fetches.c.number == registration.number,
    )


def _is_held(organization_id: UUID, registration: RegistrationKey, holder: UUID) -> ColumnElement[bool]:
    return and_(_is_for_registration(organization_id, registration), fetches.c.holder == holder)
