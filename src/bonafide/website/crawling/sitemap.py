"""The addresses that a sitemap names (sitemaps.org), read from XML of any stranger: no entities, no network, no document type.

It does not ask for the sitemaps that an index names, and does not judge the addresses.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

MAX_ADDRESSES = 5_000


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What one file names: pages, or further sitemaps."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()


def parse_sitemap(body: bytes) -> Sitemap:
    """The file's addresses, the first few thousand; none where it is not XML or has a document type of its own."""
    if b"<!DOCTYPE" in body or b"<!ENTITY" in body:
        return Sitemap()
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True)
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError):
        return Sitemap()
    if root is None:  # what recovering leaves of a file without any element
        return Sitemap()
    return Sitemap(tuple(_list_locations(root, "url")), tuple(_list_locations(root, "sitemap")))


def _list_locations(root: etree._Element, tag: str) -> Iterator[str]:
    for number, element in enumerate(root.iterchildren("{*}" + tag)):
        if number == MAX_ADDRESSES:
            return
        text = element.findtext("{*}loc")
        if text is not None and text.strip() != "":
            yield text.strip()
