"""Read a site's home page and the few relevant pages, within limits of number and time.

It asks what robots.txt permits and nothing else, and never raises for a site: whatever a site does, it is a status with a reason.
What the pages state is not looked at here.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import anyio
import anyio.to_thread

from bonafide.errors import UpstreamFailed
from bonafide.model.search.website import WebsitePage, WebsiteStatus
from bonafide.net.web_fetch import WebFetcher
from bonafide.net.web_url import WebUrl
from bonafide.website.crawling.page_fetching import PageFailure, PageFetchResult, fetch_page, has_text
from bonafide.website.crawling.page_kinds import PageKind
from bonafide.website.crawling.page_links import PageLink, choose_links, filter_page_links, find_page_links, is_same_site
from bonafide.website.crawling.site_files import SiteFiles
from bonafide.website.page_content.markup import SitePage

AT_ONCE = 4
"""Pages of one site that are asked for at the same time."""
_ENOUGH = frozenset({PageKind.CONTACT, PageKind.ABOUT, PageKind.LEGAL, PageKind.TERMS, PageKind.PRIVACY})
"""Where the home page links to all of these, no sitemap is asked for."""
_NO_TIME = "there was no time left for it"
_OTHER_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?![0-9])")


@dataclass(frozen=True, slots=True)
class CrawlLimits:
    """How much of a site is read: pages, and seconds for all of them. How much of a page is the visitor's to limit."""

    pages: int
    timeout_s: float


@dataclass(frozen=True, slots=True)
class Crawl:
    """What came of reading a site. `url` is the home page's after redirects, or what was given."""

    status: WebsiteStatus
    url: str
    pages: tuple[SitePage, ...]
    asked: tuple[WebsitePage, ...]
    """Every page that was asked for or wanted, in that order; robots.txt and sitemaps are not among them."""
    error: str | None
    """Why not all that was wanted was read."""


async def crawl(visitor: WebFetcher, address: str, limits: CrawlLimits, clock: Callable[[], datetime]) -> Crawl:
    """Read the site at an address, which may lack its scheme (`example.ca`)."""
    site = _SiteCrawl(visitor, address, limits, clock)
    with anyio.move_on_after(limits.timeout_s):
        await site.read()
    return await anyio.to_thread.run_sync(site.result)


class _SiteCrawl:
    """One site while it is read."""

    def __init__(self, visitor: WebFetcher, address: str, limits: CrawlLimits, clock: Callable[[], datetime]) -> None:
        self._visitor = visitor
        self._address = address.strip()
        self._limits = limits
        self._clock = clock
        self._files = SiteFiles(visitor)
        self._homes: list[PageFetchResult] = []
        """Of each address that was tried; the last one counts."""
        self._wanted: list[PageLink] = []
        self._readings: dict[PageLink, PageFetchResult] = {}
        self._is_done = False

    async def read(self) -> None:
        """Read the home page, then what it leads to."""
        home = await self._read_home()
        if home is None:
            return
        here = WebUrl.parse(home.url)
        links = await self._links(home)
        if not {link.kind for link in links} >= _ENOUGH:
            links += filter_page_links(here, await self._files.listed_pages(here))
        await self._read_best(here, links)
        if len(self._wanted) < self._limits.pages - 1:
            # A choice of languages, or a page that moves on, hides the rest of its site; it is looked for once.
            await self._read_best(here, await self._links(*self._pages()[1:]))
        self._is_done = True

    @staticmethod
    async def _links(*pages: SitePage) -> list[PageLink]:
        """The links of pages, found in a thread: a page may be made to take long."""
        return await anyio.to_thread.run_sync(lambda: [link for page in pages for link in find_page_links(page)])

    def result(self) -> Crawl:
        """What has come of it so far."""
        asked = (*(reading.asked for reading in self._homes), *map(self._asked, self._wanted))
        if not self._homes or self._homes[-1].page is None:
            trouble = self._home_trouble()
            url = asked[-1].url if asked and asked[-1].status is not None else self._address
            return Crawl(trouble.status, url, (), asked, trouble.message)
        pages = self._pages()
        error = _explain_missing_pages(pages, asked[len(self._homes) - 1 :])
        if error is None and not self._is_done:
            error = f"there was no time to look for more pages within {self._limits.timeout_s:g} s"
        return Crawl(WebsiteStatus.SUCCESS if error is None else WebsiteStatus.PARTIAL, pages[0].url, pages, asked, error)

    async def _read_home(self) -> SitePage | None:
        for address in _list_addresses_to_try(self._address):
            reading = await fetch_page(self._visitor, address, self._files.permit, self._clock)
            self._homes.append(reading)
            if reading.trouble is None or not reading.trouble.is_unreachable:
                return reading.page
        return None

    async def _read_best(self, home: WebUrl, links: Sequence[PageLink]) -> None:
        chosen = choose_links(links, self._wanted, self._limits.pages - 1 - len(self._wanted))
        self._wanted += chosen
        turn = anyio.Semaphore(AT_ONCE)

        async def permit(url: WebUrl) -> None:
            if not is_same_site(home, url):
                raise UpstreamFailed(f"it leads to another site ({url.host})")
            await self._files.permit(url)

        async def read(link: PageLink) -> None:
            async with turn:
                self._readings[link] = await fetch_page(self._visitor, str(link.url), permit, self._clock)

        async with anyio.create_task_group() as tasks:
            for link in chosen:
                tasks.start_soon(read, link)

    def _pages(self) -> tuple[SitePage, ...]:
        """What was read, each page once, the home page first."""
        readings = [*self._homes[-1:], *(self._readings[link] for link in self._wanted if link in self._readings)]
        pages: dict[str, SitePage] = {}
        for reading in readings:
            if reading.page is not None:
                pages.setdefault(reading.page.url, reading.page)
        return tuple(pages.values())

    def _asked(self, link: PageLink) -> WebsitePage:
        reading = self._readings.get(link)
        return reading.asked if reading is not None else WebsitePage(url=str(link.url), retrieved_at=self._clock(), note=_NO_TIME)

    def _home_trouble(self) -> PageFailure:
        trouble = self._homes[-1].trouble if self._homes else None
        too_slow = f"the site did not answer within {self._limits.timeout_s:g} s"
        return trouble if trouble is not None else PageFailure(WebsiteStatus.UNREACHABLE, too_slow)


def _list_addresses_to_try(address: str) -> tuple[str, ...]:
    """The addresses to try: as it is where it has a scheme, otherwise first https."""
    begin = re.split(r"[/?#]", address, maxsplit=1)[0]
    if _OTHER_SCHEME.match(begin) is not None:
        return (address,)
    rest = address.removeprefix("//")
    return f"https://{rest}", f"http://{rest}"


def _explain_missing_pages(pages: Sequence[SitePage], asked: Sequence[WebsitePage]) -> str | None:
    """Why not all that was wanted was read; None where all was."""
    unread = [page for page in asked if page.note is not None]
    if unread:
        return f"{len(unread)} of {len(asked)} pages could not be read, or not whole: {unread[0].note}"
    return None if has_text(*(page.html for page in pages)) else "the pages hold next to no text; a script may draw them"
