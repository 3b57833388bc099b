"""Read the head of a page: its title, and the site's name and descriptions from `meta` elements.

A description may be about the page instead of the business, as on a privacy policy; `extractor` decides which ones to use.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborNode

from bonafide.model.search.website import FoundBy
from bonafide.website.extraction.page_statement import PageStatement, cut_snippet
from bonafide.website.page_content.structured_data import squeeze_text

MAX_TAGS: Final = 300
"""The maximum number of `meta` elements examined per page."""
_DESCRIPTIONS = frozenset({"description", "og:description", "twitter:description", "dcterms.description", "dc.description"})
_SITE_NAMES = frozenset({"og:site_name", "application-name"})


@dataclass(frozen=True, slots=True)
class MetaTags:
    """The site's descriptions and names in the head of one page, and the page's title."""

    descriptions: tuple[PageStatement[str], ...]
    site_names: tuple[str, ...]
    title: str = ""


def read_meta_tags(root: LexborNode, page: str) -> MetaTags:
    """Read the head of a page in document order."""
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
