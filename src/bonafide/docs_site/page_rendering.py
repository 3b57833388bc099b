"""Render documentation pages once for each language and serve them with caching headers."""

import gzip
import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute
from markupsafe import Markup
from starlette.responses import Response

from bonafide.api.openapi import render_openapi_json
from bonafide.docs_site.api_reference import load_reference
from bonafide.docs_site.changelog import read_deprecations
from bonafide.docs_site.doc_pages import list_menu
from bonafide.errors import ApiError
from bonafide.i18n.language import Language
from bonafide.web.accept_language import parse_accept_language
from bonafide.web.default_headers import SECURITY_HEADERS
from bonafide.web.request_context import get_request_context
from bonafide.web.templates import Templates

HTML = "text/html"
_MAX_CACHED_PAGES = 1024
"""All pages in both languages, about 30 kB each with the compressed form."""
_DIGEST_CHARACTERS = 16
_CODE = re.compile(r"`([^`]+)`")
_templates = Templates("bonafide.docs_site")
Handler = Callable[[Request], Coroutine[Any, Any, Response]]
PageBuilder = Callable[..., str | bytes]
"""Renders a page, or reads an image, for a language, the base URL of the service, and further arguments that identify the page."""


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page, plain and compressed."""

    content: bytes
    zipped: bytes
    etag: str


class DocsRoute(APIRoute):
    """A route of HTML pages: errors are rendered as pages, too."""

    def get_route_handler(self) -> Handler:
        """The handler, with errors rendered as pages."""
        handle = super().get_route_handler()

        async def framed(request: Request) -> Response:
            try:
                return await handle(request)
            except ApiError as error:
                return _render_error(request, error)

        return framed


def serve_page(request: Request, make: PageBuilder, *which: str, media_type: str = HTML) -> Response:
    """Return a page, rendered once for each language and cached."""
    kept = _build_cached_page(make, choose_language(request), request.app.state.runtime.settings.base_url, *which)
    headers = {**SECURITY_HEADERS, "Cache-Control": "no-cache", "ETag": kept.etag, "Vary": "Accept-Encoding, Accept-Language"}
    if kept.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(kept.zipped, headers={**headers, "Content-Encoding": "gzip"}, media_type=media_type)
    return Response(kept.content, headers=headers, media_type=media_type)


def render_page(template: str, language: Language, path: str, **context: Any) -> str:
    """Render a template within the frame. `path` is the URL of the page, which the navigation marks."""
    around = {
        "path": path,
        "shelves": list_menu(language, path),
        "groups": load_reference().groups,
        "prose": render_inline,
        "paragraphs": render_paragraphs,
    }
    return _templates.render(template, language, {**around, **context})


def render_plain(template: str, **context: Any) -> str:
    """Render a template without frame and language."""
    return _templates.render(template, Language.ENGLISH, context)


def choose_language(request: Request) -> Language:
    """The language of the frame, as the browser prefers. A page has a language of its own."""
    found = parse_accept_language(",".join(request.headers.getlist("accept-language")))
    return found if found is not None else Language.ENGLISH


def render_description(language: Language, base_url: str) -> str:
    """The OpenAPI description, which is the same in all languages."""
    del language, base_url
    return render_openapi_json(read_deprecations())


def render_inline(text: str) -> Markup:
    """A line of text with `code` between backticks."""
    parts = _CODE.split(text)
    return Markup("").join(Markup("<code>{}</code>").format(part) if index % 2 == 1 else part for index, part in enumerate(parts))


def render_paragraphs(text: str) -> Markup:
    """Text with paragraphs separated by empty lines."""
    parts = text.split("\n\n")
    return Markup("\n").join(Markup("<p>{}</p>").format(render_inline(part.replace("\n", " "))) for part in parts)


@lru_cache(maxsize=_MAX_CACHED_PAGES)
def _build_cached_page(make: PageBuilder, language: Language, base_url: str, *which: str) -> CachedPage:
    made = make(language, base_url, *which)
    content = made.encode() if isinstance(made, str) else made
    return CachedPage(content, gzip.compress(content, mtime=0), f'"{sha256(content).hexdigest()[:_DIGEST_CHARACTERS]}"')


def _render_error(request: Request, error: ApiError) -> Response:
    request_id = get_request_context(request.scope).request_id
    content = render_page("error.html", choose_language(request), request.url.path, error=error, request_id=request_id)
    return Response(content, error.status, headers={**SECURITY_HEADERS, **error.headers}, media_type=HTML)
