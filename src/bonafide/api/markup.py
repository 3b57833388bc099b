"""Elements of HTML and XML with everything escaped that is not an element itself.

Just enough for pages that are made of headings, paragraphs, tables and code; it knows no templates and checks no nesting.
"""

import re
from html import escape

_VOID = frozenset({"meta"})
_CODE = re.compile(r"`([^`]+)`")


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def tag(element: str, /, *children: str, **attributes: str) -> Markup:
    """An element. Text is escaped; a trailing underscore of an attribute is dropped (`class_`)."""
    written = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items())
    if element in _VOID:
        return Markup(f"<{element}{written}>")
    return Markup(f"<{element}{written}>{joined(*children)}</{element}>")


def joined(*children: str) -> Markup:
    """Elements and text after one another."""
    return Markup("".join(child if isinstance(child, Markup) else escape(child) for child in children))


def prose(text: str) -> Markup:
    """A line of text in which `code` stands between backticks."""
    parts = _CODE.split(text)
    return joined(*(tag("code", part) if index % 2 == 1 else part for index, part in enumerate(parts)))
