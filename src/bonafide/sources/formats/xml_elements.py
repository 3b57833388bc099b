"""Stream the elements of given names from an XML file of any length, without entities, network access or document types.

Each element is freed when the next is asked for, so memory does not grow with the file. What the elements mean is the source's
business.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import IO, cast

from lxml import etree
from lxml.etree import _Element as Element

from bonafide.errors import ParseFailed
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.framework.context import Resource

__all__ = [
    "Element",
    "find_elements",
    "find_text",
    "find_texts",
    "get_line",
    "get_local_name",
    "is_xml",
    "read_children",
    "read_elements",
    "read_root_attributes",
    "read_stream",
]

_BEGINNING_BYTES = 64
_BOM = b"\xef\xbb\xbf"


def is_xml(resource: Resource) -> bool:
    """Whether the file begins with a tag, for lists that come as XML or as something else."""
    with resource.path.open("rb") as file:
        return file.read(_BEGINNING_BYTES).removeprefix(_BOM).lstrip().startswith(b"<")


def read_root_attributes(resource: Resource) -> Mapping[str, str]:
    """What the first tag of the file says: often its date. Raises `ParseFailed` when the file is not well-formed up to there."""
    with resource.path.open("rb") as file:
        reader = etree.iterparse(file, events=("start",), resolve_entities=False, no_network=True, load_dtd=False)
        try:
            _, root = next(iter(reader))
        except (etree.XMLSyntaxError, StopIteration) as error:
            raise ParseFailed(f"{resource.name}: not well-formed XML: {error}") from error
        # Not by name: lxml does not find a name with braces in its namespace again.
        return dict(root.attrib.items())


def get_local_name(element: Element) -> str:
    """The element's name without its namespace, whatever that is; of a comment a text that is no name."""
    # Not by `QName`, which refuses a namespace with braces.
    return str(element.tag).rpartition("}")[2]


def get_line(element: Element) -> int:
    """The line where the element begins; 0 when it isn't known."""
    return cast("int | None", element.sourceline) or 0  # the stubs leave its type open


def read_elements(resource: Resource, *tags: str) -> Iterator[Element]:
    """Every element of these local names, in any namespace or none; an element is valid until the next one is asked for.

    Raises `ParseFailed` when the file is not well-formed or declares a document type.
    """
    with resource.path.open("rb") as file:
        yield from read_stream(file, resource, *tags)


def read_stream(file: IO[bytes], resource: Resource, *tags: str) -> Iterator[Element]:
    """The same from an open file, such as one inside an archive; the resource is what it is called."""
    for element in _parse(file, resource, tags):
        yield element
        _free_element(element)


def read_children(resource: Resource, *tags: str) -> Iterator[Element]:
    """The elements of these local names right below the root, for a list whose records hold records of the same name.

    Whatever else stands there is passed over; an element is valid until the next one is asked for. Raises `ParseFailed`.
    """
    with resource.path.open("rb") as file:
        for element in _parse(file, resource, tags):
            parent = element.getparent()
            if parent is not None and parent.getparent() is None:
                yield element
                _free_element(element)


def _parse(file: IO[bytes], resource: Resource, tags: Sequence[str]) -> Iterator[Element]:
    reader = etree.iterparse(
        file,
        tag=[f"{{*}}{tag}" for tag in tags],
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
                _reject_doctype(element, resource)
            yield element
    except etree.XMLSyntaxError as error:
        raise ParseFailed(f"{resource.name}: not well-formed XML: {error}") from error


def _reject_doctype(element: Element, resource: Resource) -> None:
    # Text behind an entity that is not resolved would be lost in silence, and no list needs one.
    if element.getroottree().docinfo.internalDTD is not None:
        raise ParseFailed(f"{resource.name}: declares a document type, which no list does")


def _free_element(element: Element) -> None:
    """Drop the element and what stands before it, which an incremental reader otherwise keeps to the end."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


# ------------------------------------------------------------------------------------------------------------ paths


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
