"""Create the ASGI application: the API, the documentation and the console over one runtime, behind the middleware they share."""

from collections.abc import Callable, Sequence
from functools import partial

from fastapi import APIRouter, FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from bonafide.api.description.deprecations import Deprecation
from bonafide.api.mcp.routes import router as mcp_router
from bonafide.api.protocol.concurrency_limits import CallerConcurrencyLimit, ConcurrencyLimit
from bonafide.api.protocol.deprecation_headers import DeprecationHeaders
from bonafide.api.protocol.rate_limit import RateLimitHeaders, RateLimitMiddleware, create_rate_limiter, peek_client_headers
from bonafide.api.protocol.responses import ErrorBoundary, handle_http_exception
from bonafide.api.reconciliation.cross_origin import CrossOriginHeaders
from bonafide.api.reconciliation.routes import router as reconciliation_router
from bonafide.api.routes import ROUTERS as API_ROUTERS
from bonafide.api.scim.routes import ROUTERS as SCIM_ROUTERS
from bonafide.console.routes import ROUTERS as CONSOLE_ROUTERS
from bonafide.docs_site.changelog import read_deprecations
from bonafide.docs_site.routes import router as docs_router
from bonafide.runtime import Runtime
from bonafide.services.loading.source_terms import record_acceptances
from bonafide.services.search.warm_up import warm_up
from bonafide.web import assets
from bonafide.web.access_log import AccessLog
from bonafide.web.default_headers import DefaultHeaders
from bonafide.web.host_check import HostCheck
from bonafide.web.request_context import RequestIdMiddleware
from bonafide.web.routing import DirectDispatch, MethodMiddleware, RouteTable, create_fastapi_app

ROUTERS = (*API_ROUTERS, *SCIM_ROUTERS, mcp_router, reconciliation_router, assets.router, docs_router, *CONSOLE_ROUTERS)


def create_app(
    runtime: Runtime, routers: Sequence[APIRouter] = ROUTERS, deprecations: Sequence[Deprecation] | None = None
) -> FastAPI:
    """The service over an open runtime. `routers` are tried in their order; `deprecations` default to those of the changelog."""
    app = create_fastapi_app(runtime, routers)
    limiter = create_rate_limiter(runtime)
    routes = app.state.route_table = RouteTable(app)
    app.state.limit_headers = partial(peek_client_headers, runtime, limiter)
    announced = deprecations if deprecations is not None else read_deprecations()
    app.add_exception_handler(HTTPException, handle_http_exception)
    app.user_middleware = [  # outermost first
        Middleware(DefaultHeaders, base_url=runtime.settings.base_url),
        Middleware(RequestIdMiddleware),
        Middleware(AccessLog, routes=routes, metrics=runtime.metrics, tracer=runtime.tracer),
        Middleware(CrossOriginHeaders),
        *([Middleware(DeprecationHeaders, deprecations=announced)] if announced else []),
        Middleware(RateLimitHeaders, runtime=runtime, limiter=limiter),
        Middleware(ErrorBoundary),
        Middleware(HostCheck),
        Middleware(ConcurrencyLimit, runtime=runtime),
        Middleware(RateLimitMiddleware, runtime=runtime, limiter=limiter),
        Middleware(CallerConcurrencyLimit, runtime=runtime),
        Middleware(MethodMiddleware),
        Middleware(DirectDispatch),
    ]
    return app


async def create_ready_app(runtime: Runtime, on_wait: Callable[[str], None] = lambda _: None) -> FastAPI:
    """Open every index and load everything that the first request would otherwise wait for.

    `on_wait` is called with each part that is waited for. The caller verifies the files of the indexes while it serves
    (`verify_indexes`). Raises `ConfigurationError` for terms that can't be accepted.
    """
    await record_acceptances(runtime)
    on_wait("the indexes and the sanctions lists")
    await warm_up(runtime)
    app = create_app(runtime)
    # Both would otherwise be done by the first request.
    app.state.route_table.load()
    app.middleware_stack = app.build_middleware_stack()
    return app
