"""The pages for people: the reference made from the API's description, the changelog, and the changelog's feed.

Each is one self-contained answer: no script, no font, no address of anybody else's. They say nothing that the description and the
changelog do not say.
"""

from functools import cache

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.api.changelog import changelog
from bonafide.api.changelog_pages import changelog_feed, changelog_page
from bonafide.api.openapi import described, openapi_json
from bonafide.api.page import SECURITY_HEADERS
from bonafide.api.reference_page import reference_page

router = APIRouter(include_in_schema=False)


@router.get("/openapi.json")
async def openapi() -> Response:
    """The API's description."""
    return Response(openapi_json(), headers=SECURITY_HEADERS, media_type="application/json")


@router.get("/docs")
async def docs() -> Response:
    """The reference."""
    return Response(_docs(), headers=SECURITY_HEADERS, media_type="text/html")


@router.get("/changelog")
async def changes() -> Response:
    """The changelog."""
    return Response(_changelog(), headers=SECURITY_HEADERS, media_type="text/html")


@router.get("/changelog.rss")
async def feed(request: Request) -> Response:
    """The changelog as RSS."""
    address = str(request.url.replace(path="/changelog", query=""))
    return Response(changelog_feed(changelog(), address), headers=SECURITY_HEADERS, media_type="application/rss+xml")


@cache
def _docs() -> str:
    return reference_page(described())


@cache
def _changelog() -> str:
    return changelog_page(changelog())
