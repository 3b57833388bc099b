"""Who may see a page: a parameter of one of these types is the person who asks, and refuses everybody else.

A page for analysts answers a viewer with 403, and whoever is not signed in is sent to sign in.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Request

from bonafide.console.visit import NotSignedIn, visit_of
from bonafide.errors import Forbidden, NotFound
from bonafide.model.accounts.users import Permission, SignedIn
from bonafide.runtime import Runtime

WAIT_SHARE = 0.5
"""Of a search's deadline, for which a page waits for its turn."""


def _who_may(permission: Permission) -> Callable[[Request], Awaitable[SignedIn]]:
    async def who(request: Request) -> SignedIn:
        signed_in = visit_of(request).signed_in
        if signed_in is None:
            raise NotSignedIn
        if not signed_in.may(permission):
            raise Forbidden("Your role in this organization does not allow this. An owner can change it.")
        return signed_in

    return who


async def _turn(request: Request) -> AsyncIterator[None]:
    visit = visit_of(request)
    if visit.signed_in is None:
        yield  # will be sent to sign in
        return
    async with visit.runtime.turn(str(visit.signed_in.organization_id), WAIT_SHARE):
        yield


async def _runtime(request: Request) -> Runtime:
    return visit_of(request).runtime


async def _id_in_path(request: Request) -> UUID:
    try:
        return UUID(request.path_params["id"])
    except ValueError:
        raise NotFound("There is nothing at this address.") from None


Viewer = Annotated[SignedIn, Depends(_who_may(Permission.READ))]
"""A parameter: whoever is signed in."""
Analyst = Annotated[SignedIn, Depends(_who_may(Permission.WORK))]
"""A parameter: someone who may search, decide and change records."""
Owner = Annotated[SignedIn, Depends(_who_may(Permission.MANAGE))]
"""A parameter: someone who may manage keys, settings and members."""
IN_TURN = Depends(_turn)
"""Of a route that asks, compares or prints: it waits for its turn among all that do."""
ServedRuntime = Annotated[Runtime, Depends(_runtime)]
PathId = Annotated[UUID, Depends(_id_in_path)]
"""The `{id}` of the path; what is none is a page that does not exist."""
