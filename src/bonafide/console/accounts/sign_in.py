"""Sign-in with a password or through single sign-on, sign-out, and the language of visitors.

Responses that begin or end a session are created here. No page discloses which part of the credentials is wrong.
"""

from contextlib import suppress

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from bonafide.console.frame.console_request import (
    SESSION_COOKIE,
    SIGN_IN,
    Viewer,
    build_cookie_name,
    get_console_request,
    is_https,
    save_language,
    set_cookie,
)
from bonafide.console.frame.forms import parse_choice, read_form
from bonafide.console.frame.responses import redirect, render_refusal
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import ApiError, NotFound, SignInPaused, SignInRefused
from bonafide.i18n.language import Language
from bonafide.services.accounts import known_devices, sessions, single_sign_on
from bonafide.services.accounts.openid_connect import RETURN_PATH
from bonafide.services.accounts.sign_in import LoginClient, LoginCredentials, sign_in
from bonafide.services.accounts.single_sign_on import SignOnCallback
from bonafide.web.client_address import get_client_resolver

HOME_URL = "/console"
DEVICE_COOKIE = "bonafide_device"
"""The tokens of the accounts that have signed in with this browser (`known_devices`). Signing out keeps them."""
router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)


def identify_visitor(request: Request) -> LoginClient:
    """The client's address, user agent and device cookie."""
    runtime = get_console_request(request).runtime
    clients = get_client_resolver(runtime.settings.trusted_proxies)
    return LoginClient(clients.find(request.scope), request.headers.get("user-agent"), _get_device_cookie(request))


def _get_device_cookie(request: Request) -> str | None:
    return request.cookies.get(build_cookie_name(get_console_request(request).runtime, DEVICE_COOKIE))


async def create_login_response(request: Request, token: str, address: str = HOME_URL, email: str | None = None) -> Response:
    """Redirect with the cookie of a new session. The browser's previous session ends.

    After a sign-in with a password, `email` makes the browser a known device of the user.
    """
    visit = get_console_request(request)
    runtime = visit.runtime
    if visit.signed_in is not None:
        with suppress(NotFound):
            await sessions.end_session(runtime, visit.signed_in)
    response = redirect(request, address)
    set_cookie(runtime, response, SESSION_COOKIE, token, runtime.settings.session_max_s)
    if email is not None:
        devices = known_devices.add_device(runtime, email, _get_device_cookie(request))
        set_cookie(runtime, response, DEVICE_COOKIE, devices, int(known_devices.LIFETIME.total_seconds()))
    return response


def create_logout_response(request: Request, address: str) -> Response:
    """Redirect to a public page and delete the session cookie."""
    runtime = get_console_request(request).runtime
    response = redirect(request, address)
    response.delete_cookie(build_cookie_name(runtime, SESSION_COOKIE), "/", secure=is_https(runtime), httponly=True, samesite="lax")
    return response


def to_local_url(wanted: str) -> str:
    """The requested target if it is a page of the console, else the home page. Prevents open redirects."""
    is_ours = wanted == HOME_URL or wanted.startswith((f"{HOME_URL}/", f"{HOME_URL}?"))
    return wanted if is_ours and "\\" not in wanted and wanted.isprintable() else HOME_URL


@router.get(SIGN_IN)
async def sign_in_page(request: Request) -> Response:
    """The form; signed-in users are redirected."""
    wanted = to_local_url(request.query_params.get("next", HOME_URL))
    if get_console_request(request).signed_in is not None:
        return RedirectResponse(wanted, 303)
    return _render_form(request, wanted)


@router.post(SIGN_IN)
async def sign_in_with_password(request: Request) -> Response:
    """Sign in and redirect to the requested page, or show the form with an error."""
    form = await read_form(request)
    email, password, wanted = (str(form.get(name, "")) for name in ("email", "password", "next"))
    try:
        token = await sign_in(get_console_request(request).runtime, LoginCredentials(email, password), identify_visitor(request))
    except (SignInRefused, SignInPaused) as error:
        return _render_form(request, to_local_url(wanted), email, error)
    return await create_login_response(request, token, to_local_url(wanted), email)


@router.get("/console/sign-in/with")
async def leave_for_provider(request: Request) -> Response:
    """Redirect to the identity provider. A link, because the content security policy restricts forms to this origin."""
    visit = get_console_request(request)
    link = request.query_params.get("link")
    address = await single_sign_on.begin_sign_on(visit.runtime, visit.csrf_secret, identify_visitor(request), link)
    return RedirectResponse(address, 303)


@router.get(RETURN_PATH)
async def return_from_provider(request: Request) -> Response:
    """The callback of the identity provider."""
    visit, query = get_console_request(request), request.query_params
    try:
        callback = SignOnCallback(query.get("state", ""), query.get("code", ""), visit.csrf_secret)
        token = await single_sign_on.finish_sign_on(visit.runtime, callback, identify_visitor(request))
    except SignInRefused as error:
        return _render_form(request, HOME_URL, error=error)
    return await create_login_response(request, token)


@router.post("/console/sign-out")
async def sign_out(request: Request, signed_in: Viewer) -> Response:
    """End the session."""
    await sessions.end_session(get_console_request(request).runtime, signed_in)
    return create_logout_response(request, SIGN_IN)


@router.post("/console/language")
async def choose_language(request: Request) -> Response:
    """Set the language of this browser."""
    form = await read_form(request)
    chosen, wanted = str(form.get("language", "")), str(form.get("next", ""))
    response = redirect(request, to_local_url(wanted))
    language = parse_choice(Language, chosen)
    if language is not None:
        save_language(get_console_request(request).runtime, response, language)
    return response


def _render_form(request: Request, wanted: str, email: str = "", error: ApiError | None = None) -> Response:
    settings = get_console_request(request).runtime.settings
    return render_refusal(
        request,
        "accounts/sign_in.html",
        error,
        wanted=wanted,
        email=email,
        has_passwords=settings.password_sign_in,
        provider=settings.oidc_name if settings.oidc_issuer is not None else None,
    )
