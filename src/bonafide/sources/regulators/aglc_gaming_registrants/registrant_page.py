"""Parse a page of the list: one article for each registrant, with its name, its brands and websites, and its class.

The markup is known only from another program that reads it, so the requirements are minimal: a page must have the list's heading,
and a registrant must have a name.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.sources.formats.html_page import HtmlPage, LexborNode, extract_text, read_html
from bonafide.sources.framework.context import Resource

HEADING = "gaming registrants"
_REGISTRANT = "article[data-history-node-id]"
_PARTS = {"name": "h2", "class": "p.stream", "brands and websites": "p:not(.stream)"}
_ALIAS = re.compile(r",?\s+(?:o/a|c/o/b|dba|d/b/a|operating as|doing business as)\s+", re.IGNORECASE)
_SITE = re.compile(r"(?:https?://)?(?:[\w-]+\.)+[a-z]{2,}(?:/\S*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GamingRegistrant:
    """A registrant in one class of registration."""

    name: str
    other_names: tuple[str, ...]
    classes: tuple[str, ...]
    brands: tuple[str, ...]
    sites: tuple[str, ...]


def read_page(resource: Resource) -> list[LexborNode]:
    """Return the articles of a page; none for the page after the last. Raises `ParseFailed` if it is not a page of the list."""
    # The site runs on Drupal, which always writes UTF-8.
    page = read_html(resource.path.read_bytes(), "utf-8", name=resource.name)
    if not _is_list_page(page):
        raise ParseFailed(
            Message("{file}: not a page of the list; the heading “Gaming Registrants” is missing", file=resource.name)
        )
    return page.css(_REGISTRANT)


def _is_list_page(page: HtmlPage) -> bool:
    return any(HEADING in (extract_text(heading) or "").casefold() for heading in page.css("h1, title"))


def find_present_parts(articles: Sequence[LexborNode]) -> list[str]:
    """List the parts of a registrant that occur in any article. When the markup changes, a part is missing from all of them."""
    return [part for part, selector in _PARTS.items() if any(article.css_matches(selector) for article in articles)]


def parse_registrant(article: LexborNode) -> GamingRegistrant:
    """Parse one article. Raises `ValueError` if it has no name."""
    name, *others = _ALIAS.split(next(_read_texts(article, "name"), ""))
    if name == "":
        raise ValueError(Message("the registrant has no name"))
    lines = list(_read_lines(article))
    brands = [line for line in lines if not _has_only_sites(line)]
    return GamingRegistrant(
        name=name,
        other_names=tuple(dict.fromkeys(other for other in others if other not in {"", name})),
        classes=tuple(dict.fromkeys(_read_texts(article, "class"))),
        brands=tuple(dict.fromkeys(brands)),
        sites=tuple(dict.fromkeys(site for line in lines if _has_only_sites(line) for site in line.split())),
    )


def _read_lines(article: LexborNode) -> Iterator[str]:
    """Yield the lines of all paragraphs but the class: each is a brand, or a row of websites."""
    for text in _read_texts(article, "brands and websites"):
        yield from text.splitlines()


def _read_texts(article: LexborNode, part: str) -> Iterator[str]:
    yield from (text for node in article.css(_PARTS[part]) if (text := extract_text(node, breaks=True)) is not None)


def _has_only_sites(line: str) -> bool:
    return all(_SITE.fullmatch(word) is not None for word in line.split())
