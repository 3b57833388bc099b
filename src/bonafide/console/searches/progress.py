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
from bonafide.console.frame.responses import redirect, render_template
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.base import StoredDocument
from bonafide.model.query import SearchRequest
from bonafide.model.search.result import CoverageStatus
from bonafide.observability.log import get_logger
from bonafide.services.lookup.source_result import SourceResult
from bonafide.services.search.execution import begin_search, run_search
from bonafide.services.search.preparation import PreparedSearch
from bonafide.services.search.website_analysis import WebsiteResult
from bonafide.sources.framework.discovery import Source

IMMEDIATE_S = 0.25
"""A search that is done by then is answered with its result; people do not notice such a wait."""
UNBUFFERED = {"X-Accel-Buffering": "no"}
"""Asks a proxy such as nginx to pass every line on as it comes."""
_log = get_logger(__name__)
SourceOutcome = SourceResult | WebsiteResult


@dataclass(frozen=True, slots=True)
class ProgressLine:
    """What came of one source. `candidates` are entries to be compared: which of them match is known when all have answered."""

    title: str
    status: CoverageStatus
    candidates: int | None
    elapsed_ms: int | None
    note: Message | None


async def run_and_follow_search(request: Request, wanted: SearchRequest) -> Response:
    """Search, and lead to the result: at once if it is there at once, else on a page that follows the search.

    Raises as `services.search.create_search` does, before anything is sent.
    """
    visit = get_console_request(request)
    assert visit.signed_in is not None  # noqa: S101 - only handlers for analysts call this
    search = await begin_search(visit.runtime, visit.signed_in.principal, wanted)
    heard: asyncio.Queue[SourceOutcome | None] = asyncio.Queue()
    running = asyncio.create_task(run_search(visit.runtime, search, heard.put_nowait))
    running.add_done_callback(lambda _: heard.put_nowait(None))
    await asyncio.wait({running}, timeout=IMMEDIATE_S)
    if running.done():
        running.result()
        return redirect(request, build_result_url(search))
    pieces = stream_progress(request, search, running, heard)
    # The task is held until it has ended: by the answer, and by the server, which waits for answers when it shuts down.
    return StreamingResponse(pieces, headers=UNBUFFERED, media_type="text/html", background=BackgroundTask(asyncio.wait, {running}))


def build_result_url(search: PreparedSearch) -> str:
    """Where the result is, or will be."""
    return f"/console/searches/{search.search_id}"


async def stream_progress(
    request: Request, search: PreparedSearch, running: asyncio.Task[StoredDocument], heard: asyncio.Queue[SourceOutcome | None]
) -> AsyncIterator[str]:
    """The page in pieces: its head, a line for each source as it answers, the way to the result. None in the queue is the end."""
    mark = token_hex(16)
    whole = render_template(request, "search/progress.html", name=search.query.name, address=build_result_url(search), mark=mark)
    head, _, foot = whole.partition(mark)
    yield head
    visit = get_console_request(request)
    sources, language = visit.runtime.sources, visit.language
    while (answer := await heard.get()) is not None:
        yield render_template(request, "search/progress_line.html", line=build_line(answer, sources, language))
    failure = running.exception()
    if failure is not None:
        _log.error("console_search_failed", exc_info=failure)
    yield render_template(request, "search/progress_end.html", address=build_result_url(search), has_failed=failure is not None)
    yield foot


def build_line(answer: SourceOutcome, sources: Mapping[str, Source], language: Language) -> ProgressLine:
    """The line of one source."""
    if isinstance(answer, WebsiteResult):
        error = answer.error
        status = CoverageStatus.SEARCHED if error is None else CoverageStatus.FAILED
        return ProgressLine(code_labels.CHECK["website_analysis"], status, None, None, error.message if error is not None else None)
    key = answer.source.key
    title = sources[key].metadata.get_display_name(language)
    if answer.error is not None:
        return ProgressLine(title, CoverageStatus.FAILED, None, answer.elapsed_ms, answer.error.message)
    if answer.origin is None:
        reason = answer.note.values.get("reason", answer.note) if answer.note is not None else None
        return ProgressLine(title, CoverageStatus.NOT_AVAILABLE, None, None, reason if isinstance(reason, str) else None)
    return ProgressLine(title, CoverageStatus.SEARCHED, len(answer.candidates), answer.elapsed_ms, None)
