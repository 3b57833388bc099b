"""One browser and one served sandbox for the tests here that a process runs; each test has tabs and an organization of its own."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from uuid import uuid4

import httpx2
import pytest
from playwright.async_api import Browser

from bonafide.runtime import Runtime
from tests.support.browser.members import LivedInBy, People
from tests.support.browser.served_sandbox import lived_in_by, served_sandbox
from tests.support.browser.tabs import NewTab, Tab, Visitor, opened_tab, running_chromium
from tests.support.loaded_sandbox import copy_sandbox


@pytest.fixture(scope="session")
async def chromium() -> AsyncIterator[Browser]:
    async with running_chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
async def runtime(sandbox_data: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Runtime]:
    async with served_sandbox(copy_sandbox(sandbox_data, tmp_path_factory.mktemp("console") / "data")) as runtime:
        yield runtime


@pytest.fixture(scope="session")
def base_url(runtime: Runtime) -> str:
    """Where the console is, without a slash at the end."""
    return runtime.settings.base_url


@pytest.fixture
def people(runtime: Runtime) -> People:
    """The members of an organization that only this test knows."""
    return People(runtime, f"Nordic {uuid4().hex[:8]}")


@pytest.fixture(scope="session")
async def lived_in(runtime: Runtime) -> LivedInBy:
    return await lived_in_by(runtime)


@pytest.fixture
async def new_tab(chromium: Browser, base_url: str) -> AsyncIterator[NewTab]:
    """Opens tabs; in the end none of them may have met anything that a browser complains about."""
    tabs: list[Tab] = []
    async with AsyncExitStack() as stack:

        async def new(visitor: Visitor) -> Tab:
            context, tab = await opened_tab(chromium, base_url, visitor)
            stack.push_async_callback(context.close)
            tabs.append(tab)
            return tab

        yield new
        for tab in tabs:
            await tab.tell()
    assert [complaint for tab in tabs for complaint in tab.complaints] == []


@pytest.fixture
async def api(base_url: str, people: People) -> AsyncIterator[httpx2.AsyncClient]:
    """The API with a key of the test's organization."""
    async with people.api((await people.key()).text) as client:
        yield client
