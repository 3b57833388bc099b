"""Pages behind one-time links: set a password, or join an organization."""

from enum import StrEnum
from typing import Any

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from bonafide.console.accounts.sign_in import HOME_URL, create_login_response, identify_visitor
from bonafide.console.frame.console_request import get_console_request
from bonafide.console.frame.forms import list_problems, parse_form, read_form
from bonafide.console.frame.responses import redirect, render_refusal
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import ApiError, FieldProblem, SignInPaused, SignInRefused, ValidationFailed
from bonafide.model.base import Document
from bonafide.model.query import Text
from bonafide.services.accounts import one_time_links
from bonafide.services.accounts.one_time_links import PATH, PasswordChoice, UsableLink
from bonafide.services.accounts.passwords import MIN_CHARACTERS

router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)


class NameForm(Document):
    """The name of a new user."""

    name: Text | None = None


class LinkAction(StrEnum):
    """What the visitor must do to use the link."""

    CHOOSE = "choose"
    """Choose a password."""
    PROVE = "prove"
    """Sign in as the existing user of the invited email address."""
    JOIN = "join"
    """Confirm: the invited user is signed in."""
    LEAVE = "leave"
    """Sign out first: another user is signed in."""


@router.get(PATH)
async def link_page(request: Request) -> Response:
    """The page of a link."""
    token = request.query_params.get("token", "")
    return _render_link_page(request, await one_time_links.open_link(get_console_request(request).runtime, token), token)


@router.post(PATH)
async def use_link(request: Request) -> Response:
    """Use the link and sign in its user, or show the page with its errors."""
    form, runtime = await read_form(request), get_console_request(request).runtime
    token, password, name = (str(form.get(field, "")) for field in ("token", "password", "name"))
    opened = await one_time_links.open_link(runtime, token)
    try:
        match _choose_action(request, opened):
            case LinkAction.CHOOSE:
                choice = PasswordChoice(password, _parse_name(form))
                session = await one_time_links.set_password_with_link(runtime, token, choice, identify_visitor(request))
                return await create_login_response(request, session, email=opened.link.email)
            case LinkAction.PROVE:
                session = await one_time_links.accept_with_password(runtime, token, password, identify_visitor(request))
                return await create_login_response(request, session, email=opened.link.email)
            case _:
                return await _join(request, token)
    except (ValidationFailed, SignInRefused, SignInPaused) as error:
        return _render_link_page(request, opened, token, error, name=name)


def _parse_name(form: FormData) -> str | None:
    """The name of the new user. Raises `ValidationFailed` for an invalid name."""
    sent = parse_form(NameForm, form)
    if sent.value is None:
        raise ValidationFailed(details=[FieldProblem(path, message) for path, message in sent.problems.items()])
    return sent.value.name


async def _join(request: Request, token: str) -> Response:
    visit = get_console_request(request)
    if visit.signed_in is not None:
        await one_time_links.accept_as_signed_in(visit.runtime, token, visit.signed_in)
    return redirect(request, HOME_URL)


def _choose_action(request: Request, opened: UsableLink) -> LinkAction:
    signed_in = get_console_request(request).signed_in
    if opened.organization is not None and signed_in is not None:
        return LinkAction.JOIN if signed_in.user.email == opened.link.email else LinkAction.LEAVE
    return LinkAction.CHOOSE if opened.sets_password else LinkAction.PROVE


def _render_link_page(request: Request, opened: UsableLink, token: str, error: ApiError | None = None, **context: Any) -> Response:
    settings = get_console_request(request).runtime.settings
    # An error without a field is shown at the password.
    problems = {} if error is None else list_problems(error) or {"password": error.message}
    known = {
        "opened": opened,
        "token": token,
        "way": _choose_action(request, opened),
        "problems": problems,
        "name": opened.user.name if opened.user is not None else None,
        "has_passwords": settings.password_sign_in,
        "provider": settings.oidc_name if settings.oidc_issuer is not None else None,
        "shortest": MIN_CHARACTERS,
    }
    return render_refusal(request, "accounts/link.html", error, **{**known, **context})
