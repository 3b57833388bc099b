"""The HTTP application: which layers a request passes, and which routes there are. One screen, and no behaviour of its own."""

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from bonafide import __version__
from bonafide.api.endpoints import businesses, coverage, pdf, prefill, probes, reports, sanctions, searches, settings, verifications
from bonafide.api.protocol import telemetry
from bonafide.api.protocol.access_log import AccessLog
from bonafide.api.protocol.concurrency_limits import ConcurrencyLimit, ExpensiveWorkLimit
from bonafide.api.protocol.error_responses import ErrorBoundary, handle_http_exception
from bonafide.api.protocol.rate_limit_middleware import RateLimitMiddleware
from bonafide.api.protocol.rate_limiter import create_rate_limiter
from bonafide.api.protocol.request_id import RequestIdMiddleware
from bonafide.api.protocol.routing import MethodMiddleware, OperationMiddleware, RouteTable
from bonafide.runtime import Runtime
from bonafide.web.default_headers import DefaultHeaders


def create_api_app(runtime: Runtime) -> FastAPI:
    """The application over an open runtime."""
    app = FastAPI(
        title="bonafide",
        version=__version__,
        # /docs and /openapi.json are ours; a path is known as it is, never redirected to.
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=telemetry.TELEMETRY_OFF,
        exception_handlers={HTTPException: handle_http_exception},
    )
    app.state.runtime = runtime
    for router in (
        searches.router,
        businesses.router,
        settings.router,
        verifications.router,
        sanctions.router,
        reports.router,
        pdf.router,
        coverage.router,
        prefill.router,
        probes.router,
    ):
        app.include_router(router)
    app.user_middleware = [  # outermost first
        Middleware(DefaultHeaders, base_url=runtime.settings.base_url),
        Middleware(RequestIdMiddleware),
        Middleware(AccessLog, routes=RouteTable(app), metrics=runtime.metrics, tracer=runtime.tracer),
        Middleware(ErrorBoundary),
        Middleware(ConcurrencyLimit, runtime=runtime),
        Middleware(RateLimitMiddleware, runtime=runtime, limiter=create_rate_limiter(runtime)),
        Middleware(MethodMiddleware),
        Middleware(ExpensiveWorkLimit, runtime=runtime),
        Middleware(OperationMiddleware),
    ]
    return app
