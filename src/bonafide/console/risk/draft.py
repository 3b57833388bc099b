"""Pages of the draft of the risk rules: start it from a version, change single rules and the bands.

Each form saves at once; nothing is in use before the draft is activated.
"""

from dataclasses import replace
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.frame.console_request import Owner, ServedRuntime, Viewer, build_author
from bonafide.console.frame.forms import list_problems, parse_number, read_form
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.risk import labels
from bonafide.console.risk.pages import ADDRESS, DRAFT, build_fact_context, build_rule_context
from bonafide.console.risk.rule_form import (
    NEW_RULE_ID,
    BandForm,
    RuleForm,
    build_band_form,
    build_rule_form,
    parse_band_form,
    parse_rule_form,
)
from bonafide.errors import ApiError, ServerBusy, StaleWrite, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.risk.facts import describe_facts
from bonafide.model.risk.rules import MAX_RULES, MAX_VERSION, RiskRulesStatus
from bonafide.runtime import Runtime
from bonafide.services.risk import draft_editing, rule_versions

RULE_PATH = "/rules/{rule_id}"
router = APIRouter(prefix=DRAFT, include_in_schema=False, route_class=ConsoleRoute)


@router.get("")
async def read_draft(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """The draft; the page of the rules without one."""
    return await _render_draft(request, runtime, signed_in.organization_id)


@router.post("")
async def start_draft(request: Request, signed_in: Owner, runtime: ServedRuntime) -> Response:
    """Start the draft from a version (`from`), in place of the one that was shown (`seen`). Raises `NotFound`, `StaleWrite`."""
    form = await read_form(request)
    version = parse_number(str(form.get("from", "")), len(str(MAX_VERSION)))
    if version is None:
        raise ValidationFailed(Message("Select a version to start from."))
    author, seen = build_author(request, signed_in), str(form.get("seen", rule_versions.NO_DRAFT))
    await draft_editing.start_draft(runtime, signed_in.organization_id, version, author, expected=seen)
    return redirect(request, DRAFT)


@router.post("/bands")
async def save_bands(request: Request, signed_in: Owner, runtime: ServedRuntime) -> Response:
    """Save the bands. Raises `NotFound` without a draft."""
    sent = parse_band_form(await read_form(request))
    form = sent.form
    refusal: ApiError | None = None
    if sent.bands is not None:
        author = build_author(request, signed_in)
        try:
            await draft_editing.replace_bands(runtime, signed_in.organization_id, sent.bands, author, expected=sent.expected)
        except ValidationFailed as error:
            form, refusal = replace(form, problems=list_problems(error)), error
        except (ServerBusy, StaleWrite) as error:
            refusal = error
        else:
            return redirect(request, f"{DRAFT}?saved=bands#bands")
    status = refusal.status if refusal is not None else 422
    return await _render_draft(request, runtime, signed_in.organization_id, status, bands=form, refusal=refusal)


@router.get("/rule")
async def new_rule(request: Request, signed_in: Owner, runtime: ServedRuntime) -> Response:
    """The form of a new rule; the page of the rules without a draft."""
    if await rule_versions.read_draft(runtime, signed_in.organization_id) is None:
        return redirect(request, ADDRESS)
    return _render_rule(request, None, build_rule_form(None))


@router.post("/rule")
async def add_rule(request: Request, signed_in: Owner, runtime: ServedRuntime) -> Response:
    """Add a rule. Raises `NotFound` without a draft."""
    sent = parse_rule_form(await read_form(request), NEW_RULE_ID)
    if sent.rule is None:
        return _render_rule(request, None, sent.form, 422)
    try:
        await draft_editing.add_rule(runtime, signed_in.organization_id, sent.rule, build_author(request, signed_in))
    except (ServerBusy, ValidationFailed) as error:
        return _render_rule(request, None, sent.form, error.status, error)
    return redirect(request, f"{DRAFT}?saved=rule")


@router.get(RULE_PATH)
async def read_rule(request: Request, signed_in: Owner, runtime: ServedRuntime, rule_id: str) -> Response:
    """The form of a rule. Raises `NotFound`."""
    draft = await rule_versions.read_draft(runtime, signed_in.organization_id)
    return _render_rule(request, rule_id, build_rule_form(draft_editing.find_rule(draft, rule_id)))


@router.post(RULE_PATH)
async def save_rule(request: Request, signed_in: Owner, runtime: ServedRuntime, rule_id: str) -> Response:
    """Save a rule. Raises `NotFound`."""
    draft_editing.find_rule(await rule_versions.read_draft(runtime, signed_in.organization_id), rule_id)
    sent = parse_rule_form(await read_form(request), rule_id)
    if sent.rule is None:
        return _render_rule(request, rule_id, sent.form, 422)
    author = build_author(request, signed_in)
    try:
        await draft_editing.replace_rule(runtime, signed_in.organization_id, sent.rule, author, expected=sent.form.seen)
    except (ServerBusy, StaleWrite, ValidationFailed) as error:
        return _render_rule(request, rule_id, sent.form, error.status, error)
    return redirect(request, f"{DRAFT}?saved=rule#rule-{rule_id}")


@router.post(f"{RULE_PATH}/remove")
async def remove_rule(request: Request, signed_in: Owner, runtime: ServedRuntime, rule_id: str) -> Response:
    """Remove a rule. Raises `NotFound`."""
    draft = await rule_versions.read_draft(runtime, signed_in.organization_id)
    form = build_rule_form(draft_editing.find_rule(draft, rule_id))
    seen, author = str((await read_form(request)).get("seen", "")), build_author(request, signed_in)
    try:
        await draft_editing.remove_rule(runtime, signed_in.organization_id, rule_id, author, expected=seen)
    except (ServerBusy, StaleWrite, ValidationFailed) as error:
        return _render_rule(request, rule_id, form, error.status, error)
    return redirect(request, f"{DRAFT}?saved=removed")


def _render_rule(
    request: Request, rule_id: str | None, form: RuleForm, status: int = 200, refusal: ApiError | None = None
) -> Response:
    """The form of a rule; `rule_id` is None for a new one."""
    return render_page(
        request,
        "risk/rule_form.html",
        status,
        rule_id=rule_id,
        form=form,
        refusal=refusal,
        field_labels=labels.FIELD,
        base=DRAFT,
        **build_fact_context(describe_facts()),
    )


async def _render_draft(
    request: Request,
    runtime: Runtime,
    organization_id: UUID,
    status: int = 200,
    *,
    bands: BandForm | None = None,
    refusal: ApiError | None = None,
) -> Response:
    answer = await rule_versions.read_rules(runtime, organization_id)
    if answer.status is not RiskRulesStatus.DRAFT:
        return redirect(request, ADDRESS)
    return render_page(
        request,
        "risk/draft.html",
        status,
        bands=bands if bands is not None else build_band_form(answer.bands),
        refusal=refusal,
        saved=request.query_params.get("saved", ""),
        has_room=len(answer.rules) < MAX_RULES,
        **build_rule_context(answer),
    )
