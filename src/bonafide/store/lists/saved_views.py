"""Saved views: one row each, of one user or shared in the organization."""

from uuid import UUID

from sqlalchemy import ColumnElement, and_, bindparam, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.lists.saved_views import ListName, SavedView
from bonafide.store.database.engine import Store, fetch_rows
from bonafide.store.database.rows import from_row, to_columns, to_value
from bonafide.store.database.schema.console_tables import saved_views

UNREAD = frozenset({"organization_id"})
"""The columns of no `SavedView`."""
_READ = tuple(column for column in saved_views.c if column.name not in UNREAD)
_SELECT_FOR_USER = select(*_READ).where(
    saved_views.c.organization_id == bindparam("organization"),
    saved_views.c.list == bindparam("name"),
    or_(saved_views.c.user_id == bindparam("user"), saved_views.c.user_id.is_(None)),
)


async def add(connection: AsyncConnection, organization_id: UUID, view: SavedView) -> None:
    """Store a view."""
    await connection.execute(insert(saved_views).values(organization_id=organization_id, **to_columns(view)))


async def get(connection: AsyncConnection, organization_id: UUID, view_id: UUID) -> SavedView | None:
    """The view; None if the organization has no such view."""
    row = (await connection.execute(select(*_READ).where(_has_id(organization_id, view_id)))).one_or_none()
    return from_row(SavedView, row)


async def list_for_user(database: AsyncConnection | Store, organization_id: UUID, name: ListName, user_id: UUID) -> list[SavedView]:
    """The views of a list that a user sees, by name: their own and the shared ones."""
    seen = {"organization": organization_id, "name": name, "user": user_id}
    found = [to_value(SavedView, row) for row in await fetch_rows(database, _SELECT_FOR_USER, seen)]
    return sorted(found, key=lambda view: (view.name.casefold(), view.id))


async def count_for_user(connection: AsyncConnection, organization_id: UUID, name: ListName, user_id: UUID | None) -> int:
    """The number of a user's own views of a list; of the shared ones without a user."""
    counted = select(func.count()).select_from(saved_views)
    return (await connection.execute(counted.where(*_of_list(organization_id, name), _belongs_to(user_id)))).scalar_one()


async def clear_default(connection: AsyncConnection, organization_id: UUID, name: ListName, user_id: UUID | None) -> None:
    """Leave a user without a default view of a list; the organization without a shared one if no user is given."""
    mine = update(saved_views).where(*_of_list(organization_id, name), _belongs_to(user_id), saved_views.c.is_default)
    await connection.execute(mine.values(is_default=False))


async def set_default(connection: AsyncConnection, organization_id: UUID, view_id: UUID, *, is_default: bool) -> None:
    """Store whether the list opens with the view. Call `clear_default` before."""
    await connection.execute(update(saved_views).where(_has_id(organization_id, view_id)).values(is_default=is_default))


async def remove(connection: AsyncConnection, organization_id: UUID, view_id: UUID) -> None:
    """Delete a view."""
    await connection.execute(delete(saved_views).where(_has_id(organization_id, view_id)))


def _has_id(organization_id: UUID, view_id: UUID) -> ColumnElement[bool]:
    return and_(saved_views.c.organization_id == organization_id, saved_views.c.id == view_id)


def _of_list(organization_id: UUID, name: ListName) -> tuple[ColumnElement[bool], ...]:
    return saved_views.c.organization_id == organization_id, saved_views.c.list == name


def _belongs_to(user_id: UUID | None) -> ColumnElement[bool]:
    return saved_views.c.user_id.is_(None) if user_id is None else saved_views.c.user_id == user_id
