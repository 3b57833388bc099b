"""Fetch the robots.txt of each host of a site, and its sitemaps.

It says where we may go and what pages there are. Which of them are worth reading is for `links` to say.
"""

from collections import deque

import anyio

from bonafide.errors import BonafideError, SourceAuthFailed
from bonafide.net.web_fetch import WebFetcher
from bonafide.net.web_url import WebUrl
from bonafide.website.crawling.page_links import is_same_site
from bonafide.website.crawling.robots_txt import DISALLOW_ALL, MAX_BYTES, RobotsTxt
from bonafide.website.crawling.sitemap import Sitemap, parse_sitemap

MAX_SITEMAPS = 3
"""Files that are asked for, indexes included."""
_PLAIN_TEXT, _XML = "text/plain", "application/xml,text/xml;q=0.9"
_SUCCESS, _FAILING = range(200, 300), range(500, 600)


class SiteFiles:
    """The files of one site's hosts; each is asked for once."""

    def __init__(self, visitor: WebFetcher) -> None:
        self._visitor = visitor
        self._robots: dict[str, RobotsTxt] = {}
        self._locks: dict[str, anyio.Lock] = {}

    async def permit(self, url: WebUrl) -> None:
        """Raises `SourceAuthFailed` where robots.txt does not want us, and what a visit raises where it can't be asked for."""
        robots = await self._fetch_robots(url)
        if not robots.is_allowed(url.target):
            raise SourceAuthFailed(f"robots.txt of {url.host} asks programs to stay away from {url.target.partition('?')[0]}")

    async def listed_pages(self, home: WebUrl) -> list[str]:
        """The addresses in the site's sitemaps: those that robots.txt names, or the one at the usual place. None raises."""
        named = (await self._fetch_robots(home)).sitemaps
        waiting = deque(named or ["/sitemap.xml"])
        pages: list[str] = []
        for _ in range(MAX_SITEMAPS):
            if not waiting:
                break
            sitemap = await self._sitemap(home, waiting.popleft())
            pages += sitemap.pages
            # Tools that split a sitemap by kind call one of its files "pages"; the others hold articles and pictures.
            waiting.extend(sorted(sitemap.sitemaps, key=lambda address: "page" not in address))
        return pages

    async def _fetch_robots(self, url: WebUrl) -> RobotsTxt:
        async with self._locks.setdefault(url.origin, anyio.Lock()):
            if url.origin not in self._robots:
                self._robots[url.origin] = await self._ask_robots(url)
            return self._robots[url.origin]

    async def _ask_robots(self, url: WebUrl) -> RobotsTxt:
        visit = await self._visitor.fetch(f"{url.origin}/robots.txt", accept=_PLAIN_TEXT)
        if visit.status in _FAILING:
            return DISALLOW_ALL
        if visit.status not in _SUCCESS:
            return RobotsTxt()
        return RobotsTxt.parse(visit.body[:MAX_BYTES].decode(errors="replace"), self._visitor.product)

    async def _sitemap(self, home: WebUrl, address: str) -> Sitemap:
        try:
            url = home.join(address)
            if not is_same_site(home, url):
                return Sitemap()
            visit = await self._visitor.fetch(str(url), accept=_XML, permit=self.permit)
        except BonafideError:
            return Sitemap()
        return parse_sitemap(visit.body) if visit.status in _SUCCESS else Sitemap()
