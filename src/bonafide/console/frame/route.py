"""The route class of the console: session, reception of forms, CSRF check, security headers, error pages."""

from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager, nullcontext
from typing import Any
from urllib.parse import quote

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from bonafide.console.frame.console_request import (
    SIGN_IN,
    NotSignedIn,
    begin_console_request,
    get_console_request,
    save_browser_secret,
)
from bonafide.console.frame.forms import (
    MAX_FILES,
    SIGNED_ADDRESS,
    UPLOAD_FORM,
    FormReception,
    choose_form_limits,
    close_form,
    read_form,
    receive_form,
)
from bonafide.console.frame.responses import redirect, render_error_page
from bonafide.errors import ApiError, Forbidden, InternalFailure
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import SignedIn
from bonafide.observability.log import get_logger
from bonafide.web import csrf
from bonafide.web.default_headers import SECURITY_HEADERS
from bonafide.web.request_context import get_request_context

CSRF_FIELD = "csrf"
CSRF_HEADER = "X-CSRF-Token"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_log = get_logger(__name__)
Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class ConsoleRoute(APIRoute):
    """A page, or the target of a form."""

    def get_route_handler(self) -> Handler:
        """The route's handler with session, CSRF check and error pages."""
        handle, accepts_upload = super().get_route_handler(), UPLOAD_FORM in self.dependencies
        checks_origin = SIGNED_ADDRESS not in self.dependencies

        async def handle_in_frame(request: Request) -> Response:
            await begin_console_request(request)
            try:
                response = await _call_handler(request, handle, accepts_upload=accepts_upload, checks_origin=checks_origin)
            finally:
                await close_form(request)
            save_browser_secret(request, response)
            for name, value in {**SECURITY_HEADERS, "Cache-Control": "no-store", "Vary": "HX-Request"}.items():
                response.headers.setdefault(name, value)
            return response

        return handle_in_frame


async def _call_handler(request: Request, handle: Handler, *, accepts_upload: bool, checks_origin: bool) -> Response:
    try:
        with _count_session(request):
            if request.method not in _SAFE:
                await receive_form(request, _choose_reception(request, accepts_upload=accepts_upload))
                if checks_origin:
                    await _check_origin(request)
            return await handle(request)
    except NotSignedIn:
        return _redirect_to_sign_in(request)
    except ApiError as error:
        return render_error_page(request, error)
    except ClientDisconnect:
        raise
    except Exception:  # noqa: BLE001 - every failure must show a page with the request id
        _log.exception("console.page_failed", path=request.url.path)
        return render_error_page(request, InternalFailure())


def _count_session(request: Request) -> AbstractContextManager[None]:
    """Count the request among those of its session. Raises `ServerBusy` beyond the session's share."""
    visit, admission = get_console_request(request), get_request_context(request.scope).admission
    if visit.signed_in is None or admission is None:
        return nullcontext()
    return admission.count_caller(_build_session_name(visit.signed_in))


def _choose_reception(request: Request, *, accepts_upload: bool) -> FormReception:
    visit, sender = get_console_request(request), get_request_context(request.scope).sender
    is_signed_in = visit.signed_in is not None
    if accepts_upload and not is_signed_in:
        raise NotSignedIn
    limits = choose_form_limits(visit.runtime.settings, is_signed_in=is_signed_in, accepts_upload=accepts_upload)
    senders = (sender,) if visit.signed_in is None else (sender, _build_session_name(visit.signed_in))
    return FormReception(limits, senders, MAX_FILES if is_signed_in and accepts_upload else 0)


def _build_session_name(signed_in: SignedIn) -> str:
    return f"session:{signed_in.session_id}"


async def _check_origin(request: Request) -> None:
    """Reject requests that another site makes through a user's browser (CSRF). Raises `Forbidden`."""
    base_url = get_console_request(request).base_url
    token = request.headers.get(CSRF_HEADER)
    if token is None:
        token = str((await read_form(request)).get(CSRF_FIELD, ""))
    if not csrf.is_same_origin(request.headers, base_url) or not csrf.is_valid(get_console_request(request).csrf_secret, token):
        raise Forbidden(Message("This form has expired or wasn’t sent from this console. Reload the page and try again."))


def _redirect_to_sign_in(request: Request) -> Response:
    """Redirect to the sign-in page, which redirects back to the requested page afterwards."""
    target = request.url.path if request.method in _SAFE else ""
    if target != "" and request.url.query != "":
        target = f"{target}?{request.url.query}"
    address = f"{SIGN_IN}?next={quote(target, safe='')}" if target != "" else SIGN_IN
    return redirect(request, address)
