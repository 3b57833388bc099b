"""Read a site's home page and the few relevant pages, within limits of number and time.

Only what robots.txt permits is requested. The behaviour of a site never raises an error: it becomes a status with a reason.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import anyio
import anyio.to_thread

from bonafide.errors import UpstreamFailed
from bonafide.i18n.message import Message, plural_message
from bonafide.model.search.website import WebsitePage, WebsiteStatus
from bonafide.net.web_fetch import WebFetcher
from bonafide.net.web_url import WebUrl
from bonafide.website.crawling.page_fetching import PageFailure, PageFetchResult, fetch_page, has_text
from bonafide.website.crawling.page_kinds import PageKind
from bonafide.website.crawling.page_links import PageLink, choose_links, filter_page_links, find_page_links, is_same_site
from bonafide.website.crawling.site_files import SiteFiles
from bonafide.website.page_content.markup import SitePage

AT_ONCE = 4
"""Pages of one site that are fetched concurrently."""
_ENOUGH = frozenset({PageKind.CONTACT, PageKind.ABOUT, PageKind.LEGAL, PageKind.TERMS, PageKind.PRIVACY})
"""If the home page links to all of these, the sitemap is not fetched."""
_NO_TIME = Message("not read before the time limit")
_OTHER_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?![0-9])")


@dataclass(frozen=True, slots=True)
class CrawlLimits:
    """The number of pages, and seconds for all of them. The web fetcher limits the size of a page."""

    pages: int
    timeout_s: float


@dataclass(frozen=True, slots=True)
class Crawl:
    """The result of reading a site. `url` is the address of the home page after redirects, or the given one."""

    status: WebsiteStatus
    url: str
    pages: tuple[SitePage, ...]
    asked: tuple[WebsitePage, ...]
    """Every page that was requested or selected, in that order, without robots.txt and sitemaps."""
    error: Message | None
    """Why some selected pages were not read."""


async def crawl(visitor: WebFetcher, address: str, limits: CrawlLimits, clock: Callable[[], datetime]) -> Crawl:
    """Read the site at an address, which may lack its scheme (`example.ca`)."""
    site = _SiteCrawl(visitor, address, limits, clock)
    with anyio.move_on_after(limits.timeout_s):
        await site.read()
    return await anyio.to_thread.run_sync(site.result)


class _SiteCrawl:
    """The state of reading one site."""

    def __init__(self, visitor: WebFetcher, address: str, limits: CrawlLimits, clock: Callable[[], datetime]) -> None:
        self._visitor = visitor
        self._address = address.strip()
        self._limits = limits
        self._clock = clock
        self._files = SiteFiles(visitor)
        self._homes: list[PageFetchResult] = []
        """The results for each address that was tried; the last one applies."""
        self._selected: list[PageLink] = []
        self._readings: dict[PageLink, PageFetchResult] = {}
        self._is_done = False

    async def read(self) -> None:
        """Read the home page, then the pages that it links to."""
        home = await self._read_home()
        if home is None:
            return
        here = WebUrl.parse(home.url)
        links = await self._links(home)
        if not {link.kind for link in links} >= _ENOUGH:
            links += filter_page_links(here, await self._files.listed_pages(here))
        await self._read_best(here, links)
        if len(self._selected) < self._limits.pages - 1:
            # A language selection or a redirect page hides the rest of its site, so links are followed once more.
            await self._read_best(here, await self._links(*self._pages()[1:]))
        self._is_done = True

    @staticmethod
    async def _links(*pages: SitePage) -> list[PageLink]:
        """Find the links of pages, in a thread, because a malicious page may take long."""
        return await anyio.to_thread.run_sync(lambda: [link for page in pages for link in find_page_links(page)])

    def result(self) -> Crawl:
        """Return the result so far."""
        asked = (*(reading.asked for reading in self._homes), *map(self._to_website_page, self._selected))
        if not self._homes or self._homes[-1].page is None:
            failure = self._get_home_failure()
            url = asked[-1].url if asked and asked[-1].status is not None else self._address
            return Crawl(failure.status, url, (), asked, failure.message)
        pages = self._pages()
        error = _explain_missing_pages(pages, asked[len(self._homes) - 1 :])
        if error is None and not self._is_done:
            error = Message(
                "the time limit of {seconds:g} s was reached before all pages were found", seconds=self._limits.timeout_s
            )
        return Crawl(WebsiteStatus.SUCCESS if error is None else WebsiteStatus.PARTIAL, pages[0].url, pages, asked, error)

    async def _read_home(self) -> SitePage | None:
        for address in _list_addresses_to_try(self._address):
            reading = await fetch_page(self._visitor, address, self._files.permit, self._clock)
            self._homes.append(reading)
            if reading.failure is None or not reading.failure.is_unreachable:
                return reading.page
        return None

    async def _read_best(self, home: WebUrl, links: Sequence[PageLink]) -> None:
        chosen = choose_links(links, self._selected, self._limits.pages - 1 - len(self._selected))
        self._selected += chosen
        slots = anyio.Semaphore(AT_ONCE)

        async def permit(url: WebUrl) -> None:
            if not is_same_site(home, url):
                raise UpstreamFailed(Message("the address redirects to another site ({host})", host=url.host))
            await self._files.permit(url)

        async def read(link: PageLink) -> None:
            async with slots:
                self._readings[link] = await fetch_page(self._visitor, str(link.url), permit, self._clock)

        async with anyio.create_task_group() as tasks:
            for link in chosen:
                tasks.start_soon(read, link)

    def _pages(self) -> tuple[SitePage, ...]:
        """Return the pages that were read, each once, the home page first."""
        readings = [*self._homes[-1:], *(self._readings[link] for link in self._selected if link in self._readings)]
        pages: dict[str, SitePage] = {}
        for reading in readings:
            if reading.page is not None:
                pages.setdefault(reading.page.url, reading.page)
        return tuple(pages.values())

    def _to_website_page(self, link: PageLink) -> WebsitePage:
        reading = self._readings.get(link)
        return reading.asked if reading is not None else WebsitePage(url=str(link.url), retrieved_at=self._clock(), note=_NO_TIME)

    def _get_home_failure(self) -> PageFailure:
        failure = self._homes[-1].failure if self._homes else None
        too_slow = Message("the site did not respond within {seconds:g} s", seconds=self._limits.timeout_s)
        return failure if failure is not None else PageFailure(WebsiteStatus.UNREACHABLE, too_slow)


def _list_addresses_to_try(address: str) -> tuple[str, ...]:
    """Return the addresses to try: the given one if it has a scheme, otherwise https, then http."""
    begin = re.split(r"[/?#]", address, maxsplit=1)[0]
    if _OTHER_SCHEME.match(begin) is not None:
        return (address,)
    rest = address.removeprefix("//")
    return f"https://{rest}", f"http://{rest}"


def _explain_missing_pages(pages: Sequence[SitePage], requested: Sequence[WebsitePage]) -> Message | None:
    """Explain why some pages were not read; None if all were."""
    unread = [page for page in requested if page.note is not None]
    if unread and unread[0].note is not None:
        return plural_message(
            "{n} of {total} pages was not read completely: {reason}",
            "{n} of {total} pages were not read completely: {reason}",
            len(unread),
            total=len(requested),
            reason=unread[0].note,
        )
    if has_text(*(page.html for page in pages)):
        return None
    return Message("the pages contain almost no text; a script may generate their content")
