"""Create the ASGI application: the API, the console and the documentation over one runtime."""

import asyncio

from fastapi import FastAPI

from bonafide.api.app import create_api_app
from bonafide.console.routes import ROUTERS
from bonafide.docs_site.routes import router as pages
from bonafide.runtime import Runtime
from bonafide.services.catalog.source_states import open_all_generations
from bonafide.services.loading.source_terms import record_acceptances
from bonafide.services.screening.list_cache import preload_lists
from bonafide.web import assets


def create_app(runtime: Runtime) -> FastAPI:
    """The service over an open runtime."""
    app = create_api_app(runtime)
    for router in (assets.router, pages, *ROUTERS):
        app.include_router(router)
    return app


async def create_ready_app(runtime: Runtime) -> FastAPI:
    """The service with every index open and verified and the lists in memory, so that no request has to wait for that.

    Raises `ConfigurationError` for terms that can't be accepted.
    """
    await record_acceptances(runtime)
    await asyncio.to_thread(open_all_generations, runtime)
    await asyncio.to_thread(preload_lists, runtime)
    return create_app(runtime)
