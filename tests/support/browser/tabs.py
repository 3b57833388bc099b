"""A browser as people have it, on a service as people have it: Debian's Chromium, and a demo in a process of its own.

Nothing here waits for a time: everything waits for what a person would wait for, with the patience of a slow machine.
"""

import asyncio
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal

import pytest
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, async_playwright, expect

from bonafide.console.frame.console_request import SESSION_COOKIE
from bonafide.i18n.language import Language
from tests.support.browser.page_audit import faults_of

PROGRAMS = ("chromium", "chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage"]
PATIENCE_MS = 1000 * int(os.environ.get("BONAFIDE_BROWSER_PATIENCE_S", "120"))
"""Of every wait. Who writes a test may want to learn sooner that it fails."""
WIDE = (1280, 900)
Theme = Literal["light", "dark"]
_LOADED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")
"""What Chromium writes about a page that is an error on purpose."""


def chromium_path() -> str:
    """Where Debian's Chromium is. Where it is missing the test is skipped; in CI, where it must be, it fails."""
    found = next((path for path in map(shutil.which, PROGRAMS) if path is not None), None)
    if found is not None:
        return found
    missing = "Chromium is not installed (Debian's package `chromium`), so no page was opened in a browser"
    if os.environ.get("CI") is not None:
        pytest.fail(missing)
    pytest.skip(missing)


@asynccontextmanager
async def running_chromium() -> AsyncIterator[Browser]:
    """A browser without any window; pages are opened in contexts of it."""
    path = chromium_path()
    expect.set_options(timeout=PATIENCE_MS)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=FLAGS, timeout=PATIENCE_MS)
        yield browser
        await browser.close()


@dataclass(frozen=True, slots=True)
class Visitor:
    """What a browser is like: its owner's session, language and theme, its window, and whether it runs scripts."""

    session: str | None = None
    scripts: bool = True
    language: Language = Language.ENGLISH
    theme: Theme = "light"
    window: tuple[int, int] = WIDE


@dataclass(slots=True)
class Tab:
    """A page of the console in a browser, and what the browser complained about."""

    page: Page
    base_url: str
    scripts: bool
    complaints: list[str] = field(default_factory=list)

    async def open(self, path: str) -> int:
        """Go to an address of the console; returns the status of the answer."""
        answer = await self.page.goto(self.base_url + path)
        assert answer is not None, f"{path} is a part of the page that is shown"
        return answer.status

    async def fill(self, fields: Mapping[str, str]) -> None:
        """Type into fields, found by their labels."""
        for label, text in fields.items():
            await self.field(label).fill(text)

    async def choose(self, label: str, option: str) -> None:
        """Choose an option of the list of this label."""
        await self.field(label).select_option(label=option)

    async def tick(self, label: str) -> None:
        """Tick the box of this label."""
        await self.field(label).check()

    def field(self, label: str) -> Locator:
        """The field of this label, of several the first."""
        return self.main.get_by_label(label, exact=True).first

    async def press(self, name: str, *, within: Locator | None = None) -> None:
        """Click the button of this name, and be where it leads."""
        await (within if within is not None else self.main).get_by_role("button", name=name, exact=True).click()

    async def press_key(self, key: str) -> None:
        """Press a key once the page has loaded: its scripts do not listen before."""
        await self.page.wait_for_load_state()
        await self.page.keyboard.press(key)

    async def follow(self, name: str | re.Pattern[str], *, within: Locator | None = None) -> None:
        """Click the link of this name, of several the first."""
        place = within if within is not None else self.main
        await place.get_by_role("link", name=name, exact=isinstance(name, str)).first.click()

    async def unfold(self, text: str | re.Pattern[str]) -> None:
        """Open what is folded under this text."""
        await self.main.locator("summary").filter(has_text=text).first.click()

    async def save(self, link: str) -> bytes:
        """Click the link of a file; returns the file."""
        async with self.page.expect_download() as saved:
            await self.follow(link)
        return (await (await saved.value).path()).read_bytes()

    async def is_at(self, pattern: str) -> None:
        """Wait until the address (its path and query) is like this."""
        await expect(self.page).to_have_url(re.compile(re.escape(self.base_url) + pattern + "$"))

    async def shows(self, text: str | re.Pattern[str], *, within: Locator | None = None) -> None:
        """Wait until the page shows this text."""
        shown = (within if within is not None else self.main).get_by_text(text).filter(visible=True)
        await expect(shown.first).to_be_visible()

    async def is_headed(self, text: str | re.Pattern[str]) -> None:
        """Wait until this is the page's one heading."""
        await expect(self.page.get_by_role("heading", level=1)).to_have_text(text)

    async def is_sound(self) -> None:
        """Check that nothing keeps somebody from using the page as it is now. A browser without scripts can't run the check."""
        if self.scripts:
            # Playwright has no time limit for scripts of a page.
            async with asyncio.timeout(PATIENCE_MS / 1000):
                faults = await faults_of(self.page)
            assert faults == [], "\n".join(faults)

    @property
    def main(self) -> Locator:
        """The page without its navigation."""
        return self.page.locator("main")

    @property
    def side(self) -> Locator:
        """The navigation, and who is signed in."""
        return self.page.locator("header.side")

    async def tell(self) -> None:
        """Write down where the tab is and what it shows; pytest prints it if the test has failed."""
        sys.stdout.write(f"{self.page.url}\n{await self.page.locator('body').inner_text()}\n")


NewTab = Callable[[Visitor], Awaitable[Tab]]


async def opened_tab(browser: Browser, base_url: str, visitor: Visitor) -> tuple[BrowserContext, Tab]:
    """A tab in a context of its own, with nothing in it yet."""
    context = await browser.new_context(
        java_script_enabled=visitor.scripts,
        locale=f"{visitor.language}-CA",
        color_scheme=visitor.theme,
        viewport={"width": visitor.window[0], "height": visitor.window[1]},
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE_MS)
    if visitor.session is not None:
        await context.add_cookies([{"name": SESSION_COOKIE, "value": visitor.session, "url": base_url, "httpOnly": True}])
    page = await context.new_page()
    tab = Tab(page, base_url, visitor.scripts)
    page.on("console", lambda message: tab.complaints.extend(_complaints(message)))
    page.on("pageerror", lambda error: tab.complaints.append(f"{page.url}: {error}"))
    return context, tab


def _complaints(message: ConsoleMessage) -> list[str]:
    if message.type not in {"error", "warning"} or _LOADED.match(message.text) is not None:
        return []
    return [f"{message.location.get('url', '')}: {message.text}"]
