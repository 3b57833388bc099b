"""Pages and parts of pages from templates, within the console's frame: navigation, who is signed in, forms' secrets, errors."""

from typing import Any

from fastapi import Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from bonafide.console.navigation import navigation
from bonafide.console.visit import visit_of
from bonafide.errors import ApiError
from bonafide.web import csrf
from bonafide.web.exchange import exchange_of
from bonafide.web.templates import Templates

_templates = Templates("bonafide.console")


def page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A whole page."""
    visit = visit_of(request)
    return HTMLResponse(_templates.render(template, visit.language, {**_frame(request), **context}), status)


def fragment(request: Request, template: str, block: str, status: int = 200, **context: Any) -> HTMLResponse:
    """One block of a page, for htmx to swap in."""
    visit = visit_of(request)
    return HTMLResponse(_templates.fragment(template, block, visit.language, {**_frame(request), **context}), status)


def part(request: Request, template: str, **context: Any) -> str:
    """A template's text by itself, for an answer that is sent in pieces."""
    return _templates.render(template, visit_of(request).language, {**_frame(request), **context})


def is_partial(request: Request) -> bool:
    """Whether htmx asks for a part of the page that it shows."""
    return "HX-Request" in request.headers and "HX-Boosted" not in request.headers


def see(request: Request, address: str) -> Response:
    """To another page after a form has done its work."""
    if "HX-Request" in request.headers:
        return Response(status_code=204, headers={"HX-Redirect": address})
    return RedirectResponse(address, 303)


def error_page(request: Request, error: ApiError) -> HTMLResponse:
    """What a person is told when a page can't be shown."""
    response = page(request, "error.html", error.status, error=error, request_id=exchange_of(request.scope).request_id)
    response.headers.update(error.headers)
    return response


def _frame(request: Request) -> dict[str, Any]:
    visit = visit_of(request)
    token = csrf.masked(visit.csrf_secret)
    return {
        "signed_in": visit.signed_in,
        "path": request.url.path,
        "navigation": navigation(visit.signed_in, request.url.path) if visit.signed_in is not None else (),
        "csrf_token": token,
        "csrf_field": Markup('<input type="hidden" name="csrf" value="{}">').format(token),
    }
