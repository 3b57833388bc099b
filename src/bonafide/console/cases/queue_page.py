"""The queue of cases by due date, with its filter, and changes and decisions of several cases at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from bonafide.console.cases import labels
from bonafide.console.cases.case_forms import describe_problem, list_assignees, parse_change, parse_decision
from bonafide.console.cases.queue_filter import CASES, DueChoice, QueueFilter
from bonafide.console.events import labels as event_labels
from bonafide.console.frame.console_request import Analyst, ServedRuntime, Viewer, build_author, get_console_request
from bonafide.console.frame.forms import parse_number, parse_uuid, read_form
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import SignedIn
from bonafide.model.cases.case import CaseStatus
from bonafide.model.cases.policy import CasePriority
from bonafide.model.cases.requests import CaseChange
from bonafide.model.records.business_input import MAX_PROSE_CHARACTERS
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.cases import queue
from bonafide.services.cases.queue import BulkOutcome, RefusedCase

PAGE_SIZE = 25
ASSIGN_TO_ME, CHANGE, DECIDE = "assign_to_me", "change", "decide"
"""The buttons of the form."""
_DIGITS = 3
router = APIRouter(prefix=CASES, include_in_schema=False, route_class=ConsoleRoute)


@dataclass(frozen=True, slots=True)
class BulkResult:
    """What became of a form that was not simply carried out: its problem, or the cases that were refused."""

    problem: Message | None = None
    done: int = 0
    refused: tuple[RefusedCase, ...] = ()
    numbers: Mapping[UUID, int] = field(default_factory=dict)
    """The numbers of the refused cases by ID."""


@router.get("")
async def list_cases(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """A page of the queue; `?done=` is the number of cases that the last form changed. Raises `ValidationFailed` for a cursor."""
    return await _render_queue(request, signed_in, runtime)


@router.post("")
async def change_cases(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Change or decide the selected cases. Those that can't be changed are listed with the reasons."""
    form, chosen = await read_form(request), QueueFilter.from_query(request.query_params)
    ids = _parse_ids(form)
    if not ids:
        problem = Message("Select at least one case.")
        return await _render_queue(request, signed_in, runtime, BulkResult(problem), form)
    try:
        outcome = await _carry_out(request, signed_in, runtime, ids, form)
    except ValidationFailed as refusal:
        return await _render_queue(request, signed_in, runtime, BulkResult(describe_problem(refusal)), form)
    if outcome.refused:
        numbers = await queue.read_numbers(runtime, signed_in.organization_id, [one.id for one in outcome.refused])
        result = BulkResult(None, len(outcome.done), outcome.refused, numbers)
        return await _render_queue(request, signed_in, runtime, result, form)
    at = str(ids[0]) if len(ids) == 1 else None
    return redirect(request, chosen.build_address(chosen.cursor, done=str(len(outcome.done)), at=at))


async def _carry_out(request: Request, signed_in: SignedIn, runtime: Runtime, ids: Sequence[UUID], form: FormData) -> BulkOutcome:
    """Do what the pressed button says. Raises `ValidationFailed` for an incomplete form."""
    organization_id, author = signed_in.organization_id, build_author(request, signed_in)
    if form.get("do") == DECIDE:
        return await queue.decide_cases(runtime, organization_id, ids, parse_decision(form), author)
    change = (
        CaseChange(assignee=signed_in.user.email)
        if form.get("do") == ASSIGN_TO_ME
        else parse_change(form, signed_in, get_console_request(request).time_zone)
    )
    if not change.model_fields_set:
        raise ValidationFailed(Message("Choose what to change."))
    return await queue.change_cases(runtime, organization_id, ids, change, author)


def _parse_ids(form: FormData) -> list[UUID]:
    parsed = (parse_uuid(str(given)) for given in form.getlist("case"))
    return list(dict.fromkeys(one for one in parsed if one is not None))[:PAGE_SIZE]


async def _render_queue(
    request: Request,
    signed_in: SignedIn,
    runtime: Runtime,
    result: BulkResult | None = None,
    form: FormData | None = None,
) -> Response:
    chosen, query = QueueFilter.from_query(request.query_params), request.query_params
    now = runtime.clock().astimezone(get_console_request(request).time_zone)
    stored = chosen.build_stored(signed_in.user.email, now)
    page = await queue.list_queue(runtime, signed_in.organization_id, stored, chosen.order, PAGE_SIZE, chosen.cursor)
    status = 200 if result is None else 422 if result.problem is not None else 409
    return render_page(
        request,
        "cases/queue.html",
        status=status,
        chosen=chosen,
        cases=page.cases,
        next_cursor=page.next,
        at=parse_uuid(query.get("at", "")),
        done=parse_number(query.get("done", ""), _DIGITS) if result is None else result.done or None,
        result=result,
        sent={name: value for name, value in form.items() if isinstance(value, str)} if form is not None else {},
        selected=set(_parse_ids(form)) if form is not None else set(),
        assignees=await list_assignees(runtime, signed_in),
        policy=(await read_settings(runtime, signed_in.organization_id)).cases,
        note_characters=MAX_PROSE_CHARACTERS,
        today=now.date().isoformat(),
        labels=labels,
        event_labels=event_labels,
        statuses=CaseStatus,
        priorities=CasePriority,
        due_choices=DueChoice,
        now=now,
    )
