"""All routers of the console, in matching order, with the start page and the response for unknown pages."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from bonafide.console.accounts import one_time_links, profile, sign_in
from bonafide.console.alerts import pages as alert_pages
from bonafide.console.batches import pages as batch_pages
from bonafide.console.businesses import erasure, import_export, legal_hold, ownership, record_list, records
from bonafide.console.cases import case_page, policy_page, timeline_page
from bonafide.console.cases import queue_page as case_queue_page
from bonafide.console.discrepancies import pages as discrepancy_pages
from bonafide.console.events import pages as event_pages
from bonafide.console.frame.console_request import Viewer
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.lists import exports, find_page, views
from bonafide.console.mail import unsubscribe_page
from bonafide.console.manual_checks import pages as manual_check_pages
from bonafide.console.monitoring import pages as monitoring_pages
from bonafide.console.organization import keys, members, provisioning, retention, settings, settings_history
from bonafide.console.overview import pages as overview_pages
from bonafide.console.packs import pages as pack_pages
from bonafide.console.review import queue_page
from bonafide.console.risk import draft as risk_draft
from bonafide.console.risk import pages as risk_pages
from bonafide.console.sanctions import dismissals, screening
from bonafide.console.sanctions import history as screening_history
from bonafide.console.searches import history, new_search, results
from bonafide.console.sources import overview
from bonafide.console.verifications import acceptances, pages
from bonafide.console.webhooks import pages as webhook_pages
from bonafide.errors import NotFound

router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)
fallback_router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)
ROUTERS: tuple[APIRouter, ...] = (
    router,
    sign_in.router,
    one_time_links.router,
    unsubscribe_page.router,
    overview_pages.router,
    members.router,
    profile.router,
    overview.router,
    keys.router,
    webhook_pages.router,
    provisioning.router,
    retention.router,
    erasure.router,
    legal_hold.router,
    settings.router,
    settings_history.router,
    new_search.router,
    history.router,
    results.router,
    case_queue_page.router,
    case_page.router,
    policy_page.router,
    timeline_page.router,
    queue_page.router,
    pages.router,
    acceptances.router,
    screening.router,
    screening_history.router,
    dismissals.router,
    discrepancy_pages.router,
    manual_check_pages.router,
    alert_pages.router,
    event_pages.router,
    monitoring_pages.router,
    pack_pages.router,
    batch_pages.router,
    risk_draft.router,
    risk_pages.router,
    import_export.router,
    record_list.router,
    views.router,
    exports.router,
    find_page.router,
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
    """Redirect to the overview."""
    del signed_in
    return RedirectResponse(overview_pages.ADDRESS, 303)


@fallback_router.get("/console/{rest:path}")
async def not_found(request: Request, rest: str) -> Response:
    """A page that does not exist. Raises `NotFound`."""
    del request, rest
    raise NotFound
