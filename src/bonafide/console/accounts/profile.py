"""The profile of the signed-in user: name, language, password, sessions."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.console.accounts.sign_in import create_logout_response, identify_visitor
from bonafide.console.frame.console_request import SIGN_IN, PathId, ServedRuntime, Viewer, get_console_request
from bonafide.console.frame.forms import FormSubmission, create_form_parser, list_problems, read_form
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import SignInPaused, ValidationFailed
from bonafide.i18n.time_zone_names import UTC_NAME
from bonafide.model.accounts.time_zones import CANADIAN_TIME_ZONES
from bonafide.model.accounts.users import SignedIn, UserProfile
from bonafide.services.accounts import sessions, sign_in
from bonafide.services.accounts.passwords import MIN_CHARACTERS
from bonafide.services.mail import opt_out

# In this order, because the user agent of each browser contains later names too.
_PROGRAMS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def describe_browser(browser: str | None) -> str | None:
    """The browser and system of a user agent (`Firefox, Linux`); None if neither is known."""
    text = browser if browser is not None else ""
    found = [next((name for token, name in known if token in text), None) for known in (_PROGRAMS, _SYSTEMS)]
    words = [name for name in found if name is not None]
    return ", ".join(words) if words else None


router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)
PROFILE = "/console/profile"


@router.get(PROFILE)
async def profile_page(request: Request, signed_in: Viewer) -> Response:
    """The profile, with the result of the last action (`?done=`)."""
    return await _render_profile(request, signed_in, done=request.query_params.get("done", ""))


@router.post(PROFILE)
async def save_profile(
    request: Request,
    runtime: ServedRuntime,
    signed_in: Viewer,
    sent: Annotated[FormSubmission[UserProfile], Depends(create_form_parser(UserProfile))],
) -> Response:
    """Save the profile."""
    if sent.value is None:
        return await _render_profile(request, signed_in, status=422, problems=sent.problems)
    await sign_in.save_profile(runtime, signed_in, sent.value)
    return redirect(request, f"{PROFILE}?done=saved")


@router.post(f"{PROFILE}/password")
async def change_password(request: Request, runtime: ServedRuntime, signed_in: Viewer) -> Response:
    """Change the password and end the user's other sessions."""
    form = await read_form(request)
    old, new = str(form.get("old", "")), str(form.get("password", ""))
    try:
        await sign_in.change_password(runtime, signed_in, old, new, identify_visitor(request))
    except (ValidationFailed, SignInPaused) as error:
        is_paused = isinstance(error, SignInPaused)
        problems = {"old": error.message} if is_paused else list_problems(error)
        response = await _render_profile(request, signed_in, status=error.status if is_paused else 422, problems=problems)
        response.headers.update(error.headers)
        return response
    return redirect(request, f"{PROFILE}?done=password")


@router.post(f"{PROFILE}/mail")
async def save_mail_choice(request: Request, runtime: ServedRuntime, signed_in: Viewer) -> Response:
    """Save which mails of the current organization the user wants."""
    form = await read_form(request)
    choice = opt_out.MailChoice(alerts="alerts" in form, digest="digest" in form)
    await opt_out.save_choice(runtime, signed_in, choice)
    return redirect(request, f"{PROFILE}?done=mail")


@router.post(f"{PROFILE}/sessions/end-others")
async def end_other_sessions(request: Request, runtime: ServedRuntime, signed_in: Viewer) -> Response:
    """End every session but this one."""
    await sessions.end_other_sessions(runtime, signed_in)
    return redirect(request, f"{PROFILE}?done=sessions")


@router.post(f"{PROFILE}/sessions/{{id}}/end")
async def end_session(request: Request, runtime: ServedRuntime, signed_in: Viewer, session: PathId) -> Response:
    """End one session of the user."""
    await sessions.end_session(runtime, signed_in, session)
    if session == signed_in.session_id:
        return create_logout_response(request, SIGN_IN)
    return redirect(request, f"{PROFILE}?done=sessions")


def _get_own_zone(signed_in: SignedIn) -> tuple[str, ...]:
    """The user's time zone, which the form may not offer otherwise."""
    return (signed_in.user.time_zone,) if signed_in.user.time_zone is not None else ()


async def _render_profile(request: Request, signed_in: SignedIn, status: int = 200, **context: Any) -> Response:
    runtime = get_console_request(request).runtime
    found = await sessions.list_sessions(runtime, signed_in)
    known = {
        "sessions": [(session, describe_browser(session.browser)) for session in found],
        "has_password": await sign_in.has_password(runtime, signed_in),
        "shortest": MIN_CHARACTERS,
        "mail_choice": await opt_out.read_choice(runtime, signed_in),
        "has_mail_server": runtime.settings.smtp_url is not None,
        "time_zones": [(zone, zone) for zone in dict.fromkeys((*CANADIAN_TIME_ZONES, UTC_NAME, *_get_own_zone(signed_in)))],
        "problems": {},
        "done": "",
    }
    return render_page(request, "accounts/profile.html", status, **{**known, **context})
