"""Write a list that names no business of the world, and XML documents."""

from collections.abc import Callable
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.writers.framework.writer import TargetFile


class StandaloneListWriter:
    """One file; `write` fills it, given its path."""

    def __init__(self, folder: Path, target: TargetFile, write: Callable[[Path], None]) -> None:
        self.targets = (target,)
        self._path = folder / target.path
        self._write = write

    def take(self, business: SandboxBusiness) -> None:
        """No business of the world is on the list."""

    def list_known(self, fixed: KnownBusiness) -> None:
        """No fixed business is on it either."""

    def close(self) -> None:
        """Write the file."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._write(self._path)


def add_element(parent: Element, tag: str, text: str | None = None, **attributes: str) -> Element:
    """A new element at the end of another one; an underscore in the name of an attribute is a hyphen."""
    element = etree.SubElement(parent, tag, {name.replace("_", "-"): value for name, value in attributes.items()})
    element.text = text
    return element


def write_document(root: Element, path: Path) -> None:
    """An XML document as a file; the same elements are the same bytes."""
    etree.ElementTree(root).write(str(path), encoding="UTF-8", xml_declaration=True, pretty_print=True)
