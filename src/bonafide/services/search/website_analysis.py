"""Analyse the web site of a business for a search. Never raises for a site.

That a site must not be read, is closed to programs or is none, is its status; that nobody could look is an error of the check.
"""

import asyncio
from dataclasses import dataclass
from time import perf_counter

from bonafide.concurrency.deadline import NO_DEADLINE, Deadline
from bonafide.errors import SourceErrorCode
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
"""Its name among the sources in the metrics."""
NO_ADDRESS = "No web site was given, and the business record has none: there was nothing to read."
NOT_ASKED = "This installation asks nobody live (ask_live): no web site is read."
NO_SANDBOX = "No sandbox is served, so none of its web sites can be read."
NO_TIME = "The web site was not read to its end before the search's deadline."
FAULT = "The web site could not be analysed because of a fault of this service."
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class WebsiteResult:
    """The analysis as far as it came, and why the check is incomplete, if it is."""

    analysis: WebsiteAnalysis | None
    error: CheckError | None


async def analyse_website(runtime: Runtime, world: World, address: str | None, deadline: Deadline = NO_DEADLINE) -> WebsiteResult:
    """Read the site at an address and say who is behind it, within the time that a site may take. Never raises."""
    if address is None:
        return _build_failed_result(SourceErrorCode.INVALID_INPUT, NO_ADDRESS)
    if not runtime.settings.ask_live:
        return _build_failed_result(SourceErrorCode.UNAVAILABLE, NOT_ASKED)
    if world not in runtime.web_fetchers:
        return _build_failed_result(SourceErrorCode.UNAVAILABLE, NO_SANDBOX)
    started = perf_counter()
    try:
        async with deadline.timeout():
            analysis = await _analyse_pages(runtime, world, address, deadline.within(runtime.settings.website_timeout_s))
    except TimeoutError:
        return WebsiteResult(None, CheckError(code=SourceErrorCode.TIMEOUT, message=NO_TIME, retryable=True))
    except Exception:  # noqa: BLE001 - a site must not stop the search; the log has the traceback
        _log.exception("web site could not be analysed")
        runtime.metrics.count_website(SourceErrorCode.UNKNOWN)
        return _build_failed_result(SourceErrorCode.UNKNOWN, FAULT)
    runtime.metrics.observe_lookup(WEBSITE, perf_counter() - started)
    runtime.metrics.count_website(analysis.status)
    return WebsiteResult(analysis, _find_unreached_error(analysis))


async def _analyse_pages(runtime: Runtime, world: World, address: str, limit_s: float) -> WebsiteAnalysis:
    limits = CrawlLimits(runtime.settings.website_max_pages, limit_s)
    read, domain = await asyncio.gather(
        crawl(runtime.web_fetchers[world], address, limits, runtime.clock), look_up_domain(address, runtime.fetchers[world].send)
    )
    return await asyncio.to_thread(_interpret_pages, runtime, world, read, domain)


def _interpret_pages(runtime: Runtime, world: World, read: Crawl, domain: Domain) -> WebsiteAnalysis:
    return WebsiteAnalysis(
        status=read.status,
        url=read.url,
        extracted=extract_statements(read.pages),
        industry=classify_website(runtime, world, read.pages) if read.pages else None,
        domain=domain,
        error=read.error,
        retrieved_at=runtime.clock(),
        pages=read.asked,
    )


def _find_unreached_error(analysis: WebsiteAnalysis) -> CheckError | None:
    """A site that could not be reached was not looked at; all else that can be wrong with one is known of it."""
    if analysis.status is not WebsiteStatus.UNREACHABLE:
        return None
    message = analysis.error if analysis.error is not None else "the web site can't be reached"
    return CheckError(code=SourceErrorCode.UNAVAILABLE, message=message, retryable=True)


def _build_failed_result(code: SourceErrorCode, message: str) -> WebsiteResult:
    return WebsiteResult(None, CheckError(code=code, message=message, retryable=False))
