"""How somebody comes into the console and leaves it: from which client, with which cookie, to which page first.

Whether they may is decided in `services/sign_in`, `services/links` and `services/single_sign_on`.
"""

from contextlib import suppress

from fastapi import Request
from starlette.responses import Response

from bonafide.console.page import see
from bonafide.console.visit import SESSION_COOKIE, cookie_name, is_https, set_cookie, visit_of
from bonafide.errors import NotFound
from bonafide.services import sessions
from bonafide.services.sign_in import Visitor
from bonafide.web.client import ClientAddresses

START = "/console"


def visitor_of(request: Request) -> Visitor:
    """From where the request comes."""
    clients = ClientAddresses(visit_of(request).runtime.settings.trusted_proxies)
    return Visitor(clients.find(request.scope), request.headers.get("user-agent"))


async def arrive(request: Request, token: str, address: str = START) -> Response:
    """To the first page, with the cookie of a new session; the one that this browser had until now ends."""
    visit = visit_of(request)
    runtime = visit.runtime
    if visit.signed_in is not None:
        with suppress(NotFound):
            await sessions.end(runtime, visit.signed_in)
    response = see(request, address)
    set_cookie(runtime, response, SESSION_COOKIE, token, runtime.settings.session_max_s)
    return response


def leave(request: Request, address: str) -> Response:
    """To a page for everybody, without the cookie."""
    runtime = visit_of(request).runtime
    response = see(request, address)
    response.delete_cookie(cookie_name(runtime, SESSION_COOKIE), "/", secure=is_https(runtime), httponly=True, samesite="lax")
    return response


def own_address(wanted: str) -> str:
    """Where a link or form wants to go afterwards, if that is a page of the console; else its start."""
    is_ours = wanted == START or wanted.startswith((f"{START}/", f"{START}?"))
    return wanted if is_ours and "\\" not in wanted and wanted.isprintable() else START
