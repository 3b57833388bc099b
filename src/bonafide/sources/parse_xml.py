"""Reading one kind of element out of an XML file of any length, hardened: no entities, no network, no document type.

Each element is freed when the next is asked for, so memory does not grow with the file. What the elements mean is the source's
business.
"""

from collections.abc import Iterator
from typing import IO

from lxml import etree
from lxml.etree import _Element as Element

from bonafide.errors import ParseFailed
from bonafide.sources.context import Resource

__all__ = ["Element", "read_elements", "read_stream"]


def read_elements(resource: Resource, tag: str) -> Iterator[Element]:
    """Every element of this local name, in any namespace or none; an element is valid until the next one is asked for.

    Raises `ParseFailed` when the file is not well-formed or declares a document type.
    """
    with resource.path.open("rb") as file:
        yield from read_stream(file, resource, tag)


def read_stream(file: IO[bytes], resource: Resource, tag: str) -> Iterator[Element]:
    """The same from an open file, such as one inside an archive; the resource is what it is called."""
    reader = etree.iterparse(
        file,
        tag=f"{{*}}{tag}",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        recover=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        for place, (_, element) in enumerate(reader):
            # It stands before the first element, so that the others need not be asked.
            if place == 0:
                _refuse_doctype(element, resource)
            yield element
            _free(element)
    except etree.XMLSyntaxError as error:
        raise ParseFailed(f"{resource.name}: not well-formed XML: {error}") from error


def _refuse_doctype(element: Element, resource: Resource) -> None:
    # Text behind an entity that is not resolved would be lost in silence, and no list needs one.
    if element.getroottree().docinfo.internalDTD is not None:
        raise ParseFailed(f"{resource.name}: declares a document type, which no list does")


def _free(element: Element) -> None:
    """Drop the element and what stands before it, which an incremental reader otherwise keeps to the end."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]
