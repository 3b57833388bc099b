"""Signing in, with a password or through an identity provider, and out again; and the language of whoever is not signed in.

No page tells which part of what was given is wrong.
"""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from bonafide.console.access import Viewer
from bonafide.console.arrival import START, arrive, leave, own_address, visitor_of
from bonafide.console.forms import read_form
from bonafide.console.page import page, see
from bonafide.console.route import ConsoleRoute
from bonafide.console.visit import SIGN_IN, remember_language, visit_of
from bonafide.errors import ApiError, SignInPaused, SignInRefused
from bonafide.model.language import Language
from bonafide.services import sessions, single_sign_on
from bonafide.services.identity_provider import RETURN_PATH
from bonafide.services.sign_in import Claim, sign_in
from bonafide.services.single_sign_on import Return

router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)
FORM = "accounts/sign_in.html"


@router.get(SIGN_IN)
async def sign_in_page(request: Request) -> Response:
    """The form; whoever is signed in already goes on."""
    wanted = own_address(request.query_params.get("next", START))
    if visit_of(request).signed_in is not None:
        return RedirectResponse(wanted, 303)
    return _form(request, wanted)


@router.post(SIGN_IN)
async def sign_in_with_password(request: Request) -> Response:
    """Go on to where somebody was on their way, or show the form again."""
    form = await read_form(request)
    email, password, wanted = (str(form.get(name, "")) for name in ("email", "password", "next"))
    try:
        token = await sign_in(visit_of(request).runtime, Claim(email, password), visitor_of(request))
    except (SignInRefused, SignInPaused) as error:
        return _form(request, own_address(wanted), email, error)
    return await arrive(request, token, own_address(wanted))


@router.get("/console/sign-in/with")
async def leave_for_provider(request: Request) -> Response:
    """To the identity provider. A link, not a form: the content security policy lets forms lead nowhere else."""
    visit = visit_of(request)
    link = request.query_params.get("link")
    address = await single_sign_on.begin(visit.runtime, visit.csrf_secret, visitor_of(request), link)
    return RedirectResponse(address, 303)


@router.get(RETURN_PATH)
async def return_from_provider(request: Request) -> Response:
    """Back from the identity provider."""
    visit, asked = visit_of(request), request.query_params
    try:
        back = Return(asked.get("state", ""), asked.get("code", ""), visit.csrf_secret)
        token = await single_sign_on.finish(visit.runtime, back, visitor_of(request))
    except SignInRefused as error:
        return _form(request, START, error=error)
    return await arrive(request, token)


@router.post("/console/sign-out")
async def sign_out(request: Request, signed_in: Viewer) -> Response:
    """End the session."""
    await sessions.end(visit_of(request).runtime, signed_in)
    return leave(request, SIGN_IN)


@router.post("/console/language")
async def choose_language(request: Request) -> Response:
    """Show the pages in another language in this browser."""
    form = await read_form(request)
    chosen, wanted = str(form.get("language", "")), str(form.get("next", ""))
    response = see(request, own_address(wanted))
    if chosen in {language.value for language in Language}:
        remember_language(visit_of(request).runtime, response, Language(chosen))
    return response


def _form(request: Request, wanted: str, email: str = "", error: ApiError | None = None) -> Response:
    settings = visit_of(request).runtime.settings
    context = {
        "wanted": wanted,
        "email": email,
        "error": error,
        "has_passwords": settings.password_sign_in,
        "provider": settings.oidc_name if settings.oidc_issuer is not None else None,
    }
    response = page(request, FORM, error.status if error is not None else 200, **context)
    response.headers.update(error.headers if error is not None else {})
    return response
