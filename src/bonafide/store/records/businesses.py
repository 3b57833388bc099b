"""Business records: one row each with the record's document, and the numbers under which its registration is known.

Documents are text and never parsed. Writers hold the organization's audit head, so that nothing changes between a check and the
write. Lists filter by indexed columns; only the listed documents are read.
"""

from collections.abc import Collection
from dataclasses import dataclass, fields
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, bindparam, delete, insert, literal, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_record import FeedPosition, VerificationStatus
from bonafide.store.database.engine import Store, fetch_value
from bonafide.store.database.rows import to_columns
from bonafide.store.database.tables import business_numbers, businesses
from bonafide.store.records.searches import fold_text

MAX_SOUGHT_NUMBER, MAX_SOUGHT_ID, MAX_SOUGHT_NAME = 100, 150, 250
"""Characters of each field that are searchable."""


@dataclass(frozen=True, slots=True)
class StoredBusiness:
    """A record's document, with the columns that it is found by."""

    id: UUID
    external_id: str | None
    is_monitored: bool
    is_archived: bool
    updated_at: datetime
    document: str
    sought: str = ""
    """As `build_search_text` makes it."""
    has_discrepancies: bool = False
    jurisdiction: Jurisdiction | None = None
    verification_status: VerificationStatus | None = None


@dataclass(frozen=True, slots=True)
class NaturalKey:
    """A registration: the register, and every accepted spelling of its number."""

    jurisdiction: Jurisdiction
    numbers: frozenset[str]


@dataclass(frozen=True, slots=True)
class FeedFilter:
    """Which records a feed lists; None for all."""

    external_id: str | None = None
    archived: bool | None = None
    monitored: bool | None = None


_STORED = tuple(businesses.c[field.name] for field in fields(StoredBusiness))
UNREAD = frozenset({"organization_id"})
"""The columns of no `StoredBusiness`."""
_IN_ORGANIZATION = businesses.c.organization_id == bindparam("organization_id")
_BY_EXTERNAL_ID = select(literal(1).label("by_external_id"), businesses.c.document).where(
    _IN_ORGANIZATION, businesses.c.external_id == bindparam("external_id")
)
_BY_NUMBER = (
    select(literal(0).label("by_external_id"), businesses.c.document)
    .distinct()
    .join_from(businesses, business_numbers)
    .where(
        business_numbers.c.organization_id == bindparam("organization_id"),
        business_numbers.c.jurisdiction == bindparam("jurisdiction"),
        business_numbers.c.number.in_(bindparam("numbers", expanding=True)),
    )
)
_BY_EITHER = _BY_EXTERNAL_ID.union_all(_BY_NUMBER)
_SELECT_DOCUMENT = select(businesses.c.document).where(_IN_ORGANIZATION, businesses.c.id == bindparam("business"))
_INSERT = insert(businesses)
_INSERT_NUMBERS = insert(business_numbers)
_UPDATE = (
    update(businesses)
    .where(businesses.c.organization_id == bindparam("of"), businesses.c.id == bindparam("business"))
    .values({column: bindparam(column.name) for column in _STORED if column.name != "id"})
)


async def find_matching(
    connection: AsyncConnection, organization_id: UUID, external_id: str | None, key: NaturalKey | None
) -> tuple[str | None, list[str]]:
    """The document of the record with this external id, and those of the records whose registration the key may be."""
    values: dict[str, object] = {"organization_id": organization_id, "external_id": external_id}
    if key is None:
        found = await connection.execute(_BY_EXTERNAL_ID, values)
    else:
        values |= {"jurisdiction": key.jurisdiction, "numbers": sorted(key.numbers)}
        found = await connection.execute(_BY_EITHER, values)
    rows = found.all()
    named = next((row.document for row in rows if row.by_external_id), None)
    return named, [row.document for row in rows if not row.by_external_id]


async def add(connection: AsyncConnection, organization_id: UUID, business: StoredBusiness) -> None:
    """Store a new record."""
    await connection.execute(_INSERT, {"organization_id": organization_id, **to_columns(business)})


async def replace(connection: AsyncConnection, organization_id: UUID, business: StoredBusiness) -> None:
    """Replace a record."""
    values = to_columns(business)
    await connection.execute(_UPDATE, {"of": organization_id, "business": values.pop("id"), **values})


async def set_numbers(connection: AsyncConnection, organization_id: UUID, business_id: UUID, key: NaturalKey | None) -> None:
    """Replace the record's registration numbers."""
    mine = and_(business_numbers.c.organization_id == organization_id, business_numbers.c.business_id == business_id)
    await connection.execute(delete(business_numbers).where(mine))
    await add_numbers(connection, organization_id, business_id, key)


async def add_numbers(connection: AsyncConnection, organization_id: UUID, business_id: UUID, key: NaturalKey | None) -> None:
    """Store the registration numbers of a record that has none yet."""
    if key is not None:
        row = {"organization_id": organization_id, "business_id": business_id, "jurisdiction": key.jurisdiction}
        await connection.execute(_INSERT_NUMBERS, [{**row, "number": number} for number in sorted(key.numbers)])


