"""What the operator's machines ask: whether the process is up, whether it can serve, and what it has measured.

They need no key and count against no limit, and they tell no more than numbers. They do not repair anything.
"""

import asyncio

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.api.answers import json_answer
from bonafide.api.parameters import ServedRuntime
from bonafide.errors import ServerBusy
from bonafide.metrics import CONTENT_TYPE
from bonafide.model.base import Document
from bonafide.model.organization import World
from bonafide.runtime import Runtime
from bonafide.services.measuring import measure
from bonafide.services.refresh import current_load

DATABASE_TIMEOUT_S = 2
"""A database that takes longer than this for nothing is no use to a request either."""
router = APIRouter(include_in_schema=False)


class LoadedSources(Document):
    """How many of the known sources have data, in one world."""

    loaded: int
    known: int


class Readiness(Document):
    """That the service can answer, and from how much."""

    status: str
    sources: dict[World, LoadedSources]


@router.get("/healthz")
async def healthz() -> Response:
    """The process is up."""
    return json_answer('{"status":"ok"}')


@router.get("/readyz")
async def readyz(runtime: ServedRuntime) -> Response:
    """The database answers, and how many sources are loaded. Its schema was brought up to date when the process began."""
    try:
        async with asyncio.timeout(DATABASE_TIMEOUT_S):
            await runtime.store.ping()
    except TimeoutError:
        raise ServerBusy("The database does not answer.") from None
    readiness = Readiness(status="ready", sources={world: _loaded(runtime, world) for world in World})
    return json_answer(readiness.to_json())


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Everything measured, in the Prometheus text format."""
    runtime: Runtime = request.app.state.runtime
    await measure(runtime)
    return Response(runtime.metrics.exposition(), media_type=CONTENT_TYPE)


def _loaded(runtime: Runtime, world: World) -> LoadedSources:
    loaded = sum(current_load(runtime, world, source) is not None for source in runtime.sources.values())
    return LoadedSources(loaded=loaded, known=len(runtime.sources))
