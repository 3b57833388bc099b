"""The settings page of provisioning: tokens for the identity provider, and the roles that its groups give."""

from datetime import datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from bonafide.console.frame.console_request import Owner, PathId, ServedRuntime, build_author
from bonafide.console.frame.forms import FormSubmission, create_form_parser
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import Conflict
from bonafide.model.accounts.provisioning import ProvisioningToken, ProvisioningTokenRequest
from bonafide.model.accounts.users import Role, SignedIn
from bonafide.model.base import Document
from bonafide.model.query import Text
from bonafide.runtime import Runtime
from bonafide.services.provisioning import groups, tokens

PROVISIONING = "/console/settings/provisioning"
SCIM_PATH = "/scim/v2"
LIFETIMES = (90, 180, 365)
"""The lifetimes to choose from, in days."""
DEFAULT_LIFETIME = 365
router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)


class NewTokenForm(Document):
    """The form that creates a token."""

    label: Text
    lifetime_days: Annotated[int, Field(ge=0, le=3650)] = DEFAULT_LIFETIME
    """0 for a token that does not expire."""


class GroupRoleForm(Document):
    """The form that chooses the role of a group. Without a role it gives none."""

    role: Role | None = None


@router.get(PROVISIONING)
async def show_provisioning(request: Request, runtime: ServedRuntime, signed_in: Owner) -> Response:
    """The tokens and the groups of the organization."""
    return await _render_page(request, runtime, signed_in)


@router.post(f"{PROVISIONING}/tokens")
async def create_token(
    request: Request,
    runtime: ServedRuntime,
    signed_in: Owner,
    submission: Annotated[FormSubmission[NewTokenForm], Depends(create_form_parser(NewTokenForm))],
) -> Response:
    """A new token, shown once."""
    form = submission.value
    if form is None:
        return await _render_page(request, runtime, signed_in, 422, submission=submission)
    lifetime = timedelta(days=form.lifetime_days) if form.lifetime_days > 0 else None
    order = ProvisioningTokenRequest(label=form.label, expires_in=lifetime)
    created = await tokens.create_token(runtime, signed_in.organization_id, order, build_author(request, signed_in))
    return await _render_page(request, runtime, signed_in, 201, created=created)


@router.post(f"{PROVISIONING}/tokens/{{id}}/revoke")
async def revoke_token(request: Request, runtime: ServedRuntime, signed_in: Owner, token_id: PathId) -> Response:
    """Revoke a token."""
    await tokens.revoke_token(runtime, signed_in.organization_id, token_id, build_author(request, signed_in))
    return redirect(request, PROVISIONING)


@router.post(f"{PROVISIONING}/groups/{{id}}")
async def set_group_role(
    request: Request,
    runtime: ServedRuntime,
    signed_in: Owner,
    group_id: PathId,
    submission: Annotated[FormSubmission[GroupRoleForm], Depends(create_form_parser(GroupRoleForm))],
) -> Response:
    """Choose the role that a group gives its members."""
    if submission.value is None:
        return redirect(request, PROVISIONING)
    role, author = submission.value.role, build_author(request, signed_in)
    try:
        await groups.set_group_role(runtime, signed_in.organization_id, group_id, role, author)
    except Conflict as error:
        return await _render_page(request, runtime, signed_in, error.status, error=error)
    return redirect(request, PROVISIONING)


async def _render_page(request: Request, runtime: Runtime, signed_in: SignedIn, status: int = 200, **shown: Any) -> Response:
    listed = await tokens.list_tokens(runtime, signed_in.organization_id)
    context: dict[str, Any] = {
        "tokens": [token for token in listed if _is_usable(token, runtime.clock())],
        "groups": await groups.list_group_summaries(runtime, signed_in.organization_id),
        "address": f"{runtime.settings.base_url}{SCIM_PATH}",
        "submission": None,
        "created": None,
        "error": None,
        "lifetimes": LIFETIMES,
        "default_lifetime": DEFAULT_LIFETIME,
    }
    return render_page(request, "settings/provisioning.html", status, **{**context, **shown})


def _is_usable(token: ProvisioningToken, now: datetime) -> bool:
    return token.revoked_at is None and (token.expires_at is None or token.expires_at > now)
