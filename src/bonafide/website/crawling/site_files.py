"""Fetch the robots.txt of each host of a site (RFC 9309), and its sitemaps (sitemaps.org).

The files come from unknown servers, so their cost is bounded: only standard lines of robots.txt reach the parser, and all other
programs share one name, because the parser (`protego`) copies every rule for every name of its group. XML is read without entities,
network access and document types.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self

import anyio
from lxml import etree
from protego import Protego

from bonafide.errors import BonafideError, SourceAuthFailed
from bonafide.i18n.message import Message
from bonafide.net.web_fetch import WebFetcher
from bonafide.net.web_url import WebUrl
from bonafide.website.crawling.page_links import is_same_site

MAX_BYTES = 500 * 1024
"""The size that is read; the standard requires at least this much (section 2.5)."""
_FIELDS = frozenset({"user-agent", "allow", "disallow", "sitemap"})
_PRODUCT = re.compile(r"[A-Za-z_-]+")
_EVERY_PROGRAM, _OTHER_PROGRAM = "*", "another-program"


@dataclass(frozen=True, slots=True)
class RobotsTxt:
    """The rules for one program on one host."""

    product: str = _EVERY_PROGRAM
    rules: Protego = field(default_factory=Protego)

    @classmethod
    def parse(cls, text: str, product: str) -> Self:
        """Parse a file for `product`: all groups that name it, or those for `*` if none does."""
        lines = []
        for line in text.removeprefix("\ufeff").splitlines():
            name, _, value = line.partition("#")[0].partition(":")
            name, value = name.strip().lower(), value.strip()
            if name in _FIELDS:
                lines.append(f"{name}: {_normalize_program(value, product) if name == 'user-agent' else value}")
        return cls(product, Protego.parse("\n".join(lines)))

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The addresses of the sitemaps in the file."""
        return tuple(self.rules.sitemaps)

    def is_allowed(self, target: str) -> bool:
        """Whether a path with its query may be requested: the longest matching rule applies, `Allow` if two are equal."""
        # With a host, because the library parses the beginning of "//path" as one.
        return self.rules.can_fetch(f"https://host/{target.removeprefix('/')}", self.product)


def _normalize_program(value: str, product: str) -> str:
    """Return the product's own name (`Bonafide/1.0` is `bonafide`), `*`, or the shared name of all other programs."""
    if value.startswith(_EVERY_PROGRAM):
        return _EVERY_PROGRAM
    found = _PRODUCT.match(value)
    return product if found is not None and found[0].lower() == product.lower() else _OTHER_PROGRAM


DISALLOW_ALL = RobotsTxt.parse("User-agent: *\nDisallow: /", _EVERY_PROGRAM)
"""For a host whose robots.txt is unreachable because of a server error (section 2.3.1.4)."""


MAX_ADDRESSES = 5_000


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The pages or further sitemaps of one file."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()


def parse_sitemap(body: bytes) -> Sitemap:
    """Return the first `MAX_ADDRESSES` addresses; none if the file is not XML or declares a document type."""
    if b"<!DOCTYPE" in body or b"<!ENTITY" in body:
        return Sitemap()
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True)
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError):
        return Sitemap()
    if root is None:  # the recovered tree of a file without elements
        return Sitemap()
    return Sitemap(tuple(_list_locations(root, "url")), tuple(_list_locations(root, "sitemap")))


def _list_locations(root: etree._Element, tag: str) -> Iterator[str]:
    for number, element in enumerate(root.iterchildren("{*}" + tag)):
        if number == MAX_ADDRESSES:
            return
        text = element.findtext("{*}loc")
        if text is not None and text.strip() != "":
            yield text.strip()


MAX_SITEMAPS = 3
"""Files that are requested, including indexes."""
_PLAIN_TEXT, _XML = "text/plain", "application/xml,text/xml;q=0.9"
_SUCCESS, _FAILING = range(200, 300), range(500, 600)


class SiteFiles:
    """The files of one site's hosts; each is requested once."""

    def __init__(self, visitor: WebFetcher) -> None:
        self._visitor = visitor
        self._robots: dict[str, RobotsTxt] = {}
        self._locks: dict[str, anyio.Lock] = {}

    async def permit(self, url: WebUrl) -> None:
        """Raises `SourceAuthFailed` if robots.txt disallows the address, or another error if robots.txt is unreachable."""
        robots = await self._fetch_robots(url)
        if not robots.is_allowed(url.target):
            raise SourceAuthFailed(
                Message("robots.txt of {host} disallows {path}", host=url.host, path=url.target.partition("?")[0])
            )

    async def listed_pages(self, home: WebUrl) -> list[str]:
        """Return the addresses in the sitemaps named by robots.txt, or in the default sitemap. Never raises for a sitemap."""
        named = (await self._fetch_robots(home)).sitemaps
        waiting = deque(named or ["/sitemap.xml"])
        pages: list[str] = []
        for _ in range(MAX_SITEMAPS):
            if not waiting:
                break
            sitemap = await self._sitemap(home, waiting.popleft())
            pages += sitemap.pages
            # Tools that split a sitemap by type name one of its files "pages"; the others contain articles and images.
            waiting.extend(sorted(sitemap.sitemaps, key=lambda address: "page" not in address))
        return pages

    async def _fetch_robots(self, url: WebUrl) -> RobotsTxt:
        async with self._locks.setdefault(url.origin, anyio.Lock()):
            if url.origin not in self._robots:
                self._robots[url.origin] = await self._download_robots(url)
            return self._robots[url.origin]

    async def _download_robots(self, url: WebUrl) -> RobotsTxt:
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
