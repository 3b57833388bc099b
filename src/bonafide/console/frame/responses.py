"""Responses of the console: pages with their navigation, fragments, redirects, error pages, downloads."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from fastapi import Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from bonafide.console.frame import code_labels
from bonafide.console.frame.console_request import get_console_request
from bonafide.errors import ApiError
from bonafide.model.accounts.users import Permission, SignedIn
from bonafide.web import csrf
from bonafide.web.request_context import get_request_context
from bonafide.web.templates import Templates

_templates = Templates("bonafide.console")


@dataclass(frozen=True, slots=True)
class NavigationItem:
    """One entry of the navigation: English text, address, the icon's name in `web/icons.html`."""

    text: str
    address: str
    icon: str
    permission: Permission = Permission.READ
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class NavigationGroup:
    """Places that belong together."""

    text: str
    places: tuple[NavigationItem, ...]


_GROUPS = (
    NavigationGroup(
        "Work",
        (
            NavigationItem("Search", "/console/search", "search", Permission.WORK),
            NavigationItem("Searches", "/console/searches", "history"),
            NavigationItem("Review", "/console/review", "review"),
            NavigationItem("Verifications", "/console/verifications", "verify"),
            NavigationItem("Sanctions", "/console/sanctions", "shield"),
            NavigationItem("Businesses", "/console/businesses", "business"),
        ),
    ),
    NavigationGroup(
        "Account",
        (
            NavigationItem("Sources", "/console/sources", "map"),
            NavigationItem("API keys", "/console/keys", "key", Permission.MANAGE),
            NavigationItem("Settings", "/console/settings", "settings", Permission.MANAGE),
            NavigationItem("Members", "/console/members", "people", Permission.MANAGE),
        ),
    ),
)


def build_navigation(signed_in: SignedIn, path: str) -> Sequence[NavigationGroup]:
    """The groups as this person sees them, with the item that `path` belongs to marked."""

    def marked(items: Sequence[NavigationItem]) -> tuple[NavigationItem, ...]:
        seen = (item for item in items if signed_in.may(item.permission))
        return tuple(replace(item, is_current=f"{path}/".startswith(f"{item.address}/")) for item in seen)

    return [NavigationGroup(group.text, marked(group.places)) for group in _GROUPS]


def render_page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A whole page."""
    visit = get_console_request(request)
    return HTMLResponse(_templates.render(template, visit.language, {**_build_frame_context(request), **context}), status)


def render_fragment(request: Request, template: str, block: str, status: int = 200, **context: Any) -> HTMLResponse:
    """One block of a page, for htmx to swap in."""
    visit = get_console_request(request)
    return HTMLResponse(_templates.fragment(template, block, visit.language, {**_build_frame_context(request), **context}), status)


def render_template(request: Request, template: str, **context: Any) -> str:
    """A template's text by itself, for an answer that is sent in pieces."""
    return _templates.render(template, get_console_request(request).language, {**_build_frame_context(request), **context})


def is_partial_request(request: Request) -> bool:
    """Whether htmx asks for a part of the page that it shows."""
    return "HX-Request" in request.headers and "HX-Boosted" not in request.headers


def redirect(request: Request, address: str) -> Response:
    """To another page after a form has done its work."""
    if "HX-Request" in request.headers:
        return Response(status_code=204, headers={"HX-Redirect": address})
    return RedirectResponse(address, 303)


def render_error_page(request: Request, error: ApiError) -> HTMLResponse:
    """The page shown instead of one that failed."""
    return render_refusal(request, "error.html", error, request_id=get_request_context(request.scope).request_id)


def render_refusal(request: Request, template: str, error: ApiError | None, **context: Any) -> HTMLResponse:
    """A page that shows why a request was refused, with the status and headers of the error; a usual page without an error."""
    response = render_page(request, template, error.status if error is not None else 200, error=error, **context)
    response.headers.update(error.headers if error is not None else {})
    return response


def _build_frame_context(request: Request) -> dict[str, Any]:
    visit = get_console_request(request)
    token = csrf.create_token(visit.csrf_secret)
    return {
        "signed_in": visit.signed_in,
        "can_work": visit.signed_in is not None and visit.signed_in.may(Permission.WORK),
        "words": code_labels,
        "path": request.url.path,
        "navigation": build_navigation(visit.signed_in, request.url.path) if visit.signed_in is not None else (),
        "csrf_token": token,
        "csrf_field": Markup('<input type="hidden" name="csrf" value="{}">').format(token),
    }


def build_attachment_headers(name: str) -> dict[str, str]:
    """The header that lets a browser save an answer under this name, which is plain ASCII."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def create_download(content: bytes, media_type: str, name: str) -> Response:
    """An answer that is saved under this name."""
    return Response(content, headers=build_attachment_headers(name), media_type=media_type)
