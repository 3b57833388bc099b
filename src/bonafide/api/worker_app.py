"""What a worker answers to the operator's machines: whether it is up, whether it can work, and what it has measured.

It has no other route: nobody sends a worker requests.
"""

from fastapi import FastAPI, Request
from starlette.middleware import Middleware
from starlette.responses import Response

from bonafide.api.endpoints import probes
from bonafide.api.protocol import telemetry
from bonafide.api.protocol.error_responses import ErrorBoundary
from bonafide.api.protocol.request_id import RequestIdMiddleware
from bonafide.api.protocol.responses import create_json_response
from bonafide.errors import ServerBusy
from bonafide.runtime import Runtime
from bonafide.server.health import HealthStatus
from bonafide.services.operations.readiness import check_database


def create_worker_app(runtime: Runtime) -> FastAPI:
    """The application over the runtime of a worker."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False, telemetry=telemetry.TELEMETRY_OFF)
    app.state.runtime = runtime
    for path, answer in (("/healthz", probes.healthz), ("/readyz", _readyz), ("/metrics", probes.metrics)):
        app.add_api_route(path, answer)
    app.user_middleware = [Middleware(RequestIdMiddleware), Middleware(ErrorBoundary)]
    return app


async def _readyz(request: Request) -> Response:
    """The database answers with this release's schema. No index is opened for it, as the service's own probe would."""
    runtime: Runtime = request.app.state.runtime
    found = await check_database(runtime)
    if found.standing is HealthStatus.FAILED:
        raise ServerBusy(f"Not ready. database: {found.note}.")
    return create_json_response('{"status":"ready"}')
