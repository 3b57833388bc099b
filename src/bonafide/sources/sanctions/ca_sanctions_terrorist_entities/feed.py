"""Read the Atom feed of Public Safety Canada: one entry for each group, with aliases in the summary, a description in the content.

`source` interprets the names.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element, get_line, get_local_name, read_elements
from bonafide.sources.framework.context import ParseContext, Resource

_NO_ALIASES = frozenset({"n/a", "na", "none", "-"})
_BREAK = re.compile(r"</?(?:p|br|li|[uo]l|div|h\d)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]+>")


@dataclass(frozen=True, slots=True)
class TerroristFeedEntry:
    """One entry as published; absent and blank fields are None."""

    line: int
    title: str | None
    aliases: str | None
    about: str | None
    published: str | None
    link: str | None


def read_feed(resource: Resource, context: ParseContext) -> Iterator[TerroristFeedEntry]:
    """Yield the entries of the feed. Raises `ParseFailed` if the file is not well-formed XML."""
    for element in read_elements(resource, "entry"):
        _count_unknown(element, context)
        texts = {get_local_name(child): _extract_text(child) for child in element if get_local_name(child) != "link"}
        links = [child.get("href") for child in element if get_local_name(child) == "link"]
        aliases = texts.get("summary")
        yield TerroristFeedEntry(
            line=get_line(element),
            title=texts.get("title"),
            aliases=aliases if aliases is not None and aliases.casefold() not in _NO_ALIASES else None,
            about=texts.get("content"),
            published=(texts.get("published") or "")[:10] or None,
            link=next((link for link in links if link), None),
        )


def _count_unknown(element: Element, context: ParseContext) -> None:
    layout = context.metadata.layouts["entry"]
    for child in element:
        if get_local_name(child) not in layout.columns and get_local_name(child) not in layout.ignored:
            context.report.unknown_terms[f"tag: {get_local_name(child)}"] += 1


def _extract_text(element: Element) -> str | None:
    """Return the text without markup, whether elements or escaped text."""
    text = "".join(str(part) for part in element.itertext())
    return normalize_whitespace(html.unescape(_TAG.sub("", _BREAK.sub(" ", text))))
