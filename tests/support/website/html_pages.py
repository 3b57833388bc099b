"""Pages for tests of what a site states."""

from datetime import UTC, datetime

from bonafide.website.page_content.markup import SitePage
from bonafide.website.page_content.visible_text import VisiblePage, read_visible_text

HOME = "https://maple.sandbox.example/"
AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def page(body: str, url: str = HOME, head: str = "") -> SitePage:
    """A page with this body; text without markup becomes a paragraph."""
    body = body if body.startswith("<") else f"<p>{body}</p>"
    return SitePage(url, f"<!doctype html><html><head>{head}</head><body>{body}</body></html>", AT)


def read_page(body: str, url: str = HOME) -> VisiblePage:
    """The same, read."""
    return read_visible_text(page(body, url))


def json_ld(text: str) -> str:
    """A block of structured data for the head of a page."""
    return f'<script type="application/ld+json">{text}</script>'
