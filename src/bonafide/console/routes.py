"""All routers of the console, in the order in which they are tried. Each module of pages has one; nothing else is here."""

from fastapi import APIRouter

from bonafide.console.accounts import one_time_links, profile, sign_in
from bonafide.console.businesses import audit_log, import_export, records
from bonafide.console.frame import home
from bonafide.console.organization import keys, members, settings
from bonafide.console.review import queue_page
from bonafide.console.sanctions import dismissals, screening
from bonafide.console.searches import history, new_search, results
from bonafide.console.sources import overview
from bonafide.console.verifications import files, pages

ROUTERS: tuple[APIRouter, ...] = (
    home.router,
    sign_in.router,
    one_time_links.router,
    members.router,
    profile.router,
    overview.router,
    keys.router,
    settings.router,
    new_search.router,
    history.router,
    results.router,
    queue_page.router,
    pages.router,
    files.router,
    screening.router,
    dismissals.router,
    import_export.router,
    audit_log.router,
    records.router,
    home.fallback_router,
)
