"""The frame that every page of the API's documentation stands in: head, style, navigation."""

import base64
from hashlib import sha256
from importlib.resources import files

from bonafide.api.markup import Markup, joined, tag

STYLE = files("bonafide.api").joinpath("page.css").read_text("utf-8")
_DIGEST = base64.b64encode(sha256(STYLE.encode()).digest()).decode()
SECURITY_HEADERS = {
    # Nothing may be loaded, and no style but this one applied: what a page quotes can't come alive in it.
    "Content-Security-Policy": (
        f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def page(title: str, *content: str) -> Markup:
    """A whole HTML document."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", Markup(STYLE)),
        Markup('<link rel="alternate" type="application/rss+xml" title="API changelog" href="/changelog.rss">'),
    )
    links = [("/docs", "Reference"), ("/changelog", "Changelog"), ("/changelog.rss", "RSS"), ("/openapi.json", "OpenAPI")]
    navigation = tag("nav", *(tag("a", text, href=address) for address, text in links))
    body = tag("body", navigation, tag("main", tag("h1", title), *content))
    return joined(Markup("<!DOCTYPE html>"), tag("html", head, body, lang="en"))


def table(columns: list[str], rows: list[list[str]]) -> Markup:
    """A table that scrolls by itself where the screen is narrow."""
    head = tag("tr", *(tag("th", column) for column in columns))
    body = [tag("tr", *(tag("td", cell) for cell in row)) for row in rows]
    return tag("div", tag("table", tag("thead", head), tag("tbody", *body)), class_="scroll")
