"""Pages of risk rules: the rules in use, their versions, the facts, and the replay of a version before it is activated."""

from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.console.frame.console_request import LIMITED_WORK, Analyst, Owner, ServedRuntime, Viewer, build_author
from bonafide.console.frame.forms import parse_day, parse_number, read_form, to_midnight
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.risk import labels
from bonafide.errors import NotFound
from bonafide.i18n.message import Message
from bonafide.matching.risk.default_rules import to_rule_message
from bonafide.model.risk.facts import FactDescription
from bonafide.model.risk.replay import RiskReplay
from bonafide.model.risk.rules import (
    DEFAULT_VERSION,
    MAX_VERSION,
    RiskRule,
    RiskRules,
    RiskRulesAnswer,
    RiskRulesStatus,
    RiskRulesVersion,
)
from bonafide.model.risk.wording import FACT_LABEL
from bonafide.runtime import Runtime
from bonafide.services.risk import rule_versions
from bonafide.services.risk.explanation import describe_band
from bonafide.services.risk.replay import MAX_RESULTS, replay_rules

ADDRESS = "/console/risk"
DRAFT = f"{ADDRESS}/draft"
VERSION_PATH = "/versions/{version}"
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


async def _parse_version(request: Request) -> int:
    """The number of a version in the address. Raises `NotFound`."""
    version = parse_number(request.path_params["version"], len(str(MAX_VERSION)))
    if version is None:
        raise NotFound
    return version


PathVersion = Annotated[int, Depends(_parse_version)]


@router.get("")
async def read_rules(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """The rules in use, or the built-in ones, and the list of versions."""
    answer = await rule_versions.read_rules(runtime, signed_in.organization_id)
    active = find_version(answer.versions, RiskRulesStatus.ACTIVE)
    if answer.version != (active.version if active is not None else DEFAULT_VERSION):
        number = active.version if active is not None else DEFAULT_VERSION
        answer = await rule_versions.read_rules(runtime, signed_in.organization_id, number)
    return await _render_rules(request, runtime, signed_in.organization_id, answer, is_overview=True)


@router.get("/facts")
async def read_facts(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """The facts that rules may read."""
    answer = await rule_versions.read_rules(runtime, signed_in.organization_id, DEFAULT_VERSION)
    return render_page(request, "risk/facts.html", **build_fact_context(answer.facts))


@router.get(VERSION_PATH)
async def read_version(request: Request, signed_in: Viewer, runtime: ServedRuntime, version: PathVersion) -> Response:
    """One version. Raises `NotFound`."""
    answer = await rule_versions.read_rules(runtime, signed_in.organization_id, version)
    if answer.status is RiskRulesStatus.DRAFT:
        return redirect(request, DRAFT)
    return await _render_rules(request, runtime, signed_in.organization_id, answer, is_overview=False)


@router.get(f"{VERSION_PATH}/replay", dependencies=[LIMITED_WORK])
async def replay(request: Request, signed_in: Analyst, runtime: ServedRuntime, version: PathVersion) -> Response:
    """The newest searches rated by this version and by the one in use, since the day `?since=`. Raises `NotFound`."""
    since = parse_day(request.query_params.get("since", ""))
    # Read before the replay: what changes meanwhile can't be activated from this page.
    answer = await rule_versions.read_rules(runtime, signed_in.organization_id, version)
    found = await replay_rules(runtime, signed_in.organization_id, version, to_midnight(since) if since is not None else None)
    return render_page(
        request,
        "risk/replay.html",
        shown=answer,
        replay=found,
        since=since,
        max_results=MAX_RESULTS,
        titles=await _read_titles(runtime, signed_in.organization_id, answer, found),
        **_LABELS,
    )


async def _read_titles(runtime: Runtime, organization_id: UUID, answer: RiskRules, found: RiskReplay) -> dict[str, Message]:
    """The titles of the rules of both versions, by ID."""
    rules: Sequence[RiskRule] = answer.rules
    if found.active_version is not None:
        rules = [*(await rule_versions.read_rules(runtime, organization_id, found.active_version)).rules, *rules]
    return {rule.id: to_rule_message(rule.title) for rule in rules}


@router.post(f"{VERSION_PATH}/activate")
async def activate(request: Request, signed_in: Owner, runtime: ServedRuntime, version: PathVersion) -> Response:
    """Activate the version that was replayed. Raises `NotFound`, `Conflict`, `StaleWrite`."""
    seen = str((await read_form(request)).get("seen", ""))
    author = build_author(request, signed_in)
    await rule_versions.activate(runtime, signed_in.organization_id, version, author, expected=seen)
    return redirect(request, f"{ADDRESS}?activated=yes")


def find_version(versions: Sequence[RiskRulesVersion], status: RiskRulesStatus) -> RiskRulesVersion | None:
    """The newest version in that state."""
    return next((one for one in versions if one.status is status), None)


def build_fact_context(facts: Sequence[FactDescription]) -> dict[str, Any]:
    """What templates need to list facts."""
    return {"facts": facts, "fact_labels": FACT_LABEL, "fact_types": labels.FACT_TYPE}


_LABELS: dict[str, Any] = {"risk_labels": labels, "band_of": describe_band, "text_of": to_rule_message}
"""What templates need to show rules and bands."""


def build_rule_context(answer: RiskRulesAnswer) -> dict[str, Any]:
    """What templates need to show a version and the others beside it."""
    return {
        **_LABELS,
        "shown": answer,
        "active": find_version(answer.versions, RiskRulesStatus.ACTIVE),
        "draft": find_version(answer.versions, RiskRulesStatus.DRAFT),
    }


async def _render_rules(
    request: Request, runtime: Runtime, organization_id: UUID, answer: RiskRulesAnswer, *, is_overview: bool
) -> Response:
    draft = await rule_versions.read_draft(runtime, organization_id)
    return render_page(
        request,
        "risk/rules.html",
        is_overview=is_overview,
        is_activated=request.query_params.get("activated") == "yes",
        draft_digest=draft.digest if draft is not None else rule_versions.NO_DRAFT,
        **build_rule_context(answer),
    )
