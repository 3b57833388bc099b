"""Stream the elements of given names from an XML file of any length, without entities, network access or document types.

Each element is freed when the next one is requested, so memory does not grow with the file. The source interprets the elements.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import IO, cast

from lxml import etree
from lxml.etree import _Element as Element

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
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

MAX_TAG_BYTES = 4 * 1024**2
"""Maximum distance between two ends of tags. The longest text of a known list has under a megabyte."""
_NOT_WELL_FORMED = Message("{file}: not well-formed XML: {error}")
_BEGINNING_BYTES = 64
_BOM = b"\xef\xbb\xbf"


def is_xml(resource: Resource) -> bool:
    """Whether the file begins with a tag, for lists that are published as XML or in another format."""
    with resource.path.open("rb") as file:
        return file.read(_BEGINNING_BYTES).removeprefix(_BOM).lstrip().startswith(b"<")


def read_root_attributes(resource: Resource) -> Mapping[str, str]:
    """The attributes of the root element, often with the date of the file. Raises `ParseFailed` when its tag is not well-formed."""
    with resource.path.open("rb") as file:
        reader = etree.iterparse(
            _TagLimit(file, resource), events=("start",), resolve_entities=False, no_network=True, load_dtd=False
        )
        try:
            _, root = next(iter(reader))
        except (etree.XMLSyntaxError, StopIteration) as error:
            raise ParseFailed(_NOT_WELL_FORMED.fill(file=resource.name, error=str(error))) from error
        # Not `root.get(name)`: lxml does not find names whose namespace has braces.
        return dict(root.attrib.items())


def get_local_name(element: Element) -> str:
    """The element's name without its namespace; for a comment, a text that is not a name."""
    # Not `QName`, which refuses namespaces with braces.
    return str(element.tag).rpartition("}")[2]


def get_line(element: Element) -> int:
    """The line where the element begins; 0 if it is unknown."""
    return cast("int | None", element.sourceline) or 0  # the stubs have no type for it


def read_elements(resource: Resource, *tags: str) -> Iterator[Element]:
    """Every element of these local names, in any namespace or none; an element is valid until the next one is requested.

    Raises `ParseFailed` when the file is not well-formed or declares a document type.
    """
    with resource.path.open("rb") as file:
        yield from read_stream(file, resource, *tags)


def read_stream(file: IO[bytes], resource: Resource, *tags: str) -> Iterator[Element]:
    """The same for an open file, such as a member of an archive; `resource` names it in errors."""
    for element in _parse(file, resource, tags):
        yield element
        _free_element(element)


def read_children(resource: Resource, *tags: str) -> Iterator[Element]:
    """The elements of these local names that are children of the root, for a list whose records contain elements of the same name.

    Other children are skipped; an element is valid until the next one is requested. Raises `ParseFailed`.
    """
    with resource.path.open("rb") as file:
        for element in _parse(file, resource, tags):
            parent = element.getparent()
            if parent is not None and parent.getparent() is None:
                yield element
                _free_element(element)


def _parse(file: IO[bytes], resource: Resource, tags: Sequence[str]) -> Iterator[Element]:
    reader = etree.iterparse(
        _TagLimit(file, resource),
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
            # The declaration precedes the first element, so checking that one is enough.
            if place == 0:
                _reject_doctype(element, resource)
            yield element
    except etree.XMLSyntaxError as error:
        if getattr(error, "code", None) == etree.ErrorTypes.ERR_NO_MEMORY:
            raise MemoryError from error
        raise ParseFailed(_NOT_WELL_FORMED.fill(file=resource.name, error=str(error))) from error


class _TagLimit:
    """A file that can't be read beyond a tag or a text of excessive length, whose parsing would take very long."""

    def __init__(self, file: IO[bytes], resource: Resource) -> None:
        self.name = getattr(file, "name", None)
        self._file = file
        self._resource = resource
        self._since_tag = 0

    def read(self, size: int) -> bytes:
        """The next bytes. Raises `ParseFailed`."""
        chunk = self._file.read(size)
        end = chunk.rfind(b">")
        self._since_tag = self._since_tag + len(chunk) if end < 0 else len(chunk) - end
        if self._since_tag > MAX_TAG_BYTES:
            raise ParseFailed(
                Message("{file}: a tag or a text has more than {limit:,} bytes", file=self._resource.name, limit=MAX_TAG_BYTES)
            )
        return chunk


def _reject_doctype(element: Element, resource: Resource) -> None:
    # The text of an unresolved entity would be lost silently, and no list needs entities.
    if element.getroottree().docinfo.internalDTD is not None:
        raise ParseFailed(Message("{file}: the XML declares a document type, which is not allowed", file=resource.name))


def _free_element(element: Element) -> None:
    """Remove the element and those before it, which the incremental reader otherwise keeps in memory."""
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
    """The text of the first of them with its white space collapsed; None without an element or text."""
    return normalize_whitespace(element.findtext(_to_wildcard_path(path)))


def find_texts(element: Element, path: str) -> Iterator[str]:
    """The texts of all of them that have one."""
    for found in find_elements(element, path):
        text = normalize_whitespace(found.text)
        if text is not None:
            yield text
