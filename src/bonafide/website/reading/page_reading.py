"""One page of a site, asked for and judged: its text, or why there is none.

It never raises for what a site does. Which pages are asked for is decided elsewhere.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from anyio import to_thread

from bonafide.errors import BonafideError
from bonafide.model.website import WebsitePage
from bonafide.visit import Permit, Visit, Visitor
from bonafide.website.page import Page
from bonafide.website.reading.decoding import decoded
from bonafide.website.reading.standing import Trouble, trouble_of_answer, trouble_of_error


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of asking for a page: the page, or the trouble with it."""

    asked: WebsitePage
    page: Page | None = None
    trouble: Trouble | None = None


async def read_page(visitor: Visitor, url: str, permit: Permit, clock: Callable[[], datetime]) -> Reading:
    """Ask for a page. `permit` is told each address before it is asked and raises where it must not be."""
    try:
        visit = await visitor.visit(url, permit=permit)
    except BonafideError as error:
        trouble = trouble_of_error(error)
        return Reading(WebsitePage(url=url, retrieved_at=clock(), note=trouble.message), trouble=trouble)
    html = decoded(visit.body, visit.content_type)
    found = await to_thread.run_sync(trouble_of_answer, visit, html)
    if found is not None:
        return Reading(_asked(visit, found.message), trouble=found)
    note = f"only the first {len(visit.body):,} bytes were read" if visit.is_cut else None
    return Reading(_asked(visit, note), Page(visit.url, html, visit.retrieved_at))


def _asked(visit: Visit, note: str | None) -> WebsitePage:
    return WebsitePage(url=visit.url, retrieved_at=visit.retrieved_at, status=visit.status, size=len(visit.body), note=note)
