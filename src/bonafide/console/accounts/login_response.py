"""Responses that begin or end a session: cookie and redirect."""

from contextlib import suppress

from fastapi import Request
from starlette.responses import Response

from bonafide.console.frame.console_request import SESSION_COOKIE, build_cookie_name, get_console_request, is_https, set_cookie
from bonafide.console.frame.responses import redirect
from bonafide.errors import NotFound
from bonafide.services.accounts import sessions
from bonafide.services.accounts.sign_in import LoginClient
from bonafide.web.client_address import ClientAddressResolver

HOME_URL = "/console"


def identify_visitor(request: Request) -> LoginClient:
    """From where the request comes."""
    clients = ClientAddressResolver(get_console_request(request).runtime.settings.trusted_proxies)
    return LoginClient(clients.find(request.scope), request.headers.get("user-agent"))


async def create_login_response(request: Request, token: str, address: str = HOME_URL) -> Response:
    """To the first page, with the cookie of a new session; the one that this browser had until now ends."""
    visit = get_console_request(request)
    runtime = visit.runtime
    if visit.signed_in is not None:
        with suppress(NotFound):
            await sessions.end_session(runtime, visit.signed_in)
    response = redirect(request, address)
    set_cookie(runtime, response, SESSION_COOKIE, token, runtime.settings.session_max_s)
    return response


def create_logout_response(request: Request, address: str) -> Response:
    """To a page for everybody, without the cookie."""
    runtime = get_console_request(request).runtime
    response = redirect(request, address)
    response.delete_cookie(build_cookie_name(runtime, SESSION_COOKIE), "/", secure=is_https(runtime), httponly=True, samesite="lax")
    return response


def to_local_url(wanted: str) -> str:
    """Where a link or form wants to go afterwards, if that is a page of the console; else its start."""
    is_ours = wanted == HOME_URL or wanted.startswith((f"{HOME_URL}/", f"{HOME_URL}?"))
    return wanted if is_ours and "\\" not in wanted and wanted.isprintable() else HOME_URL
