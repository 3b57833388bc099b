"""Members and invitations of an organization."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.console.accounts.sign_in import HOME_URL
from bonafide.console.frame.console_request import Owner, PathId, ServedRuntime, Viewer, build_author, get_console_request
from bonafide.console.frame.forms import FormSubmission, create_form_parser, read_form
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import ApiError, Conflict, NotFound
from bonafide.model.accounts.organizations import Email
from bonafide.model.accounts.users import Role, SignedIn
from bonafide.model.base import Document
from bonafide.services.accounts import members, one_time_links, sessions

router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)
MEMBERS = "/console/members"


class InvitationForm(Document):
    """The email address and the role of an invitation."""

    email: Email
    role: Role


class RoleChangeForm(Document):
    """The new role of a member."""

    role: Role


SentInvitation = Annotated[FormSubmission[InvitationForm], Depends(create_form_parser(InvitationForm))]
SentRole = Annotated[FormSubmission[RoleChangeForm], Depends(create_form_parser(RoleChangeForm))]


@router.get(MEMBERS)
async def members_page(request: Request, signed_in: Owner) -> Response:
    """The members and the pending invitations."""
    return await _render_members(request, signed_in)


@router.post(f"{MEMBERS}/invite")
async def invite(
    request: Request,
    runtime: ServedRuntime,
    signed_in: Owner,
    sent: SentInvitation,
) -> Response:
    """Create an invitation and show its link once."""
    if sent.value is None:
        return await _render_members(request, signed_in, sent, status=422)
    invitation = sent.value
    try:
        link = await one_time_links.invite(
            runtime, signed_in.organization_id, invitation.email, invitation.role, build_author(request, signed_in)
        )
    except Conflict as error:
        return await _render_members(request, signed_in, sent, error=error, status=error.status)
    return await _render_members(request, signed_in, invited=(invitation.email, link))


@router.post(f"{MEMBERS}/invitations/{{id}}/revoke")
async def revoke_invitation(request: Request, runtime: ServedRuntime, signed_in: Owner, invitation: PathId) -> Response:
    """Revoke an invitation."""
    await one_time_links.revoke_invitation(runtime, signed_in.organization_id, invitation, build_author(request, signed_in))
    return redirect(request, MEMBERS)


@router.post(f"{MEMBERS}/{{id}}/role")
async def change_role(
    request: Request,
    runtime: ServedRuntime,
    signed_in: Owner,
    user: PathId,
    sent: SentRole,
) -> Response:
    """Change the role of a member."""
    if sent.value is None:
        return redirect(request, MEMBERS)
    try:
        await members.change_role(runtime, signed_in.organization_id, user, sent.value.role, build_author(request, signed_in))
    except Conflict as error:
        return await _render_members(request, signed_in, error=error, status=error.status)
    return redirect(request, MEMBERS if user != signed_in.user.id else HOME_URL)


@router.post(f"{MEMBERS}/{{id}}/remove")
async def remove_member(request: Request, runtime: ServedRuntime, signed_in: Owner, user: PathId) -> Response:
    """Remove a member from the organization."""
    try:
        await members.remove_member(runtime, signed_in.organization_id, user, build_author(request, signed_in))
    except Conflict as error:
        return await _render_members(request, signed_in, error=error, status=error.status)
    return redirect(request, MEMBERS if user != signed_in.user.id else HOME_URL)


@router.post("/console/organization")
async def switch_organization(request: Request, runtime: ServedRuntime, signed_in: Viewer) -> Response:
    """Switch to another organization or world of the user. Raises `NotFound` for any other."""
    try:
        organization_id = UUID(str((await read_form(request)).get("organization", "")))
    except ValueError:
        raise NotFound from None
    await sessions.switch_organization(runtime, signed_in, organization_id)
    return redirect(request, HOME_URL)


async def _render_members(
    request: Request,
    signed_in: SignedIn,
    sent: FormSubmission[InvitationForm] | None = None,
    *,
    error: ApiError | None = None,
    invited: tuple[str, str] | None = None,
    status: int = 200,
) -> Response:
    runtime = get_console_request(request).runtime
    return render_page(
        request,
        "accounts/members.html",
        status,
        members=await members.list_members(runtime, signed_in.organization_id),
        invitations=await one_time_links.list_invitations(runtime, signed_in.organization_id),
        roles=tuple(Role),
        sent=sent,
        error=error,
        invited=invited,
    )
