"""Routes of the documentation: /docs, /docs/search, /changelog, /openapi.json."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from bonafide.docs_site import (
    api_reference,
    changelog,
    client_samples,
    doc_pages,
    markdown_rendering,
    page_rendering,
    request_samples,
    search,
)
from bonafide.docs_site.api_reference import SCHEMAS, describe_type
from bonafide.docs_site.page_rendering import DocsRoute, choose_language, render_page, serve_page
from bonafide.i18n.language import Language
from bonafide.web.default_headers import SECURITY_HEADERS

_IMAGE_TYPES = {"svg": "image/svg+xml", "png": "image/png"}
router = APIRouter(include_in_schema=False, route_class=DocsRoute)


@router.get("/openapi.json")
async def openapi(request: Request) -> Response:
    """The API's description."""
    return serve_page(request, page_rendering.render_description, media_type="application/json")


@router.get("/docs")
async def overview(request: Request) -> Response:
    """The reference: all operations in a list."""
    return serve_page(request, _render_overview)


@router.get("/docs/api/schemas")
async def schemas(request: Request) -> Response:
    """All schemas in a list."""
    return serve_page(request, _render_schemas)


@router.get("/docs/api/schemas/{name}")
async def schema(request: Request, name: str) -> Response:
    """One schema. Raises `NotFound`."""
    return serve_page(request, _render_schema, name)


@router.get("/docs/api/{slug}")
async def operations(request: Request, slug: str) -> Response:
    """The operations of one tag. Raises `NotFound`."""
    return serve_page(request, _render_operations, slug)


@router.get("/docs/search")
async def search_results(request: Request, q: str = "") -> Response:
    """Pages and operations that match `q`. Not cached: there are as many result pages as there are queries."""
    text = q.strip()[: search.MAX_QUERY_CHARACTERS]
    language = choose_language(request)
    content = render_page("search.html", language, "/docs/search", search_text=text, results=search.search_pages(text, language))
    return Response(content, headers=SECURITY_HEADERS, media_type=page_rendering.HTML)


@router.get("/docs/{path:path}")
async def article(request: Request, path: str) -> Response:
    """One page of the documentation, or an image of one; the reference for `/docs/`. Raises `NotFound`."""
    if path in doc_pages.IMAGES:
        return serve_page(request, _read_image, path, media_type=_IMAGE_TYPES[path.rpartition(".")[2]])
    return serve_page(request, _render_article, path) if path != "" else RedirectResponse("/docs", status_code=308)


@router.get("/changelog")
async def changes(request: Request) -> Response:
    """The changelog."""
    return serve_page(request, _render_changelog)


@router.get("/changelog.rss")
async def rss(request: Request) -> Response:
    """The changelog as RSS."""
    return serve_page(request, _render_feed, media_type="application/rss+xml")


def _render_overview(language: Language, base_url: str) -> str:
    return render_page("reference/overview.html", language, "/docs", reference=api_reference.load_reference(), base_url=base_url)


def _render_operations(language: Language, base_url: str, slug: str) -> str:
    group = api_reference.get_group(slug)
    tools = {
        "kind": describe_type,
        "curl": request_samples.render_curl,
        "python": client_samples.render_python,
        "typescript": client_samples.render_typescript,
        "base_url": base_url,
    }
    return render_page(
        "reference/group.html", language, f"/docs/api/{slug}", group=group, schemas=api_reference.load_reference().schemas, **tools
    )


def _render_schemas(language: Language, base_url: str) -> str:
    del base_url
    return render_page("reference/schemas.html", language, SCHEMAS, schemas=api_reference.load_reference().schemas)


def _render_schema(language: Language, base_url: str, name: str) -> str:
    del base_url
    return render_page(
        "reference/schema.html", language, SCHEMAS, name=name, schema=api_reference.get_schema(name), kind=describe_type
    )


def _render_article(language: Language, base_url: str, path: str) -> str:
    del base_url
    page = doc_pages.get_page(path)
    return render_page("article.html", language, page.address, page=page, article=markdown_rendering.render_markdown(page))


def _read_image(language: Language, base_url: str, path: str) -> bytes:
    del language, base_url
    return doc_pages.read_image(path)


def _render_changelog(language: Language, base_url: str) -> str:
    del base_url
    return render_page(
        "changelog.html", language, "/changelog", changes=changelog.read_changelog(), anchor=changelog.build_section_anchor
    )


def _render_feed(language: Language, base_url: str) -> str:
    del language
    address = f"{base_url}/changelog"
    return page_rendering.render_plain(
        "feed.xml", items=changelog.build_feed_items(changelog.read_changelog(), address), address=address
    )
