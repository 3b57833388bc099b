"""The forms of cases: what a form changes, and what it decides."""

from datetime import datetime, time, tzinfo
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError
from starlette.datastructures import FormData

from bonafide.console.cases.queue_filter import MINE, NOBODY
from bonafide.console.frame.forms import parse_choice, parse_day
from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import Permission, Role, SignedIn
from bonafide.model.cases.policy import CaseDecisionKind
from bonafide.model.cases.requests import CaseChange, CaseDecisionRequest
from bonafide.runtime import Runtime
from bonafide.services.accounts import members
from bonafide.web.validation_errors import to_api_error

_DAY_END = time(23, 59)
_FIELDS = MappingProxyType({
    "assignee": Message("Assignee"),
    "priority": Message("Priority"),
    "dueAt": Message("Due date"),
    "status": Message("Status"),
    "reasonCode": Message("Reason"),
    "note": Message("Note"),
    "text": Message("Note"),
    "file": Message("File"),
})  # fmt: skip
"""The labels of the fields of requests."""


def describe_problem(refusal: ValidationFailed) -> Message:
    """The first problem of a form, with the label of its field."""
    if not refusal.details or refusal.details[0].path not in _FIELDS:
        return refusal.message
    first = refusal.details[0]
    return Message("{field}: {problem}", field=_FIELDS[first.path], problem=first.message)


def parse_change(form: FormData, signed_in: SignedIn, zone: tzinfo) -> CaseChange:
    """The change of a form; what is empty stays as it is. A due date is the end of a day in the time zone.

    Raises `ValidationFailed`.
    """
    values: dict[str, Any] = {}
    assignee, due_on = get_text(form, "assignee"), get_text(form, "dueOn")
    if assignee:
        email = signed_in.user.email if assignee == MINE else assignee
        values["assignee"] = None if assignee == NOBODY else email
    if get_text(form, "priority"):
        values["priority"] = get_text(form, "priority")
    if form.get("noDueDate"):
        values["dueAt"] = None
    elif due_on:
        values["dueAt"] = _to_due_instant(due_on, zone)
    if get_text(form, "status"):
        values["status"] = get_text(form, "status")
    if get_text(form, "expectedUpdatedAt"):
        values["expectedUpdatedAt"] = get_text(form, "expectedUpdatedAt")
    try:
        return CaseChange.model_validate(values)
    except ValidationError as error:
        raise to_api_error(error, CaseChange) from None


def parse_decision(form: FormData) -> CaseDecisionRequest:
    """The decision of a form, whose reason may be in the same field (`approve:false_positive`). Raises `ValidationFailed`."""
    both = get_text(form, "decisionAndReason").partition(":")
    decision = parse_choice(CaseDecisionKind, get_text(form, "decision") or both[0])
    values = {name: get_text(form, name) for name in ("reasonCode", "note", "reviews", "expectedUpdatedAt")}
    values["reasonCode"] = values["reasonCode"] or both[2]
    if decision is None:
        raise ValidationFailed(Message("Choose a decision."))
    if not values["reasonCode"]:
        raise ValidationFailed(Message("Choose a reason."))
    given = {name: value.replace("\r\n", "\n") for name, value in values.items() if value}
    try:
        return CaseDecisionRequest.model_validate({"decision": decision, **given})
    except ValidationError as error:
        raise to_api_error(error, CaseDecisionRequest) from None


def _to_due_instant(text: str, zone: tzinfo) -> datetime:
    """The end of the day. Raises `ValidationFailed` for anything but a date."""
    day = parse_day(text)
    if day is None:
        raise ValidationFailed(Message("The due date must be a date: YYYY-MM-DD."))
    return datetime.combine(day, _DAY_END, zone)


def get_text(form: FormData, name: str) -> str:
    """The text of a field without blanks around it; empty without the field."""
    value = form.get(name, "")
    return value.strip() if isinstance(value, str) else ""


async def list_assignees(runtime: Runtime, signed_in: SignedIn) -> list[str]:
    """The e-mails of the members who can work on cases; none for somebody who can't assign them."""
    if not signed_in.may(Permission.WORK):
        return []
    listed = await members.list_members(runtime, signed_in.organization_id)
    return [member.user.email for member in listed if member.role is not Role.VIEWER]
