"""Websites that a test changes, served over HTTP as the sandbox serves them, with the registry of their domains."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from bonafide.model.accounts.organizations import World
from bonafide.net.fetch import Fetcher
from bonafide.net.web_fetch import WebFetcher
from bonafide.runtime import Runtime
from bonafide.services.monitoring.query_planning import WEBSITE_SOURCE, list_queues
from bonafide.services.monitoring.repeated_queries import run_next_query
from tests.support.servers.asgi_server import served

_REGISTRY = "rdap.example"
_PAGE = """<html><head><title>{name}</title></head><body><h1>Bread and rolls</h1>
<p>{text} We bake bread, rolls and cakes every morning, and deliver to restaurants and offices in the whole harbour.</p>
<p>GST/HST No. {number}. Call <a href="tel:+19025550123">902-555-0123</a>.</p><footer>© 2026 {name}</footer></body></html>"""


@dataclass
class ChangingSite:
    """A site with one page, and the registration date of its domain. `requests` counts the requests for its home page."""

    host: str = "harbour.sandbox.example"
    name: str = "Quiet Harbour Bakery Limited"
    number: str = "835752437 RT0001"
    text: str = "Welcome."
    status: int = 200
    failing: set[str] = field(default_factory=set)
    """Hosts that respond with an error, whatever `status` is."""
    moved_to: str | None = None
    created_on: str = "2004-06-12"
    requests: int = field(default=0)

    @property
    def address(self) -> str:
        return f"https://{self.host}"

    def answer(self, host: str, path: str) -> Response:
        """The response to a request for a page of a host, or for the registration of a domain."""
        if host == _REGISTRY:
            event = {"eventAction": "registration", "eventDate": f"{self.created_on}T14:33:05Z"}
            return JSONResponse({"objectClassName": "domain", "ldhName": path.removeprefix("domain/"), "events": [event]})
        if path != "":
            return Response(status_code=404)
        self.requests += host == self.host
        if self.moved_to is not None and host == self.host:
            return RedirectResponse(f"https://{self.moved_to}/")
        page = _PAGE.format(name=self.name, number=self.number, text=self.text)
        return HTMLResponse(page, 503 if host in self.failing else self.status)


@asynccontextmanager
async def changing_site(runtime: Runtime, world: World = World.SANDBOX) -> AsyncIterator[tuple[Runtime, ChangingSite]]:
    """A runtime that reads the site over HTTP, and the site."""
    site = ChangingSite()

    async def answer(request: Request) -> Response:
        host, _, path = request.path_params["address"].partition("/")
        return site.answer(host, path)

    async with reading_from(runtime, Starlette(routes=[Route("/{address:path}", answer)]), world) as reader:
        yield reader, site


@asynccontextmanager
async def reading_from(runtime: Runtime, app: ASGIApp, world: World = World.SANDBOX) -> AsyncIterator[Runtime]:
    """A runtime that reads everything that is live in a world from a server."""
    async with served(app) as address:
        fetcher = Fetcher(runtime.settings, runtime.clock, sandbox=address)
        visitor = WebFetcher(runtime.settings, runtime.clock, sandbox=address)
        yield replace(runtime, fetchers={world: fetcher}, web_fetchers={world: visitor})
        await visitor.close()
        await fetcher.close()


async def read_due_websites(runtime: Runtime, move_clock: Callable[[], None], world: World = World.SANDBOX) -> int:
    """Read every monitored website that is due, as a worker does; returns how many were read. The clock moves after each."""
    queue = next(queue for queue in list_queues(runtime, world) if queue.source == WEBSITE_SOURCE)
    read = 0
    while await run_next_query(runtime, queue, "worker") is not None:
        read += 1
        move_clock()
    return read
