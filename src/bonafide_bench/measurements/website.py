"""`bonafide bench website`: what is found of the facts that were planted in the sandbox's sites, and how long a site takes.

The sites are served over HTTP in this process, crawled and read as in a search. Nothing is asserted here: figures are for people,
and the floors are a test's.
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
"""The site whose analysis is timed: it has the pages that a small business has, and answers at once."""
RUNS = 30
MS = 1e6
OnCountProgress = Callable[[int, int], None]
"""Hears how many sites have been read, of how many."""


@dataclass(frozen=True, slots=True)
class SiteTimes:
    """The timed site: pages that were read, and the median milliseconds of reading and understanding it.

    The yardstick is a plain fetch of the same addresses, one after the other, in the same run.
    """

    pages: int
    analysis_ms: float
    yardstick_ms: float


@dataclass(frozen=True, slots=True)
class WebsiteReport:
    """One run: tallies by kind of fact, how often each status came of a crawl, and times if they were measured.

    `written` are the tallies of the sites among them that are written by hand: nothing but their language is known beforehand.
    """

    sites: int
    pages: int
    kinds: Mapping[str, FactCounts]
    written: Mapping[str, FactCounts]
    statuses: Mapping[str, int]
    times: SiteTimes | None


@dataclass(frozen=True, slots=True)
class BenchSiteReader:
    """What reads the sites of one run."""

    visitor: WebFetcher
    limits: CrawlLimits
    clock: Callable[[], datetime]
    address: str
    """Of the server that has them."""

    async def crawl(self, host: str) -> Crawl:
        """The pages of a site."""
        return await crawl(self.visitor, f"https://{host}", self.limits, self.clock)


async def measure_website(
    settings: Settings, clock: Callable[[], datetime], sites: int, told: OnCountProgress, *, timed: bool = True
) -> WebsiteReport:
    """Crawl and read so many sites, from the first; there are no more than the sandbox has."""
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
            assert facts is not None  # noqa: S101 - it is one of the town's hosts
            for kind, tally in count_facts(facts, extract_statements(found.pages)).items():
                for counted in (kinds, written) if host in town.written else (kinds,):
                    counted.setdefault(kind, FactCounts()).add(tally)
            told(done, len(hosts))
        times = await _measure_times(reader) if timed else None
    return WebsiteReport(len(hosts), pages, kinds, written, dict(statuses), times)


def sample_hosts(town: SiteCatalog, sites: int) -> tuple[str, ...]:
    """So many hosts: those that are written by hand, those that mislead, and the rest from the first."""
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
    """Analysis and yardstick in turn, so that both feel the same machine."""
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
