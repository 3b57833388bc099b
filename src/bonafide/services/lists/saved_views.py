"""Save filters of lists as views, list them, and choose the default one.

A view is of one person or shared in the organization. Everybody sees the shared views; analysts save them, and whoever saved one
and the owners change it. Changes of shared views are recorded in the audit log.
"""

from uuid import UUID, uuid4

from pydantic import JsonValue

from bonafide.errors import Conflict, Forbidden, NotFound
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import Permission, SignedIn
from bonafide.model.lists.saved_views import MAX_VIEW_QUERY_CHARACTERS, ListName, SavedView, SavedViewForm
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.runtime import Runtime
from bonafide.store.database.engine import Connection
from bonafide.store.lists import saved_views
from bonafide.store.tenants import audit_log

MAX_VIEWS = 50
"""Views of one list that a person, or the organization, may have."""
_FIELD = "savedView"
"""The field of the audit log."""


async def list_views(runtime: Runtime, signed_in: SignedIn, name: ListName) -> list[SavedView]:
    """The views of a list that the person sees, by name."""
    return await saved_views.list_for_user(runtime.store, signed_in.organization_id, name, signed_in.user.id)


async def save_view(
    runtime: Runtime, signed_in: SignedIn, name: ListName, query: str, form: SavedViewForm, author: Author
) -> SavedView:
    """Save a filter as a view. Raises `Forbidden` for a shared view of a viewer, and `Conflict` beyond `MAX_VIEWS`."""
    if form.is_shared and not signed_in.may(Permission.WORK):
        raise Forbidden(Message("Your role in this organization doesn’t allow this. An owner can change your role."))
    if len(query) > MAX_VIEW_QUERY_CHARACTERS:
        raise Conflict(Message("The filter is too long to save."))
    owner = None if form.is_shared else signed_in.user.id
    organization_id = signed_in.organization_id
    view = SavedView(uuid4(), name, owner, form.name, query, form.is_default, runtime.clock(), signed_in.user.email)
    async with runtime.store.write() as connection:
        if await saved_views.count_for_user(connection, organization_id, name, owner) >= MAX_VIEWS:
            raise Conflict(Message("There are {n} saved views of this list already. Delete one first.", n=MAX_VIEWS))
        if view.is_default:
            await saved_views.clear_default(connection, organization_id, name, owner)
        await saved_views.add(connection, organization_id, view)
        await _record_change(runtime, connection, organization_id, None, view, author)
    return view


async def set_default_view(runtime: Runtime, signed_in: SignedIn, view_id: UUID, author: Author, *, is_default: bool) -> SavedView:
    """Choose whether the list opens with the view. Raises `NotFound` and `Forbidden`."""
    organization_id = signed_in.organization_id
    async with runtime.store.write() as connection:
        view = await _find_own_view(connection, signed_in, view_id)
        await saved_views.clear_default(connection, organization_id, view.list, view.user_id)
        await saved_views.set_default(connection, organization_id, view_id, is_default=is_default)
        changed = SavedView(view.id, view.list, view.user_id, view.name, view.query, is_default, view.created_at, view.created_by)
        await _record_change(runtime, connection, organization_id, view, changed, author)
    return changed


async def delete_view(runtime: Runtime, signed_in: SignedIn, view_id: UUID, author: Author) -> SavedView:
    """Delete a view, and return it. Raises `NotFound` and `Forbidden`."""
    async with runtime.store.write() as connection:
        view = await _find_own_view(connection, signed_in, view_id)
        await saved_views.remove(connection, signed_in.organization_id, view_id)
        await _record_change(runtime, connection, signed_in.organization_id, view, None, author)
    return view


def may_change_view(signed_in: SignedIn, view: SavedView) -> bool:
    """Whether the person may change the view: their own, one that they have shared, and as an owner any shared one."""
    if view.user_id is not None:
        return view.user_id == signed_in.user.id
    is_creator = view.created_by == signed_in.user.email and signed_in.may(Permission.WORK)
    return is_creator or signed_in.may(Permission.MANAGE)


async def _find_own_view(connection: Connection, signed_in: SignedIn, view_id: UUID) -> SavedView:
    view = await saved_views.get(connection, signed_in.organization_id, view_id)
    # The view of another person is as unknown as one that does not exist.
    if view is None or view.user_id not in {None, signed_in.user.id}:
        raise NotFound(Message("We couldn’t find that view."))
    if not may_change_view(signed_in, view):
        raise Forbidden(Message("Only an owner, or the person who shared this view, can change it."))
    return view


async def _record_change(
    runtime: Runtime, connection: Connection, organization_id: UUID, old: SavedView | None, new: SavedView | None, author: Author
) -> None:
    """Record the change of a shared view; those of personal ones are not recorded."""
    view = new if new is not None else old
    if view is None or view.user_id is not None or old == new:
        return
    ledger = await audit_log.lock_head(connection, organization_id)
    change = FieldChange(_FIELD, _describe(old), _describe(new))
    entry = audit_log.AuditChange(view.id, ledger.next_instant(runtime.clock()), author, [change])
    await audit_log.record_change(connection, organization_id, ledger, entry)


def _describe(view: SavedView | None) -> JsonValue:
    if view is None:
        return None
    return {"list": view.list.value, "name": view.name, "query": view.query, "isDefault": view.is_default}
