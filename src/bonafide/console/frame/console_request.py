"""The state of one request to the console (signed-in person, language, CSRF secret, cookies), and parameters of handlers.

Pages for analysts return 403 to viewers. Every page redirects visitors who are not signed in to the sign-in page.
"""

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Annotated, cast
from uuid import UUID
from zoneinfo import ZoneInfo

from fastapi import Depends, Request
from starlette.responses import Response

from bonafide.console.frame.forms import parse_choice, parse_uuid
from bonafide.errors import BonafideError, Forbidden, NotFound, ServerBusy
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.time_zones import get_time_zone
from bonafide.model.accounts.users import Permission, SignedIn
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts import organizations, sessions
from bonafide.services.overview.open_work import count_open_work
from bonafide.store.overview.open_work import OpenWorkCounts
from bonafide.web.accept_language import parse_accept_language
from bonafide.web.request_context import get_request_context

SIGN_IN = "/console/sign-in"
SESSION_COOKIE = "bonafide_session"
VISIT_COOKIE = "bonafide_visit"
"""The browser's own CSRF secret, for forms that visitors submit before they sign in."""
LANGUAGE_COOKIE = "bonafide_language"
SECRET_BYTES = 32
_YEAR_S = 365 * 24 * 3600
WAIT_SHARE = 0.5
"""The share of a search's deadline for which a request waits for a work slot."""


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
    """Whether the response must set the browser's secret."""
    open_work: OpenWorkCounts | None = None
    """How much waits in the organization; None if nobody is signed in, or if it could not be counted."""
    time_zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))
    """The time zone in which instants are shown, and in which days begin."""

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
        open_work=await _count_open_work(runtime, signed_in) if signed_in is not None else None,
        time_zone=await _choose_time_zone(runtime, signed_in),
    )


async def _choose_time_zone(runtime: Runtime, signed_in: SignedIn | None) -> ZoneInfo:
    """As the user has set, else the organization's; UTC for visitors."""
    if signed_in is None or signed_in.user.time_zone is not None:
        return get_time_zone(signed_in.user.time_zone if signed_in is not None else None)
    try:
        settings = await organizations.read_settings(runtime, signed_in.organization_id)
    except ServerBusy:
        return get_time_zone(None)  # the page itself reports it
    return get_time_zone(settings.notifications.time_zone)


async def _count_open_work(runtime: Runtime, signed_in: SignedIn) -> OpenWorkCounts | None:
    try:
        return await count_open_work(runtime, signed_in.organization_id, signed_in.user.email)
    except ServerBusy:
        return None  # the page itself reports it


def save_browser_secret(request: Request, response: Response) -> None:
    """Set the cookie with the secret for a new browser."""
    visit = get_console_request(request)
    if visit.is_new:
        set_cookie(visit.runtime, response, VISIT_COOKIE, urlsafe_b64encode(visit.csrf_secret).decode())


def build_cookie_name(runtime: Runtime, name: str) -> str:
    """The cookie's name; over https with the prefix that browsers accept only from this host."""
    return f"__Host-{name}" if is_https(runtime) else name


def set_cookie(runtime: Runtime, response: Response, name: str, value: str, max_age_s: int | None = None) -> None:
    """Set a cookie that is hidden from scripts and from requests of other sites; a session cookie without `max_age_s`."""
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
    """Store the language in the browser, for visitors and for users without a language of their own."""
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
    async def require(request: Request) -> SignedIn:
        signed_in = get_console_request(request).signed_in
        if signed_in is None:
            raise NotSignedIn
        check_permission(signed_in, permission)
        return signed_in

    return require


def check_permission(signed_in: SignedIn, permission: Permission) -> None:
    """Raises `Forbidden` unless the person's role in the organization has the permission."""
    if not signed_in.may(permission):
        raise Forbidden(Message("Your role in this organization doesn’t allow this. An owner can change your role."))


async def _wait_for_slot(request: Request) -> AsyncIterator[None]:
    visit = get_console_request(request)
    if visit.signed_in is None:
        yield  # the handler redirects to the sign-in page
        return
    async with visit.runtime.hold_work_slot(visit.signed_in.organization_id, WAIT_SHARE):
        yield


async def _get_runtime(request: Request) -> Runtime:
    return get_console_request(request).runtime


async def _parse_path_id(request: Request) -> UUID:
    found = parse_uuid(request.path_params["id"])
    if found is None:
        raise NotFound
    return found


Viewer = Annotated[SignedIn, Depends(_require_permission(Permission.READ))]
"""A parameter: the signed-in user."""
Analyst = Annotated[SignedIn, Depends(_require_permission(Permission.WORK))]
"""A parameter: a signed-in user who may search, review and change records."""
Owner = Annotated[SignedIn, Depends(_require_permission(Permission.MANAGE))]
"""A parameter: a signed-in user who may manage keys, settings and members."""
LIMITED_WORK = Depends(_wait_for_slot)
"""A dependency of routes that query sources, compare or print: holds a work slot during the request."""
ServedRuntime = Annotated[Runtime, Depends(_get_runtime)]
PathId = Annotated[UUID, Depends(_parse_path_id)]
"""The `{id}` of the path. A value that is not a UUID raises `NotFound`."""


def build_author(request: Request, signed_in: SignedIn) -> Author:
    """The user's email address and the request id, for the audit log."""
    return Author(signed_in.user.email, get_request_context(request.scope).request_id)
