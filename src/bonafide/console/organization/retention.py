"""The settings page of retention: days after which each kind of record is deleted, and the legal holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from uuid import UUID

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.datastructures import FormData
from starlette.responses import Response

from bonafide.console.businesses.record_fields import get_display_name
from bonafide.console.frame.console_request import Owner, ServedRuntime, build_author
from bonafide.console.frame.forms import list_problems, read_form
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.i18n.message import Message
from bonafide.model.accounts.account_settings import AccountSettings, SettingsChange
from bonafide.model.accounts.retention import RECORD_KEEPING_DAYS, RetentionKind
from bonafide.runtime import Runtime
from bonafide.services.accounts import organizations
from bonafide.services.retention.legal_holds import HeldRecord, list_held_records
from bonafide.web.validation_errors import to_api_error

RETENTION = "/console/settings/retention"
KIND = MappingProxyType({
    RetentionKind.SEARCHES: Message("Searches"),
    RetentionKind.VERIFICATIONS: Message("Verifications"),
    RetentionKind.SCREENINGS: Message("Screenings"),
    RetentionKind.REPORTS: Message("Business reports"),
    RetentionKind.EVENTS: Message("Events"),
    RetentionKind.ATTACHMENTS: Message("Attached files"),
    RetentionKind.CASES: Message("Cases"),
})  # fmt: skip
KIND_MEANING = MappingProxyType({
    RetentionKind.SEARCHES: Message("Since the search. Its result and its PDFs are deleted."),
    RetentionKind.VERIFICATIONS: Message("Since the request. Its result and its PDFs are deleted."),
    RetentionKind.SCREENINGS: Message("Since the screening, of screenings without a search."),
    RetentionKind.REPORTS: Message("Since the report was obtained. The register’s answers are deleted with it."),
    RetentionKind.EVENTS: Message("Since the event. Open alerts are kept."),
    RetentionKind.ATTACHMENTS: Message("Since the upload, of files of cases and businesses. Files of open cases are kept."),
    RetentionKind.CASES: Message("Since the decision. Notes, files and decisions are deleted with the case."),
})  # fmt: skip
RECORDS = tuple(kind for kind in RetentionKind if kind is not RetentionKind.EVENTS)
"""The kinds that the law requires to be kept for some time."""
_HOLD = "legalHold"
SHOWN_HOLDS = 100
"""The number of held businesses that the page lists."""
router = APIRouter(prefix=RETENTION, include_in_schema=False, route_class=ConsoleRoute)


@dataclass(frozen=True, slots=True)
class _RetentionState:
    settings: AccountSettings
    held: Sequence[HeldRecord]


@router.get("")
async def read_retention(request: Request, signed_in: Owner, runtime: ServedRuntime) -> Response:
    """The policy, with a form to change it; `?saved=yes` confirms the last change."""
    state = await _read_state(runtime, signed_in.organization_id)
    is_saved = request.query_params.get("saved") == "yes"
    return _render_retention(request, state, _list_values(state.settings), is_saved=is_saved)


@router.post("")
async def change_retention(request: Request, signed_in: Owner, runtime: ServedRuntime) -> Response:
    """Save the policy and the legal hold."""
    form = await read_form(request)
    try:
        change = SettingsChange.model_validate({"retention": _read_days(form), _HOLD: form.get(_HOLD) == "true"})
    except ValidationError as error:
        state = await _read_state(runtime, signed_in.organization_id)
        values = {f"retention.{kind}": str(form.get(f"retention.{kind}", "")) for kind in RetentionKind}
        problems = list_problems(to_api_error(error, SettingsChange))
        return _render_retention(request, state, {**values, _HOLD: form.get(_HOLD) == "true"}, problems)
    await organizations.change_settings(runtime, signed_in.organization_id, change, build_author(request, signed_in))
    return redirect(request, f"{RETENTION}?saved=yes")


async def _read_state(runtime: Runtime, organization_id: UUID) -> _RetentionState:
    settings = await organizations.read_settings(runtime, organization_id)
    return _RetentionState(settings, await list_held_records(runtime, organization_id, SHOWN_HOLDS))


def _read_days(form: FormData) -> dict[str, str | None]:
    """The days by kind as they were sent; None for an empty field."""
    sent = {kind: str(form.get(f"retention.{kind}", "")).strip() for kind in RetentionKind}
    return {kind.value: days or None for kind, days in sent.items()}


def _list_values(settings: AccountSettings) -> dict[str, Any]:
    """The policy as the form shows it."""
    days = {kind: settings.retention.get_days(kind) for kind in RetentionKind}
    return {f"retention.{kind}": str(value) if value is not None else "" for kind, value in days.items()} | {
        _HOLD: settings.legal_hold
    }


def _render_retention(
    request: Request,
    state: _RetentionState,
    values: Mapping[str, Any],
    problems: Mapping[str, Message] = MappingProxyType({}),
    *,
    is_saved: bool = False,
) -> Response:
    limited = dict(state.settings.retention.list_limited())
    return render_page(
        request,
        "settings/retention.html",
        422 if problems else 200,
        values=values,
        problems=problems,
        kinds=[(kind, KIND[kind], KIND_MEANING[kind]) for kind in RetentionKind],
        short=[KIND[kind] for kind in RECORDS if limited.get(kind, RECORD_KEEPING_DAYS) < RECORD_KEEPING_DAYS],
        has_hold=state.settings.legal_hold,
        held=state.held,
        shown_holds=SHOWN_HOLDS,
        name_of=get_display_name,
        is_saved=is_saved,
    )
