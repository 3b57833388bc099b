"""Render a Markdown file as HTML with anchors and rewritten links.

Markup in the file stays text. A link to a file of the repository that is not served is shown without the link.
"""

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup, escape

from bonafide.docs_site.doc_pages import IMAGES, OTHER_URLS, PREFIX, DocsPage, find_page

_NOT_IN_ANCHOR = re.compile(r"[^\w\- ]")
_FOREIGN = re.compile(r"[a-z][a-z0-9+.\-]*:", re.IGNORECASE)
_IN_CONTENTS = frozenset({"h2", "h3"})


@dataclass(frozen=True, slots=True)
class PageHeading:
    """A heading in the table of contents. `level` is 2 or 3."""

    level: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class RenderedArticle:
    """A rendered page."""

    content: Markup
    headings: tuple[PageHeading, ...]


@dataclass(frozen=True, slots=True)
class PageSection:
    """The plain text below one heading, up to the next. `anchor` is empty for the first heading of the page."""

    anchor: str
    heading: str
    text: str


def render_markdown(page: DocsPage) -> RenderedArticle:
    """The page as HTML."""
    parser = _create_parser()
    tokens = parser.parse(page.text)
    headings = tuple(_add_anchors(tokens))
    for token in tokens:
        if token.type == "inline" and token.children is not None:
            token.children = list(_rewrite_links(token.children, page))
    return RenderedArticle(Markup(parser.renderer.render(tokens, parser.options, {})), headings)  # noqa: S704 - the renderer escapes


def split_sections(page: DocsPage) -> Iterator[PageSection]:
    """The page's text by heading, for the search. Code blocks and tables are part of the text."""
    tokens = _create_parser().parse(page.text)
    for _ in _add_anchors(tokens):  # sets the ids of the headings
        pass
    headings = {id(inline) for token, inline in pairwise(tokens) if token.type == "heading_open"}
    anchor, heading, texts = "", page.title, list[str]()
    for token, following in pairwise([*tokens, Token("end", "", 0)]):
        if token.type == "heading_open" and token.tag != "h1":
            yield PageSection(anchor, heading, " ".join(texts))
            anchor, heading, texts = str(token.attrGet("id")), _read_text(following), []
        elif token.type == "inline" and id(token) not in headings:
            texts.append(_read_text(token))
        elif token.type == "fence":
            texts.append(token.content)
    yield PageSection(anchor, heading, " ".join(texts))


def _create_parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")


def _read_text(inline: Token) -> str:
    """The text of an inline token without its markup."""
    return "".join(" " if child.type == "softbreak" else child.content for child in inline.children or [])


def build_anchor(heading: str) -> str:
    """The anchor of a heading, as code hosts build it."""
    return _NOT_IN_ANCHOR.sub("", heading.lower()).replace(" ", "-")


def resolve_link(target: str, page: DocsPage) -> str | None:
    """The URL of a relative link of this page; None for a file that is not served."""
    path, mark, fragment = target.partition("#")
    if path == "":
        return target
    place = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), path))
    if place in IMAGES:
        return f"{PREFIX}/{place}"
    if place in OTHER_URLS:
        return f"{OTHER_URLS[place]}{mark}{fragment}"
    found = find_page(place.removesuffix(".md")) if place.endswith(".md") else None
    return f"{PREFIX}/{found.path}{mark}{fragment}" if found is not None else None


def _add_anchors(tokens: Sequence[Token]) -> Iterator[PageHeading]:
    """Set a unique anchor on every heading, and yield the headings of the table of contents."""
    taken: dict[str, int] = {}
    for token, inline in pairwise(tokens):
        if token.type != "heading_open":
            continue
        text = "".join(child.content for child in inline.children or [])
        anchor = build_anchor(text)
        count = taken[anchor] = taken.get(anchor, -1) + 1
        unique = anchor if count == 0 else f"{anchor}-{count}"
        token.attrSet("id", unique)
        if token.tag in _IN_CONTENTS:
            yield PageHeading(int(token.tag[1:]), unique, text)


def _rewrite_links(children: Sequence[Token], page: DocsPage) -> Iterator[Token]:
    """The tokens of one paragraph with links and images rewritten. Links don't nest, so one flag is enough."""
    is_dropped = False
    for token in children:
        if token.type == "link_open":
            target = str(token.attrGet("href"))
            address = target if _FOREIGN.match(target) is not None else resolve_link(target, page)
            is_dropped = address is None
            if address is not None:
                token.attrSet("href", address)
        if token.type == "image":
            source = str(token.attrGet("src"))
            token.attrSet("src", resolve_link(source, page) or source)
        if not (is_dropped and token.type in {"link_open", "link_close"}):
            yield token


class _Renderer(RendererHTML):
    """Scrollable tables and code blocks can be focused by keyboard and have labels."""

    def table_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any) -> str:
        del options, env
        label = escape(_find_heading_above(tokens, index))
        return f'<div class="table-scroll" tabindex="0" role="region" aria-label="{label}"><table>\n'

    def table_close(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any) -> str:
        del tokens, index, options, env
        return "</table></div>\n"

    def td_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any) -> str:
        # Alignment would be an inline style, which the content security policy forbids.
        tokens[index].attrs.pop("style", None)
        return self.renderToken(tokens, index, options, env)

    def th_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any) -> str:
        # A column without a name (usually the first) has no header cell.
        name = "th" if tokens[index + 1].content != "" else "td"
        tokens[index].tag = name
        closing = next(token for token in tokens[index:] if token.type == "th_close")
        closing.tag = name
        tokens[index].attrs.pop("style", None)
        if name == "th":
            tokens[index].attrSet("scope", "col")
        return self.renderToken(tokens, index, options, env)

    def fence(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any) -> str:
        del options, env
        label = tokens[index].info.strip() or "text"
        return f'<pre tabindex="0" role="region" aria-label="{escape(label)}"><code>{escape(tokens[index].content)}</code></pre>\n'


def _find_heading_above(tokens: Sequence[Token], index: int) -> str:
    for place in range(index - 1, -1, -1):
        if tokens[place].type == "heading_open":
            return "".join(child.content for child in tokens[place + 1].children or [])
    return "Table"
