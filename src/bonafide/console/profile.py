"""What users decide about themselves: name, language, keyboard shortcuts, password, and which sessions go on."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.console.access import PathId, ServedRuntime, Viewer
from bonafide.console.arrival import leave, visitor_of
from bonafide.console.browsers import described
from bonafide.console.forms import Submission, form_of, read_form
from bonafide.console.page import page, see
from bonafide.console.route import ConsoleRoute
from bonafide.console.visit import SIGN_IN, visit_of
from bonafide.errors import SignInPaused, ValidationFailed
from bonafide.model.accounts.users import UserProfile, SignedIn
from bonafide.services import sessions, sign_in
from bonafide.services.passwords import MIN_CHARACTERS

router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)
PROFILE = "/console/profile"


@router.get(PROFILE)
async def profile_page(request: Request, signed_in: Viewer) -> Response:
    """The profile, and what was just done to it."""
    return await _page(request, signed_in, done=request.query_params.get("done", ""))


@router.post(PROFILE)
async def save_profile(
    request: Request, runtime: ServedRuntime, signed_in: Viewer, sent: Annotated[Submission[UserProfile], Depends(form_of(UserProfile))]
) -> Response:
    """Keep what users say of themselves."""
    if sent.value is None:
        return await _page(request, signed_in, status=422, problems=sent.problems)
    await sign_in.save_profile(runtime, signed_in, sent.value)
    return see(request, f"{PROFILE}?done=saved")


@router.post(f"{PROFILE}/password")
async def change_password(request: Request, runtime: ServedRuntime, signed_in: Viewer) -> Response:
    """Another password; the user's other sessions end."""
    form = await read_form(request)
    old, new = str(form.get("old", "")), str(form.get("password", ""))
    try:
        await sign_in.change_password(runtime, signed_in, old, new, visitor_of(request))
    except ValidationFailed as error:
        return await _page(request, signed_in, status=422, problems={problem.path: problem.message for problem in error.details})
    except SignInPaused as error:
        response = await _page(request, signed_in, status=error.status, problems={"old": error.message})
        response.headers.update(error.headers)
        return response
    return see(request, f"{PROFILE}?done=password")


@router.post(f"{PROFILE}/sessions/end-others")
async def end_other_sessions(request: Request, runtime: ServedRuntime, signed_in: Viewer) -> Response:
    """End every session but this one."""
    await sessions.end_others(runtime, signed_in)
    return see(request, f"{PROFILE}?done=sessions")


@router.post(f"{PROFILE}/sessions/{{id}}/end")
async def end_session(request: Request, runtime: ServedRuntime, signed_in: Viewer, session: PathId) -> Response:
    """End one session of the user's."""
    await sessions.end(runtime, signed_in, session)
    return see(request, f"{PROFILE}?done=sessions") if session != signed_in.session_id else leave(request, SIGN_IN)


async def _page(request: Request, signed_in: SignedIn, status: int = 200, **context: Any) -> Response:
    runtime = visit_of(request).runtime
    found = await sessions.list_sessions(runtime, signed_in)
    known = {
        "sessions": [(session, described(session.browser)) for session in found],
        "has_password": await sign_in.has_password(runtime, signed_in),
        "shortest": MIN_CHARACTERS,
        "problems": {},
        "done": "",
    }
    return page(request, "accounts/profile.html", status, **{**known, **context})
