"""The start page of the console, and the answer for unknown pages."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from bonafide.console.frame.dependencies import Viewer
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import NotFound
from bonafide.model.accounts.users import Permission

router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)
fallback_router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)


@router.get("/")
async def root() -> Response:
    """Whoever opens the service in a browser comes for the console."""
    return RedirectResponse("/console", 303)


@router.get("/console")
async def home(signed_in: Viewer) -> Response:
    """To what a person most likely wants: analysts search, viewers read what was found."""
    return RedirectResponse("/console/search" if signed_in.may(Permission.WORK) else "/console/searches", 303)


@fallback_router.get("/console/{rest:path}")
async def not_found(request: Request, rest: str) -> Response:
    """A page that does not exist. Raises `NotFound`."""
    del request, rest
    raise NotFound("There is nothing at this address.")
