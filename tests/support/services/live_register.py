"""A register of a test's own that is asked live: a small server, its connector, and a runtime whose door leads there."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bonafide.model.accounts.organizations import World
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import RegistryEntry, SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.live import LiveConnector, LiveContext, LiveQuery, RegistrationQuery, read_json
from bonafide.sources.framework.metadata import SourceMetadata
from tests.support.servers.asgi_server import served

KEY = "nl"
"""It takes the place of a register that has no connector of its own."""
PAGE = "https://register.example.org/search"


@dataclass
class Register:
    """What the server has, and what is wrong with it."""

    names: Mapping[str, str] = field(default_factory=lambda: {"77001": "Cod & Capelin Ltd.", "77002": "Cod Tongue Inc."})
    broken: Response | None = None
    pause_s: float = 0.0
    asked: list[str] = field(default_factory=list)

    async def answer(self, request: Request) -> Response:
        self.asked.append(f"{request.scope['path']}?{request.url.query}")
        await asyncio.sleep(self.pause_s)
        if self.broken is not None:
            return self.broken
        number = request.path_params.get("number")
        if number is not None:
            return JSONResponse({"name": self.names[number]}) if number in self.names else JSONResponse({}, 404)
        return JSONResponse(self.names)


def metadata(**live: Any) -> SourceMetadata:
    return SourceMetadata.model_validate(
        {
            "key": KEY,
            "kind": SourceKind.REGISTRY,
            "title": "Register of Rocks",
            "jurisdiction": "NL",
            "publisher": {"name": "Rocks", "url": "https://register.example.org"},
            "licence": {"name": "None"},
            "page": PAGE,
            "access": "live",
            "description": "A register of a test.",
            "live": {"base_url": "https://register.example.org/api", "rate_per_minute": 6000, "timeout_s": 2, **live},
        }
    )


def entry(number: str, name: str) -> RegistryEntry:
    return RegistryEntry(
        entry_id=number,
        jurisdiction=Jurisdiction.NL,
        legal_name=name,
        registration_numbers=(RegistrationNumber(label="Company Number", value=number),),
        good_standing=True,
    )


async def find(query: LiveQuery, context: LiveContext) -> Sequence[RegistryEntry]:
    found = read_json(await context.get("names", [("q", query.name or "")]))
    return [entry(number, name) for number, name in found.items()]


async def report(registration: RegistrationQuery, context: LiveContext) -> RegistryEntry | None:
    answer = await context.get(f"numbers/{registration.number}")
    return entry(registration.number, read_json(answer)["name"]) if answer.found else None


@asynccontextmanager
async def with_register(runtime: Runtime, register: Register, **live: Any) -> AsyncIterator[Runtime]:
    """The runtime with the register as its only source that can be asked live, while it is served."""
    app = Starlette(
        routes=[
            Route("/register.example.org/api/names", register.answer),
            Route("/register.example.org/api/numbers/{number}", register.answer),
        ]
    )
    source = Source(metadata(**live), "tests", None, None, LiveConnector(find, report))
    async with served(app) as address:
        fetcher = Fetcher(runtime.settings, runtime.clock, sandbox=address)
        fetchers = {World.SANDBOX: fetcher, World.LIVE: fetcher}
        try:
            others = {key: other for key, other in runtime.sources.items() if other.live is None}
            yield replace(runtime, sources={**others, KEY: source}, fetchers=fetchers, throttles={})
        finally:
            await fetcher.close()
