"""Serve the web sites over HTTP at `/<host>/<path>`.

Which addresses belong to publishers and registers is not known here.
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
    """Whether a `host/path` is of a site, be it that there is none."""
    return address.partition("/")[0].endswith(f".{SITES_DOMAIN}")


def create_response(town: SiteCatalog, address: str) -> Response:
    """The answer of the site at `host/path`."""
    host, _, path = address.partition("/")
    hostile = HOSTILE_SITES.get(host.removesuffix(f".{SITES_DOMAIN}"))
    if hostile is not None:
        return hostile(f"/{path}")
    page = town.page(host, f"/{path}")
    if page is None:
        return HTMLResponse("<h1>Not Found</h1>", 404)
    # In the header itself: Starlette would say of all text that it is UTF-8.
    return Response(page.body, headers={"Content-Type": page.media_type})


def create_sites_app(town: SiteCatalog) -> ASGIApp:
    """A server of the sites alone."""

    async def answer(request: Request) -> Response:
        return create_response(town, request.scope["path"].removeprefix("/"))

    return Starlette(routes=[Route("/{address:path}", answer, methods=["GET"])])
