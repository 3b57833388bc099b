"""Dismissed hits: one row each, found by the subject that was screened, and ended rather than deleted.

Documents are text and never parsed.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, bindparam, insert, literal, or_, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.records.business_record import FeedPosition
from bonafide.store.database.engine import Store, fetch_row
from bonafide.store.database.rows import list_documents, to_columns, to_value
from bonafide.store.database.tables import WITH_EXPIRY, dismissals
from bonafide.store.records.businesses import MAX_SOUGHT_NAME
from bonafide.store.records.searches import fold_text


@dataclass(frozen=True, slots=True)
class DismissedParty:
    """What was dismissed: the key of the subject, the party by its list and key, and the business, if it is limited to one."""

    subject: str
    source: str
    entry_id: str
    business_id: UUID | None


@dataclass(frozen=True, slots=True)
class NewDismissal:
    """A new dismissal. It holds until `ends_at`; None means without end."""

    id: UUID
    party: DismissedParty
    dismissed_at: datetime
    ends_at: datetime | None
    document: str
    dismissed_by: str = ""
    search_text: str = ""
    """As `build_search_text` makes it."""


@dataclass(frozen=True, slots=True)
class DismissalFilter:
    """Which dismissals are listed; None for all. `active` are those not revoked that end after `now`.

    `text` is part of the name of the subject or of the party. They were made at `since` or later, and before `until`.
    """

    active: bool | None
    source: str | None
    now: datetime
    text: str | None = None
    dismissed_by: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class DueExpiry:
    """A dismissal of any organization whose expiry is to be recorded."""

    organization_id: UUID
    id: UUID


_DUE_EXPIRY = select(dismissals.c.id).where(WITH_EXPIRY, dismissals.c.expiry_due_at <= bindparam("now")).limit(1)


async def add(connection: AsyncConnection, organization_id: UUID, dismissal: NewDismissal) -> None:
    """Store a dismissal."""
    values = to_columns(dismissal)
    party = to_columns(values.pop("party"))
    values["expiry_due_at"] = dismissal.ends_at
    await connection.execute(insert(dismissals).values(organization_id=organization_id, **party, **values))


async def revoke(connection: AsyncConnection, organization_id: UUID, dismissal_id: UUID, document: str, now: datetime) -> None:
    """End a dismissal; its document names the person."""
    mine = _has_id(organization_id, dismissal_id)
    await connection.execute(update(dismissals).where(mine).values(revoked_at=now, expiry_due_at=None, document=document))


async def get(connection: AsyncConnection, organization_id: UUID, dismissal_id: UUID) -> str | None:
    """The document of a dismissal; None when the organization has no such dismissal."""
    found = await connection.execute(select(dismissals.c.document).where(_has_id(organization_id, dismissal_id)))
    return found.scalar_one_or_none()


async def list_for_party(connection: AsyncConnection, organization_id: UUID, party: DismissedParty) -> list[str]:
    """The documents of all dismissals of this party that were not revoked, including expired ones."""
    same_business = (
        dismissals.c.business_id.is_(None) if party.business_id is None else dismissals.c.business_id == party.business_id
    )
    mine = (
        *_build_unrevoked_conditions(organization_id, party.subject),
        dismissals.c.source == party.source,
        dismissals.c.entry_id == party.entry_id,
        same_business,
    )
    return list((await connection.execute(select(dismissals.c.document).where(*mine))).scalars())


async def list_for_subject(
    connection: AsyncConnection, organization_id: UUID, subject: str, business_id: UUID | None, now: datetime
) -> list[str]:
    """The documents of the active dismissals of a subject, newest first: general ones and those of this business."""
    anyone = dismissals.c.business_id.is_(None)
    whose = anyone if business_id is None else or_(anyone, dismissals.c.business_id == business_id)
    mine = (*_build_unrevoked_conditions(organization_id, subject), _is_unexpired(now), whose)
    found = select(dismissals.c.document).where(*mine).order_by(dismissals.c.dismissed_at.desc(), dismissals.c.id)
    return list((await connection.execute(found)).scalars())


async def list_page(
    connection: AsyncConnection, organization_id: UUID, chosen: DismissalFilter, limit: int, offset: int
) -> tuple[list[str], int]:
    """The documents of a page of dismissals, newest first, and how many there are in all."""
    newest_first = (dismissals.c.dismissed_at.desc(), dismissals.c.id.desc())
    return await list_documents(connection, dismissals, _build_conditions(organization_id, chosen), newest_first, limit, offset)


async def list_older(
    connection: AsyncConnection, organization_id: UUID, chosen: DismissalFilter, limit: int, place: FeedPosition | None
) -> list[str]:
    """The documents of the newest dismissals, or of the newest that are older than this position, newest first."""
    conditions = _build_conditions(organization_id, chosen)
    if place is not None:
        value = tuple_(literal(place.updated_at, dismissals.c.dismissed_at.type), literal(place.id, dismissals.c.id.type))
        conditions.append(tuple_(dismissals.c.dismissed_at, dismissals.c.id) < value)
    listed = select(dismissals.c.document).where(*conditions)
    newest_first = listed.order_by(dismissals.c.dismissed_at.desc(), dismissals.c.id.desc()).limit(limit)
    return list((await connection.execute(newest_first)).scalars())


async def list_for_subjects(
    connection: AsyncConnection, organization_id: UUID, subjects: Collection[str], now: datetime
) -> list[tuple[DismissedParty, str]]:
    """The active dismissals of these subjects with their documents, the oldest first."""
    columns = (dismissals.c.subject, dismissals.c.source, dismissals.c.entry_id, dismissals.c.business_id, dismissals.c.document)
    mine = (
        dismissals.c.organization_id == organization_id,
        dismissals.c.subject.in_(subjects),
        dismissals.c.revoked_at.is_(None),
        _is_unexpired(now),
    )
    found = await connection.execute(select(*columns).where(*mine).order_by(dismissals.c.dismissed_at))
    return [(to_value(DismissedParty, row), row.document) for row in found]


def build_search_text(subject: str, party: str) -> str:
    """The folded names of a dismissal, cut to what an index of PostgreSQL accepts (2700 bytes in all)."""
    return "\n".join(fold_text(name)[:MAX_SOUGHT_NAME] for name in (subject, party))


def _build_conditions(organization_id: UUID, chosen: DismissalFilter) -> list[ColumnElement[bool]]:
    conditions = [dismissals.c.organization_id == organization_id]
    active = and_(dismissals.c.revoked_at.is_(None), _is_unexpired(chosen.now))
    if chosen.active is not None:
        conditions.append(active if chosen.active else ~active)
    if chosen.source is not None:
        conditions.append(dismissals.c.source == chosen.source)
    if chosen.dismissed_by is not None:
        conditions.append(dismissals.c.dismissed_by == chosen.dismissed_by)
    if chosen.since is not None:
        conditions.append(dismissals.c.dismissed_at >= chosen.since)
    if chosen.until is not None:
        conditions.append(dismissals.c.dismissed_at < chosen.until)
    if chosen.text is not None:
        conditions.append(dismissals.c.search_text.contains(fold_text(chosen.text), autoescape=True))
    return conditions


async def is_any_expiry_due(store: Store, now: datetime) -> bool:
    """Whether the expiry of a dismissal of any organization is to be recorded; cheaper than to list them."""
    return await fetch_row(store, _DUE_EXPIRY, {"now": now}) is not None


async def list_due_expiries(connection: AsyncConnection, now: datetime, limit: int) -> list[DueExpiry]:
    """The dismissals of all organizations whose expiry is to be recorded, the earliest first."""
    due = (
        select(dismissals.c.organization_id, dismissals.c.id)
        .where(WITH_EXPIRY, dismissals.c.expiry_due_at <= now)
        .order_by(dismissals.c.expiry_due_at)
        .limit(limit)
    )
    return [to_value(DueExpiry, row) for row in await connection.execute(due)]


async def settle_expiry(connection: AsyncConnection, organization_id: UUID, dismissal_id: UUID, now: datetime) -> bool:
    """Store that the expiry of a dismissal is recorded; False if another worker has recorded it, or if it was revoked."""
    mine = and_(_has_id(organization_id, dismissal_id), dismissals.c.expiry_due_at <= now)
    return (await connection.execute(update(dismissals).where(mine).values(expiry_due_at=None))).rowcount == 1


def _has_id(organization_id: UUID, dismissal_id: UUID) -> ColumnElement[bool]:
    return and_(dismissals.c.organization_id == organization_id, dismissals.c.id == dismissal_id)


def _build_unrevoked_conditions(organization_id: UUID, subject: str) -> tuple[ColumnElement[bool], ...]:
    return (
        dismissals.c.organization_id == organization_id,
        dismissals.c.subject == subject,
        dismissals.c.revoked_at.is_(None),
    )


def _is_unexpired(now: datetime) -> ColumnElement[bool]:
    return or_(dismissals.c.ends_at.is_(None), dismissals.c.ends_at > now)
