"""The HTTP application: which layers a request passes, and which routes there are. One screen, and no behaviour of its own."""

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from bonafide import __version__
from bonafide.api import (
    businesses,
    coverage,
    pdf,
    prefill,
    probes,
    reports,
    sanctions,
    searches,
    settings,
    telemetry,
    verifications,
)
from bonafide.api.access_log import AccessLog
from bonafide.api.admission import Admission, DearWork
from bonafide.api.errors import ErrorBoundary, answer_http_exception
from bonafide.api.rate_limit import limiter_of
from bonafide.api.request_id import RequestIds
from bonafide.api.routes import MethodRules, Operations, RouteTable
from bonafide.api.throttle import Throttle
from bonafide.runtime import Runtime
from bonafide.web.headers import StandingHeaders


def create_app(runtime: Runtime) -> FastAPI:
    """The application over an open runtime."""
    app = FastAPI(
        title="bonafide",
        version=__version__,
        # /docs and /openapi.json are ours; a path is known as it is, never redirected to.
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=telemetry.OFF,
        exception_handlers={HTTPException: answer_http_exception},
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
        Middleware(StandingHeaders, base_url=runtime.settings.base_url),
        Middleware(RequestIds),
        Middleware(AccessLog, routes=RouteTable(app), metrics=runtime.metrics, tracer=runtime.tracer),
        Middleware(ErrorBoundary),
        Middleware(Admission, runtime=runtime),
        Middleware(Throttle, runtime=runtime, limiter=limiter_of(runtime)),
        Middleware(MethodRules),
        Middleware(DearWork, runtime=runtime),
        Middleware(Operations),
    ]
    return app
