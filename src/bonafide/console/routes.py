"""All routers of the console, in matching order, with the start page and the response for unknown pages."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from bonafide.console.accounts import one_time_links, profile, sign_in
from bonafide.console.alerts import pages as alert_pages
from bonafide.console.businesses import import_export, ownership, records
from bonafide.console.discrepancies import pages as discrepancy_pages
from bonafide.console.events import pages as event_pages
from bonafide.console.frame.console_request import Viewer
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.mail import unsubscribe_page
from bonafide.console.monitoring import pages as monitoring_pages
from bonafide.console.organization import keys, members, provisioning, settings
from bonafide.console.review import queue_page
from bonafide.console.sanctions import dismissals, screening
from bonafide.console.sanctions import history as screening_history
from bonafide.console.searches import history, new_search, results
from bonafide.console.sources import overview
from bonafide.console.verifications import pages
from bonafide.console.webhooks import pages as webhook_pages
from bonafide.errors import NotFound
from bonafide.model.accounts.users import Permission

router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)
fallback_router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)
ROUTERS: tuple[APIRouter, ...] = (
    router,
    sign_in.router,
    one_time_links.router,
    unsubscribe_page.router,
    members.router,
    profile.router,
    overview.router,
    keys.router,
    webhook_pages.router,
    provisioning.router,
    settings.router,
    new_search.router,
    history.router,
    results.router,
    queue_page.router,
    pages.router,
    screening.router,
    screening_history.router,
    dismissals.router,
    discrepancy_pages.router,
    alert_pages.router,
    event_pages.router,
    monitoring_pages.router,
    import_export.router,
    ownership.router,
    records.router,
    fallback_router,
)


@router.get("/")
async def root() -> Response:
    """Redirect browsers that open the root to the console."""
    return RedirectResponse("/console", 303)


@router.get("/console")
async def home(signed_in: Viewer) -> Response:
    """Redirect analysts to the search page and viewers to the search history."""
    return RedirectResponse("/console/search" if signed_in.may(Permission.WORK) else "/console/searches", 303)


@fallback_router.get("/console/{rest:path}")
async def not_found(request: Request, rest: str) -> Response:
    """A page that does not exist. Raises `NotFound`."""
    del request, rest
    raise NotFound
