"""Responses of the console: pages with their navigation, fragments, redirects, error pages, downloads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fastapi import Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from bonafide.console.frame import code_labels
from bonafide.console.frame.console_request import get_console_request
from bonafide.console.frame.navigation_counts import (
    ALERTS,
    CASES,
    DISCREPANCIES,
    MANUAL_CHECKS,
    REVIEW,
    SANCTIONS,
    NavigationCount,
    describe_open_work,
)
from bonafide.errors import ApiError
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import Permission, SignedIn
from bonafide.web import csrf
from bonafide.web.request_context import get_request_context
from bonafide.web.templates import Templates

_templates = Templates("bonafide.console")


@dataclass(frozen=True, slots=True)
class NavigationItem:
    """One entry of the navigation: label, address, the icon's name in `web/icons.html`."""

    text: Message
    address: str
    icon: str
    permission: Permission = Permission.READ
    is_current: bool = False
    count: NavigationCount | None = None
    """How much waits on the page; None if nothing does."""


@dataclass(frozen=True, slots=True)
class NavigationGroup:
    """A heading of the navigation with its entries."""

    text: Message
    places: tuple[NavigationItem, ...]


_GROUPS = (
    NavigationGroup(
        Message("Work"),
        (
            NavigationItem(Message("Overview"), "/console/overview", "overview"),
            NavigationItem(Message("Cases"), CASES, "case"),
            NavigationItem(Message("Review"), REVIEW, "review"),
            NavigationItem(Message("Manual checks"), MANUAL_CHECKS, "eye"),
            NavigationItem(Message("Discrepancies"), DISCREPANCIES, "alert"),
            NavigationItem(Message("Alerts"), ALERTS, "bell"),
        ),
    ),
    NavigationGroup(
        Message("Search and verify"),
        (
            NavigationItem(Message("New search"), "/console/search", "search", Permission.WORK),
            NavigationItem(Message("History"), "/console/searches", "history"),
            NavigationItem(Message("Verifications"), "/console/verifications", "verify"),
            NavigationItem(Message("Sanctions"), SANCTIONS, "shield"),
            NavigationItem(Message("Batches"), "/console/batches", "list"),
        ),
    ),
    NavigationGroup(
        Message("Records"),
        (
            NavigationItem(Message("Businesses"), "/console/businesses", "business"),
            NavigationItem(Message("Events"), "/console/events", "list"),
            NavigationItem(Message("Examiner’s packs"), "/console/packs", "print"),
        ),
    ),
    NavigationGroup(
        Message("Account"),
        (
            NavigationItem(Message("Sources"), "/console/sources", "map"),
            NavigationItem(Message("Risk rules"), "/console/risk", "gauge"),
            NavigationItem(Message("API keys"), "/console/keys", "key", Permission.MANAGE),
            NavigationItem(Message("Webhooks"), "/console/webhooks", "send", Permission.MANAGE),
            NavigationItem(Message("Settings"), "/console/settings", "settings", Permission.MANAGE),
            NavigationItem(Message("Members"), "/console/members", "people", Permission.MANAGE),
        ),
    ),
)


def build_navigation(signed_in: SignedIn, path: str, counts: Mapping[str, NavigationCount]) -> Sequence[NavigationGroup]:
    """The groups as this person sees them, with the item that `path` belongs to marked. `counts` are by address."""

    def select(items: Sequence[NavigationItem]) -> tuple[NavigationItem, ...]:
        return tuple(
            replace(item, is_current=f"{path}/".startswith(f"{item.address}/"), count=counts.get(item.address))
            for item in items
            if signed_in.may(item.permission)
        )

    return [NavigationGroup(group.text, select(group.places)) for group in _GROUPS]


def render_page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A complete page."""
    visit = get_console_request(request)
    return HTMLResponse(_templates.render(template, visit.language, {**_build_frame_context(request), **context}), status)


def render_fragment(request: Request, template: str, block: str, status: int = 200, **context: Any) -> HTMLResponse:
    """One block of a page, for htmx to swap in."""
    visit = get_console_request(request)
    return HTMLResponse(_templates.fragment(template, block, visit.language, {**_build_frame_context(request), **context}), status)


def render_template(request: Request, template: str, **context: Any) -> str:
    """The text of a rendered template, for a response that is streamed."""
    return _templates.render(template, get_console_request(request).language, {**_build_frame_context(request), **context})


def is_partial_request(request: Request) -> bool:
    """Whether htmx requests a fragment of the current page."""
    return "HX-Request" in request.headers and "HX-Boosted" not in request.headers


def redirect(request: Request, address: str) -> Response:
    """Redirect to another page after a form was processed."""
    if "HX-Request" in request.headers:
        return Response(status_code=204, headers={"HX-Redirect": address})
    return RedirectResponse(address, 303)


def render_error_page(request: Request, error: ApiError) -> HTMLResponse:
    """The page shown instead of one that failed."""
    return render_refusal(request, "error.html", error, request_id=get_request_context(request.scope).request_id)


def render_refusal(request: Request, template: str, error: ApiError | None, **context: Any) -> HTMLResponse:
    """A page that shows the error of a request, with the error's status and headers; status 200 without an error."""
    response = render_page(request, template, error.status if error is not None else 200, error=error, **context)
    response.headers.update(error.headers if error is not None else {})
    return response


def _build_frame_context(request: Request) -> dict[str, Any]:
    visit = get_console_request(request)
    token = csrf.create_token(visit.csrf_secret)
    counts = describe_open_work(visit.open_work) if visit.open_work is not None else {}
    return {
        "signed_in": visit.signed_in,
        "can_work": visit.signed_in is not None and visit.signed_in.may(Permission.WORK),
        "words": code_labels,
        "path": request.url.path,
        "time_zone": visit.time_zone,
        "open_hits_count": counts.get(SANCTIONS),
        "navigation": build_navigation(visit.signed_in, request.url.path, counts) if visit.signed_in is not None else (),
        "csrf_token": token,
        "csrf_field": Markup('<input type="hidden" name="csrf" value="{}">').format(token),
    }


def build_attachment_headers(name: str) -> dict[str, str]:
    """The header that makes a browser save the response under this name, which must be ASCII."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def create_download(content: bytes, media_type: str, name: str) -> Response:
    """A response that a browser saves under this name."""
    return Response(content, headers=build_attachment_headers(name), media_type=media_type)
