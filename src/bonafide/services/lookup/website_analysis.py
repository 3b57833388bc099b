"""Analyse the web site of a business, for a search or for monitoring. Never raises for a site.

A site that disallows crawling, blocks programs or does not exist has its own status; a failure to read a site is an error of the
check.
"""

import asyncio
from dataclasses import dataclass
from time import perf_counter

from bonafide.concurrency.deadline import NO_DEADLINE, Deadline
from bonafide.concurrency.work_limiter import wait_outside
from bonafide.errors import SourceErrorCode
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.search.result import CheckError
from bonafide.model.search.website import Domain, WebsiteAnalysis, WebsiteStatus
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.loading.naics import classify_website
from bonafide.website.crawling.crawler import Crawl, CrawlLimits, crawl
from bonafide.website.domain_registration import look_up_domain
from bonafide.website.extraction.extractor import extract_statements

WEBSITE = "website"
"""The name of the check in the metrics of sources."""
NO_ADDRESS = Message("Neither the request nor the business record has a web site.")
LIVE_DISABLED = Message("Live lookups are disabled (`ask_live`), so web sites are not analysed.")
NO_SANDBOX = Message("The sandbox is not running, so its web sites can’t be analysed.")
NO_TIME = Message("The web site analysis was not completed before the search’s deadline.")
FAULT = Message("The web site could not be analysed because of an internal error.")
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class WebsiteResult:
    """The analysis as far as it came, and why the check is incomplete, if it is."""

    analysis: WebsiteAnalysis | None
    error: CheckError | None


async def analyse_website(
    runtime: Runtime, world: World, address: str | None, deadline: Deadline = NO_DEADLINE, *, with_industry: bool = True
) -> WebsiteResult:
    """Read the site at an address and identify its owner, within the time limit of a site. Never raises.

    Without `with_industry` its industry is not classified.
    """
    if address is None:
        return _build_failed_result(SourceErrorCode.INVALID_INPUT, NO_ADDRESS)
    if not runtime.settings.ask_live:
        return _build_failed_result(SourceErrorCode.UNAVAILABLE, LIVE_DISABLED)
    if world not in runtime.web_fetchers:
        return _build_failed_result(SourceErrorCode.UNAVAILABLE, NO_SANDBOX)
    started = perf_counter()
    try:
        async with deadline.timeout():
            limit_s = deadline.within(runtime.settings.website_timeout_s)
            read, domain = await _read_site(runtime, world, address, limit_s)
            analysis = await asyncio.to_thread(_interpret_pages, runtime, world, read, domain, with_industry=with_industry)
    except TimeoutError:
        return WebsiteResult(None, CheckError(code=SourceErrorCode.TIMEOUT, message=NO_TIME, retryable=True))
    except Exception:  # noqa: BLE001 - a site must not fail the search; the log has the traceback
        _log.exception("website.failed")
        runtime.metrics.count_website(SourceErrorCode.UNKNOWN)
        return _build_failed_result(SourceErrorCode.UNKNOWN, FAULT)
    runtime.metrics.observe_lookup(WEBSITE, perf_counter() - started)
    runtime.metrics.count_website(analysis.status)
    return WebsiteResult(analysis, _find_unreached_error(analysis))


async def _read_site(runtime: Runtime, world: World, address: str, limit_s: float) -> tuple[Crawl, Domain]:
    limits = CrawlLimits(runtime.settings.website_max_pages, limit_s)
    with wait_outside():
        return await asyncio.gather(
            crawl(runtime.web_fetchers[world], address, limits, runtime.clock),
            look_up_domain(address, runtime.fetchers[world].send),
        )


def _interpret_pages(runtime: Runtime, world: World, read: Crawl, domain: Domain, *, with_industry: bool) -> WebsiteAnalysis:
    return WebsiteAnalysis(
        status=read.status,
        url=read.url,
        extracted=extract_statements(read.pages),
        industry=classify_website(runtime, world, read.pages) if with_industry and read.pages else None,
        domain=domain,
        error=read.error,
        retrieved_at=runtime.clock(),
        pages=read.asked,
    )


def _find_unreached_error(analysis: WebsiteAnalysis) -> CheckError | None:
    """An unreachable site is an error of the check; any other problem of a site is a result."""
    if analysis.status is not WebsiteStatus.UNREACHABLE:
        return None
    message = analysis.error if analysis.error is not None else Message("The web site is unreachable.")
    return CheckError(code=SourceErrorCode.UNAVAILABLE, message=message, retryable=True)


def _build_failed_result(code: SourceErrorCode, message: Message) -> WebsiteResult:
    return WebsiteResult(None, CheckError(code=code, message=message, retryable=code.is_retryable))
