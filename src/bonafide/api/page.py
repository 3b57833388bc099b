"""The frame that every page of the API's documentation stands in: head, style, navigation."""

from bonafide.api.markup import Markup, joined, tag

STYLE = """
:root { color-scheme: light dark; --text: #1b1f24; --soft: #57606a; --line: #d8dee4; --tint: #f6f8fa; --accent: #0b5cad; --page: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --soft: #9aa4af; --line: #30363d; --tint: #161b22; --accent: #6cb6ff; --page: #0d1117; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem 1.25rem 4rem; background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, sans-serif; }
nav { display: flex; gap: 1.25rem; padding-bottom: .75rem; border-bottom: 1px solid var(--line); }
h1 { font-size: 1.8rem; margin: 1.5rem 0 .5rem; }
h2 { font-size: 1.35rem; margin: 2.5rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .25rem; }
a { color: var(--accent); }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: var(--tint); border: 1px solid var(--line); border-radius: .4rem; padding: .75rem; overflow-x: auto; }
pre code { overflow-wrap: normal; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
.method { display: inline-block; min-width: 4.2rem; font-weight: 700; color: var(--accent); }
.soft { color: var(--soft); }
"""


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