async def get(database: AsyncConnection | Store, organization_id: UUID, business_id: UUID) -> str | None:
    """The document of a record; None when the organization has no such record."""
    document: str | None = await fetch_value(
        database, _SELECT_DOCUMENT, {"organization_id": organization_id, "business": business_id}
    )
    return document


async def list_known_ids(connection: AsyncConnection, organization_id: UUID, business_ids: Collection[UUID]) -> set[UUID]:
    """Those of the IDs that are records of the organization."""
    known = select(businesses.c.id).where(businesses.c.organization_id == organization_id, businesses.c.id.in_(business_ids))
    return set((await connection.execute(known)).scalars())


async def list_changes(
    connection: AsyncConnection, organization_id: UUID, chosen: FeedFilter, after: FeedPosition | None, limit: int
) -> list[StoredBusiness]:
    """The records that come after a position, oldest change first."""
    conditions = [businesses.c.organization_id == organization_id]
    if after is not None:
        place = tuple_(literal(after.updated_at, businesses.c.updated_at.type), literal(after.id, businesses.c.id.type))
        conditions.append(tuple_(businesses.c.updated_at, businesses.c.id) > place)
    if chosen.external_id is not None:
        conditions.append(businesses.c.external_id == chosen.external_id)
    if chosen.archived is not None:
        conditions.append(businesses.c.is_archived == chosen.archived)
    if chosen.monitored is not None:
        conditions.append(businesses.c.is_monitored == chosen.monitored)
    listed = select(*_STORED).where(*conditions).order_by(businesses.c.updated_at, businesses.c.id).limit(limit)
    return [StoredBusiness(*row) for row in await connection.execute(listed)]


def build_search_text(number: str | None, external_id: str | None, name: str | None) -> str:
    """The folded search text of a record, cut to what an index of PostgreSQL accepts (2700 bytes in all)."""
    given = ((number, MAX_SOUGHT_NUMBER), (external_id, MAX_SOUGHT_ID), (name, MAX_SOUGHT_NAME))
    return "\n".join(fold_text(text)[:most] if text is not None else "" for text, most in given)


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Which records are listed; None for all. `text` is part of a name, an external id or a registration number."""

    text: str | None = None
    archived: bool | None = None
    monitored: bool | None = None
    discrepancies: bool | None = None
    jurisdiction: Jurisdiction | None = None
    verification: VerificationStatus | None = None
    since: datetime | None = None
    until: datetime | None = None
    """Last changed at `since` or later, and before `until`."""


async def list_page(
    connection: AsyncConnection, organization_id: UUID, chosen: RecordFilter, limit: int, place: FeedPosition | None
) -> list[str]:
    """The documents of the last changed records, or of those changed before this position, newest change first."""
    conditions = _build_conditions(organization_id, chosen)
    if place is not None:
        value = tuple_(literal(place.updated_at, businesses.c.updated_at.type), literal(place.id, businesses.c.id.type))
        conditions.append(tuple_(businesses.c.updated_at, businesses.c.id) < value)
    listed = select(businesses.c.document).where(*conditions)
    newest_first = listed.order_by(businesses.c.updated_at.desc(), businesses.c.id.desc()).limit(limit)
    return list((await connection.execute(newest_first)).scalars())


async def list_ids(connection: AsyncConnection, organization_id: UUID, chosen: RecordFilter, limit: int) -> list[UUID]:
    """The IDs of the last changed records, newest change first."""
    listed = select(businesses.c.id).where(*_build_conditions(organization_id, chosen))
    newest_first = listed.order_by(businesses.c.updated_at.desc(), businesses.c.id.desc()).limit(limit)
    return list((await connection.execute(newest_first)).scalars())


async def list_after(
    connection: AsyncConnection, organization_id: UUID, chosen: RecordFilter, after: UUID | None, limit: int
) -> list[tuple[UUID, str]]:
    """The ids and documents of the records after one, in the order of their ids, which no change moves."""
    mine = _build_conditions(organization_id, chosen)
    if after is not None:
        mine.append(businesses.c.id > after)
    listed = select(businesses.c.id, businesses.c.document).where(*mine).order_by(businesses.c.id).limit(limit)
    return [(row.id, row.document) for row in await connection.execute(listed)]


def _build_conditions(organization_id: UUID, chosen: RecordFilter) -> list[ColumnElement[bool]]:
    conditions = [businesses.c.organization_id == organization_id]
    if chosen.archived is not None:
        conditions.append(businesses.c.is_archived == chosen.archived)
    if chosen.monitored is not None:
        conditions.append(businesses.c.is_monitored == chosen.monitored)
    if chosen.discrepancies is not None:
        conditions.append(businesses.c.has_discrepancies == chosen.discrepancies)
    if chosen.jurisdiction is not None:
        conditions.append(businesses.c.jurisdiction == chosen.jurisdiction)
    if chosen.verification is not None:
        conditions.append(businesses.c.verification_status == chosen.verification)
    if chosen.since is not None:
        conditions.append(businesses.c.updated_at >= chosen.since)
    if chosen.until is not None:
        conditions.append(businesses.c.updated_at < chosen.until)
    if chosen.text is not None:
        conditions.append(businesses.c.sought.contains(fold_text(chosen.text), autoescape=True))
    return conditions
