"""What a page's head says: its title, and the site's name and descriptions in `meta` elements.

A description of a privacy policy describes the policy: whether a page speaks of the business is decided in `extract`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborNode

from bonafide.model.search.website import FoundBy
from bonafide.website.extraction.page_statement import PageStatement, cut_snippet
from bonafide.website.page_content.structured_data import squeeze_text

MAX_TAGS: Final = 300
"""`meta` elements of a page that are looked at."""
_DESCRIPTIONS = frozenset({"description", "og:description", "twitter:description", "dcterms.description", "dc.description"})
_SITE_NAMES = frozenset({"og:site_name", "application-name"})


@dataclass(frozen=True, slots=True)
class MetaTags:
    """The descriptions and the names of a site in the head of one of its pages, and that page's title."""

    descriptions: tuple[PageStatement[str], ...]
    site_names: tuple[str, ...]
    title: str = ""


def read_meta_tags(root: LexborNode, page: str) -> MetaTags:
    """Read the head of a page, its elements in order."""
    found, title = list(_list_named_tags(root)), root.css_first("title")
    return MetaTags(
        tuple(
            PageStatement(text, page, FoundBy.META, cut_snippet(f"{name}: {text}")) for name, text in found if name in _DESCRIPTIONS
        ),
        tuple(text for name, text in found if name in _SITE_NAMES),
        squeeze_text(title.text()) if title is not None else "",
    )


def _list_named_tags(root: LexborNode) -> Iterator[tuple[str, str]]:
    for node in root.css("meta")[:MAX_TAGS]:
        attributes = node.attributes
        name, text = (
            (attributes.get("name") or attributes.get("property") or "").lower(),
            squeeze_text(attributes.get("content") or ""),
        )
        if name and text:
            yield name, text
