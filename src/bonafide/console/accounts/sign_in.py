"""Sign-in with a password or through single sign-on, sign-out, and the language of visitors.

No page says which part of the credentials is wrong.
"""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from bonafide.console.accounts.login_response import (
    HOME_URL,
    create_login_response,
    create_logout_response,
    identify_visitor,
    to_local_url,
)
from bonafide.console.frame.console_request import SIGN_IN, get_console_request, save_language
from bonafide.console.frame.dependencies import Viewer
from bonafide.console.frame.forms import read_form
from bonafide.console.frame.parameters import parse_choice
from bonafide.console.frame.responses import redirect, render_refusal
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import ApiError, SignInPaused, SignInRefused
from bonafide.model.language import Language
from bonafide.services.accounts import sessions, single_sign_on
from bonafide.services.accounts.openid_connect import RETURN_PATH
from bonafide.services.accounts.sign_in import LoginCredentials, sign_in
from bonafide.services.accounts.single_sign_on import SignOnCallback

router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)


@router.get(SIGN_IN)
async def sign_in_page(request: Request) -> Response:
    """The form; whoever is signed in already goes on."""
    wanted = to_local_url(request.query_params.get("next", HOME_URL))
    if get_console_request(request).signed_in is not None:
        return RedirectResponse(wanted, 303)
    return _render_form(request, wanted)


@router.post(SIGN_IN)
async def sign_in_with_password(request: Request) -> Response:
    """Go on to where somebody was on their way, or show the form again."""
    form = await read_form(request)
    email, password, wanted = (str(form.get(name, "")) for name in ("email", "password", "next"))
    try:
        token = await sign_in(get_console_request(request).runtime, LoginCredentials(email, password), identify_visitor(request))
    except (SignInRefused, SignInPaused) as error:
        return _render_form(request, to_local_url(wanted), email, error)
    return await create_login_response(request, token, to_local_url(wanted))


@router.get("/console/sign-in/with")
async def leave_for_provider(request: Request) -> Response:
    """To the identity provider. A link, not a form: the content security policy lets forms lead nowhere else."""
    visit = get_console_request(request)
    link = request.query_params.get("link")
    address = await single_sign_on.begin_sign_on(visit.runtime, visit.csrf_secret, identify_visitor(request), link)
    return RedirectResponse(address, 303)


@router.get(RETURN_PATH)
async def return_from_provider(request: Request) -> Response:
    """Back from the identity provider."""
    visit, asked = get_console_request(request), request.query_params
    try:
        back = SignOnCallback(asked.get("state", ""), asked.get("code", ""), visit.csrf_secret)
        token = await single_sign_on.finish_sign_on(visit.runtime, back, identify_visitor(request))
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
    """Show the pages in another language in this browser."""
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
