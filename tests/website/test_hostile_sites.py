"""The sandbox's hostile sites, crawled as any other: each ends soon, with the status that it deserves."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from bonafide.model.search.website import WebsiteStatus
from bonafide.net.web_fetch import WebFetcher
from bonafide.settings import Settings
from bonafide.website.crawling.crawler import Crawl, CrawlLimits, crawl
from bonafide_sandbox.sites.catalog import load_catalog
from bonafide_sandbox.sites.hostile import HOSTILE_SITES, REDIRECTS
from bonafide_sandbox.sites.serving import create_sites_app
from bonafide_sandbox.world.builder import DEFAULT_SEED
from tests.support.servers.asgi_server import served
from tests.support.waiting import LOOKUP_S

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

SOON_S = 1.0
WITHOUT_END = {"drip", "silent"}
"""The hosts whose end must be waited for."""
NOW = datetime(2026, 11, 20, 14, 30, tzinfo=UTC)
BLOCKED, INVALID = WebsiteStatus.BLOCKED, WebsiteStatus.INVALID
PARTIAL, UNREACHABLE = WebsiteStatus.PARTIAL, WebsiteStatus.UNREACHABLE
EXPECTED = {
    **dict.fromkeys(REDIRECTS, WebsiteStatus.REFUSED),
    **dict.fromkeys(("no-robots", "robots-down", "forbidden", "locked", "busy", "challenge"), BLOCKED),
    **dict.fromkeys(("loop", "long-chain", "drip", "silent", "double-bomb", "garbled", "down"), UNREACHABLE),
    **dict.fromkeys(("gone", "pdf", "image", "untyped"), INVALID),
    **dict.fromkeys(("refresh", "endless", "bomb", "empty", "bad-links", "based", "script-only", "parked"), PARTIAL),
}
"""Of the hosts on whose status there is but one opinion; the others need only end."""


@pytest.fixture(scope="module")
async def visitor() -> AsyncIterator[WebFetcher]:
    async with served(create_sites_app(load_catalog(DEFAULT_SEED))) as address:
        visitor = WebFetcher(Settings(website_timeout_s=LOOKUP_S), lambda: NOW, sandbox=address)
        yield visitor
        await visitor.close()


async def crawled(visitor: WebFetcher, label: str) -> Crawl:
    limits = CrawlLimits(8, SOON_S if label in WITHOUT_END else LOOKUP_S)
    return await crawl(visitor, f"https://{label}.sandbox.example", limits, lambda: NOW)


@pytest.mark.parametrize("label", HOSTILE_SITES)
async def test_a_hostile_site_ends_with_the_status_that_it_deserves(visitor: WebFetcher, label: str) -> None:
    found = await crawled(visitor, label)

    assert found.status is EXPECTED.get(label, found.status), found.error
    assert found.error is not None or found.status is WebsiteStatus.SUCCESS
    assert all(".sandbox.example" in page.url for page in found.pages)


@pytest.mark.parametrize("label", ["no-robots", "robots-down"])
async def test_a_page_that_robots_must_not_read_is_not_read(visitor: WebFetcher, label: str) -> None:
    assert (await crawled(visitor, label)).pages == ()


async def test_pages_are_asked_of_the_sites_own_host_alone(visitor: WebFetcher) -> None:
    for label in ("bad-links", "based"):
        found = await crawled(visitor, label)
        assert all(page.url.startswith(f"https://{label}.sandbox.example/") for page in found.asked)
