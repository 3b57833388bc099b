"""Fetch one page and assess the response.

It never raises for what a site does. Which pages are asked for is decided elsewhere.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from anyio import to_thread

from bonafide.errors import BonafideError
from bonafide.model.search.website import WebsitePage
from bonafide.net.web_fetch import AddressCheck, WebFetcher, WebResponse
from bonafide.website.crawling.charset_decoding import decode_page
from bonafide.website.crawling.response_assessment import PageFailure, assess_error, assess_response
from bonafide.website.page_content.page import SitePage


@dataclass(frozen=True, slots=True)
class PageFetchResult:
    """What came of asking for a page: the page, or the trouble with it."""

    asked: WebsitePage
    page: SitePage | None = None
    trouble: PageFailure | None = None


async def fetch_page(visitor: WebFetcher, url: str, permit: AddressCheck, clock: Callable[[], datetime]) -> PageFetchResult:
    """Ask for a page. `permit` is told each address before it is asked and raises where it must not be."""
    try:
        visit = await visitor.fetch(url, permit=permit)
    except BonafideError as error:
        trouble = assess_error(error)
        return PageFetchResult(WebsitePage(url=url, retrieved_at=clock(), note=trouble.message), trouble=trouble)
    html = decode_page(visit.body, visit.content_type)
    found = await to_thread.run_sync(assess_response, visit, html)
    if found is not None:
        return PageFetchResult(_to_website_page(visit, found.message), trouble=found)
    note = f"only the first {len(visit.body):,} bytes were read" if visit.is_truncated else None
    return PageFetchResult(_to_website_page(visit, note), SitePage(visit.url, html, visit.retrieved_at))


def _to_website_page(visit: WebResponse, note: str | None) -> WebsitePage:
    return WebsitePage(url=visit.url, retrieved_at=visit.retrieved_at, status=visit.status, size=len(visit.body), note=note)
