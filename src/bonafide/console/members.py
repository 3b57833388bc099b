"""The members of an organization and who is invited to it: for its owners."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.console.access import Owner, PathId, ServedRuntime, Viewer
from bonafide.console.arrival import START
from bonafide.console.author import author_of
from bonafide.console.forms import Submission, form_of, read_form
from bonafide.console.page import page, see
from bonafide.console.route import ConsoleRoute
from bonafide.console.visit import visit_of
from bonafide.errors import ApiError, Conflict, NotFound
from bonafide.model.accounts.users import Role, SignedIn
from bonafide.model.base import Document
from bonafide.model.accounts.organizations import Email
from bonafide.services import links, members, sessions

router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)
MEMBERS = "/console/members"


class Invitation(Document):
    """Who is invited, and as what."""

    email: Email
    role: Role


class RoleChange(Document):
    """What a member is to be."""

    role: Role


SentInvitation = Annotated[Submission[Invitation], Depends(form_of(Invitation))]
SentRole = Annotated[Submission[RoleChange], Depends(form_of(RoleChange))]


@router.get(MEMBERS)
async def members_page(request: Request, signed_in: Owner) -> Response:
    """The members and the open invitations."""
    return await _page(request, signed_in)


@router.post(f"{MEMBERS}/invite")
async def invite(
    request: Request,
    runtime: ServedRuntime,
    signed_in: Owner,
    sent: SentInvitation,
) -> Response:
    """Make an invitation and show its link, this once."""
    if sent.value is None:
        return await _page(request, signed_in, sent, status=422)
    wanted = sent.value
    try:
        link = await links.invite(runtime, signed_in.organization_id, wanted.email, wanted.role, author_of(request, signed_in))
    except Conflict as error:
        return await _page(request, signed_in, sent, error=error, status=error.status)
    return await _page(request, signed_in, invited=(wanted.email, link))


@router.post(f"{MEMBERS}/invitations/{{id}}/revoke")
async def revoke_invitation(request: Request, runtime: ServedRuntime, signed_in: Owner, invitation: PathId) -> Response:
    """Let an invitation not be used any more."""
    await links.revoke_invitation(runtime, signed_in.organization_id, invitation, author_of(request, signed_in))
    return see(request, MEMBERS)


@router.post(f"{MEMBERS}/{{id}}/role")
async def change_role(
    request: Request,
    runtime: ServedRuntime,
    signed_in: Owner,
    user: PathId,
    sent: SentRole,
) -> Response:
    """Let a member be something else."""
    if sent.value is None:
        return see(request, MEMBERS)
    try:
        await members.change_role(runtime, signed_in.organization_id, user, sent.value.role, author_of(request, signed_in))
    except Conflict as error:
        return await _page(request, signed_in, error=error, status=error.status)
    return see(request, MEMBERS if user != signed_in.user.id else START)


@router.post(f"{MEMBERS}/{{id}}/remove")
async def remove(request: Request, runtime: ServedRuntime, signed_in: Owner, user: PathId) -> Response:
    """Let a member not belong to the organization any more."""
    try:
        await members.remove_member(runtime, signed_in.organization_id, user, author_of(request, signed_in))
    except Conflict as error:
        return await _page(request, signed_in, error=error, status=error.status)
    return see(request, MEMBERS if user != signed_in.user.id else START)


@router.post("/console/organization")
async def switch_organization(request: Request, runtime: ServedRuntime, signed_in: Viewer) -> Response:
    """Show another organization's data, or the same one's in the other world. Raises `NotFound` for one that is not theirs."""
    try:
        wanted = UUID(str((await read_form(request)).get("organization", "")))
    except ValueError:
        raise NotFound("There is nothing at this address.") from None
    await sessions.switch(runtime, signed_in, wanted)
    return see(request, START)


async def _page(
    request: Request,
    signed_in: SignedIn,
    sent: Submission[Invitation] | None = None,
    *,
    error: ApiError | None = None,
    invited: tuple[str, str] | None = None,
    status: int = 200,
) -> Response:
    runtime = visit_of(request).runtime
    return page(
        request,
        "accounts/members.html",
        status,
        members=await members.list_members(runtime, signed_in.organization_id),
        invitations=await links.list_invitations(runtime, signed_in.organization_id),
        roles=tuple(Role),
        sent=sent,
        error=error,
        invited=invited,
    )
