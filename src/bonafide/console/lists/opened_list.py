"""Open a list: its filter, the saved views of the person, and the people that it may be filtered by."""

from dataclasses import dataclass
from urllib.parse import parse_qsl

from fastapi import Request

from bonafide.console.frame.console_request import ConsoleRequest, get_console_request
from bonafide.console.lists.list_filter import ListDefinition, ListQuery
from bonafide.model.accounts.users import SignedIn
from bonafide.model.lists.saved_views import SavedView
from bonafide.services.accounts.members import list_member_emails
from bonafide.services.lists.saved_views import list_views, may_change_view


@dataclass(frozen=True, slots=True)
class ShownView:
    """A saved view with the address of the list that it shows."""

    view: SavedView
    address: str
    is_current: bool
    may_change: bool


@dataclass(frozen=True, slots=True)
class OpenedList:
    """A list as it was opened. A list opens with `default_address` if the address names neither a filter nor a view."""

    chosen: ListQuery
    views: tuple[ShownView, ...]
    people: tuple[str, ...]
    default_address: str | None = None

    @property
    def reset_address(self) -> str:
        """The address of the list without a filter."""
        has_default = any(one.view.is_default for one in self.views)
        return self.chosen.all_address if has_default else self.chosen.definition.address


async def open_list(request: Request, signed_in: SignedIn, definition: ListDefinition) -> OpenedList:
    """The list as the request opens it."""
    visit = get_console_request(request)
    chosen = definition.parse(request.query_params, visit.time_zone)
    found = await list_views(visit.runtime, signed_in, definition.name)
    views = tuple(_show_view(visit, signed_in, view, chosen) for view in found)
    people = await list_member_emails(visit.runtime, signed_in.organization_id) if definition.has_person else []
    default = _find_default(views) if not request.query_params and request.method == "GET" else None
    return OpenedList(chosen, views, tuple(people), default.address if default is not None else None)


def _show_view(visit: ConsoleRequest, signed_in: SignedIn, view: SavedView, chosen: ListQuery) -> ShownView:
    definition = chosen.definition
    # The definition of the list may have changed since the view was saved.
    query = definition.parse(dict(parse_qsl(view.query)), visit.time_zone)
    address = ListQuery(definition, query.values, view=str(view.id)).build_address()
    is_current = chosen.view == str(view.id) and chosen.values == query.values
    return ShownView(view, address, is_current, may_change_view(signed_in, view))


def _find_default(views: tuple[ShownView, ...]) -> ShownView | None:
    """The person's own default view, else the shared one."""
    defaults = [one for one in views if one.view.is_default]
    return next((one for one in defaults if one.view.user_id is not None), defaults[0] if defaults else None)
