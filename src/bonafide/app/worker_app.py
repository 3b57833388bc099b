"""Create the ASGI application of a worker: liveness, readiness and metrics for the operator's monitoring, and no other route."""

from fastapi import APIRouter, FastAPI, Request
from starlette.middleware import Middleware
from starlette.responses import Response

from bonafide.api.endpoints import probes
from bonafide.api.protocol.error_responses import ErrorBoundary
from bonafide.api.protocol.responses import create_json_response
from bonafide.errors import ServerBusy
from bonafide.runtime import Runtime
from bonafide.server.health import HealthStatus
from bonafide.services.operations.readiness import check_database
from bonafide.web.fastapi_app import create_fastapi_app
from bonafide.web.request_id import RequestIdMiddleware

router = APIRouter()
router.add_api_route("/healthz", probes.healthz)
router.add_api_route("/metrics", probes.metrics)


@router.get("/readyz")
async def readyz(request: Request) -> Response:
    """Whether the database has this release's schema. Opens no index, unlike the service's own probe."""
    runtime: Runtime = request.app.state.runtime
    found = await check_database(runtime)
    if found.status is HealthStatus.FAILED:
        raise ServerBusy(f"Not ready. database: {found.note}.")
    return create_json_response('{"status":"ready"}')


def create_worker_app(runtime: Runtime) -> FastAPI:
    """The application over the runtime of a worker."""
    app = create_fastapi_app(runtime, [router])
    app.user_middleware = [Middleware(RequestIdMiddleware), Middleware(ErrorBoundary)]
    return app
