"""The policy of an organization about cases: priority and due date by kind of item, second review, reasons of decisions."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.datastructures import FormData
from starlette.responses import Response

from bonafide.console.cases import labels
from bonafide.console.cases.case_forms import get_text
from bonafide.console.events import labels as event_labels
from bonafide.console.frame.console_request import Owner, ServedRuntime, build_author, get_console_request
from bonafide.console.frame.forms import list_problems, read_form
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.account_settings import SettingsChange
from bonafide.model.cases.policy import (
    DEFAULT_REASON_CODES,
    MAX_DUE_DAYS,
    MAX_REASON_CODES,
    CaseDecisionKind,
    CaseItemKind,
    CasePriority,
    CaseSettings,
)
from bonafide.services.accounts import organizations
from bonafide.web.validation_errors import to_api_error

POLICY = "/console/settings/cases"
EMPTY_ROWS = 3
"""Rows for new reasons."""
FINAL = tuple(kind for kind in CaseDecisionKind if kind.is_final)
"""The decisions that may need a second review."""
router = APIRouter(prefix=POLICY, include_in_schema=False, route_class=ConsoleRoute)


@router.get("")
async def read_policy(request: Request, signed_in: Owner, runtime: ServedRuntime) -> Response:
    """The policy, with forms to change it; `?saved=yes` confirms the last change."""
    policy = (await organizations.read_settings(runtime, signed_in.organization_id)).cases
    return _render_policy(request, _list_values(policy), is_saved=request.query_params.get("saved") == "yes")


@router.post("")
async def change_policy(request: Request, signed_in: Owner, runtime: ServedRuntime) -> Response:
    """Save the policy."""
    form, organization_id = await read_form(request), signed_in.organization_id
    policy = (await organizations.read_settings(runtime, organization_id)).cases
    values = _read_values(form)
    try:
        change = _build_change(values, policy, get_console_request(request).language)
    except ValidationError as error:
        return _render_policy(request, values, list_problems(to_api_error(error, SettingsChange)))
    await organizations.change_settings(runtime, organization_id, change, build_author(request, signed_in))
    return redirect(request, f"{POLICY}?saved=yes")


def _list_values(policy: CaseSettings) -> dict[str, Any]:
    """The policy as the form shows it."""
    kinds = {
        kind: {"enabled": policy.items.find(kind).enabled, "priority": policy.items.find(kind).priority.value}
        | {"dueDays": str(days) if (days := policy.items.find(kind).due_days) is not None else ""}
        for kind in CaseItemKind
    }
    reasons = [
        {"code": one.code, "title": one.title, "decisions": [decision.value for decision in one.decisions]}
        for one in policy.reason_codes
    ]
    return {
        "enabled": policy.enabled,
        "items": kinds,
        "secondReview": [kind.value for kind in policy.second_review],
        "reasons": reasons,
    }


def _read_values(form: FormData) -> dict[str, Any]:
    """A submitted form. Rows of reasons without a code and a title are left out."""
    kinds = {
        kind: {
            "enabled": form.get(f"{kind}.enabled") == "true",
            "priority": get_text(form, f"{kind}.priority"),
            "dueDays": get_text(form, f"{kind}.dueDays"),
        }
        for kind in CaseItemKind
    }
    rows = [
        {
            "code": get_text(form, f"reason.{number}.code"),
            "title": get_text(form, f"reason.{number}.title"),
            "decisions": [str(value) for value in form.getlist(f"reason.{number}.decisions")],
        }
        for number in range(MAX_REASON_CODES + EMPTY_ROWS)
    ]
    return {
        "enabled": form.get("enabled") == "true",
        "items": kinds,
        "secondReview": [str(value) for value in form.getlist("secondReview")],
        "reasons": [row for row in rows if row["code"] or row["title"]],
    }


def _build_change(values: Mapping[str, Any], policy: CaseSettings, language: Language) -> SettingsChange:
    """The change of the settings that a form describes. Raises pydantic's `ValidationError`.

    Reasons that are as they were are not sent: default ones stay translated.
    """
    items = {
        kind.value: {**policy_of_kind, "dueDays": policy_of_kind["dueDays"] or None}
        for kind, policy_of_kind in values["items"].items()
    }
    known = {(one.code, translate(one.title, language)): one.title for one in (*policy.reason_codes, *DEFAULT_REASON_CODES)}
    reasons = [{**row, "title": known.get((row["code"], row["title"]), row["title"])} for row in values["reasons"]]
    change: dict[str, Any] = {
        "enabled": values["enabled"],
        "items": {_to_wire_name(kind): value for kind, value in items.items()},
        "secondReview": values["secondReview"],
    }
    sent = CaseSettings.model_validate({**change, "reasonCodes": reasons})
    if sent.reason_codes != policy.reason_codes:
        change["reasonCodes"] = reasons
    return SettingsChange.model_validate({"cases": change})


def _to_wire_name(kind: str) -> str:
    first, *others = kind.split("_")
    return first + "".join(word.capitalize() for word in others)


def _render_policy(
    request: Request, values: Mapping[str, Any], problems: Mapping[str, Message] | None = None, *, is_saved: bool = False
) -> Response:
    empty: list[dict[str, Any]] = [{"code": "", "title": "", "decisions": []}] * EMPTY_ROWS
    return render_page(
        request,
        "cases/policy.html",
        status=422 if problems else 200,
        values=values,
        rows=[*values["reasons"], *empty][: MAX_REASON_CODES + EMPTY_ROWS],
        problems={_to_field(path): message for path, message in (problems or {}).items()},
        is_saved=is_saved,
        labels=labels,
        event_labels=event_labels,
        final=FINAL,
        priorities=CasePriority,
        max_due_days=MAX_DUE_DAYS,
    )


def _to_field(path: str) -> str:
    """The name of the field of the form that a path of the settings is about."""
    parts = path.removeprefix("cases.").split(".")
    for kind in CaseItemKind:
        if parts[0] == "items" and len(parts) > 1 and parts[1] == _to_wire_name(kind):
            return ".".join((kind.value, *parts[2:]))
    return ".".join(("reason", *parts[1:])) if parts[0] == "reasonCodes" and len(parts) > 1 else parts[0]
