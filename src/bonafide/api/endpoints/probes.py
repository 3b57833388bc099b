"""Probes and metrics: /healthz, /readyz, /metrics.

They need no API key and are not rate limited.
"""

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.api.protocol.dependencies import ServedRuntime
from bonafide.api.protocol.responses import create_json_response
from bonafide.errors import ServerBusy
from bonafide.i18n.message import Message, join_values
from bonafide.model.accounts.organizations import World
from bonafide.model.base import Document
from bonafide.observability.metrics import CONTENT_TYPE
from bonafide.runtime import Runtime
from bonafide.server.health import HealthStatus
from bonafide.services.loading.refresh import get_current_load
from bonafide.services.operations.gauge_collector import collect_gauges
from bonafide.services.operations.readiness import run_checks

router = APIRouter(include_in_schema=False)


class LoadedSources(Document):
    """How many of the known sources have data, in one world."""

    loaded: int
    known: int


class ReadinessCheck(Document):
    """The state of one part of the service."""

    status: HealthStatus
    note: str | None = None


class Readiness(Document):
    """The state of the service and its parts, and how many sources are loaded."""

    status: str
    checks: dict[str, ReadinessCheck]
    sources: dict[World, LoadedSources]


@router.get("/healthz")
async def healthz() -> Response:
    """The process is up."""
    return create_json_response('{"status":"ok"}')


@router.get("/readyz")
async def readyz(runtime: ServedRuntime) -> Response:
    """Whether the service can take requests: 200 even if an optional dependency is unavailable, else 503 with the problems."""
    found = await run_checks(runtime)
    failed = [f"{name}: {finding.note}" for name, finding in found.items() if finding.status is HealthStatus.FAILED]
    if failed:
        raise ServerBusy(Message("Not ready. {problems}.", problems=join_values(failed, "; ")))
    is_whole = all(finding.status is HealthStatus.OK for finding in found.values())
    readiness = Readiness(
        status="ready" if is_whole else "degraded",
        checks={name: ReadinessCheck(status=finding.status, note=finding.note) for name, finding in found.items()},
        sources={world: _count_loaded_sources(runtime, world) for world in World},
    )
    return create_json_response(readiness.to_json())


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """All metrics in the Prometheus text format."""
    runtime: Runtime = request.app.state.runtime
    await collect_gauges(runtime)
    return Response(runtime.metrics.exposition(), media_type=CONTENT_TYPE)


def _count_loaded_sources(runtime: Runtime, world: World) -> LoadedSources:
    loaded = sum(get_current_load(runtime, world, source) is not None for source in runtime.sources.values())
    return LoadedSources(loaded=loaded, known=len(runtime.sources))
