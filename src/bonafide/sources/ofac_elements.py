"""Elements of OFAC's XML files by their path, in any namespace: both forms are written alike, white space and all.

Which element means what is the business of the two readers.
"""

from collections.abc import Iterator
from functools import cache

from bonafide.sources.parse import squeeze
from bonafide.sources.parse_xml import Element


@cache
def _path(path: str) -> str:
    return "/".join(f"{{*}}{tag}" for tag in path.split("/"))


def all_of(element: Element, path: str) -> list[Element]:
    """The elements at `one/other` below an element, in order."""
    return element.findall(_path(path))


def text_at(element: Element, path: str) -> str | None:
    """The text of the first of them, white space squeezed; None when there is none, or nothing in it."""
    return squeeze(element.findtext(_path(path)))


def texts_at(element: Element, path: str) -> Iterator[str]:
    """The texts of all of them that have one."""
    for found in all_of(element, path):
        text = squeeze(found.text)
        if text is not None:
            yield text
