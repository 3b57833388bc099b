"""Create FastAPI applications without the framework's own pages, redirects and telemetry."""

from collections.abc import Iterable

from fastapi import APIRouter, FastAPI
from fastapi.telemetry import TelemetryConfig

from bonafide.runtime import Runtime

TELEMETRY_OFF: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""The framework would record queries and exception messages; `access_log` records requests. Overrides the environment's `OTEL_` and
`FASTAPI_OTEL_` variables."""


def create_fastapi_app(runtime: Runtime, routers: Iterable[APIRouter]) -> FastAPI:
    """An application over an open runtime. It tries the routers in their order and serves nothing else."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False, telemetry=TELEMETRY_OFF)
    app.state.runtime = runtime
    for router in routers:
        app.include_router(router)
    return app
