"""The state of one request to the console (signed-in person, language, CSRF secret, cookies), and parameters of handlers.

A page for analysts answers a viewer with 403, and redirects visitors who are not signed in to the sign-in page.
"""

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, cast
from uuid import UUID

from fastapi import Depends, Request
from starlette.responses import Response

from bonafide.console.frame.forms import parse_choice, parse_uuid
from bonafide.errors import BonafideError, Forbidden, NotFound
from bonafide.i18n.language import Language
from bonafide.model.accounts.users import Permission, SignedIn
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts import sessions
from bonafide.web.accept_language import parse_accept_language
from bonafide.web.request_context import get_request_context

SIGN_IN = "/console/sign-in"
SESSION_COOKIE = "bonafide_session"
VISIT_COOKIE = "bonafide_visit"
"""A secret of the browser's own, for the forms of whoever is not signed in."""
LANGUAGE_COOKIE = "bonafide_language"
SECRET_BYTES = 32
_YEAR_S = 365 * 24 * 3600
WAIT_SHARE = 0.5
"""Of a search's deadline, for which a page waits for its turn."""


class NotSignedIn(BonafideError):
    """The page is for people who are signed in."""


@dataclass(slots=True)
class ConsoleRequest:
    """One request to the console."""

    runtime: Runtime
    signed_in: SignedIn | None
    language: Language
    csrf_secret: bytes
    is_new: bool
    """Whether the browser has yet to be given the secret."""

    @property
    def base_url(self) -> str:
        """The address at which browsers reach the service."""
        return self.runtime.settings.base_url


def get_console_request(request: Request) -> ConsoleRequest:
    """The state that `begin_console_request` has attached."""
    return cast("ConsoleRequest", request.state.visit)


async def begin_console_request(request: Request) -> None:
    """Resume the session of the request's cookie, and attach the state to the request."""
    runtime: Runtime = request.app.state.runtime
    token = request.cookies.get(build_cookie_name(runtime, SESSION_COOKIE))
    signed_in = await sessions.resume_session(runtime, token) if token is not None else None
    kept = _decode_secret(request.cookies.get(build_cookie_name(runtime, VISIT_COOKIE)))
    secret = signed_in.csrf_secret if signed_in is not None else kept
    request.state.visit = ConsoleRequest(
        runtime=runtime,
        signed_in=signed_in,
        language=_choose_language(request, signed_in),
        csrf_secret=secret if secret is not None else secrets.token_bytes(SECRET_BYTES),
        is_new=secret is None,
    )


def save_browser_secret(request: Request, response: Response) -> None:
    """Give a new browser its secret."""
    visit = get_console_request(request)
    if visit.is_new:
        set_cookie(visit.runtime, response, VISIT_COOKIE, urlsafe_b64encode(visit.csrf_secret).decode())


def build_cookie_name(runtime: Runtime, name: str) -> str:
    """Over https with the prefix that browsers accept from this very host only."""
    return f"__Host-{name}" if is_https(runtime) else name


def set_cookie(runtime: Runtime, response: Response, name: str, value: str, max_age_s: int | None = None) -> None:
    """A cookie that no script reads and no other site sends along with a form; until the browser ends if no age is given."""
    response.set_cookie(
        build_cookie_name(runtime, name),
        value,
        max_age=max_age_s,
        path="/",
        secure=is_https(runtime),
        httponly=True,
        samesite="lax",
    )


def save_language(runtime: Runtime, response: Response, language: Language) -> None:
    """The language of a browser whose user has none, or is not signed in."""
    set_cookie(runtime, response, LANGUAGE_COOKIE, language.value, _YEAR_S)


def is_https(runtime: Runtime) -> bool:
    """Whether browsers reach the service over https."""
    return runtime.settings.base_url.startswith("https://")


def _choose_language(request: Request, signed_in: SignedIn | None) -> Language:
    """As the user has set, else as was chosen in this browser, else as the browser prefers."""
    if signed_in is not None and signed_in.language is not None:
        return signed_in.language
    chosen = request.cookies.get(build_cookie_name(request.app.state.runtime, LANGUAGE_COOKIE), "")
    accepted = ",".join(request.headers.getlist("accept-language"))
    return parse_choice(Language, chosen) or parse_accept_language(accepted) or Language.ENGLISH


def _decode_secret(cookie: str | None) -> bytes | None:
    if cookie is None:
        return None
    try:
        secret = urlsafe_b64decode(cookie.encode())
    except (NotBase64, ValueError):
        return None
    return secret if len(secret) == SECRET_BYTES else None


def _require_permission(permission: Permission) -> Callable[[Request], Awaitable[SignedIn]]:
    async def who(request: Request) -> SignedIn:
        signed_in = get_console_request(request).signed_in
        if signed_in is None:
            raise NotSignedIn
        check_permission(signed_in, permission)
        return signed_in

    return who


def check_permission(signed_in: SignedIn, permission: Permission) -> None:
    """Raises `Forbidden` unless the person's role in the organization has the permission."""
    if not signed_in.may(permission):
        raise Forbidden("Your role in this organization does not allow this. An owner can change it.")


async def _wait_for_slot(request: Request) -> AsyncIterator[None]:
    visit = get_console_request(request)
    if visit.signed_in is None:
        yield  # will be sent to sign in
        return
    async with visit.runtime.hold_work_slot(str(visit.signed_in.organization_id), WAIT_SHARE):
        yield


async def _get_runtime(request: Request) -> Runtime:
    return get_console_request(request).runtime


async def _parse_path_id(request: Request) -> UUID:
    found = parse_uuid(request.path_params["id"])
    if found is None:
        raise NotFound("There is nothing at this address.")
    return found


Viewer = Annotated[SignedIn, Depends(_require_permission(Permission.READ))]
"""A parameter: whoever is signed in."""
Analyst = Annotated[SignedIn, Depends(_require_permission(Permission.WORK))]
"""A parameter: someone who may search, decide and change records."""
Owner = Annotated[SignedIn, Depends(_require_permission(Permission.MANAGE))]
"""A parameter: someone who may manage keys, settings and members."""
LIMITED_WORK = Depends(_wait_for_slot)
"""Of a route that asks, compares or prints: it waits for its turn among all that do."""
ServedRuntime = Annotated[Runtime, Depends(_get_runtime)]
PathId = Annotated[UUID, Depends(_parse_path_id)]
"""The `{id}` of the path; what is none is a page that does not exist."""


def build_author(request: Request, signed_in: SignedIn) -> Author:
    """The person by e-mail, and the request."""
    return Author(signed_in.user.email, get_request_context(request.scope).request_id)
