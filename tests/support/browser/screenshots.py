"""Pictures of every page in both themes, on a wide screen and on a phone, for people to look at.

`python -m tests.support.browser.screenshots FOLDER` serves a sandbox of its own and writes them. Nothing is compared: one that
differs from that of yesterday may be better.
"""

import asyncio
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

from playwright.async_api import Browser

from bonafide.model.accounts.users import Role
from tests.support.browser.members import LivedInBy
from tests.support.browser.page_addresses import every_address
from tests.support.browser.served_sandbox import lived_in_by, served_sandbox
from tests.support.browser.tabs import Theme, Visitor, opened_tab, running_chromium
from tests.support.loaded_sandbox import load_sandbox

WINDOWS = ((1440, 900), (390, 844))


def shots() -> Iterator[tuple[Theme, tuple[int, int]]]:
    """The ways in which each page is looked at."""
    for theme in get_args(Theme):
        for window in WINDOWS:
            yield theme, window


async def take(folder: Path) -> None:
    """Write `search-light-1440.png` and so on into the folder."""
    with TemporaryDirectory() as data:
        await load_sandbox(Path(data))
        async with served_sandbox(Path(data)) as runtime, running_chromium() as browser:
            await _take_all(folder, browser, await lived_in_by(runtime))


async def _take_all(folder: Path, browser: Browser, lived_in: LivedInBy) -> None:
    session = await lived_in.people.session(Role.OWNER)
    for theme, window in shots():
        visitor = Visitor(session=session, theme=theme, window=window)
        context, tab = await opened_tab(browser, lived_in.people.runtime.settings.base_url, visitor)
        for template, address in every_address(lived_in):
            await tab.open(address)
            name = "-".join(re.findall(r"[\w-]+", template))
            await tab.page.screenshot(path=folder / f"{name}-{theme}-{window[0]}.png", full_page=True)
        await context.close()


if __name__ == "__main__":
    chosen = Path(sys.argv[1])
    chosen.mkdir(parents=True, exist_ok=True)
    asyncio.run(take(chosen))
