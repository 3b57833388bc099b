"""Run a search and stream its progress to the browser, one line for each source.

A search continues and is stored when the browser disconnects. Other nodes see it once it is stored.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from secrets import token_hex

from fastapi import Request
from starlette.background import BackgroundTask
from starlette.responses import Response, StreamingResponse

from bonafide.console.frame import code_labels
from bonafide.console.frame.console_request import get_console_request
from bonafide.console.frame.manual_lookup import split_manual_lookup
from bonafide.console.frame.responses import redirect, render_template
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.base import StoredDocument
from bonafide.model.query import SearchRequest
from bonafide.model.search.result import CoverageStatus
from bonafide.observability.log import get_logger
from bonafide.services.lookup.source_result import SourceResult
from bonafide.services.lookup.website_analysis import WebsiteResult
from bonafide.services.search.execution import begin_search, run_search
from bonafide.services.search.preparation import PreparedSearch
from bonafide.sources.framework.discovery import Source

IMMEDIATE_S = 0.25
"""A search that completes within this time redirects to its result at once."""
UNBUFFERED = {"X-Accel-Buffering": "no"}
"""Disables response buffering in proxies such as nginx."""
_log = get_logger(__name__)
SourceOutcome = SourceResult | WebsiteResult


@dataclass(frozen=True, slots=True)
class ProgressLine:
    """The result of one source. `candidates` counts the entries to compare; the matches are known once all sources responded."""

    title: str
    status: CoverageStatus
    candidates: int | None
    elapsed_ms: int | None
    note: Message | None


async def run_and_follow_search(request: Request, search_request: SearchRequest) -> Response:
    """Run a search. Redirect to the result if it completes at once, else stream a page with its progress.

    Raises as `services.search.create_search` does, before anything is sent.
    """
    visit = get_console_request(request)
    assert visit.signed_in is not None  # noqa: S101 - only handlers for analysts call this
    search = await begin_search(visit.runtime, visit.signed_in.principal, search_request)
    outcomes: asyncio.Queue[SourceOutcome | None] = asyncio.Queue()
    running = asyncio.create_task(run_search(visit.runtime, search, outcomes.put_nowait))
    running.add_done_callback(lambda _: outcomes.put_nowait(None))
    await asyncio.wait({running}, timeout=IMMEDIATE_S)
    if running.done():
        running.result()
        return redirect(request, build_result_url(search))
    pieces = stream_progress(request, search, running, outcomes)
    # The response keeps a reference to the task until it ends, and the server waits for responses when it shuts down.
    return StreamingResponse(pieces, headers=UNBUFFERED, media_type="text/html", background=BackgroundTask(asyncio.wait, {running}))


def build_result_url(search: PreparedSearch) -> str:
    """The URL of the result, which exists once the search has completed."""
    return f"/console/searches/{search.search_id}"


async def stream_progress(
    request: Request, search: PreparedSearch, running: asyncio.Task[StoredDocument], outcomes: asyncio.Queue[SourceOutcome | None]
) -> AsyncIterator[str]:
    """Yield the page: its head, a line for each source as it responds, the link to the result. None in the queue is the end."""
    mark = token_hex(16)
    page = render_template(request, "search/progress.html", name=search.query.name, address=build_result_url(search), mark=mark)
    head, _, foot = page.partition(mark)
    yield head
    visit = get_console_request(request)
    sources, language = visit.runtime.sources, visit.language
    while (outcome := await outcomes.get()) is not None:
        yield render_template(request, "search/progress_line.html", line=build_line(outcome, sources, language))
    failure = running.exception()
    if failure is not None:
        _log.error("console.search_failed", exc_info=failure)
    yield render_template(request, "search/progress_end.html", address=build_result_url(search), has_failed=failure is not None)
    yield foot


def build_line(outcome: SourceOutcome, sources: Mapping[str, Source], language: Language) -> ProgressLine:
    """The line of one source."""
    if isinstance(outcome, WebsiteResult):
        error = outcome.error
        status = CoverageStatus.SEARCHED if error is None else CoverageStatus.FAILED
        return ProgressLine(code_labels.CHECK["website_analysis"], status, None, None, error.message if error is not None else None)
    key = outcome.source.key
    title = sources[key].metadata.get_display_name(language)
    if outcome.error is not None:
        return ProgressLine(title, CoverageStatus.FAILED, None, outcome.elapsed_ms, outcome.error.message)
    if outcome.origin is None:
        reason = split_manual_lookup(outcome.note)[0] if outcome.note is not None else None
        return ProgressLine(title, CoverageStatus.NOT_AVAILABLE, None, None, reason)
    return ProgressLine(title, CoverageStatus.SEARCHED, len(outcome.candidates), outcome.elapsed_ms, None)
