"""The page behind the link of a mail that turns off alerts or digests, without signing in.

Mail programs send the same address a POST request when the recipient unsubscribes with one click (RFC 8058).
"""

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.frame.console_request import ServedRuntime
from bonafide.console.frame.forms import SIGNED_ADDRESS
from bonafide.console.frame.responses import render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.services.mail import opt_out

router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)


@router.get(opt_out.UNSUBSCRIBE_PATH)
async def confirm_unsubscribing(request: Request, runtime: ServedRuntime) -> Response:
    """Ask for confirmation: programs that check links open them. Raises `NotFound` for a link that is not valid."""
    link = await opt_out.open_link(runtime, request.query_params.get("token", ""))
    return _render(request, link, is_done=link.is_off)


@router.post(opt_out.UNSUBSCRIBE_PATH, dependencies=[SIGNED_ADDRESS])
async def unsubscribe(request: Request, runtime: ServedRuntime) -> Response:
    """Turn off what the link names. Raises `NotFound` for a link that is not valid."""
    link = await opt_out.use_link(runtime, request.query_params.get("token", ""))
    return _render(request, link, is_done=True)


def _render(request: Request, link: opt_out.OptOutLink, *, is_done: bool) -> Response:
    token = request.query_params.get("token", "")
    return render_page(request, "mail/unsubscribe.html", link=link, is_done=is_done, token=token)
