"""The account settings of an organization, with a preview of thresholds.

Each form is a part of the document of `PUT /settings`, with the same validation.
"""

import base64
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from uuid import UUID

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.datastructures import FormData
from starlette.responses import Response

from bonafide.console.events import labels as event_labels
from bonafide.console.frame.console_request import Owner, ServedRuntime, build_author
from bonafide.console.frame.forms import UPLOAD_FORM, FormSubmission, get_uploaded_file, list_problems, parse_form, read_form
from bonafide.console.frame.responses import is_partial_request, redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.monitoring import labels as monitoring_labels
from bonafide.errors import NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.account_settings import AccountSettings, SettingsChange
from bonafide.model.accounts.branding import MAX_LOGO_BYTES, Branding
from bonafide.model.accounts.notifications import DigestFrequency
from bonafide.model.accounts.time_zones import CANADIAN_TIME_ZONES
from bonafide.runtime import Runtime
from bonafide.services.accounts import organizations
from bonafide.services.search.threshold_simulation import ThresholdSimulation, simulate_thresholds
from bonafide.web.validation_errors import to_api_error

SETTINGS = "/console/settings"
LOGO = "branding.logo"
PARTS = frozenset({"searches", "verification", "branding", "monitoring", "notifications"})
NAMES = MappingProxyType({
    "matchSelection.autoSelectThreshold": Message("Auto-select threshold"),
    "matchSelection.autoSelectMargin": Message("Minimum lead over the runner-up"),
    "matchSelection.reviewThreshold": Message("Review threshold"),
    "search.regulatoryRegistryThreshold": Message("Regulator threshold"),
    "search.sanctionsThreshold": Message("Sanctions threshold"),
})  # fmt: skip
"""The labels of the thresholds that can be previewed on past searches."""
PLAIN_PROBLEMS = MappingProxyType({
    "must not be above autoSelectThreshold": Message("must not be above the auto-select threshold"),
})  # fmt: skip
"""Replacements for messages that contain a field name of the API."""
DIGEST_CHOICES = MappingProxyType({
    DigestFrequency.OFF: Message("Never"),
    DigestFrequency.DAILY: Message("Every day at 7:00"),
    DigestFrequency.WEEKLY: Message("Every Monday at 7:00"),
})  # fmt: skip
ALERT_CHOICES = MappingProxyType({
    "": Message("Nothing"),
    **monitoring_labels.MIN_SEVERITY,
})  # fmt: skip
"""The choices of what is sent at once."""
_TYPES, _MIN_SEVERITY = "notifications.types", "notifications.immediateMinSeverity"
_VERIFICATION_AGE = "monitoring.verificationMaxAgeDays"
_PNG = b"\x89PNG"
_LABELS: dict[str, Any] = {"names": NAMES, "plainly": PLAIN_PROBLEMS}
router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)


@router.get(SETTINGS)
async def read_settings(request: Request, signed_in: Owner, runtime: ServedRuntime) -> Response:
    """All settings."""
    saved = request.query_params.get("saved", "")
    return await _render_settings(request, runtime, signed_in.organization_id, saved=saved if saved in PARTS else "")


@router.post(SETTINGS, dependencies=[UPLOAD_FORM])
async def change_settings(request: Request, signed_in: Owner, runtime: ServedRuntime) -> Response:
    """Save one of the forms."""
    form = await read_form(request)
    submission, problems = await _parse_settings_form(form)
    if submission.value is not None and not problems:
        try:
            author = build_author(request, signed_in)
            await organizations.change_settings(runtime, signed_in.organization_id, submission.value, author)
        except ValidationFailed as error:
            problems = list_problems(error)
        else:
            part = submission.shown("part")
            return redirect(request, f"{SETTINGS}?saved={part}#{part}" if part in PARTS else SETTINGS)
    return await _render_settings(request, runtime, signed_in.organization_id, 422, form=form, problems=problems)


@router.post(f"{SETTINGS}/preview")
async def preview_settings(request: Request, signed_in: Owner, runtime: ServedRuntime) -> Response:
    """Preview the thresholds of the form on past searches, without saving them."""
    form = await read_form(request)
    submission, problems = await _parse_settings_form(form)
    preview: ThresholdSimulation | None = None
    if submission.value is not None and not problems:
        try:
            preview = await simulate_thresholds(runtime, signed_in.organization_id, submission.value)
        except ValidationFailed as error:
            problems = list_problems(error)
    status = 422 if problems else 200
    if is_partial_request(request):
        shown = {**_LABELS, "preview": preview, "problems": problems}
        return render_page(request, "settings/preview.html", status, **shown)
    return await _render_settings(
        request, runtime, signed_in.organization_id, status, form=form, problems=problems, preview=preview
    )


@router.get(f"{SETTINGS}/logo")
async def read_logo(signed_in: Owner, runtime: ServedRuntime) -> Response:
    """The logo. Raises `NotFound` if there is none."""
    logo = (await organizations.read_branding(runtime, signed_in.organization_id)).logo
    if logo is None:
        raise NotFound
    return Response(logo, media_type="image/png" if logo.startswith(_PNG) else "image/jpeg")


