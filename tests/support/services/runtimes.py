"""What the tests of services share: a clock that a test moves, a runtime over any database and index, short ways to ask."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from bonafide.model.accounts.organizations import KeyRequest, Principal, World
from bonafide.model.query import SearchRequest
from bonafide.model.search.result import SearchMeta, SearchResult, SearchStatus
from bonafide.runtime import Runtime, build_files, build_generation_stores
from bonafide.services.accounts import api_access
from bonafide.services.search.execution import create_search
from bonafide.settings import Settings
from bonafide.sources.framework.discovery import discover_sources
from bonafide.store.database.engine import Store
from tests.support.loaded_sandbox import LOADED_AT
from tests.support.waiting import LOOKUP_S


@dataclass
class ManualClock:
    """A clock that only the test moves."""

    now: datetime = LOADED_AT

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        self.now += timedelta(**by)


def clock_of(runtime: Runtime) -> ManualClock:
    """The clock of a runtime whose clock the test moves."""
    assert isinstance(runtime.clock, ManualClock)
    return runtime.clock


def runtime_over(store: Store, data_dir: Path, clock: ManualClock) -> Runtime:
    """A runtime on this database, its index in the data directory."""
    settings = _read_settings().model_copy(update={"data_dir": data_dir})
    return Runtime(
        settings=settings,
        store=store,
        files=build_files(settings),
        signing_key=b"north",
        generations=build_generation_stores(data_dir),
        sources=discover_sources(),
        clock=clock,
    )


@cache
def _read_settings() -> Settings:
    """Settings with long timeouts, read once: reading the environment takes longer than most tests."""
    timeouts = {"lookup_timeout_s": LOOKUP_S, "website_timeout_s": LOOKUP_S, "search_deadline_s": 2 * LOOKUP_S}
    return Settings.model_validate({"fetch_attempts": 1, **timeouts})


async def principal_of(runtime: Runtime, organization: str, world: World = World.SANDBOX) -> Principal:
    """A caller of the organization, through a key of its own."""
    created = await api_access.create_key(runtime, KeyRequest(organization=organization, world=world))
    return await api_access.authenticate(runtime, created.text)


def without(runtime: Runtime, key: str) -> Runtime:
    """The same installation without one source's folder."""
    return replace(runtime, sources={name: source for name, source in runtime.sources.items() if name != key})


async def search(runtime: Runtime, principal: Principal, **request: Any) -> SearchResult:
    """The document of a search, as it was answered."""
    answer = await create_search(runtime, principal, SearchRequest.model_validate(request), respond_async=False)
    return answer.document.parse(SearchResult)


def completed(result: SearchResult) -> SearchMeta:
    """The meta of a search that met no error."""
    assert (result.meta.status, result.errors) == (SearchStatus.COMPLETED, None)
    return result.meta
