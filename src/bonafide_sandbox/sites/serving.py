"""Serve the web sites over HTTP at `/<host>/<path>`.

URLs of publishers and registers are handled by `bonafide_sandbox.server`.
"""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from bonafide_sandbox.sites.catalog import SiteCatalog
from bonafide_sandbox.sites.content.shop import SITES_DOMAIN
from bonafide_sandbox.sites.hostile import HOSTILE_SITES


def is_site(address: str) -> bool:
    """Return whether `host/path` is in the sites' domain. The site need not exist."""
    return address.partition("/")[0].endswith(f".{SITES_DOMAIN}")


def create_response(catalog: SiteCatalog, address: str) -> Response:
    """Return the site's response for `host/path`."""
    host, _, path = address.partition("/")
    hostile = HOSTILE_SITES.get(host.removesuffix(f".{SITES_DOMAIN}"))
    if hostile is not None:
        return hostile(f"/{path}")
    page = catalog.page(host, f"/{path}")
    if page is None:
        return HTMLResponse("<h1>Not Found</h1>", 404)
    # Set in the header, because Starlette would add `charset=utf-8` to all text types.
    return Response(page.body, headers={"Content-Type": page.media_type})


def create_sites_app(catalog: SiteCatalog) -> ASGIApp:
    """Create a server for the sites only."""

    async def answer(request: Request) -> Response:
        return create_response(catalog, request.scope["path"].removeprefix("/"))

    return Starlette(routes=[Route("/{address:path}", answer, methods=["GET"])])
