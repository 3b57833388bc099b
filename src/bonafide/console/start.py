"""The console's front door, and what is answered where it has no page."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from bonafide.console.access import Viewer
from bonafide.console.route import ConsoleRoute
from bonafide.errors import NotFound
from bonafide.model.accounts.users import Permission

router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)
last = APIRouter(include_in_schema=False, route_class=ConsoleRoute)


@router.get("/")
async def root() -> Response:
    """Whoever opens the service in a browser comes for the console."""
    return RedirectResponse("/console", 303)


@router.get("/console")
async def front_door(signed_in: Viewer) -> Response:
    """To what a person most likely wants: analysts search, viewers read what was found."""
    return RedirectResponse("/console/search" if signed_in.may(Permission.WORK) else "/console/searches", 303)


@last.get("/console/{rest:path}")
async def nowhere(request: Request, rest: str) -> Response:
    """A page that does not exist. Raises `NotFound`."""
    del request, rest
    raise NotFound("There is nothing at this address.")
