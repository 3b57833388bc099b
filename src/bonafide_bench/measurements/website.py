"""`bonafide bench website`: accuracy of the facts extracted from the sandbox's sites, and the time to analyse a site.

The sites are served over HTTP in this process, and crawled and analysed as in a search. Nothing is asserted here; a test asserts
minimum accuracy.
"""

import statistics
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from time import perf_counter_ns

import httpx2

from bonafide.net.web_fetch import WebFetcher
from bonafide.server.http_server import bind_sockets, serve_app
from bonafide.settings import Settings
from bonafide.website.crawling.crawler import Crawl, CrawlLimits, crawl
from bonafide.website.extraction.extractor import extract_statements
from bonafide_bench.measurements.extraction_accuracy import FactCounts, count_facts
from bonafide_sandbox.sites.catalog import SiteCatalog
from bonafide_sandbox.sites.serving import create_sites_app
from bonafide_sandbox.world.builder import DEFAULT_SEED

HOST = "127.0.0.1"
GRACE_S = 1
TIMED = "bakery.sandbox.example"
"""The site whose analysis is timed: it has the pages of a typical small business and responds immediately."""
RUNS = 30
MS = 1e6
OnCountProgress = Callable[[int, int], None]
"""Progress callback: sites analysed, and their total."""


@dataclass(frozen=True, slots=True)
class SiteTimes:
    """The timed site: pages read, and the median milliseconds to crawl and analyse it.

    The baseline is a plain sequential fetch of the same URLs in the same run.
    """

    pages: int
    analysis_ms: float
    yardstick_ms: float


@dataclass(frozen=True, slots=True)
class WebsiteReport:
    """One run: counts by kind of fact, counts of crawl statuses, and times if they were measured.

    `written` are the counts of the hand-written sites, which have no layout in common with the generated ones.
    """

    sites: int
    pages: int
    kinds: Mapping[str, FactCounts]
    written: Mapping[str, FactCounts]
    statuses: Mapping[str, int]
    times: SiteTimes | None


@dataclass(frozen=True, slots=True)
class BenchSiteReader:
    """Crawls the sites of one run."""

    visitor: WebFetcher
    limits: CrawlLimits
    clock: Callable[[], datetime]
    address: str
    """The address of the server that hosts them."""

    async def crawl(self, host: str) -> Crawl:
        """Crawl a site."""
        return await crawl(self.visitor, f"https://{host}", self.limits, self.clock)


async def measure_website(
    settings: Settings, clock: Callable[[], datetime], sites: int, told: OnCountProgress, *, timed: bool = True
) -> WebsiteReport:
    """Crawl and analyse up to `sites` of the sandbox's sites."""
    town = SiteCatalog(DEFAULT_SEED)
    kinds: dict[str, FactCounts] = {}
    written: dict[str, FactCounts] = {}
    statuses: Counter[str] = Counter()
    pages = 0
    hosts = sample_hosts(town, sites)
    async with _open_reader(settings, clock, town) as reader:
        for done, host in enumerate(hosts, start=1):
            found = await reader.crawl(host)
            statuses[found.status] += 1
            pages += len(found.pages)
            facts = town.facts(host)
            assert facts is not None  # noqa: S101 - the host is in the catalog
            for kind, tally in count_facts(facts, extract_statements(found.pages)).items():
                for counted in (kinds, written) if host in town.written else (kinds,):
                    counted.setdefault(kind, FactCounts()).add(tally)
            told(done, len(hosts))
        times = await _measure_times(reader) if timed else None
    return WebsiteReport(len(hosts), pages, kinds, written, dict(statuses), times)


def sample_hosts(town: SiteCatalog, sites: int) -> tuple[str, ...]:
    """Select `sites` hosts: hand-written sites first, then misleading ones, then the others in order."""
    special = (*town.written, *town.misleading)
    return (*special, *(host for host in town.hosts if host not in special))[:sites]


@asynccontextmanager
async def _open_reader(settings: Settings, clock: Callable[[], datetime], town: SiteCatalog) -> AsyncIterator[BenchSiteReader]:
    sockets = bind_sockets(HOST, 0)
    address = f"http://{HOST}:{sockets[0].getsockname()[1]}"
    async with serve_app(create_sites_app(town), sockets, GRACE_S):
        visitor = WebFetcher(settings, clock, sandbox=address)
        try:
            yield BenchSiteReader(visitor, CrawlLimits(settings.website_max_pages, settings.website_timeout_s), clock, address)
        finally:
            await visitor.close()


async def _measure_times(reader: BenchSiteReader) -> SiteTimes:
    """Run analysis and baseline in turn, so that both run under the same conditions."""
    analysis, yard = [], []
    found = await reader.crawl(TIMED)
    asked = [f"{reader.address}/{page.url.partition('://')[2]}" for page in found.asked]
    async with httpx2.AsyncClient(trust_env=False) as client:
        for _ in range(RUNS):
            started = perf_counter_ns()
            for address in asked:
                await client.get(address)
            yard.append(perf_counter_ns() - started)
            started = perf_counter_ns()
            extract_statements((await reader.crawl(TIMED)).pages)
            analysis.append(perf_counter_ns() - started)
    return SiteTimes(len(found.pages), statistics.median(analysis) / MS, statistics.median(yard) / MS)
