"""Find elements of OFAC's XML files by path, in any namespace.

Which element means what is the business of the two readers.
"""

from collections.abc import Iterator
from functools import cache

from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element


@cache
def _to_wildcard_path(path: str) -> str:
    return "/".join(f"{{*}}{tag}" for tag in path.split("/"))


def find_elements(element: Element, path: str) -> list[Element]:
    """The elements at `one/other` below an element, in order."""
    return element.findall(_to_wildcard_path(path))


def find_text(element: Element, path: str) -> str | None:
    """The text of the first of them, white space squeezed; None when there is none, or nothing in it."""
    return normalize_whitespace(element.findtext(_to_wildcard_path(path)))


def find_texts(element: Element, path: str) -> Iterator[str]:
    """The texts of all of them that have one."""
    for found in find_elements(element, path):
        text = normalize_whitespace(found.text)
        if text is not None:
            yield text
