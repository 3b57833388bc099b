"""What registers published of registrations when an organization asked (extracts), and locks on those being looked up.

Documents of extracts are JSON text and never parsed; each is kept and none is changed. Raw evidence is in the file store. A lock
lets one process query the register for all that wait: the holder has the row for a limited time, then another process may take it.
The outcome of a lookup without a report stays in the row for those who wait.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.base import StoredDocument
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.store.database.rows import build_insert, from_row, list_fields, to_columns
from bonafide.store.database.tables import extracts, fetches


@dataclass(frozen=True, slots=True)
class RegistrationKey:
    """Which registration: `number` is a key of the number (`matching/identifiers`), the same for all its spellings."""

    jurisdiction: Jurisdiction
    number: str


@dataclass(frozen=True, slots=True)
class NewExtract:
    """A new extract; `obtained_at` is when it was made for the organization."""

    id: UUID
    registration: RegistrationKey
    obtained_at: datetime
    document: StoredDocument


async def insert_extract(connection: AsyncConnection, organization_id: UUID, extract: NewExtract) -> None:
    """Store an extract."""
    registration = to_columns(extract.registration)
    new = {
        "id": extract.id,
        "obtained_at": extract.obtained_at,
        "document": extract.document.body,
        "messages": extract.document.messages,
        **registration,
    }
    await connection.execute(insert(extracts).values(organization_id=organization_id, **new))


async def get_newest_extract(
    connection: AsyncConnection, organization_id: UUID, registration: RegistrationKey, since: datetime
) -> StoredDocument | None:
    """The document of the organization's newest extract of a registration; None when it has none that was made since then."""
    query = (
        select(extracts.c.document, extracts.c.messages)
        .where(
            extracts.c.organization_id == organization_id,
            extracts.c.jurisdiction == registration.jurisdiction,
            extracts.c.number == registration.number,
            extracts.c.obtained_at >= since,
        )
        .order_by(extracts.c.obtained_at.desc())
        .limit(1)
    )
    row = (await connection.execute(query)).one_or_none()
    return StoredDocument(*row) if row is not None else None


async def get_extract(connection: AsyncConnection, organization_id: UUID, extract_id: UUID) -> StoredDocument | None:
    """The document of an extract."""
    columns = (extracts.c.document, extracts.c.messages)
    query = select(*columns).where(extracts.c.organization_id == organization_id, extracts.c.id == extract_id)
    row = (await connection.execute(query)).one_or_none()
    return StoredDocument(*row) if row is not None else None


@dataclass(frozen=True, slots=True)
class RegistryLookupLock:
    """The lock of a lookup: its holder and expiry; without a holder, until when the register must not be queried.

    `refusals` counts how often it was deferred. `ending` is the outcome of the last lookup without a report: the reason of a
    deferred one, the outcome of one that has ended (`ended_at`).
    """

    holder: UUID | None
    expires_at: datetime
    refusals: int
    ended_at: datetime | None
    ending: str | None


_LOCK_COLUMNS = [fetches.c[name] for name in list_fields(RegistryLookupLock)]


async def get_lock(connection: AsyncConnection, organization_id: UUID, registration: RegistrationKey) -> RegistryLookupLock | None:
    """The lock of a registration; None when it was not looked up recently."""
    mine = select(*_LOCK_COLUMNS).where(_is_for_registration(organization_id, registration))
    return from_row(RegistryLookupLock, (await connection.execute(mine)).one_or_none())


async def acquire_lock(
    connection: AsyncConnection, organization_id: UUID, registration: RegistrationKey, holder: UUID, now: datetime, until: datetime
) -> bool:
    """Acquire the lock until then; False while another process holds it, or the register must not be queried."""
    free = or_(fetches.c.expires_at <= now, fetches.c.holder == holder)
    held = (
        build_insert(connection, fetches)
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


async def defer_lookup(
    connection: AsyncConnection, organization_id: UUID, registration: RegistrationKey, holder: UUID, until: datetime, reason: str
) -> None:
    """Defer lookups until then, for this reason; nothing changes when the lock was lost."""
    values = {"holder": None, "expires_at": until, "refusals": fetches.c.refusals + 1, "ended_at": None, "ending": reason}
    await connection.execute(update(fetches).where(_is_held(organization_id, registration, holder)).values(values))


async def complete_lookup(
    connection: AsyncConnection,
    organization_id: UUID,
    registration: RegistrationKey,
    holder: UUID,
    now: datetime,
    ending: str | None,
) -> None:
    """End the lookup: with a report, or with this outcome for all waiting verifications. Nothing changes when the lock was lost."""
    values = {"holder": None, "expires_at": now, "refusals": 0, "ended_at": now, "ending": ending}
    await connection.execute(update(fetches).where(_is_held(organization_id, registration, holder)).values(values))


async def release_lock(
    connection: AsyncConnection, organization_id: UUID, registration: RegistrationKey, holder: UUID, now: datetime
) -> None:
    """Release the lock without a lookup; the earlier outcome stays. Nothing changes when the lock was lost."""
    values = {"holder": None, "expires_at": now}
    await connection.execute(update(fetches).where(_is_held(organization_id, registration, holder)).values(values))


async def purge_locks(connection: AsyncConnection, before: datetime) -> int:
    """Delete the locks that ended before then, of all organizations; returns how many."""
    return (await connection.execute(delete(fetches).where(fetches.c.expires_at < before))).rowcount


def _is_for_registration(organization_id: UUID, registration: RegistrationKey) -> ColumnElement[bool]:
    return and_(
        fetches.c.organization_id == organization_id,
        fetches.c.jurisdiction == registration.jurisdiction,
        fetches.c.number == registration.number,
    )


def _is_held(organization_id: UUID, registration: RegistrationKey, holder: UUID) -> ColumnElement[bool]:
    return and_(_is_for_registration(organization_id, registration), fetches.c.holder == holder)
