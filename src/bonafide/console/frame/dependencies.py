"""Parameters of handlers: the signed-in person by permission, the runtime, the path id, the author of a change.

A page for analysts answers a viewer with 403, and redirects visitors who are not signed in to the sign-in page.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Request

from bonafide.console.frame.console_request import NotSignedIn, get_console_request
from bonafide.console.frame.parameters import parse_uuid
from bonafide.errors import Forbidden, NotFound
from bonafide.model.accounts.users import Permission, SignedIn
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.web.request_context import get_request_context

WAIT_SHARE = 0.5
"""Of a search's deadline, for which a page waits for its turn."""


def _require_permission(permission: Permission) -> Callable[[Request], Awaitable[SignedIn]]:
    async def who(request: Request) -> SignedIn:
        signed_in = get_console_request(request).signed_in
        if signed_in is None:
            raise NotSignedIn
        check_permission(signed_in, permission)
        return signed_in

    return who


def check_permission(signed_in: SignedIn, permission: Permission) -> None:
    """Raises `Forbidden` unless the person's role in the organization has the permission."""
    if not signed_in.may(permission):
        raise Forbidden("Your role in this organization does not allow this. An owner can change it.")


async def _wait_for_slot(request: Request) -> AsyncIterator[None]:
    visit = get_console_request(request)
    if visit.signed_in is None:
        yield  # will be sent to sign in
        return
    async with visit.runtime.hold_work_slot(str(visit.signed_in.organization_id), WAIT_SHARE):
        yield


async def _get_runtime(request: Request) -> Runtime:
    return get_console_request(request).runtime


async def _parse_path_id(request: Request) -> UUID:
    found = parse_uuid(request.path_params["id"])
    if found is None:
        raise NotFound("There is nothing at this address.")
    return found


Viewer = Annotated[SignedIn, Depends(_require_permission(Permission.READ))]
"""A parameter: whoever is signed in."""
Analyst = Annotated[SignedIn, Depends(_require_permission(Permission.WORK))]
"""A parameter: someone who may search, decide and change records."""
Owner = Annotated[SignedIn, Depends(_require_permission(Permission.MANAGE))]
"""A parameter: someone who may manage keys, settings and members."""
LIMITED_WORK = Depends(_wait_for_slot)
"""Of a route that asks, compares or prints: it waits for its turn among all that do."""
ServedRuntime = Annotated[Runtime, Depends(_get_runtime)]
PathId = Annotated[UUID, Depends(_parse_path_id)]
"""The `{id}` of the path; what is none is a page that does not exist."""


def build_author(request: Request, signed_in: SignedIn) -> Author:
    """The person by e-mail, and the request."""
    return Author(signed_in.user.email, get_request_context(request.scope).request_id)
