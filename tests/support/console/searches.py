"""Searches as a person makes them in the console, over the made-up Canada, and what their pages say.

A search that is done at once leads to its result; on a slow machine the page that follows it does.
"""

import re
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from html import unescape
from pathlib import Path

import httpx2

from bonafide.model.search.result import SearchResult
from bonafide.runtime import Runtime, build_files, build_generation_stores
from bonafide.settings import Settings
from bonafide.sources.framework.discovery import discover_sources
from bonafide.store.database.engine import DatabaseOptions, Store
from tests.support.console.sessions import send
from tests.support.loaded_sandbox import LOADED_AT
from tests.support.waiting import LOOKUP_S

PATIENT_S = 20.0
"""The machine may be busy; a test of what comes too late has less patience."""
ALL_CHECKS = ["business_registry", "regulatory_registry", "sanctions_screening", "match_selection"]
_WAY = re.compile(r'content="0; url=(/console/searches/[0-9a-f-]{36})"')
_TAG = re.compile(r"<[^>]+>")


@asynccontextmanager
async def runtime_over(
    database: Path, folder: Path, index: Path, clock: Callable[[], datetime] = lambda: LOADED_AT
) -> AsyncIterator[Runtime]:
    """A runtime on a copy of the database file. Pages have no SQL of their own: one kind of database will do."""
    shutil.copyfile(database, folder / "bonafide.sqlite3")
    settings = Settings(data_dir=folder, lookup_timeout_s=PATIENT_S, search_deadline_s=LOOKUP_S)
    store = Store.open(settings.dsn, DatabaseOptions(is_durable=False))
    yield Runtime(settings, store, build_files(settings), b"north", build_generation_stores(index), discover_sources(), clock)
    await store.close()


async def search_for(client: httpx2.AsyncClient, name: str, checks: list[str] | None = None, **fields: object) -> str:
    """Search with the form of the search page; the address of the result. Without `checks` the account's settings say which."""
    if checks is not None:
        fields |= {"hasChecks": "true", "checks": checks}
    return way_to_result(await send(client, "/console/search", name=name, **fields))


def way_to_result(answer: httpx2.Response) -> str:
    """Where the answer to a search leads."""
    if answer.status_code == 303:
        return answer.headers["Location"]
    found = _WAY.search(answer.text)
    assert found is not None, answer.text
    return found[1]


async def document_of(client: httpx2.AsyncClient, address: str) -> SearchResult:
    """The document of a result's page."""
    return SearchResult.model_validate_json((await client.get(f"{address}/result.json")).text)


def words_of(page: httpx2.Response) -> str:
    """What a page says, without its tags."""
    return " ".join(unescape(_TAG.sub(" ", page.text)).split()).replace(" ,", ",")


def marked_in(page: httpx2.Response, tag: str) -> list[str]:
    """What stands between these tags."""
    return [unescape(text) for text in re.findall(rf"<{tag}>(.*?)</{tag}>", page.text)]
