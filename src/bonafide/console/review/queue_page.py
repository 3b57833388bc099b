"""The review queue: searches that need a decision, one at a time.

Viewers see the same page without buttons.
"""

from typing import Annotated
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.console.frame.console_request import Analyst, PathId, ServedRuntime, Viewer, build_author
from bonafide.console.frame.forms import FormSubmission, create_form_parser, parse_choice, parse_uuid
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.review.review_view import (
    build_candidates,
    build_review_reason,
    count_left_out,
    count_searched_registers,
    format_submitted_address,
)
from bonafide.console.searches.result_view import list_failed_checks
from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.base import Document
from bonafide.model.query import Text
from bonafide.model.records.business_input import ProseText
from bonafide.model.search.result import SelectionStatus
from bonafide.model.search.selection import MatchChoice
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.search import history
from bonafide.store.records.review_queue import ReviewQueue

ADDRESS = "/console/review"
ARCHIVE = "archive"
_OUTCOMES = ("no_match_found", "no_selection")
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


class DecisionForm(Document):
    """The decision on a search: the id of a match, an outcome without a match, or `archive`."""

    queue: ReviewQueue
    choice: Text
    next: UUID | None = None
    """The search to show next."""
    note: ProseText | None = None
    """Why, for the audit log."""


class UndoForm(Document):
    """The queue of the decision to undo."""

    queue: ReviewQueue


@router.get("")
async def review_page(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """The search `?at=` of the queue `?queue=`, or the first of the queue, and the last decision (`?done=`)."""
    queue = parse_choice(ReviewQueue, request.query_params.get("queue", "")) or ReviewQueue.NEEDS_REVIEW
    turn = await history.find_review_item(runtime, signed_in.organization_id, queue, parse_uuid(request.query_params.get("at", "")))
    result = turn.document if turn is not None else None
    done = parse_uuid(request.query_params.get("done", ""))
    settings = await read_settings(runtime, signed_in.organization_id)
    return render_page(
        request,
        "review/queue.html",
        queue=queue,
        queues=ReviewQueue,
        waiting=await history.count_waiting(runtime, signed_in.organization_id),
        counted=history.MAX_COUNTED,
        turn=turn,
        result=result,
        candidates=build_candidates(result) if result is not None else (),
        left_out=count_left_out(result) if result is not None else 0,
        submitted_address=format_submitted_address(result) if result is not None else None,
        failed_checks=list_failed_checks(result.errors) if result is not None else (),
        reason=build_review_reason(result, settings.match_selection) if result is not None else None,
        registers=count_searched_registers(result) if result is not None else None,
        settings=settings.match_selection,
        done=await history.read_decided_search(runtime, signed_in.organization_id, done) if done is not None else None,
        address=_build_url,
    )


@router.post("/{id}")
async def decide(
    request: Request,
    signed_in: Analyst,
    runtime: ServedRuntime,
    search_id: PathId,
    sent: Annotated[FormSubmission[DecisionForm], Depends(create_form_parser(DecisionForm))],
) -> Response:
    """Save the decision and show the next search. Raises `SearchNotFound`, `NotFound`, `MatchNotFound`, `Conflict`."""
    if sent.value is None:
        raise ValidationFailed(Message("Select a match, or “None of these”."))
    decision = sent.value
    if decision.choice == ARCHIVE:
        await history.archive_search(runtime, signed_in.organization_id, search_id, archived=True)
    else:
        field = "status" if decision.choice in _OUTCOMES else "match_id"
        choice = MatchChoice.model_validate({field: decision.choice, "note": decision.note})
        await history.choose_match(runtime, signed_in.organization_id, search_id, choice, build_author(request, signed_in))
    return redirect(request, _build_url(decision.queue, at=decision.next, done=search_id))


@router.post("/{id}/undo")
async def undo(
    request: Request,
    signed_in: Analyst,
    runtime: ServedRuntime,
    search_id: PathId,
    sent: Annotated[FormSubmission[UndoForm], Depends(create_form_parser(UndoForm))],
) -> Response:
    """Return the search to its queue and show it. Raises `SearchNotFound`, `NotFound`, `Conflict`."""
    if sent.value is None:
        raise ValidationFailed(Message("There is nothing to undo."))
    queue = sent.value.queue
    if queue is ReviewQueue.INCOMPLETE:
        await history.archive_search(runtime, signed_in.organization_id, search_id, archived=False)
    else:
        await history.reopen_selection(
            runtime, signed_in.organization_id, search_id, SelectionStatus(queue), build_author(request, signed_in)
        )
    return redirect(request, _build_url(queue, at=search_id))


def _build_url(queue: ReviewQueue, *, at: UUID | None = None, done: UUID | None = None) -> str:
    chosen = {"queue": queue, "at": at, "done": done}
    return f"{ADDRESS}?{urlencode({name: value for name, value in chosen.items() if value is not None})}"
