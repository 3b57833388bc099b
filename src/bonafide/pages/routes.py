"""The addresses of the pages: `/docs` and what is below it, the changelog with its feed, and the API's description.

Each handler finds what is asked for; making it is `frame`'s and the templates' business.
"""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from bonafide.model.language import Language
from bonafide.pages import changelog, feed, frame, library, markdown, reference, samples
from bonafide.pages.frame import PageRoute, answered, rendered
from bonafide.pages.schema_text import SCHEMAS, kind

router = APIRouter(include_in_schema=False, route_class=PageRoute)


@router.get("/openapi.json")
async def openapi(request: Request) -> Response:
    """The API's description."""
    return answered(request, frame.description, media_type="application/json")


@router.get("/docs")
async def overview(request: Request) -> Response:
    """The reference: all operations in a list."""
    return answered(request, _overview)


@router.get("/docs/api/schemas")
async def schemas(request: Request) -> Response:
    """All schemas in a list."""
    return answered(request, _schemas)


@router.get("/docs/api/schemas/{name}")
async def schema(request: Request, name: str) -> Response:
    """One schema. Raises `NotFound`."""
    return answered(request, _schema, name)


@router.get("/docs/api/{slug}")
async def operations(request: Request, slug: str) -> Response:
    """The operations of one tag. Raises `NotFound`."""
    return answered(request, _operations, slug)


@router.get("/docs/{path:path}")
async def article(request: Request, path: str) -> Response:
    """One page of the documentation; the reference for who adds a slash to its address. Raises `NotFound`."""
    return answered(request, _article, path) if path != "" else RedirectResponse("/docs", status_code=308)


@router.get("/changelog")
async def changes(request: Request) -> Response:
    """The changelog."""
    return answered(request, _changelog)


@router.get("/changelog.rss")
async def rss(request: Request) -> Response:
    """The changelog as RSS."""
    return answered(request, _feed, media_type="application/rss+xml")


def _overview(language: Language, base_url: str) -> str:
    return rendered("reference/overview.html", language, "/docs", reference=reference.reference(), base_url=base_url)


def _operations(language: Language, base_url: str, slug: str) -> str:
    group = reference.group_of(slug)
    tools = {"kind": kind, "curl": samples.curl, "python": samples.python, "base_url": base_url}
    return rendered(
        "reference/group.html", language, f"/docs/api/{slug}", group=group, schemas=reference.reference().schemas, **tools
    )


def _schemas(language: Language, base_url: str) -> str:
    del base_url
    return rendered("reference/schemas.html", language, SCHEMAS, schemas=reference.reference().schemas)


def _schema(language: Language, base_url: str, name: str) -> str:
    del base_url
    return rendered("reference/schema.html", language, SCHEMAS, name=name, schema=reference.schema_of(name), kind=kind)


def _article(language: Language, base_url: str, path: str) -> str:
    del base_url
    page = library.page_at(path)
    return rendered("article.html", language, page.address, page=page, article=markdown.rendered(page))


def _changelog(language: Language, base_url: str) -> str:
    del base_url
    return rendered("changelog.html", language, "/changelog", changes=changelog.changelog(), anchor=feed.anchor)


def _feed(language: Language, base_url: str) -> str:
    del language
    address = f"{base_url}/changelog"
    return frame.plain("feed.xml", items=feed.items(changelog.changelog(), address), address=address)