async def _parse_settings_form(form: FormData) -> tuple[FormSubmission[SettingsChange], dict[str, Message]]:
    """Parse the form, including its logo, into a change of settings and the problems by field."""
    submission = _leave_legal_hold(parse_form(SettingsChange, form))
    problems = dict(submission.problems)
    submission = _complete_monitoring(_complete_notifications(submission, form), form)
    logo, problem = await _parse_logo(form)
    if problem is not None:
        problems[LOGO] = problem
    if submission.value is None or not logo:
        return submission, problems
    branding = submission.value.branding.model_copy(update=logo)
    return FormSubmission(submission.value.model_copy(update={"branding": branding}), form), problems


def _leave_legal_hold(submission: FormSubmission[SettingsChange]) -> FormSubmission[SettingsChange]:
    """Leave the legal hold as it is, which no form of this page has: a checkbox that is not sent counts as cleared."""
    value = submission.value
    if value is None:
        return submission
    sent = {name: getattr(value, name) for name in value.model_fields_set if name != "legal_hold"}
    return FormSubmission(SettingsChange.model_construct(set(sent), **sent), submission.raw)


def _complete_notifications(submission: FormSubmission[SettingsChange], form: FormData) -> FormSubmission[SettingsChange]:
    """Set what the form of the notifications leaves empty: no types chosen means all, no severity that none is sent at once."""
    if submission.value is None or _MIN_SEVERITY not in form:
        return submission
    empty: dict[str, Any] = {} if form.getlist(_TYPES) else {"types": ()}
    if form.get(_MIN_SEVERITY) == "":
        empty["immediate_min_severity"] = None
    notifications = submission.value.notifications.model_copy(update=empty)
    return FormSubmission(submission.value.model_copy(update={"notifications": notifications}), form)


def _complete_monitoring(submission: FormSubmission[SettingsChange], form: FormData) -> FormSubmission[SettingsChange]:
    """Set what the form of monitoring leaves empty: without a number of days no verification is ever due again."""
    if submission.value is None or _VERIFICATION_AGE not in form or submission.shown(_VERIFICATION_AGE).strip():
        return submission
    monitoring = submission.value.monitoring.model_copy(update={"verification_max_age_days": None})
    return FormSubmission(submission.value.model_copy(update={"monitoring": monitoring}), form)


async def _parse_logo(form: FormData) -> tuple[Mapping[str, bytes | None], Message | None]:
    """The change of the logo (None removes it, no entry keeps it), and the problem with it."""
    file = get_uploaded_file(form, LOGO)
    if file is None:
        return ({"logo": None} if form.get("removesLogo") == "true" else {}), None
    # One byte above the limit is enough to detect a file that is too large.
    image = await file.read(MAX_LOGO_BYTES + 1)
    if len(image) > MAX_LOGO_BYTES:
        return {}, Message("must not be larger than {n} kB", n=MAX_LOGO_BYTES // 1024)
    try:
        return {"logo": Branding.model_validate({"logo": base64.b64encode(image)}).logo}, None
    except ValidationError as error:
        return {}, list_problems(to_api_error(error, Branding))["logo"]


async def _render_settings(
    request: Request,
    runtime: Runtime,
    organization_id: UUID,
    status: int = 200,
    *,
    form: FormData | None = None,
    **context: Any,
) -> Response:
    settings = await organizations.read_settings(runtime, organization_id)
    shown: dict[str, Any] = {**_LABELS, "saved": "", "problems": {}, "preview": None}
    zones = dict.fromkeys(("UTC", *CANADIAN_TIME_ZONES, settings.notifications.time_zone))
    return render_page(
        request,
        "settings/settings.html",
        status,
        values=_build_values(settings, form),
        defaults=_flatten(AccountSettings()),
        branding=settings.branding,
        largest_logo=MAX_LOGO_BYTES // 1024,
        digest_choices=DIGEST_CHOICES,
        alert_choices=ALERT_CHOICES,
        monitoring_labels=monitoring_labels,
        time_zones=[(zone, zone) for zone in zones],
        type_groups=event_labels.TYPE_GROUPS,
        type_titles=event_labels.TITLE,
        has_mail_server=runtime.settings.smtp_url is not None,
        **{**shown, **context},
    )


def _build_values(settings: AccountSettings, form: FormData | None) -> dict[str, Any]:
    """The value of each field: as submitted in the submitted form, else as stored."""
    kept = {path: f"{value:g}" if isinstance(value, float) else value for path, value in _flatten(settings).items()}
    if form is None:
        return kept
    parts = {path.partition(".")[0] for path in form}
    # Browsers don't send unchecked checkboxes.
    sent = {path: _get_sent(form, path, value) for path, value in kept.items()}
    return {path: sent[path] if path.partition(".")[0] in parts else value for path, value in kept.items()}


def _get_sent(form: FormData, path: str, kept: Any) -> Any:
    """The submitted value of a field with the type of the stored one."""
    if isinstance(kept, list):
        return form.getlist(path)
    return path in form if isinstance(kept, bool) else form.get(path, "")


def _flatten(settings: AccountSettings) -> dict[str, Any]:
    """Every setting except the logo, by its path in the forms."""
    return dict(_list_leaves(settings.model_dump(mode="json", by_alias=True, exclude={"branding": {"logo"}}), ""))


def _list_leaves(document: Mapping[str, Any], prefix: str) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, value in document.items():
        found += _list_leaves(value, f"{prefix}{name}.") if isinstance(value, dict) else [(f"{prefix}{name}", value)]
    return found
